package explain

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

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
