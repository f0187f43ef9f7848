// Package anonymize gives the people and things of a snapshot other names.
//
// In: a snapshot and a key. Out: the same snapshot with pseudonyms, and which name became which. What is
// equal stays equal, what is before something else in the alphabet stays before it, and the tree of accounts
// keeps its shape, so that a policy without names comes to the same result. Numbers and times stay as they
// are; text in people's own words is left out. It is called by `fairway snapshot anonymize`.
//
// What becomes of a column is decided in columns.go, column by column: one that is not in that table cannot
// pass.
package anonymize

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Options say how names are made.
type Options struct {
	Key     []byte          // secret; the same key gives the same name the same hash
	Keep    map[Kind]bool   // kinds whose names stay
	Stable  bool            // names do not tell their order, so that they are the same in every snapshot of a key
	Reasons map[string]bool // for which a job waits, in the scheduler's own words; others are left out
}

// Snapshot gives a snapshot other names. The one given stays as it is.
func Snapshot(s *snapshot.Snapshot, o Options) (*snapshot.Snapshot, *Names, error) {
	names := &Names{options: o, of: map[name]string{}, left: map[string]bool{}}
	w := &walk{names: names}
	if _, err := w.snapshot(s); err != nil { // the first time it only looks
		return nil, nil, err
	}
	if err := names.make(); err != nil {
		return nil, nil, err
	}
	out, err := w.snapshot(s)
	return out, names, err
}

// walk goes over everything in a snapshot that may hold a name.
type walk struct{ names *Names }

func (w *walk) snapshot(s *snapshot.Snapshot) (*snapshot.Snapshot, error) {
	out := &snapshot.Snapshot{Now: s.Now, TimeRange: s.TimeRange, Family: family(w.names, s.Family),
		Version: version(w.names, s.Version)}
	for _, t := range []struct{ from, to **column.Table }{
		{&s.Jobs, &out.Jobs}, {&s.Nodes, &out.Nodes}, {&s.Reservations, &out.Reservations}, {&s.Licenses, &out.Licenses},
		{&s.Sprio, &out.Sprio},
	} {
		var err error
		if *t.to, err = w.table(*t.from); err != nil {
			return nil, err
		}
	}
	out.Nodes, out.Jobs = w.reordered(out.Nodes), w.allocations(out.Jobs)
	out.Reservations, out.Licenses = w.reordered(out.Reservations), w.reordered(out.Licenses)
	if s.Credentials != nil {
		out.Credentials = map[string]*column.Table{}
	}
	for _, object := range slices.Sorted(maps.Keys(s.Credentials)) {
		t, err := w.table(s.Credentials[object])
		if err != nil {
			return nil, err
		}
		out.Credentials[object] = w.reordered(t)
	}
	for _, u := range s.Usage {
		u.Usage, u.Passed.Usage = w.usage(u.Usage), w.usage(u.Passed.Usage)
		out.Usage = append(out.Usage, u)
	}
	return out, nil
}

// usage renames the credentials of fairshare windows. Of a kind that is not known nothing tells names
// from words, so all of it is renamed.
func (w *walk) usage(usage map[string]map[string]float64) map[string]map[string]float64 {
	if usage == nil {
		return nil
	}
	out := map[string]map[string]float64{}
	for _, object := range slices.Sorted(maps.Keys(usage)) {
		kind, ok := usageKinds[object]
		if !ok {
			kind = Word
		}
		out[object] = map[string]float64{}
		for _, who := range slices.Sorted(maps.Keys(usage[object])) {
			out[object][w.names.name(kind, who)] = usage[object][who]
		}
	}
	return out
}

// usageKinds are the objects of fairshare windows.
var usageKinds = map[string]Kind{"user": User, "group": Group, "account": Account, "qos": QOS, "partition": Partition,
	"class": Partition}

func (w *walk) table(t *column.Table) (*column.Table, error) {
	if t == nil {
		return nil, nil
	}
	out := column.NewTable(t.Name, t.Rows)
	for _, c := range t.Columns() {
		renamed, err := w.column(c)
		if err != nil {
			return nil, err
		}
		out.Put(renamed)
	}
	return out, nil
}

// reordered has its rows in the order of the new names where they do not tell that of the old ones: files list users,
// accounts and the like by the alphabet, so that the order of rows would give it away.
func (w *walk) reordered(t *column.Table) *column.Table {
	if t == nil || !w.names.options.Stable {
		return t
	}
	rows := make([]int, t.Rows)
	for i := range rows {
		rows[i] = i
	}
	name := t.Column(schema.ColumnID(t.Name + ".name"))
	if name == nil {
		name = t.Column(schema.ColumnID(t.Name + ".id"))
	}
	if name == nil {
		return t
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return strings.Compare(name.Dict[name.Codes[a]], name.Dict[name.Codes[b]])
	})
	return t.Pick(rows)
}

// inOrder are lists whose order means something, or whose entries belong to those of another list.
var inOrder = map[schema.ColumnID]bool{
	"job.partitions": true, "job.recorded_partition_priorities": true, "job.allocated_hosts": true,
	"job.allocated_procs": true, "job.allocated_cores": true, "job.allocated_mem_mb": true,
	"association.qos_list": true, // + and - change the one above, one after the other
}

// onHosts are the lists with an entry for each of job.allocated_hosts.
var onHosts = []schema.ColumnID{
	"job.allocated_hosts", "job.allocated_procs", "job.allocated_cores", "job.allocated_mem_mb",
}

// allocations has the hosts of each job in the order of their new names, and what it has on them in the same.
func (w *walk) allocations(jobs *column.Table) *column.Table {
	if jobs == nil || !w.names.options.Stable || jobs.Column(onHosts[0]) == nil {
		return jobs
	}
	orders := make([][]int, jobs.Rows)
	for row := range orders {
		hosts := jobs.Value(onHosts[0], row).List
		orders[row] = make([]int, len(hosts))
		for i := range hosts {
			orders[row][i] = i
		}
		slices.SortStableFunc(orders[row], func(a, b int) int { return strings.Compare(hosts[a], hosts[b]) })
	}
	for _, id := range onHosts {
		c := jobs.Column(id)
		if c == nil {
			continue
		}
		out, of := *c, map[string]uint32{}
		out.Lists, out.Codes = nil, make([]uint32, len(c.Codes))
		for row, code := range c.Codes {
			list := slices.Clone(c.Lists[code])
			if len(list) == len(orders[row]) {
				for i, from := range orders[row] {
					list[i] = c.Lists[code][from]
				}
			}
			key := strings.Join(list, "\x00")
			if _, ok := of[key]; !ok {
				of[key], out.Lists = uint32(len(out.Lists)), append(out.Lists, list)
			}
			out.Codes[row] = of[key]
		}
		jobs.Put(&out)
	}
	return jobs
}

// column renames what a column's dictionary holds, and the key in its id.
func (w *walk) column(c *column.Column) (*column.Column, error) {
	out := *c
	if key := c.ID.Key(); key != "" {
		plain := strings.TrimSuffix(string(c.ID), "("+key+")")
		out.ID = schema.ColumnID(plain + "(" + keyRule(c.ID.Name())(w.names, key) + ")")
	}
	if c.Type != schema.String && c.Type != schema.StringList {
		return &out, nil
	}
	rule := ruleOf(c.ID)
	if rule == nil {
		return nil, fmt.Errorf("nothing says what names there are in the column %s", c.ID)
	}
	switch c.Type {
	case schema.String:
		out.Dict, out.Codes = renumbered(c.Codes, len(c.Dict), func(i int) (string, string) {
			text := renamedText(rule, w.names, c.Dict[i])
			return text, text
		})
	default:
		out.Lists, out.Codes = renumbered(c.Codes, len(c.Lists), func(i int) ([]string, string) {
			var list []string
			for _, text := range c.Lists[i] {
				list = append(list, renamedText(rule, w.names, text))
			}
			if w.names.options.Stable && !inOrder[c.ID] {
				slices.Sort(list)
			}
			return list, strings.Join(list, "\x00")
		})
	}
	return &out, nil
}

// renumbered makes a dictionary of other entries, in which each is there once.
func renumbered[T any](codes []uint32, entries int, entry func(int) (value T, key string)) (dict []T, out []uint32) {
	of, seen := make([]uint32, entries), map[string]uint32{}
	for i := range of {
		value, key := entry(i)
		code, ok := seen[key]
		if !ok {
			code = uint32(len(dict))
			seen[key], dict = code, append(dict, value)
		}
		of[i] = code
	}
	out = make([]uint32, len(codes))
	for row, code := range codes {
		out[row] = of[code]
	}
	return dict, out
}

func renamedText(rule rule, n *Names, text string) string {
	if text == "" {
		return ""
	}
	return rule(n, text)
}
