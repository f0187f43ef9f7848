package planning

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFeatures(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"ib", "{[{[ib] 0}] false}"},
		{"ib&gpu", "{[{[ib gpu] 0}] false}"},
		{"ib,gpu", "{[{[ib gpu] 0}] false}"},
		{"ib|gpu", "{[{[ib] 0} {[gpu] 0}] false}"},
		{"ib|gpu&old", "{[{[ib old] 0} {[gpu old] 0}] false}"}, // from left to right
		{"old&(ib|gpu)", "{[{[old ib] 0} {[old gpu] 0}] false}"},
		{"[rack1|rack2]", "{[{[rack1] 0} {[rack2] 0}] true}"},
		{"ib&[rack1|rack2]", "{[{[ib rack1] 0} {[ib rack2] 0}] true}"},
		{"[rack1*2&rack2*4]", "{[{[rack1] 2} {[rack2] 4}] false}"},
		{"gpu*4", "{[{[gpu] 4}] false}"},
		{"[(knl&snc4)*4&haswell*1]", "{[{[knl snc4] 4} {[haswell] 1}] false}"},
		{"", "{[] false}"},
	} {
		f, unreadable := featuresOf(c.text, nil)
		if got := fmt.Sprint(f); got != c.want || unreadable {
			t.Errorf("%s: %s, want %s, unreadable %t", c.text, got, c.want, unreadable)
		}
	}
	if f, _ := featuresOf("", []string{"a", "b"}); fmt.Sprint(f) != "{[{[a b] 0}] false}" {
		t.Error(f)
	}
	// the names it contains stand in for it
	for _, broken := range []string{"(ib", "ib&", "&", "[a|b", "a*x", "a b]", "[a&"} {
		got, unreadable := featuresOf(broken, []string{"ib"})
		if unreadable && len(got.Alternatives) == 1 && slices.Equal(got.Alternatives[0].All, []string{"ib"}) {
			continue
		}
		t.Errorf("%s: %v, unreadable %t", broken, got, unreadable)
	}
}

func TestTaskIDs(t *testing.T) {
	for text, want := range map[string]string{"1,3,7-9": "[1 3 7 8 9]", "0-8:4": "[0 4 8]", "": "[]",
		"1-4%2": "[1 2 3 4] 2", "1-4%0": "[1 2 3 4]", "1-4%x": "[] unreadable",
		"1-": "[] unreadable", "3-1": "[] unreadable", "1,...": "[1] unreadable", "0-99999999999": "[] unreadable",
		"-1": "[] unreadable", "1-5:0": "[] unreadable"} {
		list, most, ok := taskIDs(text)
		got := fmt.Sprint(list)
		if most > 0 {
			got += fmt.Sprint(" ", most)
		}
		if !ok {
			got += " unreadable"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestLicenses(t *testing.T) {
	for text, want := range map[string]string{"matlab:2,ansys@srv": "map[ansys@srv:1 matlab:2]", "a;a:3": "map[a:4]",
		"": "map[]", "(null)": "map[]", "a:x": "map[]", ":3": "map[]"} {
		got, bad := licensesOf(text)
		if fmt.Sprint(got) != want || bad != map[string]string{"a:x": "a:x"}[text] {
			t.Errorf("%q: %v and %q, want %s", text, got, bad, want)
		}
	}
}

func TestEachGres(t *testing.T) {
	for text, want := range map[string]string{
		"gpu:a100:4(S:0-1),shard:8": "gpu a100 4; shard  8", "gpu": "gpu  1", "gpu:2": "gpu  2", "gpu:a100": "gpu a100 1",
		"gpu:2(IDX:0,3),fpga:1": "gpu  2; fpga  1",
		"shard:2K":              "shard  2048", "(null)": "", "": "", ",": "",
	} {
		var list []string
		eachGres(text, func(kind, model string, n int64) { list = append(list, fmt.Sprint(kind, " ", model, " ", n)) })
		if got := strings.Join(list, "; "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzPlanTexts: what people write into a queue never breaks the reading of it, and counts are never negative.
func FuzzPlanTexts(f *testing.F) {
	for _, seed := range []string{"ib&[rack1|rack2]", "[a*2&b*4]", "((((((((((a", "1,3,7-9", "0-1000000:7",
		"gpu:a100:4(S:0-1),shard:8", "matlab:2,x;y:9", "a*99999999999|b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		f, _ := featuresOf(text, []string{"x"})
		for _, a := range f.Alternatives {
			if a.Count < 0 || len(a.All) == 0 {
				t.Errorf("%q: %v", text, a)
			}
		}
		if ids, _, _ := taskIDs(text); len(ids) > maxTasks {
			t.Errorf("%q: %d tasks", text, len(ids))
		}
		licenses, _ := licensesOf(text)
		for name, n := range licenses {
			if n < 0 || name == "" {
				t.Errorf("%q: %q %d", text, name, n)
			}
		}
		eachGres(text, func(kind, _ string, n int64) {
			if kind == "" || n < 0 {
				t.Errorf("%q: %q %d", text, kind, n)
			}
		})
	})
}
