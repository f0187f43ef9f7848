package impact

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// Share is what a credential's usage counts: of Slurm the fairshare factor of an association, of Maui the difference
// from the target. nil is none.
type Share struct {
	Kind string   `json:"kind"` // association; user, group, account …
	Name string   `json:"name"`
	Old  *float64 `json:"old"`
	New  *float64 `json:"new"`
}

type shareKey struct{ kind, name string }

// shares compares what both sides computed; recorded factors are the same on both.
func (c *Comparison) shares(x, y *evaluation.Result) {
	before, after := sharesOf(x, y), sharesOf(y, x)
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	for key := range keys {
		a, hasA := before[key]
		b, hasB := after[key]
		if hasA == hasB && (a == b || math.IsNaN(a) && math.IsNaN(b)) {
			continue
		}
		s := Share{Kind: key.kind, Name: key.name}
		if hasA && finite(a) {
			s.Old = &a
		}
		if hasB && finite(b) {
			s.New = &b
		}
		c.Shares = append(c.Shares, s)
	}
	slices.SortFunc(c.Shares, func(a, b Share) int {
		return cmp.Or(-cmp.Compare(a.size(), b.size()), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	c.Summary.Shares = len(c.Shares)
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// size is how much it changes; what one side alone has changes most.
func (s *Share) size() float64 {
	if s.Old == nil || s.New == nil {
		return math.Inf(1)
	}
	return math.Abs(*s.New - *s.Old)
}

func sharesOf(r, other *evaluation.Result) map[shareKey]float64 {
	out := map[shareKey]float64{}
	if t := r.Tree; t != nil {
		factors := t.Factors()
		for node := range t.Tree.Associations {
			if t.Classic != nil || t.Tree.IsUser(node) {
				out[shareKey{"association", t.Key(node)}] = factors.Factor[node]
			}
		}
	}
	if r.Windows == nil {
		return out
	}
	for object, kind := range fairshare.Objects {
		names := map[string]bool{}
		for _, side := range []*evaluation.Result{r, other} {
			if side.Windows != nil {
				for _, name := range side.Windows.Objects[object].Names {
					names[name] = true
				}
			}
		}
		if column := r.Jobs.Column(schema.ColumnID("job." + kind)); column != nil {
			for _, name := range column.Dict {
				names[name] = true
			}
		}
		for name := range names {
			if share := r.Windows.Of(object, name); name != "" && share.Target != fairshare.NoTarget {
				out[shareKey{kind, name}] = share.Delta
			}
		}
	}
	return out
}
