package plan

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/maui"
)

// WriteShowbf writes what Maui's showbf prints to somebody that no reservation admits: the processors that are free
// now, from the widest window to the longest (showbf.1; recorded in all families).
func WriteShowbf(w io.Writer, p *Plan) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "backfill window (user: 'root' group: 'root' partition: ALL) %s\n\n",
		maui.MauiTime(p.Schedule.Now))
	windows := p.windows()
	if len(windows) == 0 {
		fmt.Fprint(out, "no procs available\n")
	}
	for _, x := range windows {
		word, span := "procs", "with no timelimit"
		if x.Procs == 1 {
			word = "proc"
		}
		if x.Seconds < backfill.Forever {
			span = fmt.Sprintf("for %13s", mauitext.Span(x.Seconds))
		}
		fmt.Fprintf(out, "%3d %s available %s\n", x.Procs, word, span)
	}
	fmt.Fprint(out, "\n\n\n")
	return out.Flush()
}

// windows are the scheduler's own or, of others, what is free of each node from now until something else begins there.
func (p *Plan) windows() []backfill.Window {
	if p.Schedule.Free != nil {
		return p.Schedule.Free()
	}
	c, now := p.Schedule.Cluster, p.Schedule.Now
	spans := p.nodeSpans()
	drops := map[int64]int64{} // by time: processors that stop being free then
	free := int64(0)
	for node := range c.Nodes {
		n := &c.Nodes[node]
		if !n.Up {
			continue
		}
		used := inUse(spans[node], now)
		if used > 0 && n.Sharing != backfill.Shared {
			continue // not another user's
		}
		left := n.Capacity.Procs - used
		if left <= 0 {
			continue
		}
		free += left
		for _, s := range spans[node] { // by start
			if s.From <= now || s.To <= now {
				continue
			}
			if then := max(0, n.Capacity.Procs-inUse(spans[node], s.From)); then < left {
				drops[s.From] += left - then
				left = then
			}
		}
	}
	var list []backfill.Window
	for _, at := range sortedTimes(drops) {
		if free > 0 {
			list = append(list, backfill.Window{Procs: free, Seconds: at - now})
		}
		free -= drops[at]
	}
	if free > 0 {
		list = append(list, backfill.Window{Procs: free, Seconds: backfill.Forever})
	}
	return list
}

func sortedTimes(drops map[int64]int64) []int64 {
	times := make([]int64, 0, len(drops))
	for at := range drops {
		times = append(times, at)
	}
	slices.Sort(times)
	return times
}

// Span is a use of a node: by a request, or by a reservation (−1).
type Span struct {
	From, To int64
	Procs    int64
	Request  int
	name     string // of a reservation
	kept     bool   // a reservation that maintenance or others keep all out of
}

func inUse(spans []Span, at int64) (procs int64) {
	for _, s := range spans {
		if s.From <= at && at < s.To {
			procs += s.Procs
		}
	}
	return procs
}

// nodeSpans lists the uses of each node by their start: what runs, starts now or is reserved, and reservations.
func (p *Plan) nodeSpans() [][]Span {
	c := p.Schedule.Cluster
	spans := make([][]Span, len(c.Nodes))
	for i := range p.Schedule.Requests {
		r, by := p.Request(i), p.At(i).By
		if by == backfill.ByNone || by == backfill.ByEstimate || r.Suspended {
			continue
		}
		at := p.detail(i)
		for _, s := range at.Nodes {
			procs := s.Tasks * r.PerTask.Procs
			if r.Sharing == backfill.SingleJob || c.Nodes[s.Node].Sharing == backfill.SingleJob {
				procs = c.Nodes[s.Node].Capacity.Procs
			}
			spans[s.Node] = append(spans[s.Node], Span{From: at.Start, To: at.End, Procs: procs, Request: i})
		}
	}
	for k := range c.Reservations {
		v := &c.Reservations[k]
		for _, node := range v.Nodes {
			procs := v.Amounts.Procs
			if procs == 0 {
				procs = c.Nodes[node].Capacity.Procs
			}
			spans[node] = append(spans[node], Span{From: v.Start, To: v.End, Procs: procs, Request: -1, name: v.Name,
				kept: v.Maintenance})
		}
	}
	for node := range spans {
		slices.SortStableFunc(spans[node], func(a, b Span) int { return int(max(-1, min(1, a.From-b.From))) })
	}
	return spans
}
