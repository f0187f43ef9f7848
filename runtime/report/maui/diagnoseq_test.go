package maui

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// TestGarbledClasses: where the names of missing classes should be Maui prints its line before, twice. So it grows
// with each such job, and a long queue of them is still short.
func TestGarbledClasses(t *testing.T) {
	missing := []*evaluation.Block{{Kind: evaluation.BlockClass, Nodes: "pa",
		Text: "requires classes not configured in partition pa ("}}
	for _, test := range []struct{ jobs, first, last, most int }{
		{jobs: 1, first: 1, last: 1, most: 500},
		{jobs: 4, first: 15, last: 1, most: 5000}, // observed in recordings: N046
		{jobs: 10000, first: 255, last: 1, most: 2000000},
	} {
		var out bytes.Buffer
		q := diagnosis{out: bufio.NewWriter(&out), partitions: []string{"pa"}, last: "Diagnosing blocked jobs\n\n"}
		for k := range test.jobs {
			id := "other"
			switch k {
			case 0:
				id = "first"
			case test.jobs - 1:
				id = "last"
			}
			if test.jobs == 1 {
				id = "first last"
			}
			q.job(id, missing)
		}
		if err := q.out.Flush(); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if first, last := strings.Count(text, "first"), strings.Count(text, "last"); first != test.first ||
			last != test.last || len(text) > test.most {
			t.Errorf("%d jobs: the first %d times, the last %d, in %d bytes; want %d, %d and at most %d",
				test.jobs, first, last, len(text), test.first, test.last, test.most)
		}
	}
}
