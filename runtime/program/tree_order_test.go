package program

import (
	"strings"
	"testing"
)

func TestTreeOrder(t *testing.T) {
	list := []Association{
		{Account: "z", Parent: "root"}, {Account: "a-b", Parent: "root"}, {Account: "root", User: "root"},
		{Account: "a", Parent: "root"}, {Account: "a", User: "u", Partition: "p2"},
		{Account: "a", User: "u", Partition: "p1"}, {Account: "lost", User: "u"}, {Account: "a", User: "u"},
		{Account: "a", User: "u-v"}, {Account: "z", User: "w"}, {Account: "root"},
	}
	// a/u-v has none
	places := map[string]int64{"root": 1, "root/root": 30, "z": 2, "z/w": 3, "a": 10, "a-b": 20, "a/u/p2": 12,
		"a/u/p1": 11, "a/u": 13}
	keys := func(list []Association) string {
		var out []string
		for i := range list {
			out = append(out, list[i].Key())
		}
		return strings.Join(out, " ")
	}
	place := func(key string) (int64, bool) { n, ok := places[key]; return n, ok }
	for _, c := range []struct {
		name string
		got  []Association
		want string
	}{
		{"by name", TreeOrder(list, "23.02"), "root root/root a a/u/p2 a/u/p1 a/u a/u-v a-b z z/w lost/u"},
		{"by lineage", TreeOrder(list, "23.11"), "root root/root a-b a a/u-v a/u a/u/p1 a/u/p2 z z/w lost/u"},
		{"of the newest", TreeOrder(list, ""), "root root/root a-b a a/u-v a/u a/u/p1 a/u/p2 z z/w lost/u"},
		{"by place", PlaceOrder(TreeOrder(list, "22.05"), place),
			"root z z/w a a/u/p2 a/u/p1 a/u a/u-v a-b root/root lost/u"},
	} {
		if got := keys(c.got); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}
