package shares

import (
	"fmt"
	"math"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// RunsOptions say of what time usage is worked out of job records.
type RunsOptions struct {
	Now      int64                  // epoch seconds: of the last pass
	Place    *time.Location         // by which days begin when usage is reset
	Previous *checkpoint.Checkpoint // usage until some time; what ran before it is in it already. nil: none
}

// RunsUsage is the usage of an account tree out of job records.
type RunsUsage struct {
	*evaluation.TreeShares
	Now       int64
	Runs      int // that count
	Running   int // of these, how many still ran
	Overdue   int // of these, how many had used up their limit, which is where they end
	Ahead     int // runs that begin after Now
	Strangers int // runs whose association the tree does not have
	Stranger  string
	Next      *checkpoint.Checkpoint // to go on from
	Findings  diag.List
}

// UsageOfRuns works out what the associations of a policy have used, as the passes of its controller
// would have come to it, and factors. Jobs are runs as snapshot.ReadRecords gives them.
func UsageOfRuns(p *program.Program, jobs *column.Table, o RunsOptions) (*RunsUsage, error) {
	if p.Tree == nil {
		return nil, fmt.Errorf("the policy does not share by an account tree")
	}
	if len(p.Tree.Associations) == 0 {
		return nil, fmt.Errorf("the policy has no associations: give the output of sacctmgr dump too")
	}
	if o.Previous != nil {
		if err := o.Previous.Fits(p.Family, o.Now); err != nil {
			return nil, err
		}
	}
	if jobs == nil {
		jobs = column.NewTable("job", 0)
	}
	t, diags := treeOf(p.Tree.Associations)
	u := &RunsUsage{Now: o.Now, Findings: diags}
	if t == nil {
		return u, nil
	}
	s := newTreeShares(p, t, o.Place)
	u.TreeShares = s
	none := &snapshot.Snapshot{}
	values := evaluation.NewValues(p, none)
	listQOS(s, values)
	jobs.Put(AssociationKeys(jobs, p, none))
	r := &evaluation.Result{Program: p, Snapshot: none, Now: o.Now, Jobs: jobs, Tree: s}
	h := &tree.History{Clock: s.Clock, NowSeconds: o.Now, PeriodSeconds: max(1, p.Tree.PassSeconds),
		SinceSeconds: math.MinInt64}
	s.Ledger = &tree.Ledger{Tree: t, NoDecay: noDecay(s.QOS, values), LastRan: o.Now, LastReset: o.Now,
		Associations: tree.NewUsage(t.Len(), len(s.TRES)), QOS: tree.NewUsage(len(s.QOS), len(s.TRES))}
	if state := TreeState(o.Previous); state != nil {
		resume(s, o.Previous.Time, state)
		h.SinceSeconds = o.Previous.Time
		age(s, h.Kept())
	}
	u.charge(r, h, values)
	s.Ledger.LastRan, s.Ledger.LastReset = o.Now, o.Now
	s.Ledger.Before = s.Ledger.Associations.Billing
	compute(s, p.Tree, p.Documented("fair_tree_ties"))
	u.Next = &checkpoint.Checkpoint{Family: p.Family, Time: o.Now}
	Keep(r, u.Next)
	return u, nil
}

// age decays what was used before.
func age(t *evaluation.TreeShares, kept float64) {
	t.Ledger.Associations.Decay(kept, nil)
	if kept == 0 {
		t.Ledger.QOS.Clear()
	} else {
		t.Ledger.QOS.Decay(kept, t.Ledger.NoDecay)
	}
}

// charge adds what runs have used.
func (u *RunsUsage) charge(r *evaluation.Result, h *tree.History, values *evaluation.Values) {
	own := tree.NewUsage(u.Tree.Len(), len(u.TRES))
	m := newCharger(u.TreeShares, values, r.Jobs)
	for job := range r.Jobs.Rows {
		start, end, ok := u.span(r, job)
		if !ok || end != 0 && end <= h.SinceSeconds {
			continue
		}
		u.Runs++
		if end == 0 {
			u.Running++
			end = math.MaxInt64
		}
		x := m.charge(job, start, end)
		seconds := h.Seconds(start, end, false) * x.UsageFactor
		if x.Node >= 0 {
			addUsage(own, x.Node, seconds, &x.Charge)
		} else if u.Strangers++; u.Strangers == 1 {
			u.Stranger = r.Jobs.Text("job.association", job)
		}
		for _, qos := range usedQOS(&x.Charge) {
			kept := h.Seconds(start, end, u.Ledger.NoDecay[qos]) * x.UsageFactor
			addUsage(u.Ledger.QOS, qos, kept, &x.Charge)
		}
	}
	for node := u.Tree.Len() - 1; node >= 0; node-- {
		up := int(u.Tree.Parent[node])
		u.sum(own, node, up)
	}
}

// sum adds a node's own usage of the runs to its usage and to what is above it.
func (u *RunsUsage) sum(own *tree.Usage, node, up int) {
	all := u.Ledger.Associations
	all.Billing[node] += own.Billing[node]
	all.WallSeconds[node] += own.WallSeconds[node]
	for k := range own.TRES {
		all.TRES[k][node] += own.TRES[k][node]
	}
	if up < 0 {
		return
	}
	own.Billing[up] += own.Billing[node]
	own.WallSeconds[up] += own.WallSeconds[node]
	for k := range own.TRES {
		own.TRES[k][up] += own.TRES[k][node]
	}
}

func addUsage(u *tree.Usage, row int, seconds float64, c *tree.Charge) {
	u.Billing[row] += seconds * c.Billing
	u.WallSeconds[row] += seconds
	for i, count := range c.TRES {
		u.TRES[i][row] += seconds * count
	}
}

// usedQOS are the rows of the QOS that a job is charged to.
func usedQOS(c *tree.Charge) (rows []int) {
	if c.QOS >= 0 {
		rows = append(rows, c.QOS)
	}
	if c.PartitionQOS >= 0 && c.PartitionQOS != c.QOS {
		rows = append(rows, c.PartitionQOS)
	}
	return rows
}

// span is when a run took place, its end 0 if it still runs: not longer than its limit, for what has
// used it up was cancelled and the record of that is missing.
func (u *RunsUsage) span(r *evaluation.Result, job int) (start, end int64, ok bool) {
	from, to, limit := r.Jobs.Value("job.start_time", job), r.Jobs.Value("job.end_time", job),
		r.Jobs.Value("job.walltime_seconds", job)
	start = from.Int
	switch {
	case !from.Known():
		return 0, 0, false
	case start >= r.Now:
		u.Ahead++
		return 0, 0, false
	case to.Known():
		end = to.Int
	case limit.Known() && limit.Int > 0 && start+limit.Int <= r.Now:
		u.Overdue++
		end = start + limit.Int
	}
	return start, end, end == 0 || end > start
}
