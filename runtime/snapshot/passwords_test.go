package snapshot

import (
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

// TestMaskDependency: a dependency stays, with the servers in its ids; a password beside it is hidden.
func TestMaskDependency(t *testing.T) {
	for _, c := range [][2]string{
		{"afterok:12_3(unfulfilled):14+10,singleton?afterany:7.head@head:8[3].head@head", ""},
		{"beforeany:9[].head.site.org@head.site.org", ""}, {"on:2", ""}, {"", ""},
		{"afterok:12,password=hunter2", "afterok:12,password=" + source.Hidden},
		{"https://amy:a,hunter2@head", "https://amy:" + source.Hidden + "@head"},
		{"token=hunter2", "token=" + source.Hidden},
	} {
		if c[1] == "" {
			c[1] = c[0]
		}
		if got := maskDependency(c[0]); got != c[1] {
			t.Errorf("%q: %q, not %q", c[0], got, c[1])
		}
	}
}
