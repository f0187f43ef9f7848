package verify

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// reasons compares why jobs wait, where the evaluation decides that and does not take it over.
// Whether nodes are found is the planner's to say: a job that it may start has no reason of ours.
func (c *comparison) reasons(w window) error {
	r := c.report.Result
	recorded := r.Jobs.Column("job.state_reason")
	if recorded == nil || r.Program.Slurm == nil {
		return nil
	}
	k := &Check{Name: "reason", Of: "reasons of waiting jobs"}
	var off []*reason
	queued := lastQueue(r)
	unqueued := unqueuedSince(r, w, queued)
	for job := range r.Jobs.Rows {
		x := &reason{job: job, theirs: snapshot.OneWord(recorded.Dict[recorded.Codes[job]]),
			since: w.captured - schedInterval, unqueued: unqueued}
		x.ours = c.computed(x, r)
		switch state := r.State[job]; {
		case state == evaluation.Running || state == evaluation.Done || recorded.Missing.Get(job):
		case state == evaluation.Eligible && x.ours == x.theirs:
			k.skip("they depend on the nodes, which are not looked at")
		case state == evaluation.Held && r.Why[int32(job)] != nil && r.Why[int32(job)].Kind == evaluation.BlockHold:
			k.skip("who holds a job is taken over")
		default:
			if k.Compared++; x.theirs == x.ours {
				k.Equal++
				continue
			}
			if tried := lastTried(r, job); tried != 0 {
				x.since, x.tried = tried, true
			}
			if beforeNodes(x.theirs) || beforeNodes(x.ours) {
				x.since = max(x.since, queued)
			}
			if strings.Contains(x.theirs, "Minutes") || strings.Contains(x.theirs, "GrpWall") {
				x.since = min(x.since, c.countedAt(w))
			}
			off = append(off, x)
		}
	}
	if err := c.earlierReasons(w, off); err != nil {
		return err
	}
	for _, x := range off {
		d := x.difference(r)
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
	tried        bool  // the snapshot states when the scheduler last looked at the job
	since        int64 // when that was; if it is not stated, the least that it may be
	unqueued     int64 // no pass need have come to a job that may start only since after this second
	rightAt      int64 // a moment since then at which ours was theirs; 0 if there is none
	others       []int // the jobs that have started or ended since that moment, without which it was not
}

// lastTried is when the scheduler last looked at a job (LastSchedEval), in epoch seconds; 0 where no input says so.
func lastTried(r *evaluation.Result, job int) int64 {
	return r.Jobs.Int("job.last_evaluation_time", job)
}

// countedAt is when slurmctld may last have counted what has been used and is still to be: it does so in a pass
// of priorities (recorded: limit-random-1, a job that was tried ten seconds after one).
func (c *comparison) countedAt(w window) int64 {
	at, known := w.captured, false
	for i := range c.report.Checks {
		if p := c.report.Checks[i].Pass; p.Telling > 0 || p != (Pass{}) && !p.Sought {
			at, known = min(at, p.Time), true
		}
	}
	if !known {
		return w.from
	}
	return at
}

// passSeconds is how long a scheduling pass may last after it has made the queue (max_sched_time).
const passSeconds = 4

// lastQueue is the least second at which slurmctld may have made the queue last: it has looked at a job of it
// since. 0 where no input says so.
func lastQueue(r *evaluation.Result) int64 {
	last := int64(0)
	for job, state := range r.State {
		if state != evaluation.Running && state != evaluation.Done {
			last = max(last, lastTried(r, job)-passSeconds)
		}
	}
	return last
}

// computed is our reason in a result. The evaluation takes a recorded one over where nodes decide, which
// of some reasons they never do.
func (c *comparison) computed(x *reason, r *evaluation.Result) string {
	ours, why := snapshot.OneWord(r.Reason[x.job]), r.Why[int32(x.job)]
	eligible := r.State[x.job] == evaluation.Eligible
	first, end := r.Entries(x.job)
	// of several partitions the last may have cleared it (recorded: big)
	none := slices.Contains(neverTried, ours) && end == first+1
	switch {
	case ours != x.theirs:
	case eligible && strings.HasPrefix(ours, "Dependency") && r.Jobs.Int("job.eligible_time", x.job) > r.Now:
		// slurmctld sets EligibleTime when the last dependency is met
	case eligible && beforeNodes(ours):
		return ""
	case !eligible && why != nil && why.Kind == evaluation.BlockPartition:
		return snapshot.OneWord(why.Text)
	case !eligible && (beforeNodes(ours) || none) && why != nil && why.Kind == evaluation.BlockLimit:
		return snapshot.OneWord(why.Text)
	case !eligible && !slices.Contains(neverTried, ours) && why != nil && why.Slurm != nil &&
		ours != snapshot.OneWord(why.Text) && !c.nodesFirst(x.job, r, ours):
		return snapshot.OneWord(why.Text)
	}
	return ours
}

// beforeNodes are reasons that slurmctld gives a job when it makes the queue (job_independent), and that
// the job itself tells.
func beforeNodes(reason string) bool {
	return reason == "BeginTime" || reason == "JobArrayTaskLimit" || strings.HasPrefix(reason, "Dependency")
}

func (x *reason) difference(r *evaluation.Result) Difference {
	d := Difference{Check: "reason", Job: jobText(r, "job.id", x.job), Field: "reason",
		Words: [2]string{orNone(x.theirs), orNone(x.ours)}}
	switch {
	case x.rightAt != 0 && x.others == nil:
		d.Cause, d.Why = causeNamed("earlier-reason"), "it was right at "+clockText(x.rightAt)
	case x.rightAt != 0:
		d.Cause, d.Why = causeNamed("tried-before"),
			"it was right at "+clockText(x.rightAt)+", before "+othersText(r, x.others)
	case x.shutSince(r):
		d.Cause = causeNamed("earlier-reason")
		d.Why = "it was tried at " + clockText(x.since) + ", and its partition was set down after that"
	case x.theirs == "PartitionDown" || x.theirs == "PartitionInactive":
		d.Cause, d.Why = causeNamed("partition-state"), "none of the partitions of the job is so by the inputs"
	case slices.Contains(neverTried, x.theirs) && x.notComeTo(r):
		d.Cause, d.Why = causeNamed("never-tried"), "no scheduling pass has come to the job"
	case slices.Contains(plannerReasons, x.theirs) && r.Why[int32(x.job)] != nil:
		d.Cause, d.Why = causeNamed("other-limit"), "the limit stopped the job as well when the scheduler last came to it"
	}
	return d
}

// shutSince reports a job that waits for nodes of a partition which commands have set down: no pass of the whole queue
// need have come to it since, and none that shows the partition's state was looked at as early as it was.
func (x *reason) shutSince(r *evaluation.Result) bool {
	why, partition := r.Why[int32(x.job)], jobText(r, "job.partition", x.job)
	down := why != nil && slurm.SetDown(why)
	if !down || !slices.Contains(plannerReasons, x.theirs) || !x.tried || x.since < r.Now-schedInterval {
		return false
	}
	for job := range r.Jobs.Rows {
		same := jobText(r, "job.partition", job) == partition
		shown := snapshot.OneWord(jobText(r, "job.state_reason", job)) == snapshot.OneWord(why.Text)
		if tried := lastTried(r, job); same && shown && tried != 0 && tried < x.since {
			return false
		}
	}
	return true
}

// unqueuedSince is the second after which a job must have come to the queue to be in none that a pass has gone
// through: slurmctld has not made the queue since, or no pass of the whole queue was due (sched_interval). Where the
// inputs state of no job when it was looked at, no job is known to have been left out.
func unqueuedSince(r *evaluation.Result, w window, queued int64) int64 {
	for job := range r.Jobs.Rows {
		switch since := w.captured - schedInterval; {
		case lastTried(r, job) == 0:
		case queued != 0:
			return min(since, queued)
		default:
			return since
		}
	}
	return math.MaxInt64
}

// notComeTo reports a job that the scheduler never looked at, and that is too new for a pass to have come to it.
func (x *reason) notComeTo(r *evaluation.Result) bool {
	since := r.Jobs.Int("job.submit_time", x.job)
	if eligible := r.Jobs.Value("job.eligible_time", x.job); eligible.Known() {
		since = max(since, eligible.Int)
	}
	return neverLookedAt(r, x.job) && since > x.unqueued
}

var neverTried = []string{"", "None"}

// plannerReasons are those of jobs that may start and find no place.
var plannerReasons = []string{"Priority", "Resources",
	"Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions"}

func orNone(reason string) string {
	if reason == "" {
		return "none"
	}
	return reason
}
