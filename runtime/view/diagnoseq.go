package view

import (
	"bufio"
	"fmt"
	"io"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
)

// WriteDiagnoseQ writes what Maui's diagnose -q prints: the jobs that are blocked, and every reason
// that it names for each. Of some it names none, such as of a negative priority.
func WriteDiagnoseQ(w io.Writer, r *engine.Result, _ Options) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "Diagnosing blocked jobs (policylevel SOFT  partition ALL)\n\n")
	for job := range r.Jobs.Rows {
		b := r.Why[int32(job)]
		if b == nil {
			continue
		}
		id := source.Plain(jobText(r, "job.id", job))
		for _, each := range reasons(b) {
			switch {
			case each.Text == "":
			case each.Kind == engine.BlockLimit && each.Limit != nil && each.Limit.Phase != "idle":
				fmt.Fprintf(out, "job %s %s\n", id, each.Text)
			default:
				fmt.Fprintf(out, "job %-20s %s\n", id, source.Plain(each.Text))
			}
		}
	}
	fmt.Fprintln(out)
	return out.Flush()
}

// reasons lists a block and what would block the job besides.
func reasons(b *engine.Block) []*engine.Block {
	if b == nil {
		return nil
	}
	return append([]*engine.Block{b}, b.Also...)
}
