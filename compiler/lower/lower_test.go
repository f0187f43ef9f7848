package lower

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

func TestDetect(t *testing.T) {
	for text, want := range map[string]Lang{
		"policy \"p\" {\n  use = \"maui\"\n}\n":                   HCL,
		"# Maui\nSERVERHOST head\nQUEUETIMEWEIGHT 10\n":           Maui,
		"ClusterName=c\nSlurmctldHost=h\n":                        Slurm,
		"Cluster - 'c':Fairshare=1:QOS='normal'\nParent - 'root'": Dump,
		"Dear diary, nothing happened.\n":                         "",
		"":                                                        "",
	} {
		if got := Detect([]byte(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestDetectByName: a name counts where the content says nothing, and only there.
func TestDetectByName(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Lang
	}{
		{"etc/maui.cfg", "", Maui}, {"maui.cfg", "# all as Maui has it\n\n  # indented\n", Maui},
		{"maui.cfg", "QUEUEWEIGHT 10\n", Maui},
		{"site.cfg", "# nothing yet\n", Maui}, {"site.cfg", "QUEUEWEIGHT 10\n", ""}, {"maui.cfg", "{\"jobs\": []}\n", ""},
		{"maui.cfg", "ClusterName=c\nSlurmctldHost=h\n", Slurm}, {"notes.txt", "", ""},
	} {
		u, diags := Parse(source.NewFile(c.name, []byte(c.text)), "", Files{})
		if u.Lang != c.want || diags.HasErrors() != (c.want == "") {
			t.Errorf("%s %q is %q, want %q: %v", c.name, c.text, u.Lang, c.want, diags)
		}
	}
}

func TestFormatRefusesFaults(t *testing.T) {
	for _, c := range []struct {
		lang Lang
		text string
		ok   bool
	}{
		{HCL, "policy \"p\" {\n}\n", true}, {HCL, "policy \"p\" {", false},
		{Maui, "SERVERHOST   head\n", true}, {Slurm, "ClusterName=c\n", true}, {Dump, "Cluster - 'c'\n", true},
		{"", "Dear diary\n", false},
	} {
		text, diags := Format(source.NewFile("x", []byte(c.text)), c.lang)
		if (text != nil) != c.ok || diags.HasErrors() == c.ok {
			t.Errorf("%s %q gives %q and %v", c.lang, c.text, text, diags)
		}
	}
}

// TestDeviations: every deviation of the library says what it changes, and no two have one number.
// A difference that the list of differences does not have goes without.
func TestDeviations(t *testing.T) {
	for _, p := range Library() {
		seen := map[string]string{}
		for _, d := range p.DeviationDecls {
			if !d.Changes.IsSet() {
				t.Errorf("%s: deviation %s does not say what it changes", p.Name.Value, d.Name)
			}
			for _, n := range strings.Split(d.Number.Value, ", ") {
				if n != "" && seen[n] != "" {
					t.Errorf("%s: %s and %s are both %s", p.Name.Value, d.Name, seen[n], n)
				}
				seen[n] = d.Name
			}
		}
	}
}

// TestLibrary: every policy of the library lowers by itself, and its name is what `use` says.
func TestLibrary(t *testing.T) {
	if len(Library()) != len(libraries) {
		t.Fatalf("%d policies", len(Library()))
	}
	for _, name := range libraryNames() {
		unit, diags := Parse(source.NewFile("use.hcl", []byte("policy \"site\" {\n  use = \""+name+"\"\n}\n")), HCL, Files{})
		p, more := Lower([]Unit{unit}, Options{})
		if p == nil || diags.HasErrors() || more.HasErrors() {
			t.Fatalf("%s: %v %v", name, diags, more)
		}
		if p.Family != libraries[name].family || len(p.Components) == 0 {
			t.Errorf("%s: family %s, %d components", name, p.Family, len(p.Components))
		}
		for _, d := range p.Deviations {
			if d.Doc == "" || d.Observed == "" || d.Manual == "" {
				t.Errorf("%s: deviation %s is not explained", name, d.Name)
			}
		}
	}
}

func TestVersionNumber(t *testing.T) {
	for version, want := range map[string]int64{"22.05": 2205, "2.6": 206, "26.05": 2605, "": 0, "new": 0} {
		if got := versionNumber(version); got != want {
			t.Errorf("%q is %d, want %d", version, got, want)
		}
	}
}

func TestOverrideValue(t *testing.T) {
	for _, c := range []struct {
		text string
		t    policy.Type
		want schema.Value
	}{
		{"10", policy.Integer, schema.IntValue(10)}, {"-1", policy.Number, schema.IntValue(-1)},
		{"0.5", policy.Number, schema.DoubleValue(0.5)},
		{"1e3", policy.Number, schema.DoubleValue(1000)}, {"inf", policy.Number, schema.StringValue("inf")},
		{"true", policy.Bool, schema.BoolValue(true)}, {"false", policy.Bool, schema.BoolValue(false)},
		{"1-0", policy.Duration, schema.StringValue("1-0")},
		{"", policy.Integer, schema.StringValue("")}, {"10", policy.String, schema.StringValue("10")},
		{"10", policy.List, schema.ListValue([]string{"10"})},
	} {
		got := overrideValue(c.text, c.t)
		if got.Type != c.want.Type || got.Int != c.want.Int || got.Double != c.want.Double || got.Str != c.want.Str ||
			!slices.Equal(got.List, c.want.List) {
			t.Errorf("%q as %s is %+v, want %+v", c.text, c.t, got, c.want)
		}
	}
}

func TestRetype(t *testing.T) {
	for _, c := range []struct {
		id       schema.ColumnID
		in, want schema.Value
	}{
		{"user.priority", schema.DoubleValue(3), schema.IntValue(3)},
		{"user.priority", schema.IntValue(3), schema.IntValue(3)},
		{"qos.usage_factor", schema.IntValue(2), schema.DoubleValue(2)},
		{"partition.state", schema.StringValue("UP"), schema.StringValue("UP")},
		{"nothing.known", schema.IntValue(1), schema.IntValue(1)},
	} {
		if got := retype(c.id, c.in); got.Type != c.want.Type || got.Int != c.want.Int || got.Double != c.want.Double {
			t.Errorf("%s %+v becomes %+v", c.id, c.in, got)
		}
	}
}

// TestFixCanBeTyped: applying the offered fix gives a text that means the nearest word.
func TestFixCanBeTyped(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"policy \"p\" {\n  use = \"mauy\"\n}\n", "policy \"p\" {\n  use = \"maui\"\n}\n"},
		{"policy \"p\" {\n  use = \"maui\"\n  deviations = [\"name_case\", \"priority_flor\"]\n}\n",
			"policy \"p\" {\n  use = \"maui\"\n  deviations = [\"name_case\", \"priority_floor\"]\n}\n"},
		{"policy \"p\" {\n  use = \"maui\"\n  params = { QUEUTIMEWEIGHT = 1 }\n}\n",
			"policy \"p\" {\n  use = \"maui\"\n  params = { QUEUETIMEWEIGHT = 1 }\n}\n"},
	} {
		unit, _ := Parse(source.NewFile("p.hcl", []byte(c.text)), HCL, Files{})
		_, diags := Lower([]Unit{unit}, Options{})
		if len(diags) == 0 || diags[0].Fix == nil || diags[0].Severity != diag.Error {
			t.Fatalf("%s: %v", c.text, diags)
		}
		fix := diags[0].Fix
		if got := c.text[:fix.Span.Start] + fix.NewText + c.text[fix.Span.End:]; got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}
