package maui

import (
	"bufio"
	"fmt"
	"io"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// WriteDiagnoseQ writes what Maui's diagnose -q prints: the jobs that are blocked, and every reason
// that it names for each. Of some it names none, such as of a negative priority.
func WriteDiagnoseQ(w io.Writer, r *evaluation.Result, o eval.Options) error {
	out := bufio.NewWriter(w)
	q := diagnosis{out: out, partitions: maui.NodePartitions(r)}
	q.last = "Diagnosing blocked jobs (policylevel SOFT  partition ALL)\n\n"
	fmt.Fprint(out, q.last)
	var blocked []int
	for job := range r.Jobs.Rows {
		if r.Why[int32(job)] != nil {
			blocked = append(blocked, job)
		}
	}
	for _, job := range o.Only(blocked) {
		q.job(source.Plain(eval.JobText(r, "job.id", job)), eval.Reasons(r.Why[int32(job)]))
	}
	fmt.Fprintln(out)
	return out.Flush()
}

// diagnosis is what diagnose -q has printed.
type diagnosis struct {
	out        *bufio.Writer
	partitions []string
	last       string // line, of those that are not about limits on what runs
	long       bool   // garbled lines have become too long to be repeated
}

// job prints why a job is blocked: what holds it everywhere, then for each partition what keeps it out there, be it
// the same. A limit on what runs is so reported once for each partition that the job may use (observed in recordings:
// 34 of 34 in queues of two partitions).
func (q *diagnosis) job(id string, list []*evaluation.Block) {
	closed := map[string]*evaluation.Block{}
	var running []*evaluation.Block
	for _, each := range list {
		switch {
		case each.Nodes != "":
			closed[each.Nodes] = each
		case each.Cap != nil || each.Kind == evaluation.BlockLimit && each.Limit != nil && each.Limit.Phase != "idle":
			running = append(running, each)
		case each.Text != "":
			q.line(id, source.Plain(each.Text)+"\n")
		}
	}
	for _, name := range q.partitions {
		switch b := closed[name]; {
		case b != nil && b.Kind == evaluation.BlockClass:
			q.line(id, source.Plain(b.Text)+q.garbled())
		case b != nil:
			q.line(id, source.Plain(b.Text)+"\n")
		default:
			for _, each := range running {
				q.limit(id, name, each)
			}
		}
	}
}

// limit prints one on what runs, in a partition.
func (q *diagnosis) limit(id, partition string, b *evaluation.Block) {
	switch {
	case b.Text == "":
	case b.Limit != nil:
		fmt.Fprintf(q.out, "job %s %s\n", id, maui.LimitText(b.Limit, partition))
	default:
		q.line(id, source.Plain(b.Text)+"\n")
	}
}

// line prints one that begins with a padded name.
func (q *diagnosis) line(id, text string) {
	q.last = fmt.Sprintf("job %-20s %s", id, text)
	fmt.Fprint(q.out, q.last)
}

// garbled is what Maui prints where the names of missing classes should be: its line before, twice (observed in
// recordings: N046, N064, N078). As that line may have been such a one, they grow; from a few pages on they are left
// out here.
func (q *diagnosis) garbled() string {
	if q.long = q.long || len(q.last) > 1<<14; q.long {
		return "\n"
	}
	return q.last + q.last
}
