package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// decide says of each job whether it may start and, with slurmctld's word, why not. Which of the jobs
// that may start find nodes is not asked here: such a job keeps the reason that was recorded.
func decide(run *evaluation.Run, g *guard, asked *askedBefore) {
	if r := run.Result; asked.all() {
		asked.takeOver()
	} else {
		admit.States(run)
		decideAll(r, g, run.Holds, asked)
	}
	g.unknownLists()
	p := g.newPreemption()
	if p == nil {
		g.unknownPreemption()
	}
	run.Rules = queueOrder(p)
}

func decideAll(r *evaluation.Result, g *guard, holds []column.Bitmap, asked *askedBefore) {
	arrays, states := g.runningTasks(), r.Jobs.Column("job.state")
	g.submissions()
	for job := range r.Jobs.Rows {
		if r.State[job] == evaluation.Rejected {
			continue
		}
		if asked.answer(job) {
			continue
		}
		if state := column.TextAt(states, job); evaluation.Active[state] || state == "done" {
			continue
		}
		b, said := g.waits(job, holds, arrays), ""
		if b == nil {
			b, said = g.refusedEverywhere(job)
		}
		recorded := r.Jobs.Text("job.state_reason", job)
		switch {
		case b == nil:
			r.State[job], r.Reason[job] = evaluation.Eligible, g.waitsWith(job, recorded, said)
			continue
		case b.Kind == evaluation.BlockHold || b.Kind == evaluation.BlockPolicy && b.Refusal == nil:
			r.State[job] = evaluation.Held
		default:
			r.State[job] = evaluation.Blocked
		}
		r.Why[int32(job)], r.Reason[job] = b, b.Text
		if b.Slurm != nil && g.notReached(b.Slurm, recorded) || shutSince(b, recorded) {
			r.Reason[job] = recorded
		}
	}
}

// waits finds what keeps a job out of the queue: nil if nothing does (job_independent and
// _job_runnable_test1).
func (g *guard) waits(job int, holds []column.Bitmap, arrays map[int64]int64) *evaluation.Block {
	r := g.result
	recorded := r.Jobs.Text("job.state_reason", job)
	if r.Jobs.Int("job.held", job) != 0 {
		return &evaluation.Block{Kind: evaluation.BlockHold, Text: recorded}
	}
	if hold, held := r.HeldByPolicy(job, holds); held {
		return &evaluation.Block{Kind: evaluation.BlockPolicy, Text: r.Program.Holds[hold].Reason, Hold: hold}
	}
	if r.Jobs.Text("job.dependency", job) != "" {
		word := "Dependency"
		if strings.HasPrefix(recorded, word) { // DependencyNeverSatisfied
			word = recorded
		}
		return &evaluation.Block{Kind: evaluation.BlockDependency, Text: word}
	}
	if begin := r.Jobs.Value("job.begin_time", job); begin.Known() && begin.Int > r.Now {
		return &evaluation.Block{Kind: evaluation.BlockBegin, Text: "BeginTime"}
	}
	if recorded == "Reservation" && r.Jobs.Text("job.reservation", job) != "" {
		return &evaluation.Block{Kind: evaluation.BlockReservation, Text: recorded}
	}
	most, array := r.Jobs.Value("job.array_running_max", job), r.Jobs.Value("job.array_job_id", job)
	if most.Known() && array.Known() && arrays[array.Int] >= most.Int && most.Int > 0 {
		return &evaluation.Block{Kind: evaluation.BlockArray, Text: "JobArrayTaskLimit"}
	}
	return nil
}

// runningTasks counts the running tasks of each array.
func (g *guard) runningTasks() map[int64]int64 {
	jobs := g.result.Jobs
	tasks := map[int64]int64{}
	if jobs.Column("job.array_running_max") == nil {
		return tasks
	}
	for job := range jobs.Rows {
		if array := jobs.Value("job.array_job_id", job); array.Known() &&
			evaluation.Active[jobs.Text("job.state", job)] {
			tasks[array.Int]++
		}
	}
	return tasks
}

// refusedEverywhere asks the partitions and the limits of a job's rows: the block is nil if one of them takes it. The
// partitions are asked when the queue is built, those of the highest tier first; only rows that they take are in it.
// Whether the job has an association and a QOS, and one that the partition permits, is asked of those in the queue,
// before limits (schedule). The last row asked gives the reason. A job that may start may show one too: what building
// the queue leaves (slurm.md §11.3).
func (g *guard) refusedEverywhere(job int) (block *evaluation.Block, said string) {
	r := g.result
	var queue []int
	var last, barred *evaluation.Block
	for _, row := range g.byTier(job) {
		b := g.refused(row)
		if b == nil || late(b) {
			if slurm.OfPartition(said) { // this partition is not at fault
				said = ""
			}
		} else {
			said = b.Text
		}
		if b == nil {
			queue = append(queue, row)
			continue
		}
		r.Refused.Set(row)
		if last == nil || late(b) || !late(last) {
			last = b
		}
		g.bar(row, b)
		if (late(b) || b.Refusal.From != "") && b.Text == r.Jobs.Text("job.state_reason", job) {
			barred = b
		}
	}
	if len(queue) == 0 {
		if barred != nil { // which of them slurmctld came by last depends on who holds up their partitions
			last = barred
		}
		return last, ""
	}
	if b := g.invalid(job); b != nil || g.limits == nil {
		return b, said
	}
	slices.SortStableFunc(queue, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.Tier(b), r.Tier(a)), cmp.Compare(r.Priority[b], r.Priority[a]))
	})
	free := false
	for _, row := range queue {
		stop := g.limits.Check(row)
		if stop == nil {
			stop = g.recordedPlacement(row)
		}
		if stop == nil {
			free = true
			continue
		}
		last = &evaluation.Block{Kind: evaluation.BlockLimit, Text: stop.Reason, Slurm: stop}
		g.bar(row, last)
	}
	if free {
		return nil, said
	}
	return last, said
}

// byTier are the rows of a job in the order in which their partitions are asked when the queue is built: by falling
// tier, else as the job names them (recorded: partition-multi-tiers).
func (g *guard) byTier(job int) []int {
	rows := g.rows[:0]
	for row, end := g.result.Entries(job); row < end; row++ {
		rows = append(rows, row)
	}
	g.rows = rows
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(g.result.Tier(b), g.result.Tier(a)) })
	return rows
}

// waitsWith is the reason of a job that may start: what was recorded, as far as the rows of other partitions do or no
// policy decides it, else what asking them leaves. A job that waits for nodes of one partition may be recorded
// with what keeps it out of another; of what partitions say only what is left when the queue has been built.
func (g *guard) waitsWith(job int, recorded, said string) string {
	if recorded != "" && !decided(recorded) {
		return recorded
	}
	for row, end := g.result.Entries(job); row < end; row++ {
		b := g.result.Barred[int32(row)]
		if b != nil && b.Text == recorded && (recorded == said || !slurm.OfPartition(recorded)) {
			return recorded
		}
	}
	return said
}

// bar notes why a job does not start by a row; of jobs with one row it is known anyway.
func (g *guard) bar(row int, b *evaluation.Block) {
	if first, end := g.result.Entries(int(g.result.RowJob[row])); end-first < 2 {
		return
	}
	g.result.Bar(row, b)
}

// shutSince reports a job that was recorded to wait for nodes of a partition which commands have set down since: it
// shows so until a pass comes to it (recorded: oversubscribe-yes2, preempt-part-cpus). The configuration's own state
// counts.
func shutSince(b *evaluation.Block, recorded string) bool {
	return SetDown(b) && waitsForNodes(recorded)
}

// SetDown reports a partition that is down by what commands set, not by the configuration.
func SetDown(b *evaluation.Block) bool {
	return b.Kind == evaluation.BlockPartition && b.Refusal.Column == "partition.state" && b.Refusal.From != ""
}

// waitsForNodes reports a reason that only a job shows which the scheduler has looked for nodes for, or has skipped
// another such job.
func waitsForNodes(reason string) bool { return reason == "Resources" || reason == "Priority" }

// notReached reports a limit that slurmctld had no occasion to ask: those on TRES, and with
// assoc_limit_stop all, are asked once nodes are found, and until then a job shows that it waits for
// these. A limit that was not there when the snapshot was taken is named all the same.
func (g *guard) notReached(stop *slurmlimit.Stop, recorded string) bool {
	if recorded == "" || decided(recorded) || !stop.WithNodes() && !g.rules.LimitStop {
		return false
	}
	limits := g.result.Snapshot.Credentials[stop.Object].Column(schema.ColumnID(stop.Object + ".limits"))
	row, known := g.values.Rows(stop.Object)[stop.Name]
	if limits == nil || !known {
		return true
	}
	text := fmt.Sprintf("%s=%d", stop.Limit.Name, stop.Limit.Hard)
	return slices.Contains(limits.Lists[limits.Codes[row]], text)
}

// decided reports a recorded reason that follows from the policy: where the evaluation does not
// find it, it is gone. A time or another job waited for, and a hold, pass when slurmctld next looks.
func decided(reason string) bool {
	for _, prefix := range []string{"Assoc", "QOS", "Partition", "Invalid", "Job's_", "Job's ", "MaxMemPerLimit",
		"AccountNotAllowed"} {
		if strings.HasPrefix(reason, prefix) {
			return true
		}
	}
	return strings.HasPrefix(reason, "Max") &&
		(strings.HasSuffix(reason, "PerAccount") || strings.HasSuffix(reason, "PerUser"))
}

// late reports a refusal that is not found when the queue is built but when the scheduler comes to the entry.
func late(b *evaluation.Block) bool {
	return b.Refusal != nil && b.Refusal.Hold != nil && b.Refusal.Hold.Phase == program.AtStart
}

// refused asks a row what the policy's holds of a phase ask, and a threshold of its QOS.
func (g *guard) refused(row int) *evaluation.Block {
	if h := g.refusing(row, admit.Waits); h != nil {
		return g.refusedBy(h, row)
	}
	return g.belowThreshold(row, int(g.result.RowJob[row]))
}

// refusing is the first hold that refuses a row. A partition that no input describes refuses nothing.
func (g *guard) refusing(row int, counts func(*program.EntryHold) bool) *program.EntryHold {
	known := g.partition(row).known
	return admit.Refusing(g.result, row, func(h *program.EntryHold) bool {
		return counts(h) && (known || h.Setting.Object() != "partition")
	})
}

func (g *guard) refusedBy(h *program.EntryHold, row int) *evaluation.Block {
	b := admit.RefusedBy(g.result, h, row)
	b.Text = snapshot.OneWord(b.Text)
	if h.Setting == "partition.state" {
		b.Refusal.From = g.partition(row).stateFrom
	}
	return b
}

// recordedPlacement: which nodes a job would get is known only once they are chosen: whether those of a group suffice,
// and how large they are. Where slurmctld found that a limit stops the job then, it is right as long as the limit is
// there and some nodes pass it.
func (g *guard) recordedPlacement(row int) *slurmlimit.Stop {
	recorded := g.result.Jobs.Text("job.state_reason", int(g.result.RowJob[row]))
	if !decided(recorded) {
		return nil
	}
	_, most := g.whole.procs(row)
	if stop := g.limits.CheckWithNodes(row, timeline.Got{Procs: most}); stop != nil && stop.Reason == recorded {
		return stop
	}
	return nil
}
