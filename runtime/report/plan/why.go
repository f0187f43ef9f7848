package plan

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// WritePlanWhy writes a paragraph for each waiting job.
func WritePlanWhy(w io.Writer, p *Plan) error {
	out := bufio.NewWriter(w)
	jobs := p.waiting()
	if p.Limit > 0 && p.Limit < len(jobs) {
		jobs = jobs[:p.Limit]
	}
	most := p.mostOffers()
	for k, i := range jobs {
		if k > 0 {
			fmt.Fprintln(out)
		}
		for _, line := range p.why(i, len(jobs) <= most) {
			fmt.Fprintln(out, line)
		}
	}
	if len(jobs) > most {
		fmt.Fprintf(out, "\nsmaller requests that would start sooner are looked for where "+
			"at most %d %s shown: name some with --job, or a --limit\n", most, form.Plural(most, "job is", "jobs are"))
	}
	if len(jobs) == 0 {
		fmt.Fprint(out, p.summary(0, 0))
	}
	return out.Flush()
}

// Why says when a job starts, what it waits for, and what smaller request would start sooner, line by line.
func (p *Plan) Why(i int) []string { return p.why(i, true) }

func (p *Plan) why(i int, offers bool) []string {
	lines, sizeMatters := p.whyText(i)
	if offers && sizeMatters {
		lines = append(lines, p.sooner(i)...)
	}
	return lines
}

// whyText is Why without smaller requests, and whether these are worth looking for.
func (p *Plan) whyText(i int) ([]string, bool) {
	r, at := p.Request(i), p.detail(i)
	head := fmt.Sprintf("job %s (%s, %s for %s)", source.Plain(r.ID), source.Plain(r.User), p.Asks(i), p.TimeText(i))
	var lines []string
	switch {
	case at.By == backfill.ByRunning:
		return append(append(lines, head+" runs until "+p.Moment(at.End)+on(p.HostList(i))), p.preemptionLines(i)...), false
	case at.Never != "":
		return append(lines, head+" can never run: "+source.Plain(at.Never)), true
	case at.By == backfill.ByMain:
		return append(append(lines, head+" starts now"+on(p.HostList(i))), p.preemptionLines(i)...), false
	case at.By == backfill.ByBackfill:
		return append(lines, head+" starts now by backfill"+on(p.HostList(i))+": it delays no reservation"), false
	case at.By == backfill.ByReservation:
		lines = append(lines, fmt.Sprintf("%s starts at %s, in %s%s: they are reserved for it", head,
			p.Moment(at.Start), form.SpanText(at.Start-p.Schedule.Now), on(p.HostList(i))))
	case at.By == backfill.ByEstimate:
		lines = append(lines, fmt.Sprintf("%s would start at %s, in %s%s: an estimate, as nothing is reserved for it",
			head, p.Moment(at.Start), form.SpanText(at.Start-p.Schedule.Now), on(p.HostList(i))))
	default:
		line := head + " has no time"
		if word := p.noTime(i); word != "" {
			line += ": " + source.Plain(word)
		}
		lines = append(lines, line)
	}
	lines = append(lines, p.preemptionLines(i)...)
	var waits []string
	for k := range at.WaitsFor {
		// reported above
		if w := &at.WaitsFor[k]; w.Kind != backfill.WaitLimit && w.Kind != backfill.WaitAccess || w.Name != at.Reason ||
			at.By != backfill.ByNone {
			waits = append(waits, "    "+p.waitText(w))
		}
	}
	if waits != nil {
		lines = append(append(lines, "  it waits for"), waits...)
	}
	return lines, at.By != backfill.ByNone || at.Reason == backfill.ReasonWindow // else what stops it is not its size
}

// mostOffers bounds the jobs of a whole plan for which smaller requests are looked for: each is a plan of its own.
// Where the scheduler must confirm them it plans all anew for each, and the larger the queue, the fewer are asked
// about; but always those that are named.
func (p *Plan) mostOffers() int {
	if p.Schedule.Smaller == nil {
		return 500
	}
	const named, replanned = 10, 2000 // jobs; jobs times jobs planned anew
	most := max(1, replanned/max(1, len(p.Schedule.Requests)))
	if p.Named {
		return max(named, most)
	}
	return most
}

// noTime is why a request has no time. A place after others is no reason where the scheduler itself
// found that no node can be had, and the plan found nothing to wait for.
func (p *Plan) noTime(i int) string {
	at := p.detail(i)
	recorded := p.Result.Reason[p.Schedule.Requests[i].Row]
	if at.Reason == slurm.Priority && len(at.WaitsFor) == 0 && strings.HasPrefix(recorded, "ReqNodeNotAvail") {
		return recorded
	}
	return at.Reason
}

// on names nodes after a sentence.
func on(nodes string) string {
	if nodes == "" {
		return ""
	}
	return " on " + source.Plain(nodes)
}

// Asks is how much a job asks for.
func (p *Plan) Asks(i int) string {
	r := p.Request(i)
	procs := r.Tasks * r.PerTask.Procs
	text := fmt.Sprintf("%d %s", procs, form.Plural(int(procs), "processor", "processors"))
	if r.Nodes > 0 {
		text += fmt.Sprintf(" on %d %s", r.Nodes, form.Plural(int(r.Nodes), "node", "nodes"))
	}
	return text
}

// offers are smaller requests of a job that would start sooner.
func (p *Plan) offers(i int) []backfill.Offer {
	if _, sizeMatters := p.whyText(i); !sizeMatters {
		return nil
	}
	list, err := backfill.Sooner(p.Schedule, p.Request(i).Job)
	if err != nil {
		return nil
	}
	r := p.Request(i)
	return slices.DeleteFunc(list, func(o backfill.Offer) bool {
		return o.WalltimeSeconds >= r.WalltimeSeconds && o.Tasks >= r.Tasks && o.Nodes >= r.Nodes
	})
}

// sooner says what smaller request would start sooner.
func (p *Plan) sooner(i int) []string {
	offers := p.offers(i)
	if len(offers) == 0 {
		return nil
	}
	r, lines := p.Request(i), []string{"  it would start sooner"}
	if p.At(i).By == backfill.ByNone {
		lines[0] = "  it would start"
	}
	for _, o := range offers {
		var changes []string
		if o.WalltimeSeconds < r.WalltimeSeconds {
			changes = append(changes, "with a time limit of "+walltimeText(o.WalltimeSeconds))
		}
		if r.Nodes > 0 && o.Nodes < r.Nodes {
			changes = append(changes, fmt.Sprintf("with %d %s", o.Nodes, form.Plural(int(o.Nodes), "node", "nodes")))
		} else if procs := o.Tasks * r.PerTask.Procs; o.Tasks < r.Tasks {
			changes = append(changes, fmt.Sprintf("with %d %s", procs,
				form.Plural(int(procs), "processor", "processors")))
		}
		lines = append(lines, fmt.Sprintf("    %s: %s", form.Joined(changes), p.startWords(o.Start)))
	}
	return lines
}

// startWords says when something would start.
func (p *Plan) startWords(at int64) string {
	if at <= p.Schedule.Now {
		return "now"
	}
	return fmt.Sprintf("at %s, in %s", p.Moment(at), form.SpanText(at-p.Schedule.Now))
}
