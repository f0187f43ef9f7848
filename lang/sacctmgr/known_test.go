package sacctmgr

import "testing"

// TestOptionDocs: every option has a sentence, and every sentence an option.
func TestOptionDocs(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range [][]option{options().association, options().qos} {
		for _, o := range table {
			seen[o.canonical()] = true
			if options().docs[o.canonical()] == "" {
				t.Errorf("%s has no sentence", o.canonical())
			}
		}
	}
	for name := range options().docs {
		if !seen[name] {
			t.Errorf("there is no option %s", name)
		}
	}
}
