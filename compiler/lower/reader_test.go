package lower

import (
	"testing"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// lowered lowers a policy with the given params and options.
func lowered(t *testing.T, use, params string, opt Options) (*ir.Policy, diag.List) {
	t.Helper()
	text := "policy \"p\" {\n  use = \"" + use + "\"\n  params = { " + params + " }\n}\n"
	unit, diags := Parse(source.NewFile("p.hcl", []byte(text)), HCL, Files{})
	p, more := Lower([]Unit{unit}, opt)
	return p, append(diags, more...)
}

func param(p *ir.Policy, name string) ir.Param {
	for _, q := range p.Params {
		if q.Name == name {
			return q
		}
	}
	return ir.Param{}
}

// TestUnits: text means what it means in the scheduler's file, from --param as from
// `params`; a bare number is in the stored unit.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		use, name, hcl, option string
		want                   int64
	}{
		{"slurm", "PriorityMaxAge", "", "100", 6000},
		{"slurm", "PriorityMaxAge", `"100"`, "", 6000},
		{"slurm", "PriorityMaxAge", "6000", "", 6000},
		{"slurm", "PriorityMaxAge", "60", "", 60},
		{"slurm", "PriorityMaxAge", `"7-0"`, "", 604800},
		{"slurm", "PriorityMaxAge", "", "7-0", 604800},
		{"slurm", "PriorityMaxAge", "0", "", 0},
		{"slurm", "PriorityWeightAge", "", "0x10", 16},
		{"slurm", "PriorityWeightAge", `"10k"`, "", 10240},
		{"slurm", "PriorityFavorSmall", "true", "", 1},
		{"slurm", "PriorityFavorSmall", "", "yes", 1},
		{"maui", "FSINTERVAL", "100", "", 100},
		{"maui", "FSINTERVAL", `"100"`, "", 100},
		{"maui", "FSINTERVAL", "", "12:00:00", 43200},
		{"maui", "QUEUETIMEWEIGHT", `"12abc"`, "", 12},
		{"maui", "FSDEPTH", "99", "", 24},
		{"maui", "REJECTNEGPRIOJOBS", "true", "", 1},
		{"maui", "REJECTNEGPRIOJOBS", "", "TRUE", 1},
	} {
		opt, setting := Options{}, ""
		if c.option != "" {
			opt.Params = []ParamOverride{{Name: c.name, Value: c.option}}
		} else {
			setting = c.name + " = " + c.hcl
		}
		p, diags := lowered(t, c.use, setting, opt)
		if p == nil {
			t.Errorf("%s = %s%s: %v", c.name, c.hcl, c.option, diags[0].Message)
			continue
		}
		if got := param(p, c.name).Value.Int; got != c.want {
			t.Errorf("%s = %s%s is %d, want %d", c.name, c.hcl, c.option, got, c.want)
		}
	}
}

// TestLists: a list is written as a list or as its words are in the file.
func TestLists(t *testing.T) {
	for _, hcl := range []string{`["a", "b"]`, `"a b"`} {
		p, diags := lowered(t, "maui", "NODESETLIST = "+hcl, Options{})
		if p == nil || len(param(p, "NODESETLIST").Value.List) != 2 {
			t.Errorf("%s: %v", hcl, diags)
		}
	}
	p, diags := lowered(t, "slurm", `SchedulerParameters = ["bf_continue", "bf_interval=30"]`, Options{})
	if p == nil || param(p, "SchedulerParameters").Value.Str != "bf_continue,bf_interval=30" {
		t.Errorf("%v", diags)
	}
}

// TestUnset: the word that leaves a parameter unset gives it the empty value.
func TestUnset(t *testing.T) {
	p, diags := lowered(t, "maui", `FSPOLICY = "NONE"`, Options{})
	if p == nil || len(diags) > 0 || param(p, "FSPOLICY").Value.Str != "" {
		t.Errorf("%v", diags)
	}
}

// TestMauiAlias: the old name of a parameter sets it.
func TestMauiAlias(t *testing.T) {
	checked := 0
	ps := newParams()
	ps.addFamily("maui", Options{})
	for old, name := range ps.alias {
		if ps.by[name] == nil {
			continue
		}
		checked++
		if p := ps.find(old); p == nil || p.Name != name {
			t.Errorf("%s finds %v, want %s", old, p, name)
		}
	}
	if checked == 0 {
		t.Error("no alias in the table")
	}
}

// TestVersionOrder: command line, policy, snapshot, newest.
func TestVersionOrder(t *testing.T) {
	for _, c := range []struct{ flag, stated, snapshot, want, code string }{
		{"", "", "", "26.05", ""},
		{"", "", "22.05.8", "22.05", ""},
		{"", "18.08", "22.05", "18.08", "snapshot-version"},
		{"", "22.05", "22.05.8", "22.05", ""},
		{"20.11", "18.08", "22.05", "20.11", ""},
	} {
		text := "policy \"p\" {\n  use = \"slurm\"\n}\n"
		if c.stated != "" {
			text = "policy \"p\" {\n  use = \"slurm\"\n  version = \"" + c.stated + "\"\n}\n"
		}
		unit, _ := Parse(source.NewFile("p.hcl", []byte(text)), HCL, Files{})
		p, diags := Lower([]Unit{unit}, Options{Version: c.flag, SnapshotVersion: c.snapshot})
		code := ""
		if len(diags) > 0 {
			code = diags[0].Code
		}
		if p == nil || p.Version != c.want || code != c.code {
			t.Errorf("%+v: %v", c, diags)
		}
	}
}

// TestDeviationNumbers: a number switches on what it stands for, and the caller's list stays as it is.
func TestDeviationNumbers(t *testing.T) {
	for _, number := range []string{"Δ12", "D12", "priority_floor"} {
		given := []string{number}
		p, diags := lowered(t, "maui", "", Options{Deviations: given})
		if p == nil {
			t.Fatalf("%s: %v", number, diags[0].Message)
		}
		on := false
		for _, d := range p.Deviations {
			on = on || d.Name == "priority_floor" && d.Documented
		}
		if !on || given[0] != number {
			t.Errorf("%s: on is %v, given %v", number, on, given)
		}
	}
}

// FuzzParam: whatever the text, a setting gets the type of its parameter or an error.
func FuzzParam(f *testing.F) {
	names := []struct{ family, name string }{
		{"slurm", "PriorityMaxAge"}, {"slurm", "PriorityWeightAge"}, {"slurm", "PriorityFlags"},
		{"slurm", "PriorityWeightTRES"},
		{"slurm", "PriorityFavorSmall"}, {"slurm", "SchedulerParameters"}, {"slurm", "NodeName"},
		{"maui", "FSINTERVAL"}, {"maui", "QUEUETIMEWEIGHT"}, {"maui", "FSPOLICY"}, {"maui", "NODESETLIST"},
		{"maui", "FSDECAY"}, {"maui", "SERVERHOST"},
	}
	for i, seed := range []string{"7-0", "-1", "1e12", "a\nb", "NONE", "", "#", "\"", "{{", "CPU=1",
		"99999999999999999999", "\x00", "12 13", "[x]", "//", "=", "\\"} {
		f.Add(uint8(i), seed)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		n := names[int(which)%len(names)]
		l := &lowering{use: n.family, family: n.family, params: newParams()}
		l.params.addFamily(n.family, Options{})
		p := l.params.find(n.name)
		l.params.reader = l.reader(nil)
		before := p.Value.Type
		l.params.assignPolicy(l.override(ParamOverride{Name: n.name, Value: text}), n.family, &l.diags)
		if p.Value.Type != before || l.diags.HasErrors() != (p.Raw == "" && text != "") && text != "" {
			t.Fatalf("%s=%q is %+v: %v", n.name, text, p.Value, l.diags)
		}
	})
}
