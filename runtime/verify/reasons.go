package verify

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// reasons compares why jobs wait, where the evaluation decides that and does not take it over.
// Whether nodes are found is the planner's to say: a job that it may start has no reason of ours.
func (c *comparison) reasons(w window) error {
	r := c.report.Result
	recorded := r.Jobs.Column("job.state_reason")
	if recorded == nil || r.Program.Family != "slurm" || r.Program.Slurm == nil {
		return nil
	}
	k := &Check{Name: "reason", Of: "reasons of waiting jobs"}
	var off []*reason
	for job := range r.Jobs.Rows {
		x := &reason{job: job, theirs: snapshot.OneWord(recorded.Dict[recorded.Codes[job]]), ours: snapshot.OneWord(r.Reason[job])}
		switch state := r.State[job]; {
		case state == engine.Running || state == engine.Done || recorded.Missing.Get(job):
		case state == engine.Eligible && x.ours == x.theirs:
			k.skip("they depend on the nodes, which are not looked at")
		case state == engine.Held && r.Why[int32(job)] != nil && r.Why[int32(job)].Kind == engine.BlockHold:
			k.skip("who holds a job is taken over")
		default:
			if k.Compared++; x.theirs == x.ours {
				k.Equal++
			} else {
				off = append(off, x)
			}
		}
	}
	if err := c.earlierReasons(w, off); err != nil {
		return err
	}
	lately := startedLately(r, w.captured)
	for _, x := range off {
		d := x.difference(r, lately)
		if d.Benign() {
			k.Explained++
		} else {
			k.Different++
		}
		c.report.Differences = append(c.report.Differences, d)
	}
	if k.Compared > 0 || len(k.Skipped) > 0 {
		c.report.Checks = append(c.report.Checks, *k)
	}
	return nil
}

// reason is a job's, as it was printed and as it is to us.
type reason struct {
	job          int
	theirs, ours string
	rightAt      int64 // a moment before at which ours was theirs; 0 if there is none
}

// earlierMoments are how often the time before the snapshot is looked at for what was so then, and
// ownMoments how often just before something happened to a job: each is an evaluation of all jobs.
const (
	earlierMoments = 6
	ownMoments     = 16
)

// earlierReasons looks for the moments at which reasons were right: counters of time run down, and begin
// times pass, and nobody tells a job until it is tried again.
func (c *comparison) earlierReasons(w window, off []*reason) error {
	if len(off) == 0 {
		return nil
	}
	from := min(w.from, w.captured)
	var moments, own []int64
	for i := range int64(earlierMoments) {
		moments = append(moments, w.captured-(w.captured-from)*i/(earlierMoments-1))
	}
	for _, x := range off {
		for _, t := range events(c.report.Result, x.job) {
			if t > from && t <= w.captured {
				own = append(own, t-1)
			}
		}
	}
	moments = append(moments, spread(own, ownMoments)...)
	slices.Sort(moments)
	for _, at := range slices.Compact(moments) {
		r, err := c.at(at)
		if err != nil {
			return err
		}
		for _, x := range off {
			if snapshot.OneWord(r.Reason[x.job]) == x.theirs {
				x.rightAt = at // the latest such moment
			}
		}
	}
	return nil
}

func (x *reason) difference(r *engine.Result, lately started) Difference {
	d := Difference{Check: "reason", Job: jobText(r, "job.id", x.job), Field: "reason", Words: [2]string{orNone(x.theirs), orNone(x.ours)}}
	switch {
	case x.rightAt != 0:
		d.Cause, d.Why = causeNamed("earlier-reason"), "it was right at "+clockText(x.rightAt)
	case x.theirs == "PartitionDown" || x.theirs == "PartitionInactive":
		d.Cause, d.Why = causeNamed("partition-state"), "none of the partitions of the job is so by the inputs"
	case slices.Contains(neverTried, x.theirs):
		d.Cause, d.Why = causeNamed("never-tried"), "no scheduling pass has come to the job"
	case !slices.Contains(plannerReasons, x.theirs) || r.Why[int32(x.job)] == nil:
	case lately.beside(r, x.job):
		d.Cause, d.Why = causeNamed("tried-before"), "a job beside it has started less than a minute before the snapshot"
	default:
		d.Cause, d.Why = causeNamed("other-limit"), "no job beside it has started in the last minute"
	}
	return d
}

// neighbours are the columns by which jobs share limits.
var neighbours = []schema.ColumnID{"job.user", "job.account", "job.qos"}

// started are the users, accounts and QOS of the jobs that started so lately that no scheduling pass
// need have come to the others of the same.
type started map[schema.ColumnID]map[string]bool

func startedLately(r *engine.Result, captured int64) started {
	out := started{}
	for _, id := range neighbours {
		out[id] = map[string]bool{}
	}
	for job := range r.Jobs.Rows {
		start := r.Jobs.Value("job.start_time", job)
		if r.State[job] != engine.Running || !start.Known() || start.Int < captured-schedInterval {
			continue
		}
		for _, id := range neighbours {
			if name := jobText(r, id, job); name != "" {
				out[id][name] = true
			}
		}
	}
	return out
}

// beside reports a job with one of these.
func (s started) beside(r *engine.Result, job int) bool {
	return slices.ContainsFunc(neighbours, func(id schema.ColumnID) bool { return s[id][jobText(r, id, job)] })
}

var neverTried = []string{"", "None"}

// plannerReasons are those of jobs that may start and find no place.
var plannerReasons = []string{"Priority", "Resources", "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions"}

func orNone(reason string) string {
	if reason == "" {
		return "none"
	}
	return reason
}
