package policy

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

func document(t *testing.T, name, text string) *Document {
	t.Helper()
	f, diags := Parse(source.NewFile(name, []byte(text)))
	d, more := f.Policies[0].Evaluate(Scope{})
	if all := append(diags, more...); len(all) > 0 {
		t.Fatalf("%s: %s", name, all[0].Message)
	}
	return d
}

const layerBase = `policy "base" {
  component "c" {
    weight = 1
    term "a" { factor = 1 }
    term "b" { factor = 2, weight = 3 }
  }
  backfill { algorithm = "firstfit", reservation_depth = 3 }
  account "x" { user "amy" { priority = 1 } }
}
`

const layerSite = `policy "site" {
  component "c" {
    weight = 2
    term "b" { weight = 4 }
    term "a" { remove = true }
    term "d" { factor = 5 }
  }
  backfill { algorithm = "none" }
  account "x" { user "amy" { remove = true } }
}
`

// TestApplyLaws: nothing over a base, and a base over itself, is the base;
// what is applied does not change.
func TestApplyLaws(t *testing.T) {
	base, site, empty := document(t, "base", layerBase), document(t, "site", layerSite),
		document(t, "empty", `policy "base" {}`)
	baseBefore, siteBefore := dumpDocument(base, true), dumpDocument(site, true)
	apply := func(base, over *Document) string {
		d, diags := Apply(base, over, false)
		if len(diags) > 0 {
			t.Errorf("%s: %s", diags[0].Code, diags[0].Message)
		}
		return strings.Replace(dumpDocument(d, true), "@empty:1:8", "@base:1:8", 1)
	}
	if got := apply(base, empty); got != baseBefore {
		t.Errorf("nothing over base:\n%s", got)
	}
	if got := apply(empty, base); got != baseBefore {
		t.Errorf("base over nothing:\n%s", got)
	}
	if got := apply(nil, base); got != baseBefore {
		t.Errorf("base alone:\n%s", got)
	}
	if got := apply(base, base); got != baseBefore {
		t.Errorf("base over itself:\n%s", got)
	}
	apply(base, site)
	if dumpDocument(base, true) != baseBefore || dumpDocument(site, true) != siteBefore {
		t.Error("applying changed its arguments")
	}
}

// TestOverrideMark: a later file needs the mark exactly when it changes
// something, and a base never does.
func TestOverrideMark(t *testing.T) {
	first := `policy "p" { hold "h" { when = true, reason = "a" } }`
	for _, c := range []struct{ second, want string }{
		{`policy "p" { hold "h" { reason = "b" } }`, "policy-needs-override"},
		{`policy "p" { hold "h" { doc = "new" } }`, ""},
		{`policy "p" { hold "h" { remove = true } }`, "policy-needs-override"},
		{`policy "p" { hold "h" { override = true, remove = true } }`, ""},
		{`policy "p" { hold "h" { override = true, reason = "b" } }`, ""},
		{`policy "p" { override = true, hold "h" { reason = "b" } }`, ""},
		{`policy "p" { hold "i" { when = true } }`, ""},
		{`policy "q" { hold "i" { when = true } }`, "policy-other-name"},
	} {
		_, diags := Merge(nil, document(t, "first", first), document(t, "second", c.second))
		if got := codes(diags); got != c.want {
			t.Errorf("%s: %q, want %q", c.second, got, c.want)
		}
	}
	_, diags := Apply(document(t, "first", first), document(t, "second", `policy "q" { hold "h" { reason = "b" } }`),
		false)
	if len(diags) > 0 {
		t.Errorf("a base needs no mark: %s", codes(diags))
	}
}

func codes(list diag.List) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Code)
	}
	return strings.Join(out, " ")
}

// TestRevive: a block that one file takes out and a later one brings back is
// the later file's block over the base's.
func TestRevive(t *testing.T) {
	d, diags := Merge(document(t, "base", layerBase),
		document(t, "one", `policy "p" { component "c" { term "b" { remove = true } } }`),
		document(t, "two", `policy "p" { component "c" { term "b" { override = true, weight = 9 } } }`))
	if len(diags) > 0 || len(d.Components[0].Terms) != 2 {
		t.Fatalf("%s: %+v", codes(diags), d.Components)
	}
	if b := d.Components[0].Terms[1]; b.Weight.Value.Double != 9 || b.Factor.Value.Double != 2 {
		t.Errorf("%+v", b)
	}
}

// TestLibraryParses: the policies of the library are in the language.
func TestLibraryParses(t *testing.T) {
	found := 0
	err := fs.WalkDir(stdlib.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".fairway.hcl") {
			return err
		}
		text, err := fs.ReadFile(stdlib.Files, path)
		if _, diags := Parse(source.NewFile(path, text)); len(diags) > 0 {
			t.Errorf("%s: %s: %s", diags[0].Span, diags[0].Code, diags[0].Message)
		}
		found++
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d policies found, %v", found, err)
	}
}
