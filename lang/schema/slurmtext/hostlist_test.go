package slurmtext

import (
	"slices"
	"strings"
	"testing"
)

func TestExpandHostlist(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		" , ,":                  "",
		"gpu01":                 "gpu01",
		"a,b,c":                 "a b c",
		"a b\tc":                "a b c",
		"n[1-3]":                "n1 n2 n3",
		"n[08-11]":              "n08 n09 n10 n11",
		"n[1,5-6],m":            "n1 n5 n6 m",
		"[1-2]":                 "1 2",
		"n1-n3":                 "n1-n3",
		"rack[0-1]n[1-2]":       "rack0n1 rack0n2 rack1n1 rack1n2",
		"r[1-2]s[09-10]t[1,3]":  "r1s09t1 r1s09t3 r2s09t1 r2s09t3 r1s10t1 r1s10t3 r2s10t1 r2s10t3",
		"a[1-2][1-2]":           "a11 a12 a21 a22",
		"n[1,1]":                "n1 n1",
		"n[000000000000000007]": "n000000000000000007",
	} {
		got, err := ExpandHostlist(text)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("ExpandHostlist(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestExpandHostlistSizes(t *testing.T) {
	for text, want := range map[string]int{
		"n[001-100,200]": 101, "n[0-65535]": 65536, "n[1-512]m[1-512]": MaxHosts,
		"a[0-65535],b[0-65535],c[0-65535],d[0-65535]": MaxHosts,
	} {
		if got, err := ExpandHostlist(text); err != nil || len(got) != want {
			t.Errorf("ExpandHostlist(%q): %d names, %v, want %d", text, len(got), err, want)
		}
	}
}

func TestExpandHostlistErrors(t *testing.T) {
	for text, offset := range map[string]int{
		"n[3-1]": 2, "n[1-70000]": 2, "n[1-": 1, "n1]": 2, "n[1[2]]": 3, "n[]": 2, "n[1,,2]": 4, "n[a-b]": 2,
		"a,n[1-2]-ib": 8, "n[1-513]m[1-512]": 9, "n[1-60000]m[1-60000]": 11, "n[0-65535,0-65535,0-65535,0-65535,1]": 34,
		"a[0-65535],b[0-65535],c[0-65535],d[0-65535],e": 44, "n[1-99999999999999999999]": 2,
	} {
		got, err := ExpandHostlist(text)
		e, ok := err.(*Error)
		if !ok || e.Offset != offset {
			t.Errorf("ExpandHostlist(%q) = %d names, error %v %+v, want offset %d", text, len(got), err, e, offset)
		}
	}
}

func TestCompressHostlist(t *testing.T) {
	for names, want := range map[string]string{
		"":                "",
		"n1":              "n1",
		"n1 n2 n3 n5 gpu": "n[1-3,5],gpu",
		"n08 n09 n10":     "n[08-10]",
		"n9 n10":          "n[9-10]",
		"n09 n10 n100":    "n[09-10,100]",
		"n2 n1":           "n[2,1]",
		"n1 m1 n2":        "n1,m1,n2",
		"12 13":           "[12-13]",
		"n1 n01":          "n[1,01]",
	} {
		if got := CompressHostlist(strings.Fields(names)); got != want {
			t.Errorf("CompressHostlist(%q) = %q, want %q", names, got, want)
		}
	}
}

// expandSlowly is the obvious twin: it replaces the bracket that varies slowest
// by each of its values and starts again on the result.
func expandSlowly(text string) []string {
	groups := strings.Count(text, "[")
	if groups == 0 {
		return []string{text}
	}
	slowest := max(groups-2, 0)
	open := 0
	for i := 0; i <= slowest; i++ {
		open += strings.IndexByte(text[open:], '[') + 1
	}
	closing := open + strings.IndexByte(text[open:], ']')
	ranges, _ := parseHostRanges(text[open:closing])
	var names []string
	for _, r := range ranges {
		for v := r.lo; v <= r.hi; v++ {
			number := hostElement{groups: []hostGroup{{ranges: []hostRange{{v, v, r.width}}}}}.expand(nil)[0]
			names = append(names, expandSlowly(text[:open-1]+number+text[closing+1:])...)
		}
	}
	return names
}

func TestExpandHostlistAgainstTwin(t *testing.T) {
	for _, text := range []string{"n1", "n[1-3]", "a[1-2]b[1,3]", "a[1-2]b[3-4]c[5-6]", "a[1-2]b[3-4]c[5-6]d[07-08]",
		"a[1-2]b[3-4]c[5-6]d[7-8]e[9-10]"} {
		got, err := ExpandHostlist(text)
		if want := expandSlowly(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("ExpandHostlist(%q) = %v, %v, twin %v", text, got, err, want)
		}
	}
}

func FuzzHostlist(f *testing.F) {
	for _, s := range []string{"n[1-3,5]", "a,b c", "r[1-2]s[09-10]t[1,3]", "n[1-", "n[1-2]-ib", "n1-n3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names, err := ExpandHostlist(text)
		if err != nil {
			return
		}
		again, err := ExpandHostlist(CompressHostlist(names))
		if err != nil || !slices.Equal(again, names) {
			t.Fatalf("%q: compressed %q expands differently (%v)", text, CompressHostlist(names), err)
		}
	})
}
