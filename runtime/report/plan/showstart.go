package plan

import (
	"bufio"
	"fmt"
	"io"

	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/form"
	client "github.com/fairway-sched/fairway/runtime/report/maui"
)

// WriteShowstart writes what Maui's showstart prints for each waiting job (showstart.1; recorded in all families).
func WriteShowstart(w io.Writer, p *Plan) error {
	out := bufio.NewWriter(w)
	now := p.Schedule.Now
	shown := 0
	for _, i := range p.shown() {
		r := p.Request(i)
		if p.At(i).By == backfill.ByRunning {
			continue
		}
		if shown++; p.Limit > 0 && shown > p.Limit {
			break
		}
		start, partition, ok := p.At(i).Start, p.At(i).Partition, p.At(i).By != backfill.ByNone
		if at, in, fits := planning.Earliest(p.Schedule, i); fits {
			start, partition, ok = at, in, true
		} else if p.Planner == "maui" { // which knows best what can run at all
			ok = false
		}
		if !ok {
			fmt.Fprintf(out, "ERROR:    'showstart' failed\nERROR:    cannot determine earliest start time for job '%s'\n\n\n",
				source.Plain(r.ID))
			continue
		}
		if partition == "" || p.Result.Facts.Partitions != evaluation.Classes {
			partition = p.firstPartition(i)
		}
		procs, end := r.Tasks*r.PerTask.Procs, start+r.WalltimeSeconds
		if n, known := maui.Procs(p.Result, int(r.Row)); known {
			procs = n // which may be more than it asks for
		}
		fmt.Fprintf(out, "job %s requires %d %s for %s\n", source.Plain(r.ID), procs,
			form.Plural(int(procs), "proc", "procs"), mauitext.Span(r.WalltimeSeconds))
		fmt.Fprintf(out, "Earliest start in%17s on %s\n", mauitext.Span(start-now), client.MauiTime(start))
		fmt.Fprintf(out, "Earliest completion in%12s on %s\n", mauitext.Span(end-now), client.MauiTime(end))
		fmt.Fprintf(out, "Best Partition: %s\n\n\n", source.Plain(partition))
	}
	return out.Flush()
}

// firstPartition is the partition of the first node of a job, in Maui's sense.
func (p *Plan) firstPartition(i int) string {
	for _, s := range p.detail(i).Nodes {
		if list := p.Schedule.Cluster.Nodes[s.Node].Partitions; len(list) > 0 {
			return list[0]
		}
	}
	return "DEFAULT"
}
