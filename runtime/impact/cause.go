package impact

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Cause is the part of the priority that moved a job most: what it adds now less what it added, against what the same
// part did to the queue on average, since points that everybody gets move no job.
type Cause struct {
	Part   string  `json:"part"`   // a term, the cap of a component, an override, or bounds
	Change float64 `json:"change"` // in points
	Beyond float64 `json:"beyond"` // by how much that is more than the queue's average
	SetBy  string  `json:"set_by,omitempty"`
	Source *Place  `json:"source"`
}

// Causes counts the jobs that a part moved.
type Causes struct {
	Part string `json:"part"`
	Up   int    `json:"up"`
	Down int    `json:"down"`
}

// termChanges are the parts of both policies.
type termChanges struct {
	x, y  *evaluation.Result
	parts []part
	mean  []float64 // per part: the average change among the jobs that are compared
}

// part gives the points of a job's row on both sides.
type part struct {
	name     string
	key      string // of a term that adds anything, component/term
	old, new func(row int) float64
	setBy    string
	source   *Place
}

func termsOf(x, y *evaluation.Result, like map[string]string, jobs []int32) *termChanges {
	t := &termChanges{x: x, y: y}
	t.add(x, true, nil)
	t.add(y, false, like)
	t.mean = make([]float64, len(t.parts))
	for i := range t.parts {
		for _, job := range jobs {
			t.mean[i] += t.change(i, int(job), true) / float64(len(jobs))
		}
	}
	return t
}

// change is what a part adds to a job's priority now, less what it added: of the partition in which the job ranks, or
// of the one whose priority is the job's.
func (t *termChanges) change(i, job int, ranks bool) float64 {
	row := func(r *evaluation.Result) int {
		if ranks {
			return int(r.RankRow[job])
		}
		return int(r.JobRow[job])
	}
	p, d := &t.parts[i], 0.0
	if p.new != nil {
		d = p.new(row(t.y))
	}
	if p.old != nil {
		d -= p.old(row(t.x))
	}
	if math.IsNaN(d) || math.IsInf(d, 0) {
		return 0
	}
	return d
}

// cause is the part that pushed the job most in the direction in which it moved; nil where none did, because
// others moved around it.
func (t *termChanges) cause(job int, places int32) *Cause {
	best, most := -1, 0.0
	for i := range t.parts {
		beyond := t.change(i, job, true) - t.mean[i]
		push := beyond
		if places < 0 {
			push = -beyond
		}
		if places == 0 {
			push = math.Abs(t.change(i, job, false))
		}
		if push > most && push > 1e-9 {
			best, most = i, push
		}
	}
	if best < 0 {
		return nil
	}
	p := &t.parts[best]
	change := t.change(best, job, places != 0)
	return &Cause{Part: p.name, Change: change, Beyond: change - t.mean[best], SetBy: p.setBy, Source: p.source}
}

// add lists the parts of one side; one that the other has too, by name or as like says, is one part.
func (t *termChanges) add(r *evaluation.Result, before bool, like map[string]string) {
	put := func(name, key string, of func(row int) float64, n ...program.Number) {
		i := slices.IndexFunc(t.parts, func(p part) bool { return p.name == name })
		if i < 0 {
			i = len(t.parts)
			t.parts = append(t.parts, part{name: name, key: key})
		}
		p := &t.parts[i]
		if before {
			p.old = of
		} else {
			p.new = of
		}
		for _, number := range n {
			for _, s := range number.Sources {
				if !s.Span.IsZero() {
					p.setBy, p.source = s.Name, placeOf(s.Span)
				}
			}
		}
	}
	for i := range r.Terms {
		term := &r.Terms[i]
		comp := &r.Program.Components[term.Component]
		own := &comp.Terms[term.Term]
		name := own.Name
		if comp.Name != name {
			name = comp.Name + " / " + name
		}
		key := ""
		if slices.ContainsFunc(term.Value, func(v float64) bool { return v != 0 }) {
			key = comp.Name + "/" + own.Name
		}
		if k := slices.IndexFunc(t.parts, func(p part) bool { return p.key != "" && p.key == like[key] }); k >= 0 {
			t.parts[k].name += ", there " + name
			name = t.parts[k].name
		}
		put(name, key, func(row int) float64 { return points(r, term, row) }, comp.Weight, own.Weight)
	}
	for i := range r.Sums {
		sum := &r.Sums[i]
		if sum.Cap == nil {
			continue
		}
		comp := &r.Program.Components[sum.Component]
		put("cap of "+comp.Name, "", func(k int) float64 {
			if k >= len(sum.Value) || k >= len(sum.Weight) || k >= len(sum.Sum) {
				return 0
			}
			return sum.Value[k] - sum.Weight[k]*sum.Sum[k]
		}, comp.Cap)
	}
	for k, marked := range r.Overridden {
		o := &r.Program.Overrides[k]
		put("override "+o.Name, "", func(row int) float64 {
			if !marked.Get(row) {
				return 0
			}
			return beyondScore(r, row)
		})
	}
	put("bounds", "", func(row int) float64 {
		if slices.ContainsFunc(r.Overridden, func(marked column.Bitmap) bool { return marked.Get(row) }) {
			return 0
		}
		return beyondScore(r, row)
	})
}

// beyondScore is by how much the priority is above the score; rounding does not count.
func beyondScore(r *evaluation.Result, row int) float64 {
	if d := float64(r.Priority[row]) - r.Score[row]; math.Abs(d) >= 1 {
		return d
	}
	return 0
}

// points is what a term adds; 0 for one that nothing weighs, which is not evaluated.
func points(r *evaluation.Result, t *evaluation.TermColumn, row int) float64 {
	if row >= len(t.Value) || row >= len(r.Sums[t.Component].Weight) || t.FactorFailed.Get(row) {
		return 0
	}
	return r.Contribution(t, row)
}

// causes counts what moved how many.
func (c *Comparison) causes() {
	c.Causes = []Causes{}
	for i := range c.Moves {
		m := &c.Moves[i]
		if m.Places == 0 {
			continue
		}
		name := "others moved around them"
		if m.Cause != nil {
			name = m.Cause.Part
		}
		k := slices.IndexFunc(c.Causes, func(x Causes) bool { return x.Part == name })
		if k < 0 {
			k = len(c.Causes)
			c.Causes = append(c.Causes, Causes{Part: name})
		}
		if m.Places > 0 {
			c.Causes[k].Up++
		} else {
			c.Causes[k].Down++
		}
	}
	slices.SortStableFunc(c.Causes, func(a, b Causes) int { return -cmp.Compare(a.Up+a.Down, b.Up+b.Down) })
}
