package explain

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// WriteExplain writes one job's priority as a tree: how the score became the
// priority, what each component and term added, from which columns, and where
// each number was set. With a plan it says when the job starts and what it waits for.
func WriteExplain(w io.Writer, r *evaluation.Result, job int, of *plan.Plan, o eval.Options) error {
	e := Explain(r, job, of)
	t := &tree{Writer: bufio.NewWriter(w), o: o}
	t.job(r, job)
	t.blocks(e)
	t.barred(r, job)
	t.limits(e)
	t.planned(e)
	if e.Billing != nil {
		t.line(0, "%s\n", e.Billing.text(r.State[job] == evaluation.Running))
	}
	priority := "none"
	if !r.Failed.Get(e.row) {
		priority = fmt.Sprint(r.JobPriority(job))
	}
	t.line(0, "%s", t.strong("priority "+priority))
	t.line(1, "%s%s", scoreText(r, e.row, e.Finish), atPlace(e.Finish.Source.String()))
	if own := r.JobPriority(job); !r.Failed.Get(e.row) && own > r.Priority[e.row] {
		t.line(1, "the job's own priority was %d and never falls (INCR_ONLY); those of its partitions do when "+
			"partitions change or slurmctld restarts: it queues with %d", own, r.Priority[e.row])
	}
	for i := range e.Components {
		t.component(r, &e.Components[i])
	}
	t.partitions(r, job)
	return t.Flush()
}

// WriteExplainedJSON writes the explanations of several jobs as one JSON document.
func WriteExplainedJSON(w io.Writer, r *evaluation.Result, jobs []int, of *plan.Plan, o eval.Options) error {
	all := func(yield func(*Explanation) bool) {
		for _, job := range jobs {
			if !yield(Explain(r, job, of)) {
				return
			}
		}
	}
	return encode.Write(w, struct {
		eval.Head
		Filter *eval.Filter           `json:"filter,omitempty"`
		Jobs   iter.Seq[*Explanation] `json:"jobs" form:"lines"`
	}{eval.HeadOf(r), o.Filter, all})
}

// WriteExplainJSON writes the same as one JSON document.
func WriteExplainJSON(w io.Writer, r *evaluation.Result, job int, of *plan.Plan, _ eval.Options) error {
	return encode.Write(w, Explain(r, job, of))
}

// scoreText says what the score was and what became of it.
func scoreText(r *evaluation.Result, row int, f finish) string {
	if f.Rule == "failed" {
		return f.text
	}
	return "the score " + form.Exact(r.Score[row]) + ", " + f.text
}

// tree writes indented lines.
type tree struct {
	*bufio.Writer
	o eval.Options
}

func (t *tree) line(depth int, format string, args ...any) {
	fmt.Fprintf(t, "%s"+format+"\n", append([]any{strings.Repeat("  ", depth)}, args...)...)
}

func (t *tree) strong(s string) string {
	if !t.o.Colour {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

func (t *tree) job(r *evaluation.Result, job int) {
	var who []string
	for _, c := range []struct {
		word string
		id   schema.ColumnID
	}{{"user", "job.user"}, {"group", "job.group"}, {"account", "job.account"}, {"qos", "job.qos"},
		{r.Facts.Partitions.Word(), "job.partition"}} {
		if v := eval.JobText(r, c.id, job); v != "" {
			who = append(who, c.word+" "+source.Plain(v))
		}
	}
	line := "job " + source.Plain(eval.JobText(r, "job.id", job))
	if len(who) > 0 {
		line += ": " + form.Joined(who)
	}
	t.line(0, "%s", t.strong(line))
	stand := eval.StateWord(r, job)
	if word := eval.ReasonText(r, job); word != "" {
		stand += " (" + source.Plain(word) + ")"
	}
	if r.Rank[job] > 0 {
		stand += fmt.Sprintf(", rank %d of %d%s", r.Rank[job], len(r.Order), eval.EntryText(r, job))
	} else {
		stand += ", not ranked"
	}
	if r.Pass != 0 {
		t.line(0, "%s", stand)
		stand = fmt.Sprintf("priorities are as of %s, %s ago", form.ClockText(r.Pass), form.SpanText(r.Now-r.Pass))
	}
	t.line(0, "%s\n", stand)
}

func (t *tree) component(r *evaluation.Result, c *explainedComponent) {
	var idle []string
	shown := 0
	for i := range c.Terms {
		if c.Terms[i].matters() || t.o.All {
			shown++
		} else {
			idle = append(idle, idleText(&c.Terms[i]))
		}
	}
	if shown == 0 && c.Value == 0 {
		t.line(1, "%s 0%s", t.strong(c.Name), parenthesised(idle))
		return
	}
	if c.failed {
		t.line(1, "%s: not known", t.strong(c.Name))
	} else {
		t.line(1, "%s %s = %s × %s", t.strong(c.Name), form.Exact(c.Value), c.Weight.text(),
			capText(c.Sum, c.Cap.value, c.Capped))
	}
	t.doc(2, c.Doc)
	t.from(2, "weight", c.Weight)
	if c.Cap.known {
		t.from(2, "cap", c.Cap)
	}
	for i := range c.Terms {
		if x := &c.Terms[i]; x.matters() || t.o.All {
			t.term(r, x)
		}
	}
	if len(idle) > 0 {
		t.line(2, "no effect: %s", form.Joined(idle))
	}
}

func (t *tree) term(r *evaluation.Result, x *explainedTerm) {
	switch {
	case x.failed:
		t.line(2, "%s: the factor's expression failed", t.strong(x.Name))
	case !x.Factor.known:
		t.line(2, "%s 0: weight %s, not evaluated", t.strong(x.Name), x.Weight.text())
	default:
		t.line(2, "%s %s = %s × %s", t.strong(x.Name), form.Exact(x.value), x.Weight.text(),
			capText(x.Factor.value, x.Cap.value, x.Capped))
	}
	t.doc(3, x.Doc)
	t.from(3, "weight", x.Weight)
	if x.Cap.known {
		t.from(3, "cap", x.Cap)
	}
	for _, s := range x.Factor.sources {
		if !s.Span.IsZero() {
			t.line(3, "with %s = %s (%s)", s.Name, valueText(s.Value), s.Span)
		}
	}
	told := map[int]bool{} // whose share
	for _, read := range x.Reads {
		t.read(read)
		if s := read.share; s != nil && !told[s.Object] {
			told[s.Object] = true
			t.share(r, s)
		}
		if read.node != noNode {
			t.treePath(r, read.node)
		}
	}
}

func (t *tree) read(read explainedRead) {
	line := fmt.Sprintf("%s = %s%s", read.Column, valueText(read.Value), unitText(read.Unit))
	if place := read.Source.String(); place != "" {
		line += " (" + strings.TrimSpace(read.SetBy+" "+place) + ")"
	}
	t.line(3, "%s%s", line, sentence(read.Doc))
}

func (t *tree) doc(depth int, doc string) {
	if doc != "" {
		t.line(depth, "%s", doc)
	}
}

// from writes where a number comes from; a built-in constant comes from nowhere.
func (t *tree) from(depth int, what string, q quantity) {
	if text := fromText(q.sources); text != "" {
		t.line(depth, "%s %s: %s", what, q.text(), text)
	} else if what == "cap" {
		t.line(depth, "cap %s", q.text())
	}
}

// partitions lists the rows of a job that was submitted to several partitions, and what keeps the
// job from starting by one of them.
func (t *tree) partitions(r *evaluation.Result, job int) {
	first, end := r.Entries(job)
	if end-first < 2 {
		return
	}
	t.line(0, "\nin its other partitions")
	for row := first + 1; row < end; row++ {
		name, f := source.Plain(r.Rows.Text("job.partition", row)), finishOf(r, row)
		if f.Rule == "failed" {
			t.line(1, "%s: %s", name, f.text)
		} else {
			t.line(1, "%s: priority %d, %s", name, r.Priority[row], scoreText(r, row, f))
		}
	}
}

// barred says what keeps a job from starting in some of its partitions.
func (t *tree) barred(r *evaluation.Result, job int) {
	if eval.BlockOf(r, job) != nil {
		return // it starts in none, and why not is above
	}
	first, end := r.Entries(job)
	said := false
	for row := first; row < end; row++ {
		b := r.Barred[int32(row)]
		if b == nil {
			continue
		}
		if !said {
			t.line(0, "%s", t.strong("where it may not start"))
			said = true
		}
		t.line(1, "%s", barredText(r, row, b))
	}
	if said {
		t.line(0, "")
	}
}

// barredText says why a job does not start by an entry, and whether it would rank the job.
func barredText(r *evaluation.Result, row int, b *evaluation.Block) string {
	why := source.Plain(b.Text)
	switch {
	case b.Slurm != nil:
		why = fmt.Sprintf("%s of %s: %s", b.Slurm.Limit.Name, slurmLevel(b.Slurm), slurmSum(b.Slurm))
	case b.Refusal != nil:
		why = source.Plain(r.Says(b.Refusal))
	}
	text := source.Plain(r.Rows.Text("job.partition", row)) + ": it may not start there (" + source.Plain(b.Text) +
		"): " + why
	if by := int(r.RankRow[r.RowJob[row]]); b.Slurm != nil &&
		(r.Tier(row) > r.Tier(by) || r.Tier(row) == r.Tier(by) && r.Priority[row] > r.Priority[by]) {
		text += fmt.Sprintf("; this entry is higher in the queue, with tier %d and priority %d", r.Tier(row), r.Priority[row])
	}
	return text
}

func (q quantity) text() string {
	if !q.known {
		return "unknown"
	}
	return form.Exact(q.value)
}

// capText is a number as it entered the sum.
func capText(value, limit float64, capped bool) string {
	if !capped {
		return form.Exact(value)
	}
	return form.Exact(limit) + " (capped, was " + form.Exact(value) + ")"
}

func idleText(x *explainedTerm) string {
	switch {
	case x.Weight.known && x.Weight.value == 0:
		return x.Name + " (weight 0)"
	case x.Factor.known:
		return x.Name + " (factor " + form.Exact(x.Factor.value) + ")"
	}
	return x.Name + " (not evaluated)"
}

func parenthesised(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return ": " + form.Joined(words)
}

func atPlace(place string) string {
	if place == "" {
		return ""
	}
	return " (" + place + ")"
}

// planned says when the job starts and what it waits for.
func (t *tree) planned(e *Explanation) {
	p := e.plan
	if p == nil {
		return
	}
	for _, i := range p.PlacesOf(e.job) {
		if at := p.At(i); at.By == backfill.ByNone && at.Never == "" && p.Result.Why[int32(e.job)] != nil {
			continue // what stops it has been reported
		}
		for k, line := range p.Why(i) {
			if k == 0 {
				line = t.strong(line)
			}
			t.line(0, "%s", line)
		}
		t.line(0, "")
	}
}
