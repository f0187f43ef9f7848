package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// observed says what a column holds in a recorded queue.
func (s *snapshotFlags) observed(names []string) (func(schema.ColumnID) string, error) {
	flags := *s
	flags.paths = names
	snap, _, err := flags.read(&disk{})
	if err != nil {
		if err.Error() == "" { // it has been reported
			err = fmt.Errorf("%s has errors; `fairway snapshot info` shows them", strings.Join(names, ", "))
		}
		return nil, err
	}
	return func(id schema.ColumnID) string {
		table := snap.Jobs
		switch object := id.Object(); {
		case object == "node":
			table = snap.Nodes
		case object != "job":
			table = snap.Credentials[object]
		}
		return summary(table.Column(id))
	}, nil
}

// mostValues are the words of a column that a summary lists.
const mostValues = 5

// summary says what a column holds: of numbers the range, of words the commonest.
func summary(c *column.Column) string {
	if c == nil {
		return ""
	}
	var numbers []float64
	words := map[string]int{}
	known := 0
	for row := range c.Len() {
		v := c.Value(row)
		if !v.Known() {
			continue
		}
		known++
		switch v.Type {
		case schema.String, schema.Bool, schema.StringList:
			words[v.String()]++
		default:
			numbers = append(numbers, v.Number())
		}
	}
	text := fmt.Sprintf("known of %d of %s", known, count(c.Len(), "row"))
	if len(numbers) > 0 {
		slices.Sort(numbers)
		write := func(n float64) string { return schema.DoubleValue(n).String() }
		if c.Type != schema.Double {
			write = func(n float64) string { return schema.IntValue(int64(n)).String() }
		}
		return text + fmt.Sprintf(", from %s to %s, the median is %s", write(numbers[0]), write(numbers[len(numbers)-1]),
			write(numbers[len(numbers)/2]))
	}
	most := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(words[b]-words[a], strings.Compare(a, b))
	})
	var parts []string
	for _, w := range most[:min(len(most), mostValues)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", w, words[w]))
	}
	if more := len(most) - len(parts); more > 0 {
		parts = append(parts, count(more, "more value"))
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}
