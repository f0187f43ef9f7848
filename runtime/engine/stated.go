package engine

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// useStated gives a snapshot the usage that the policy states, as of its time. Usage that was recorded counts alone.
func useStated(p *program.Program, s *snapshot.Snapshot, previous *checkpoint.Checkpoint) diag.List {
	if len(p.Usage) == 0 || p.Windows == nil && p.Tree == nil {
		return nil
	}
	var found diag.List
	switch {
	case previous != nil && (len(previous.Usage) > 0 || previous.Tree != nil):
		return nil // they are for the first evaluation
	case snapshot.HasUsage(s):
		found.Warnf("usage-stated-unused", p.Usage[0].Span,
			"the usage blocks of the policy are ignored: the snapshot has usage").
			Note("remove the blocks, or leave the usage out of the snapshot")
		return found
	}
	part := &snapshot.Snapshot{}
	for i := range p.Usage {
		u, when := &p.Usage[i], time.Unix(p.Usage[i].At, 0).UTC().Format(time.RFC3339)
		if u.At > s.Now {
			found.Warnf("usage-stated-unused", u.Span, "usage %q is not counted: it is of %s, which is after now", u.Name, when).
				Note("usage blocks are about the past; does `at` have the right year and zone?")
			continue
		}
		if w := p.Windows; w != nil {
			oldest := fairshare.CurrentStart(w, s.Now) - int64(w.Depth-1)*w.IntervalSeconds
			if u.At < oldest && p.Tree == nil {
				found.Warnf("usage-stated-unused", u.Span, "usage %q is not counted: it is of %s, before the windows that count",
					u.Name, when).
					Note("the block can be removed; to count older usage write a greater depth or interval")
			}
			addWindow(part, u, w.IntervalSeconds)
		}
	}
	if p.Tree != nil && (len(p.Tree.Associations) > 0 || s.Credentials["association"] != nil) {
		part.Credentials = map[string]*column.Table{"association": associationsUsed(p, s)}
	}
	s.Credentials = maps.Clone(s.Credentials)
	s.UsageFiles = maps.Clone(s.UsageFiles)
	snapshot.Add(s, part)
	return found
}

// addWindow adds usage to the window that it is of.
func addWindow(part *snapshot.Snapshot, u *program.Usage, interval int64) {
	start := u.At - u.At%interval
	i := slices.IndexFunc(part.Usage, func(w snapshot.UsageWindow) bool { return w.StartTime == start })
	if i < 0 {
		i = len(part.Usage)
		part.Usage = append(part.Usage, snapshot.UsageWindow{StartTime: start, Usage: map[string]map[string]float64{}})
	}
	w := &part.Usage[i]
	w.Total += u.Total
	for _, x := range u.Used {
		if w.Usage[x.Object] == nil {
			w.Usage[x.Object] = map[string]float64{}
		}
		w.Usage[x.Object][x.Name] += x.Amount
	}
}

// associationsUsed are the associations of the tree with what they used: those that no block names used nothing.
func associationsUsed(p *program.Program, s *snapshot.Snapshot) *column.Table {
	t := accountTree(p, s)
	for i := range p.Usage {
		u := &p.Usage[i]
		if u.At > s.Now {
			continue
		}
		left := 1.0
		if p.Tree.HalfLifeSeconds > 0 {
			left = math.Exp2((float64(u.At) - float64(s.Now)) / float64(p.Tree.HalfLifeSeconds))
		}
		t.add(u, left)
	}
	b := column.NewBuilder("association")
	for _, key := range t.keys {
		b.Row()
		b.String("association.name", key)
		if above := t.above[key]; above != "" {
			b.String("association.parent", above)
		}
		b.Double("association.usage_seconds", t.used[key])
	}
	return b.Table()
}

// accounts are the associations of a tree by their keys.
type accounts struct {
	keys  []string          // those above others last
	above map[string]string // the account above an association
	used  map[string]float64
}

// accountTree lists the associations of policy and snapshot, and those of blocks that neither knows.
func accountTree(p *program.Program, s *snapshot.Snapshot) *accounts {
	t := &accounts{above: map[string]string{}, used: map[string]float64{}}
	known := func(key, above string) {
		account, _, user := strings.Cut(key, "/")
		if user {
			above = account
		}
		if _, ok := t.above[key]; !ok {
			t.keys = append(t.keys, key)
			t.above[key] = above
		}
	}
	for i := range p.Tree.Associations {
		known(p.Tree.Associations[i].Key(), p.Tree.Associations[i].Parent)
	}
	if table := s.Credentials["association"]; table != nil {
		for row := range table.Rows {
			known(table.Text("association.name", row), table.Text("association.parent", row))
		}
	}
	for i := range p.Usage {
		for _, x := range p.Usage[i].Used {
			if x.Object == "association" || x.Object == "account" {
				known(x.Name, "")
			}
		}
	}
	slices.SortStableFunc(t.keys, func(a, b string) int { return t.depth(b) - t.depth(a) })
	return t
}

// depth is how many associations are above one. What goes round in circles has an end too.
func (t *accounts) depth(key string) int {
	n := 0
	for above := t.above[key]; above != "" && n <= len(t.keys); above = t.above[above] {
		n++
	}
	return n
}

// add adds a block. What an account used includes those below it, whether the block names it or not.
func (t *accounts) add(u *program.Usage, left float64) {
	stated, below := map[string]float64{}, map[string]float64{}
	for _, x := range u.Used {
		if x.Object == "association" || x.Object == "account" {
			stated[x.Name] += x.Amount
		}
	}
	for _, key := range t.keys {
		used := max(stated[key], below[key])
		t.used[key] += used * left
		below[t.above[key]] += used
	}
}
