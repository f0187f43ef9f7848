package explain

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// pair is why one job comes before another: First is the one before. Of jobs with several
// entries, the ones that rank them are compared.
type pair struct {
	eval.Head
	First       eval.JobReport `json:"first"`
	Second      eval.JobReport `json:"second"`
	DecidedBy   string         `json:"decided_by"`
	Reason      string         `json:"reason"` // the rule in words
	Differences []difference   `json:"differences"`
	Flips       []flip         `json:"flips"`
	NoFlip      string         `json:"no_flip" form:"ornull"` // why no weight turns the order round

	r             *evaluation.Result
	first, second int // jobs
}

// difference is what one term, or one component's cap, gives each of the two; NaN where an expression failed.
type difference struct {
	Name   string  `json:"name"`
	First  float64 `json:"first"`
	Second float64 `json:"second"`
	Lead   float64 `json:"difference"`           // of the first
	Place  string  `json:"source" form:"ornull"` // of what set it for the first job
}

func compare(r *evaluation.Result, a, b int) *pair {
	p := &pair{Head: eval.HeadOf(r), r: r, first: a, second: b}
	if before(r, b, a) {
		p.first, p.second = b, a
	}
	p.First, p.Second = eval.ReportJob(r, p.first), eval.ReportJob(r, p.second)
	rule, reason := decide(r, p.first, p.second)
	p.DecidedBy, p.Reason = rule.Name, reason
	x, y := componentsOf(r, int(r.RankRow[p.first])), componentsOf(r, int(r.RankRow[p.second]))
	for c := range x {
		p.compareComponent(&x[c], &y[c])
	}
	slices.SortStableFunc(p.Differences, func(a, b difference) int {
		return cmp.Compare(math.Abs(b.Lead),
			math.Abs(a.Lead))
	})
	p.Flips, p.NoFlip = findFlips(r, p.first, p.second, rule)
	return p
}

// compareComponent adds the terms that give the two jobs different amounts. What a
// component's cap takes away is on a line of its own, so that the lines add
// up to the difference of the scores. A component with a failed term has no cap to speak of.
func (p *pair) compareComponent(x, y *explainedComponent) {
	add := func(name string, first, second float64, place func() string) {
		if first != second { // one that failed is equal to none
			p.Differences = append(p.Differences, difference{name, first, second, first - second, place()})
		}
	}
	capX, capY := x.Value, y.Value
	for k := range x.Terms {
		a, b := x.Terms[k].Contribution, y.Terms[k].Contribution
		capX, capY = capX-a, capY-b
		add(qualified(x.Name, x.Terms[k].Name, len(x.Terms)), a, b, func() string { return p.place(x, k) })
	}
	if (x.Capped || y.Capped) && !x.failed && !y.failed {
		add(x.Name+" cap", capX, capY, func() string { return spanOf(x.Cap) })
	}
}

func (p *pair) place(x *explainedComponent, term int) string {
	for i := range p.r.Terms {
		if t := &p.r.Terms[i]; t.Component == x.index && t.Term == term {
			return eval.PlaceOf(p.r, t, int(p.r.RankRow[p.first])).String()
		}
	}
	return ""
}

func spanOf(q quantity) string {
	for i := len(q.sources) - 1; i >= 0; i-- {
		if !q.sources[i].Span.IsZero() {
			return q.sources[i].Span.String()
		}
	}
	return ""
}

func qualified(component, term string, terms int) string {
	if terms == 1 && term == component {
		return component
	}
	return component + "." + term
}

// before reports whether job a comes before job b; ranked jobs come before others.
func before(r *evaluation.Result, a, b int) bool {
	if (r.Rank[a] > 0) != (r.Rank[b] > 0) {
		return r.Rank[a] > 0
	}
	if r.Rank[a] != r.Rank[b] {
		return r.Rank[a] < r.Rank[b]
	}
	return a < b
}

// decide names the first rule of the queue's order that tells the two apart.
func decide(r *evaluation.Result, first, second int) (rule evaluation.OrderRule, reason string) {
	if r.Rank[second] == 0 {
		rule.Name = notRanked
		if r.Rank[first] == 0 {
			return rule, "neither waits in the queue: the first is " + eval.StateWord(r,
				first) + ", the second " + eval.StateWord(r, second)
		}
		return rule, "the second job is not in the queue: it is " + eval.StateWord(r, second)
	}
	rules := r.OrderRules()
	pairwise := slices.ContainsFunc(rules, func(rule evaluation.OrderRule) bool { return rule.Before != nil })
	for _, rule := range rules {
		switch order := rule.Compare(first, second); {
		case order == 0:
		case order < 0 || !pairwise:
			return rule, rule.Why(first, second)
		default:
			rule.Name = circle
			return rule, "preemption goes round in a circle through jobs between them; taken alone the second would come " +
				"first: " + rule.Why(second, first)
		}
	}
	return evaluation.OrderRule{Name: "snapshot order", Tie: true},
		"equal in all else, the first comes first in the snapshot"
}

// notRanked is the name of the rule for jobs that no rule of the queue's order compares.
const notRanked = "not ranked"

// circle is the name of the rule for jobs whose places no rule explains, since preemption is no order.
const circle = "preemption circle"

// secondWinsTies reports whether the second job would be first if both had one priority.
func secondWinsTies(r *evaluation.Result, first, second int) bool {
	for _, rule := range r.OrderRules() {
		if order := rule.Compare(first, second); rule.Tie && order != 0 {
			return order > 0
		}
	}
	return second < first
}

// WriteExplainPair writes why one of two jobs comes before the other: the rule
// that decides, what each term gives the two, largest difference first, and the smallest
// change of one weight that would turn the order round.
func WriteExplainPair(w io.Writer, r *evaluation.Result, a, b int, o eval.Options) error {
	t := &tree{Writer: bufio.NewWriter(w), o: o}
	if a == b {
		t.line(0, "both are job %s", source.Plain(eval.JobText(r, "job.id", a)))
		return t.Flush()
	}
	p := compare(r, a, b)
	verb := "is before"
	if p.DecidedBy == notRanked && r.Rank[p.first] == 0 {
		verb = "is not compared with"
	}
	t.line(0, "%s", t.strong(fmt.Sprintf("job %s %s job %s", p.id(p.first), verb, p.id(p.second))))
	t.line(1, "decided by: %s; %s", p.DecidedBy, p.Reason)
	t.stands(p, p.first)
	t.stands(p, p.second)
	t.differences(p)
	t.treeParting(p)
	t.flips(p)
	return t.Flush()
}

// WriteExplainPairJSON writes the same as one JSON document.
func WriteExplainPairJSON(w io.Writer, r *evaluation.Result, a, b int, _ eval.Options) error {
	return encode.Write(w, compare(r, a, b))
}

func (p *pair) id(job int) string { return source.Plain(eval.JobText(p.r, "job.id", job)) }

func (t *tree) stands(p *pair, job int) {
	row := int(p.r.RankRow[job])
	f := finishOf(p.r, row)
	rank := "not ranked"
	if p.r.Rank[job] > 0 {
		rank = fmt.Sprintf("rank %d%s", p.r.Rank[job], eval.EntryText(p.r, job))
	}
	t.line(1, "%s: %s, %s; %s", p.id(job), eval.StateWord(p.r, job), rank, scoreText(p.r, row, f))
}

// differences writes the terms as columns: what each job gets, and the first's lead.
func (t *tree) differences(p *pair) {
	if len(p.Differences) == 0 {
		t.line(0, "\nno term gives them different amounts")
		return
	}
	t.line(0, "\ncontributions that differ")
	g := form.Grid{Rows: len(p.Differences)}
	add := func(title string, right bool, cell func(d *difference) string) {
		g.Add(title, right, func(row int) string { return cell(&p.Differences[row]) })
	}
	add("", false, func(d *difference) string { return d.Name })
	add(p.id(p.first), true, func(d *difference) string { return amountOrFailed(d.First) })
	add(p.id(p.second), true, func(d *difference) string { return amountOrFailed(d.Second) })
	add("difference", true, func(d *difference) string { return form.Signed(d.Lead) })
	add("", false, func(d *difference) string { return cmp.Or(d.Place, "default") })
	t.table(1, g.Text(false))
}

func amountOrFailed(f float64) string {
	if math.IsNaN(f) {
		return "failed"
	}
	return form.Exact(f)
}

func (t *tree) flips(p *pair) {
	if p.NoFlip != "" {
		t.line(0, "\n%s", p.NoFlip)
		return
	}
	t.line(0, "\nany of these would put %s first", p.id(p.second))
	for _, f := range p.Flips {
		t.line(1, "%s%s", f.text(), atPlace(f.Place))
	}
}

// text says what to write instead.
func (f *flip) text() string {
	line := fmt.Sprintf("%s %s → %s", f.Weight, form.Exact(f.From), form.Exact(f.To))
	if f.From != 0 {
		line += fmt.Sprintf(", %s%%", form.Signed(math.Round(1000*(f.To-f.From)/math.Abs(f.From))/10))
	}
	if f.Capped {
		line += ", past a component cap"
	}
	return line
}
