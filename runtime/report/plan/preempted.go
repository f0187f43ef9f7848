package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// preemption is who makes room for which job, looked up by job.
type preemption struct {
	by  map[int32][]*backfill.Victim // those that a job has ended or suspended, by their ids
	who map[int32]*backfill.Victim
}

func preemptionOf(s *backfill.Schedule) *preemption {
	p := &preemption{map[int32][]*backfill.Victim{}, map[int32]*backfill.Victim{}}
	for k := range s.Preempted {
		v := &s.Preempted[k]
		p.by[v.For] = append(p.by[v.For], v)
		if p.who[v.Job] == nil {
			p.who[v.Job] = v
		}
	}
	for _, list := range p.by {
		slices.SortFunc(list, func(a, b *backfill.Victim) int { return cmp.Compare(a.Job, b.Job) })
	}
	return p
}

func (p *Plan) preemption() *preemption {
	if p.preemptions == nil {
		p.preemptions = preemptionOf(p.Schedule)
	}
	return p.preemptions
}

// victims are the running jobs that a job has ended or suspended so that it can start.
func (p *Plan) victims(i int) []*backfill.Victim { return p.preemption().by[p.Request(i).Job] }

// preempted is what becomes of a running job that makes room for another; nil if it does not.
func (p *Plan) preempted(i int) *backfill.Victim {
	if p.At(i).By != backfill.ByRunning {
		return nil
	}
	return p.preemption().who[p.Request(i).Job]
}

// preempts says which jobs a job would preempt, as in would preempt jobs 12 and 14; "" if none.
func (p *Plan) preempts(i int) string {
	var ids []string
	for _, v := range p.victims(i) {
		ids = append(ids, p.id(v.Job))
	}
	if ids == nil {
		return ""
	}
	return "would preempt " + form.Plural(len(ids), "job ", "jobs ") + and(ids)
}

// and joins a list as in 12, 14 and 15.
func and(list []string) string {
	if n := len(list) - 1; n > 0 {
		return form.Joined(list[:n]) + " and " + list[n]
	}
	return form.Joined(list)
}

// ends are the words for what becomes of a victim, by the mode.
var ends = map[string]string{"requeue": "requeued", "cancel": "cancelled", "suspend": "suspended"}

// preemptionLines say what a job's preemption costs, and what becomes of a victim.
func (p *Plan) preemptionLines(i int) (lines []string) {
	if word := p.preempts(i); word != "" {
		lost := p.lost(p.victims(i))
		if lost != "" {
			lost = ": " + lost
		}
		lines = append(lines, "  it "+word+lost)
		lines = append(lines, p.backLines(p.victims(i))...)
	}
	if v := p.preempted(i); v != nil {
		line := fmt.Sprintf("  it is %s for job %s", ends[v.Mode], p.id(v.For))
		if v.At > p.Schedule.Now && v.Mode != "suspend" {
			line += ", after its time of grace"
		}
		if back := p.back(v); back != "" {
			line += ", and " + back
		}
		lines = append(lines, line)
	}
	return lines
}

// back is when a victim comes back, and where; "" if it does not.
func (p *Plan) back(v *backfill.Victim) string {
	switch {
	case v.Restart > 0:
		return "starts again at " + p.Moment(v.Restart) + " on " + p.nodesOf(hostsOf(v.RestartNodes))
	case v.Back > 0:
		return "may start again at " + p.Moment(v.Back)
	}
	return ""
}

// mostBack bounds for how many victims of a job the plan says one by one when they come back.
const mostBack = 8

func (p *Plan) backLines(victims []*backfill.Victim) (lines []string) {
	for _, v := range victims {
		if back := p.back(v); back != "" && len(lines) < mostBack {
			lines = append(lines, "  job "+p.id(v.Job)+" "+back)
		}
	}
	return lines
}

// lost is the work that victims lose, by account: 3.0 processor-hours of account x are lost.
func (p *Plan) lost(victims []*backfill.Victim) string {
	seconds, order := map[string]int64{}, []string(nil)
	for _, v := range victims {
		if v.Mode == "suspend" {
			continue
		}
		account := p.accountOf(v.Job)
		if seconds[account] == 0 {
			order = append(order, account)
		}
		seconds[account] += v.RanSeconds * v.Procs
	}
	var words []string
	for _, account := range order {
		word := fmt.Sprintf("%.1f processor-hours", float64(seconds[account])/3600)
		if account != "" {
			word += " of account " + source.Plain(account)
		}
		words = append(words, word)
	}
	if words == nil {
		return ""
	}
	return and(words) + " are lost"
}

func (p *Plan) accountOf(job int32) string {
	if i, ok := p.places()[job]; ok {
		return p.Schedule.Requests[i].Account
	}
	return ""
}

// preemptionSummary says how many running jobs make room for others.
func (p *Plan) preemptionSummary() string {
	if len(p.Schedule.Preempted) == 0 {
		return ""
	}
	var words []string
	for _, mode := range []string{"requeue", "cancel", "suspend"} {
		n := 0
		for k := range p.Schedule.Preempted {
			if p.Schedule.Preempted[k].Mode == mode {
				n++
			}
		}
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, ends[mode]))
		}
	}
	all := make([]*backfill.Victim, len(p.Schedule.Preempted))
	for k := range all {
		all[k] = &p.Schedule.Preempted[k]
	}
	line := fmt.Sprintf("%d running %s for others: %s", len(all),
		form.Plural(len(all), "job makes room", "jobs make room"), strings.Join(words, ", "))
	if lost := p.lost(all); lost != "" {
		line += "; " + lost
	}
	return line + "\n"
}

// hostsOf are the nodes of shares.
func hostsOf(list []backfill.Share) []int32 {
	nodes := make([]int32, len(list))
	for k := range list {
		nodes[k] = list[k].Node
	}
	return nodes
}
