package view

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// pair is why one job stands before another: first is the one before.
type pair struct {
	r             *engine.Result
	first, second int // jobs
	rule          string
	reason        string // the rule in words
	differences   []difference
	flips         []flip
	noFlip        string // why no weight turns the order round, "" if one does
}

// difference is what one term, or one component's cap, gives each of the two.
type difference struct {
	name          string
	first, second float64
	place         string // of what set it for the first job
}

func (d *difference) size() float64 { return d.first - d.second }

func compare(r *engine.Result, a, b int) pair {
	p := pair{r: r, first: a, second: b}
	if before(r, b, a) {
		p.first, p.second = b, a
	}
	p.rule, p.reason = decide(r, p.first, p.second)
	x, y := explain(r, p.first), explain(r, p.second)
	for c := range x.components {
		p.compareComponent(&x.components[c], &y.components[c])
	}
	slices.SortStableFunc(p.differences, func(a, b difference) int {
		return cmp.Compare(math.Abs(b.size()), math.Abs(a.size()))
	})
	p.flips, p.noFlip = findFlips(r, p.first, p.second, p.rule)
	return p
}

// compareComponent adds the terms that give the two jobs different amounts. What a
// component's cap takes away stands on a line of its own, so that the lines add
// up to the difference of the scores.
func (p *pair) compareComponent(x, y *explainedComponent) {
	capX, capY := x.value, y.value
	for k := range x.terms {
		d := difference{name: qualified(x.Component.Name, x.terms[k].Name, len(x.terms)), first: x.terms[k].contribution, second: y.terms[k].contribution}
		capX -= d.first
		capY -= d.second
		if d.size() != 0 {
			d.place = p.place(x, k)
			p.differences = append(p.differences, d)
		}
	}
	if (x.capped || y.capped) && capX != capY {
		p.differences = append(p.differences, difference{name: x.Name + " cap", first: capX, second: capY, place: spanOf(x.cap)})
	}
}

func (p *pair) place(x *explainedComponent, term int) string {
	for i := range p.r.Terms {
		if t := &p.r.Terms[i]; t.Component == x.column.Component && t.Term == term {
			return placeOf(p.r, t, int(p.r.JobRow[p.first])).String()
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

// before reports whether job a stands before job b; ranked jobs stand before others.
func before(r *engine.Result, a, b int) bool {
	if (r.Rank[a] > 0) != (r.Rank[b] > 0) {
		return r.Rank[a] > 0
	}
	if r.Rank[a] != r.Rank[b] {
		return r.Rank[a] < r.Rank[b]
	}
	return a < b
}

// decide names the first rule of the queue's order that tells the two apart.
// Slurm sorts by reservation, partition tier, priority, submit time and job id; others by
// priority and then as the resource manager lists them.
func decide(r *engine.Result, first, second int) (rule, reason string) {
	if r.Rank[second] == 0 {
		if r.Rank[first] == 0 {
			return "not ranked", "neither waits in the queue: the first is " + stateWord(r, first) + ", the second " + stateWord(r, second)
		}
		return "not ranked", "the second job is not in the queue: it is " + stateWord(r, second)
	}
	for _, rule := range rulesOf(r) {
		if reason := rule.reason(r, first, second); reason != "" {
			return rule.name, reason
		}
	}
	return "snapshot order", "equal in all else, the first stands first in the snapshot"
}

// orderRule is one key of the queue's order: reason is empty where it does not tell
// the two jobs apart.
type orderRule struct {
	name   string
	reason func(r *engine.Result, first, second int) string
}

func rulesOf(r *engine.Result) []orderRule {
	if r.Program.Family == "slurm" {
		return []orderRule{
			{"reservation", reservationReason}, {"partition tier", tierReason}, {"priority", priorityReason},
			{"submit time", submitReason}, {"job id", jobIDReason},
		}
	}
	return []orderRule{{"priority", priorityReason}}
}

func reservationReason(r *engine.Result, first, second int) string {
	if jobText(r, "job.reservation", first) != "" && jobText(r, "job.reservation", second) == "" {
		return "jobs of a reservation come first"
	}
	return ""
}

func tierReason(r *engine.Result, first, second int) string {
	tier := func(job int) int64 {
		if v := r.Value("partition.priority_tier", int(r.JobRow[job])); v.Known() {
			return v.Int
		}
		return 1 // Slurm's default
	}
	if a, b := tier(first), tier(second); a != b {
		return "partition tier " + strconv.FormatInt(a, 10) + " comes before tier " + strconv.FormatInt(b, 10) + ", whatever the priorities"
	}
	return ""
}

func priorityReason(r *engine.Result, first, second int) string {
	a, b := r.Priority[r.JobRow[first]], r.Priority[r.JobRow[second]]
	if a == b {
		return ""
	}
	return "priority " + strconv.FormatInt(a, 10) + " against " + strconv.FormatInt(b, 10) + ", " + strconv.FormatInt(a-b, 10) + " more"
}

func submitReason(r *engine.Result, first, second int) string {
	a, b := r.Jobs.Value("job.submit_time", first), r.Jobs.Value("job.submit_time", second)
	if a.Int == b.Int {
		return ""
	}
	return "equal priority, submitted earlier: " + valueText(a) + " against " + valueText(b)
}

func jobIDReason(r *engine.Result, first, second int) string {
	if compareIDs(r, first, second) == 0 {
		return ""
	}
	return "equal priority and submit time, the lower job id comes first"
}

// compareIDs orders 12_3 after 12_2.
func compareIDs(r *engine.Result, a, b int) int {
	x, xTask, _ := strings.Cut(jobText(r, "job.id", a), "_")
	y, yTask, _ := strings.Cut(jobText(r, "job.id", b), "_")
	return cmp.Or(cmp.Compare(leadingNumber(x), leadingNumber(y)), cmp.Compare(leadingNumber(xTask), leadingNumber(yTask)))
}

// tieRule reports whether a rule is asked only once priorities are equal.
func tieRule(rule string) bool {
	return rule == "submit time" || rule == "job id" || rule == "snapshot order"
}

// secondWinsTies reports whether the second job would be first if both had one priority.
func secondWinsTies(r *engine.Result, first, second int) bool {
	if r.Program.Family == "slurm" {
		a, b := r.Jobs.Value("job.submit_time", first), r.Jobs.Value("job.submit_time", second)
		if a.Int != b.Int {
			return b.Int < a.Int
		}
		if c := compareIDs(r, first, second); c != 0 {
			return c > 0
		}
	}
	return second < first
}
