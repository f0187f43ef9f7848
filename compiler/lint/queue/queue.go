// Package queue has the rules that ask a recorded queue: weights and limits that decide nothing in it, and names that
// the policy does not have.
package queue

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/maui"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/compiler/lint/slurm"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Facts is what an evaluation of a recorded queue shows: plain numbers, since lint sees no
// snapshot. Slices run over the ranked jobs, best first.
type Facts struct {
	Terms      []Term
	Priorities []int64
	Entries    int // jobs times the partitions they name
	ByHand     int // of the ranked jobs, those with a priority set by hand
	Names      map[string][]string
	Procs      float64 // of the cluster; 0 where it is not known
	Nodes      float64
}

// Findings runs the rules that ask a recorded queue.
func Findings(p *ir.Policy, q *Facts) diag.List {
	run := &pass{Pass: rule.NewPass(p, true), q: q}
	for i := range q.Terms {
		run.term(&q.Terms[i])
	}
	run.limits()
	run.unknown()
	run.slurmQueue()
	run.Found.Sort()
	return run.Found
}

type pass struct {
	*rule.Pass
	q *Facts
}

func (p *pass) report(code string, at source.Span, format string, args ...any) *diag.Diagnostic {
	p.Rule = code
	return p.Pass.Report(at, format, args...)
}

// limits compares bounds with what there is: each running job has at least one processor.
func (p *pass) limits() {
	totals := slurm.Totals(p.Pass)
	for _, l := range p.Limits {
		if strings.Contains(l.Kind, "Mins") {
			continue // minutes of processors: what there is of them grows with time
		}
		have, what := 0.0, ""
		switch l.Counts {
		case "procs", "cpu":
			have, what = p.q.Procs, rule.Several(int(p.q.Procs), "processor")
		case "nodes", "node":
			have, what = p.q.Nodes, rule.Several(int(p.q.Nodes), "node")
		case "jobs":
			if l.Phase == "active" {
				have, what = p.q.Procs, rule.Several(int(p.q.Procs), "processor")+", and each running job has one"
			}
		}
		lowest := math.Inf(1)
		for _, b := range []*float64{l.Soft, l.Hard} {
			if b != nil && *b >= 0 {
				lowest = min(lowest, *b)
			}
		}
		bounds := l.Phase == "active" || l.Phase == "job"
		if have == 0 || !bounds || math.IsInf(lowest, 1) || lowest < have || l.AtLeast || l.Override {
			continue
		}
		if total, ok := totals[strings.TrimSuffix(l.Counts, "s")]; ok && lowest > float64(total) &&
			slices.Contains(slurm.BoundsOfAll, l.Kind) {
			continue // the files say so without a queue
		}
		p.report("queue-limit-idle", l.Span, "%s can never bind: the cluster has %s", strings.TrimSpace(l.Source),
			what).
			Note("write a number below it, or remove the limit")
	}
}

// unknown compares the names in the queue with those the policy lists.
func (p *pass) unknown() {
	for _, object := range []string{"user", "account", "qos"} {
		listed, at := p.listed(object)
		if len(listed) == 0 {
			continue
		}
		var strange []string
		for _, name := range p.q.Names[object] {
			if p.Maui() && name == "DEFAULT" {
				continue // what Maui gives jobs that name none: no file has to list it
			}
			if !listed[strings.ToLower(name)] {
				strange = append(strange, name)
			}
		}
		if len(strange) == 0 || len(strange) == len(p.q.Names[object]) && p.Maui() {
			continue // a maui.cfg with a line for one guest lists no other user
		}
		what := map[string]string{"user": "user", "account": "account", "qos": "QOS"}[object]
		if len(strange) > 1 && object != "qos" {
			what += "s"
		}
		d := p.report("queue-unknown-name", at, "the queue has jobs of the %s %s, which no file lists", what,
			rule.Names(strange))
		if p.Slurm() && object != "qos" {
			d.Note(
				"Slurm refuses jobs without an association where AccountingStorageEnforce names associations; add " +
					"them, or give the dump of today",
			)
		} else {
			d.Note("they have no priority, share or limit of their own; add them, or a DEFAULT")
		}
	}
}

// listed are the names that the policy has of an object, if it means to have all of them.
func (p *pass) listed(object string) (set map[string]bool, at source.Span) {
	set = map[string]bool{}
	add := func(name string, where source.Span) {
		if name != "" {
			set[strings.ToLower(name)] = true
			if at.IsZero() {
				at = where
			}
		}
	}
	switch {
	case p.Slurm() && object == "qos":
		for _, r := range p.Records["QOS"] {
			add(r.Name, r.Span)
		}
	case p.Slurm():
		for _, r := range p.Records["association"] {
			account, rest, _ := strings.Cut(r.Name, "/")
			user, _, _ := strings.Cut(rest, "/")
			add(map[string]string{"user": user, "account": account}[object], r.Span)
		}
	case p.Maui():
		for _, r := range p.Records[map[string]string{"user": "USERCFG", "account": "ACCOUNTCFG",
			"qos": "QOSCFG"}[object]] {
			if r.Name == "DEFAULT" {
				return nil, at
			}
			add(r.Name, r.Span)
		}
		if object != "qos" || len(set) == 0 {
			break
		}
		for _, u := range maui.QOSMentions(p.Pass) { // one without a QOSCFG line is another rule's
			for _, name := range u.Names {
				add(strings.TrimRight(name, "&^"), u.Attr.Span)
			}
		}
	}
	return set, at
}

func (p *pass) slurmQueue() {
	if !slurm.Backfill(p.Pass) {
		return
	}
	tests := p.Option("bf_max_job_test")
	if most := tests.Number(); int64(p.q.Entries) > most {
		at := tests.Set
		if !tests.IsSet() {
			at = p.Whole()
		}
		p.report("queue-beyond-backfill", at, "the queue has %d entries, and backfill looks at %d", p.q.Entries, most).
			Note("a job in several partitions counts for each; write bf_max_job_test=%d or more, with bf_continue",
				p.q.Entries)
	}
	if w := p.Option("bf_min_prio_reserve"); w.Number() > 0 && len(p.q.Priorities) >= fewJobs {
		below := 0
		for _, n := range p.q.Priorities {
			if n < w.Number() {
				below++
			}
		}
		if below*10 >= len(p.q.Priorities)*9 {
			p.report("queue-below-reserve", w.Set, "%d of %d jobs are below bf_min_prio_reserve", below,
				len(p.q.Priorities)).
				Note("they get no reservation; write a lower number")
		}
	}
	if n := len(p.q.Priorities); n >= fewJobs && p.q.ByHand*10 > n {
		p.report("queue-priority-by-hand", p.Whole(), "%d of %d jobs have a priority that was set by hand",
			p.q.ByHand, n).
			Note("nothing moves them any more; a program should set the site factor instead")
	}
}
