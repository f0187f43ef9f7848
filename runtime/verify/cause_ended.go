package verify

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
)

// passMoments are the seconds of the usual time between two passes (PriorityCalcPeriod), each of which may have
// been the last one's.
const passMoments = 300

// charged computes Fair Tree without what jobs were charged that have ended since the last pass. Where nothing tells
// when that was, it is the moment that explains most of the numbers.
func charged(q *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	r := k.result
	if r.Tree == nil || r.Tree.FairTree == nil {
		return nil, nil
	}
	moments := []int64{k.Pass.Time}
	if all := q.pass(q.readings); all.Sought && all.Telling == 0 {
		moments = nil
		for at := max(0, q.window.from-1); at < q.window.captured; at++ {
			moments = append(moments, at)
		}
		moments = spread(moments, passMoments)
	}
	var best assumption
	most := 0
	for i := range 2 * len(moments) { // of each, with requeued jobs that ended just then, or a second before
		amount, jobs := r.Tree.EndedSince(moments[i/2], q.window.captured, int64(i%2))
		if len(jobs) == 0 {
			continue
		}
		a := assumption{c, "the levels and factors are of the last pass, since which " + jobsText(r, jobs) +
			" ended and added to usage", q.withoutUsage(k, amount)}
		explained := 0
		for _, s := range q.open {
			if s.check == k && s.fit(func(x *reading) float64 { return a.value(x, x.ours) }) {
				explained++
			}
		}
		if explained > most && !q.contradicted(k, func(x *reading) float64 { return a.value(x, x.ours) }) {
			best, most = a, explained
		}
	}
	if most == 0 {
		return nil, nil
	}
	return func(*subject) []assumption { return []assumption{best} }, nil
}

// withoutUsage computes Fair Tree with less usage.
func (q *inquiry) withoutUsage(k *check, less []float64) func(x *reading, value float64) float64 {
	r := k.result
	unit, usage := usageUnit(r.Snapshot.Credentials["association"]), slices.Clone(r.Tree.FairTree.Usage)
	for node := range usage {
		if less[node] == 0 {
			continue
		}
		if usage[node] -= less[node]; usage[node] < unit {
			usage[node] = 0 // all but what was rounded
		}
	}
	siblings := map[int32][]int{} // those that were charged nothing
	for node, parent := range r.Tree.Tree.Parent {
		if less[node] == 0 {
			siblings[parent] = append(siblings[parent], node)
		}
	}
	for node := range usage {
		if less[node] == 0 {
			continue
		}
		for _, other := range siblings[r.Tree.Tree.Parent[node]] {
			if math.Abs(usage[node]-usage[other]) <= unit {
				usage[node] = usage[other] // the printed digits do not tell them apart
			}
		}
	}
	f := &tree.FairTree{}
	f.Compute(r.Tree.Tree, usage, tree.FairTreeOptions{MergeTies: r.Program.Documented("fair_tree_ties")})
	return func(x *reading, value float64) float64 {
		if x.association != "" {
			switch x.field {
			case "fairshare":
				return f.Factor[x.row]
			case "level_fs":
				return f.LevelFS[x.row]
			}
			return value
		}
		if node, ok := r.Tree.Node(jobText(r, "job.association", x.job)); ok {
			return withFactor(r, x, value, f.Factor[node])
		}
		return value
	}
}
