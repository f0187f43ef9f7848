package mauicfg

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
)

// TestShowconfig compares what the real Maui printed as its effective settings
// with what we hold, for each recorded case and each parameter of our table.
func TestShowconfig(t *testing.T) {
	root := beside.Folder(t, "oracle", "maui")
	cases, err := filepath.Glob(filepath.Join(root, "*", "maui.cfg"))
	if err != nil || len(cases) < 100 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	defaults := showconfig(string(readFile(t, filepath.Join(root, "p01-default", "expected", "showconfig.txt"))))
	compared := map[string]int{}
	for _, path := range cases {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			cfg, diags := evaluateText(string(readFile(t, path)), Options{})
			if diags.HasErrors() {
				t.Errorf("a file that ran has errors: %v", diags[0])
			}
			printed := defaults
			if text, err := os.ReadFile(filepath.Join(dir, "expected", "showconfig.diff.txt")); err == nil {
				printed = changed(defaults, string(text))
			}
			compareShown(t, cfg, printed, compared)
			compareObjects(t, cfg, printed)
		})
	}
	if len(compared) < 100 {
		t.Errorf("only %d parameters were compared", len(compared))
	}
}

// shown is one printed line: NAME[index] value.
type shown struct{ name, index, value string }

func showconfig(text string) []shown {
	var all []shown
	for line := range strings.Lines(text) {
		if s, ok := shownLine(line); ok {
			all = append(all, s)
		}
	}
	return all
}

func shownLine(line string) (shown, bool) {
	head, value, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
	name, index, _ := strings.Cut(strings.TrimSuffix(head, "]"), "[")
	return shown{name, index, strings.TrimSpace(value)}, isName(name) && name == strings.ToUpper(name)
}

// changed applies a recorded difference to the defaults.
func changed(defaults []shown, diff string) []shown {
	all := slices.Clone(defaults)
	for line := range strings.Lines(diff) {
		if gone, ok := strings.CutPrefix(line, "- "); ok {
			s, _ := shownLine(gone)
			all = slices.DeleteFunc(all, func(x shown) bool { return x == s })
		}
		if added, ok := strings.CutPrefix(line, "+ "); ok {
			if s, isLine := shownLine(added); isLine {
				all = append(all, s)
			}
		}
	}
	return all
}

// notCompared lists what showconfig prints that is not a setting of ours.
var notCompared = map[string]string{
	"SERVERHOMEDIR":    "fixed when Maui is built",
	"TOOLSDIR":         "printed with the home directory before it",
	"LOGDIR":           "printed with the home directory before it",
	"STATDIR":          "printed with the home directory before it",
	"LOCKFILE":         "printed with the home directory before it",
	"SERVERCONFIGFILE": "printed with the home directory before it",
	"CHECKPOINTFILE":   "printed with the home directory before it",
	"ADMINHOSTS":       "printed after the list was filled with the server's own names",
	"RMAUTHTYPE":       "printed for the manager that RMCFG describes, not for the parameter",
	"SIMAUTOSHUTDOWN":  "printed through the words ON and OFF, whose number 1 is OFF",
}

func compareShown(t *testing.T, cfg *Config, printed []shown, compared map[string]int) {
	t.Helper()
	last := map[string]shown{}
	var depths []string
	for _, s := range printed {
		if s.name == "RESDEPTH" && s.index != "" {
			depths = append(depths, s.value) // showconfig misnames RESERVATIONDEPTH
			continue
		}
		if s.index == "" || s.index == "0" || s.name == "RESERVATIONQOSLIST" {
			last[s.name+"["+s.index+"]"] = s
		}
	}
	for _, s := range last {
		row, ok := vocab().params[s.name]
		if !ok || IsFamily(row) || notCompared[s.name] != "" || row.Index == "qos" || row.Index == "sr" {
			continue
		}
		index := ""
		if row.Index == "bucket" {
			index = s.index
		}
		got, set := Value{}, false
		if p := cfg.Param(s.name, index); p != nil {
			got, set = p.Value, true
		} else {
			got, set = Default(s.name)
		}
		compared[s.name]++
		if s.value == "[NONE]" || s.value == "" {
			if set && !reflect.ValueOf(got).IsZero() && got.Text != "" && got.Text != "NONE" {
				t.Errorf("%s: Maui has none, we have %+v", s.name, got)
			}
			continue
		}
		want, ok := tableValue(row, strings.TrimSuffix(s.value, ":[DEFAULT]"))
		if !ok {
			t.Errorf("%s: cannot read what Maui printed: %q", s.name, s.value)
			continue
		}
		if row.Type == "list" {
			want.Text, got.Text = "", "" // the text is ours, Maui prints the elements
		}
		if got.Text == "LAZY" || got.Text == "BESTTIMEFIT" {
			got.Text = "FIRSTFIT" // as which they act, and are printed
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: Maui printed %q, we have %+v (set: %v)", s.name, s.value, got, set)
		}
	}
	for _, p := range cfg.Params {
		if p.Name == "RESERVATIONDEPTH" && !slices.Contains(depths, p.Raw) {
			t.Errorf("RESERVATIONDEPTH[%s] is %s, Maui printed %v", p.Index, p.Raw, depths)
		}
	}
}

// compareObjects checks attributes that showconfig prints under old names. It
// numbers the objects, so only the values are compared, not whose they are.
func compareObjects(t *testing.T, cfg *Config, printed []shown) {
	t.Helper()
	for _, c := range []struct{ shown, family, attr string }{
		{"QOSPRIORITY", "QOSCFG", "PRIORITY"},
		{"QOSQTWEIGHT", "QOSCFG", "QTWEIGHT"},
		{"QOSXFWEIGHT", "QOSCFG", "XFWEIGHT"},
		{"QOSTARGETXF", "QOSCFG", "XFTARGET"},
		{"SRTASKCOUNT", "SRCFG", "TASKCOUNT"},
		{"SRSTARTTIME", "SRCFG", "STARTTIME"},
		{"SRENDTIME", "SRCFG", "ENDTIME"},
		{"SRHOSTLIST", "SRCFG", "HOSTLIST"},
	} {
		var want []Value
		for _, s := range printed {
			if v, ok := tableValue(vocab().params[c.shown], s.value); ok && s.name == c.shown {
				want = append(want, v)
			}
		}
		for _, o := range cfg.Objects {
			a := o.Attr(c.attr, "")
			if o.Family != c.family || a == nil {
				continue
			}
			found := slices.ContainsFunc(want, func(v Value) bool {
				return v.Int == a.Value.Int && v.Float == a.Value.Float && len(v.List) == len(a.Value.List)
			})
			if !found {
				t.Errorf("%s[%s] %s is %+v, Maui printed %v", c.family, o.Index, c.attr, a.Value, want)
			}
		}
	}
}
