package maui

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// block says why a job is not eligible, as diagnose -q finds it: it looks at the job once more,
// with all that runs in the end and with soft numbers (UIQueueDiagnose; recorded: t families).
// Limits of idle jobs are named when nothing else is, and the soft walk did not take the job.
// Of a negative priority Maui says nothing there (recorded: p32). Partitions that are closed to a job
// which may run in another come last, although Maui names them before limits: they do not stop it.
func (s *selection) block(job int32) *evaluation.Block {
	if b := s.blockBefore(job); b != nil {
		return b
	}
	list := s.stops(job)
	refused := s.access.Blocks(int(job))
	_, open := s.access.First(int(job))
	if !open {
		list = append(list, refused...)
	}
	if s.depends[job] {
		list = append(list, &evaluation.Block{Kind: evaluation.BlockDependency,
			Text: evaluation.Word(s.result.Jobs.Text("job.state_reason", int(job)), "Dependency")})
	}
	if s.scorer.failed.Get(int(job)) {
		list = append(list, &evaluation.Block{Kind: evaluation.BlockFailed, Text: evaluation.NoPriority})
	} else {
		list = append(list, s.amounts(job)...)
		if len(list) == 0 {
			list = append(list, s.untaken(job))
		}
	}
	if open {
		list = append(list, refused...)
	}
	return evaluation.Chained(list)
}

// idleText is what Maui says of a job that neither walk took for a limit of idle jobs.
const idleText = "is blocked by idle job policy"

// blockBefore is the block that the evaluation before found, where a limit alone stops the job, with the same use of
// it, and the job is as it was.
func (s *selection) blockBefore(job int32) *evaluation.Block {
	if s.was == nil || s.was[job] == nil || s.caps.Any() || s.stopped[job] != nil || s.depends[job] || s.negative(job) ||
		s.scorer.failed.Get(int(job)) {
		return nil
	}
	b := s.was[job]
	if b.Kind != evaluation.BlockLimit || len(b.Also) > 0 {
		return nil
	}
	v, over := s.gate.CheckJob(int(job), limit.Soft)
	if !over {
		v, over = s.gate.CheckActive(int(job), limit.Soft)
	}
	text := b.Text
	if !over {
		text = ""
		soft, stopped := s.refused.Of(s.gate, limit.Soft, job)
		if v, over = s.refused.Of(s.gate, limit.Hard, job); !over {
			v, over = soft, stopped
		}
		if stopped {
			text = idleText
		}
	} else if text == "" || text == idleText {
		return nil // it was not in use then
	}
	if over && text == b.Text && b.Limit.Same(&v) && s.access.mask == nil && s.access.class == nil {
		return b
	}
	return nil
}

// stops lists what keeps a job out of the walks, in their order.
func (s *selection) stops(job int32) []*evaluation.Block {
	var list []*evaluation.Block
	if b := s.stopped[job]; b != nil {
		first := *b // the list is chained anew
		first.Also = nil
		list = append(append(list, &first), b.Also...)
	}
	if !s.negative(job) || s.scorer.failed.Get(int(job)) {
		return list
	}
	at := 0
	for at < len(list) && !afterPriority(list[at].Kind) {
		at++
	}
	return append(list[:at:at], append([]*evaluation.Block{{Kind: evaluation.BlockPriority}}, list[at:]...)...)
}

// amounts lists the limit and the fairshare cap that a job does not keep now.
func (s *selection) amounts(job int32) []*evaluation.Block {
	var list []*evaluation.Block
	v, over := s.gate.CheckJob(int(job), limit.Soft)
	if !over {
		v, over = s.gate.CheckActive(int(job), limit.Soft)
	}
	if over {
		v := v.Kept()
		list = append(list, &evaluation.Block{Kind: evaluation.BlockLimit, Text: s.text(v, s.access.Name(int(job))),
			Limit: v})
	}
	if c, over := s.caps.Check(int(job)); over {
		c := c
		list = append(list, &evaluation.Block{Kind: evaluation.BlockCap,
			Text: "would violate (null) FS cap in partition " + s.access.Name(int(job)), Cap: &c})
	}
	return list
}

// untaken is what the walks did not take a job for: the limit of the hard walk, whose list is what may
// start. Maui names a limit only for jobs that the soft walk did not take either; of one that the
// hard walk alone refused it says nothing (recorded: t20).
func (s *selection) untaken(job int32) *evaluation.Block {
	b := &evaluation.Block{Kind: evaluation.BlockLimit, Limit: s.refused.Limit(s.gate, limit.Hard, job)}
	if soft := s.refused.Limit(s.gate, limit.Soft, job); soft != nil {
		b.Text = idleText
		if b.Limit == nil {
			b.Limit = soft
		}
	}
	if b.Limit == nil {
		b.Kind = evaluation.BlockPriority // negative when it was walked by; its clock or its QOS raised it since
	}
	return b
}

// text words a violation. Of a long queue many jobs have the same.
func (s *selection) text(v *limit.Violation, partition string) string {
	key := violationKey{limit: v.Limit, object: v.Object, name: v.Name, partition: partition, inUse: v.InUse,
		request: v.Request}
	if len(v.Per) > 1 {
		key.cross = v.Per[1]
	}
	t, ok := s.texts[key]
	if !ok {
		t = LimitText(v, partition)
		if s.texts == nil {
			s.texts = map[violationKey]string{}
		}
		s.texts[key] = t
	}
	return t
}

// LimitText is how Maui words a violation in checkjob and diagnose -q, after "job NAME ":
//
//	violates active SOFT MAXJOB limit of 2 for user dan  (R: 1, U: 2)
//
// partition is the node partition a system limit was asked for: ALL in the queue walk, the
// partition's name in diagnose. The blank after the name is that of the cross-credential
// word, which is empty for most limits.
func LimitText(v *limit.Violation, partition string) string {
	phase, object, name, cross := v.Phase, v.Object, v.Name, ""
	if o, ok := limitObject[object]; ok {
		object = o
	}
	if len(v.Per) > 1 {
		cross = v.Per[1]
	}
	if v.Phase == limit.Job {
		phase = "system"
	}
	if v.Object == "" {
		object, name = "par", partition
	}
	return fmt.Sprintf("violates %s %s %s limit of %d for %s %s %s (R: %d, U: %d)",
		phase, limitBound[v.Bound], limitCount(v.Counts), v.Value, object, name, cross, v.Request, v.InUse)
}

var (
	limitObject = map[string]string{"account": "acct", "partition": "class"}
	limitBound  = [...]string{"SOFT", "HARD"}
	limitCounts = map[string]string{"jobs": "MAXJOB", "procs": "MAXPROC", "nodes": "MAXNODE", "proc_seconds": "MAXPS",
		"processor_equivalents": "MAXPE", "walltime": "MAXWC", "memory": "MAXMEM"}
)

// limitCount is the name under which Maui reports what is counted, whatever the phase.
func limitCount(counts string) string {
	if w, ok := limitCounts[counts]; ok {
		return w
	}
	return counts
}

// LoadText is the message of a job that CheckLoaded refuses.
func LoadText(v *limit.Violation) string {
	what := v.Counts
	if what == "walltime" {
		what = "wclimit"
	}
	switch {
	case v.Object == "":
		return "job violates system max wclimit"
	case v.Request < v.Value: // MINPROC, which only the manual knows
		return fmt.Sprintf("%s too low (%d < %d)", what, v.Request, v.Value)
	}
	return fmt.Sprintf("%s too high (%d > %d)", what, v.Request, v.Value)
}
