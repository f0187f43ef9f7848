package engine

import "github.com/fairway-sched/fairway/lang/schema"

// unlimitedMinutes is a limit of UNLIMITED, which Slurm multiplies like any other number.
const unlimitedMinutes = 0xffffffff

// RunSeconds are, by TRES and node, the TRES-seconds that running jobs have yet to use until
// their limits, as limits on running minutes count them: with the UsageFactor of the job's QOS,
// up to every account above (acct_policy.c: _adjust_limit_usage).
func (t *TreeShares) RunSeconds(r *Result) [][]float64 {
	columns := make([][]float64, len(t.TRES))
	for i := range columns {
		columns[i] = make([]float64, t.Tree.Len())
	}
	for i := range t.charges.list {
		x := &t.charges.list[i]
		if x.end != 0 || x.Node < 0 {
			continue
		}
		limit := r.Jobs.Value("job.walltime_seconds", int(x.job))
		if !limit.Known() {
			limit = schema.IntValue(unlimitedMinutes * 60)
		}
		left := float64(max(0, limit.Int-max(0, r.Now-x.StartSeconds))) * x.UsageFactor
		for node := int32(x.Node); node >= 0; node = t.Tree.Parent[node] {
			for k, count := range x.TRES {
				columns[k][node] += left * count
			}
		}
	}
	return columns
}

// Billing is what a running job costs a second, before the UsageFactor of its QOS, and that factor.
func (t *TreeShares) Billing(job int) (rate, usageFactor float64, ok bool) {
	for i := range t.charges.list {
		if x := &t.charges.list[i]; int(x.job) == job && x.end == 0 {
			return x.Billing, x.UsageFactor, true
		}
	}
	return 0, 0, false
}
