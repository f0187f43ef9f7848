package maui

import (
	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// holds says who holds the job, as far as the scheduler did it itself. It sets such a hold on
// running jobs as well, where it does nothing.
func (c *checkJob) holds() {
	if c.running() && c.r.Limits != nil {
		if v, over := c.r.Limits.CheckLoaded(c.job); over {
			c.tooLarge(&v)
		}
	}
	for _, b := range eval.Reasons(c.r.Why[int32(c.job)]) {
		switch b.Kind {
		case evaluation.BlockHold:
			if kind := holdKind(c.r, c.job); kind != "" {
				c.line("Holds:    %s", kind)
			}
		case evaluation.BlockSize:
			c.tooLarge(b.Limit)
		case evaluation.BlockPolicy:
			c.line("Holds:    Batch  (hold reason:  %s)", source.Plain(b.Text))
		case evaluation.BlockResources:
			if len(b.Also) == 0 {
				continue // the second line of the same block
			}
			c.line("job is deferred.  Reason:  NoResources  (exceeds available partition procs)")
			c.line("Holds:    Defer  (hold reason:  NoResources)")
		}
	}
}

// tooLarge is the hold of a job that is larger than its class or the system allows.
func (c *checkJob) tooLarge(v *limit.Violation) {
	c.line("Holds:    Batch  (hold reason:  PolicyViolation)")
	if v != nil {
		c.line("Messages:  %s", maui.LoadText(v))
	}
}

// selection says for each partition of nodes what keeps a waiting job from being considered
// there. Hard limits come before soft ones, which are named only where nothing else is; whether the
// idle nodes would do is not asked.
func (c *checkJob) selection() {
	if c.running() {
		return
	}
	id := source.Plain(eval.JobText(c.r, "job.id", c.job))
	for k, partition := range maui.NodePartitions(c.r) {
		if why := c.unselected(k, partition); why != "" {
			c.line("cannot select job %s for partition %s (%s)\n", id, source.Plain(partition), why)
		} else if v, over := c.over(limit.Soft); over {
			c.line("job cannot run in partition %s.  (job %s %s\n)\n", source.Plain(partition), id,
				maui.LimitText(&v, partition))
		}
	}
}

// unselected is the first thing that is against the job, "" if nothing does.
func (c *checkJob) unselected(k int, partition string) string {
	if b := c.r.Why[int32(c.job)]; b != nil {
		switch b.Kind {
		case evaluation.BlockHold:
			if holdKind(c.r, c.job) == "" {
				return "non-idle state 'Hold'"
			}
			return "job hold active"
		case evaluation.BlockSize, evaluation.BlockPolicy, evaluation.BlockResources:
			return "job hold active"
		case evaluation.BlockBegin:
			return "startdate in '" + mauitext.Span(c.value("job.begin_time").Int-c.r.Now) + "'"
		case evaluation.BlockPriority:
			return "negative priority"
		case evaluation.BlockFailed:
			return source.Plain(b.Text)
		}
	}
	switch maui.RefusedBy(c.r, c.job, k) {
	case evaluation.BlockNodes:
		return "PartitionAccess"
	case evaluation.BlockClass:
		return "Class"
	}
	for _, b := range eval.Reasons(c.r.Why[int32(c.job)]) {
		if b.Kind == evaluation.BlockDependency {
			return source.Plain(b.Text)
		}
	}
	if v, over := c.over(limit.Hard); over {
		return "job " + source.Plain(eval.JobText(c.r, "job.id", c.job)) + " " + maui.LimitText(&v, partition) + "\n"
	}
	for _, b := range eval.Reasons(c.r.Why[int32(c.job)]) {
		if b.Kind == evaluation.BlockCap {
			return "FairShare"
		}
	}
	return ""
}

// over asks the limits with all that runs now.
func (c *checkJob) over(b limit.Bound) (limit.Violation, bool) {
	if c.r.Limits == nil {
		return limit.Violation{}, false
	}
	if v, over := c.r.Limits.CheckJob(c.job, b); over {
		return v, over
	}
	return c.r.Limits.CheckActive(c.job, b)
}
