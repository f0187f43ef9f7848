package mauicfg

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/stdlib"
)

// TestDefaults reads each default of the tables as the value it will be.
func TestDefaults(t *testing.T) {
	n := 0
	for _, table := range []stdlib.Table{stdlib.MauiParams, stdlib.MauiAttributes} {
		for _, p := range table.Params() {
			if p.Default == "" || p.Effective == "documented-only" {
				continue
			}
			n++
			if v, ok := tableValue(p, p.Default); !ok || v.Kind == "" {
				t.Errorf("%s %s: default %q is no %s", p.Record, p.Name, p.Default, p.Type)
			}
		}
	}
	if n < 400 {
		t.Errorf("only %d defaults", n)
	}
}

// TestVocabulary: families have attributes, names of Moab's are not Maui's, and
// each family that Maui loads has its place in the order.
func TestVocabulary(t *testing.T) {
	v := vocab()
	for name := range v.moab {
		family, attr, isAttr := strings.Cut(name, ".")
		if _, known := v.params[name]; known && !isAttr {
			t.Errorf("%s is a parameter of Maui", name)
		}
		if _, known := v.attrs[family][attr]; known {
			t.Errorf("%s is an attribute of Maui", name)
		}
		if _, known := v.params[family]; isAttr && !known {
			t.Errorf("%s: no such family", name)
		}
	}
	loaded := map[string]bool{}
	for _, f := range familyOrder {
		loaded[f] = true
	}
	for name, p := range v.params {
		if IsFamily(p) && p.Effective == "yes" && (!loaded[name] || len(v.attrNames[name]) == 0) {
			t.Errorf("%s is not loaded, or has no attributes", name)
		}
	}
}
