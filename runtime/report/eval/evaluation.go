package eval

import (
	_ "embed" // eval.schema.json
	"io"
	"iter"
	"math"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
)

// FormatVersion is the version of the JSON contract. It rises when a field
// changes its meaning or goes away, not when one is added.
const FormatVersion = 1

// Schema describes what WriteJSON writes, as JSON Schema; its definition "job" is a line of
// WriteJSONLines.
//
//go:embed eval.schema.json
var Schema string

// WriteJSON writes the whole result as one JSON document. Ranked jobs come
// first, best first; the others follow in the snapshot's order.
func WriteJSON(w io.Writer, r *evaluation.Result, o Options) error {
	return encode.Write(w, struct {
		Head
		Filter   *Filter             `json:"filter,omitempty"`
		Jobs     iter.Seq[JobReport] `json:"jobs" form:"lines"`
		Shares   []any               `json:"fairshare" form:"lines"`
		Limits   []any               `json:"limits" form:"lines"`
		Findings []Finding           `json:"findings"`
	}{HeadOf(r), o.Filter, jobReports(r, o), fairshareReport(r), limitReports(r), FindingsOf(r.Findings)})
}

// WriteUse writes what is used of shares and limits alone, as WriteJSON has them.
func WriteUse(w io.Writer, r *evaluation.Result) error {
	return encode.Write(w, struct {
		Shares []any `json:"fairshare" form:"lines"`
		Limits []any `json:"limits" form:"lines"`
	}{fairshareReport(r), limitReports(r)})
}

// WriteJSONLines writes one job object on each line, in the order of WriteJSON.
func WriteJSONLines(w io.Writer, r *evaluation.Result, o Options) error {
	j := encode.New(w)
	for job := range jobReports(r, o) {
		j.Record(job)
	}
	return j.Close()
}

// Head is what every document begins with: what was evaluated and how.
type Head struct {
	FormatVersion int         `json:"format_version"`
	Policy        string      `json:"policy"`
	Semantics     string      `json:"semantics"`
	Version       string      `json:"version" form:"ornull"`
	Deviations    []string    `json:"deviations"`
	Without       []string    `json:"without"`
	Params        []parameter `json:"params"`
	Now           int64       `json:"now"`
	Pass          int64       `json:"pass,omitempty"`
}

type parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func HeadOf(r *evaluation.Result) Head {
	p := r.Program
	h := Head{FormatVersion, p.Policy, p.Semantics, p.Version, p.Deviations, p.Without, nil, r.Now, r.Pass}
	for _, given := range p.Params {
		h.Params = append(h.Params, parameter(given))
	}
	return h
}

// JobReport is one job.
type JobReport struct {
	ID          string        `json:"id"`
	User        string        `json:"user"`
	Group       string        `json:"group,omitempty"`
	Account     string        `json:"account"`
	QOS         string        `json:"qos"`
	Partition   string        `json:"partition"`
	Priority    *int64        `json:"priority"`
	Score       float64       `json:"score"`
	Rank        int32         `json:"rank" form:"ornull"`
	State       string        `json:"state"`
	Failed      bool          `json:"failed"`
	Reason      string        `json:"reason" form:"ornull"`
	Why         *WhyReport    `json:"why"`
	Stored      any           `json:"stored_priority,omitempty"` // Maui: null of a job without one
	RunPriority *float64      `json:"run_priority,omitempty"`
	Terms       []keptTerm    `json:"terms"`
	Components  []keptSum     `json:"components"`
	RankedBy    any           `json:"ranked_by,omitempty"` // of jobs with several entries
	ByPartition []entryReport `json:"by_partition,omitempty"`
}

type (
	keptTerm = encode.Kept[termReport]
	keptSum  = encode.Kept[sumReport]
)

type termReport struct {
	Component    string      `json:"component"`
	Term         string      `json:"term"`
	Factor       float64     `json:"factor"`
	Weight       float64     `json:"weight"`
	Contribution float64     `json:"contribution"`
	Capped       bool        `json:"capped"`
	Source       source.Span `json:"source"`
}

type sumReport struct {
	Component string  `json:"component"`
	Weight    float64 `json:"weight"`
	Sum       float64 `json:"sum"`
	Value     float64 `json:"value"`
	Capped    bool    `json:"capped"`
}

// entryReport is a row of a job that has several: Slurm scores a job once for each partition it was submitted to.
type entryReport struct {
	Partition string     `json:"partition"`
	Priority  *int64     `json:"priority"`
	Score     float64    `json:"score"`
	Why       *WhyReport `json:"why,omitempty"`
}

// jobReports are the reports of the jobs that are shown; one is of use until the next.
func jobReports(r *evaluation.Result, o Options) iter.Seq[JobReport] {
	return func(yield func(JobReport) bool) {
		w := newReporter(r)
		for _, job := range o.sequence(r) {
			if !yield(w.report(job)) {
				return
			}
		}
	}
}

func ReportJob(r *evaluation.Result, job int) JobReport { return newReporter(r).report(job) }

// reporter reports jobs; what their reports have in common is there once.
type reporter struct {
	*evaluation.Result
	terms  []keptTerm
	places []func(row int) source.Span
	sums   []keptSum
}

func newReporter(r *evaluation.Result) *reporter {
	w := &reporter{r, make([]keptTerm, len(r.Terms)), make([]func(int) source.Span, len(r.Terms)),
		make([]keptSum, len(r.Sums))}
	for i := range r.Terms {
		t := &r.Terms[i]
		to := &w.terms[i].Value
		to.Component, to.Term = r.Program.Components[t.Component].Name, TermOf(r.Program, t).Name
		w.places[i] = placesOf(r, t)
	}
	for i := range r.Sums {
		w.sums[i].Value.Component = r.Program.Components[r.Sums[i].Component].Name
	}
	return w
}

func (w *reporter) report(job int) JobReport {
	r := w.Result
	row := int(r.JobRow[job])
	x := JobReport{
		ID: JobText(r, "job.id", job), User: JobText(r, "job.user", job), Group: JobText(r, "job.group", job),
		Account: JobText(r, "job.account", job), QOS: JobText(r, "job.qos", job),
		Partition: JobText(r, "job.partition", job),
		Priority:  encode.Some(r.JobPriority(job), !r.Failed.Get(row)),
		Score:     encode.Known(r.Score[row], !r.Failed.Get(row)),
		Rank:      r.Rank[job],
		State:     r.State[job].String(), Failed: r.JobFailed(job), Reason: r.Reason[job],
		Why: WhyOf(r, r.Why[int32(job)]), Terms: w.terms, Components: w.sums,
	}
	if r.Stored != nil {
		x.Stored = encode.Some(r.Stored[job], !r.JobFailed(job))
	}
	if r.RunPriority != nil && !math.IsNaN(r.RunPriority[job]) {
		x.RunPriority = &r.RunPriority[job]
	}
	for i := range r.Terms {
		t, to := &r.Terms[i], &x.Terms[i].Value
		to.Factor, to.Weight = encode.Known(FactorAt(r, t, row)), encode.Known(WeightAt(r, t, row))
		to.Contribution = encode.Known(ContributionAt(r, t, row), !t.FactorFailed.Get(row))
		to.Capped, to.Source = TermCapped(t, row), w.places[i](row)
	}
	for i := range r.Sums {
		sum, to := &r.Sums[i], &x.Components[i].Value
		to.Weight, to.Capped = encode.Known(At(sum.Weight, row)), SumCapped(sum, row)
		to.Sum, to.Value = encode.Known(At(sum.Sum, row)), encode.Known(At(sum.Value, row))
		if SumFailed(r, sum, row) {
			to.Sum, to.Value = math.NaN(), math.NaN()
		}
	}
	first, end := r.Entries(job)
	if end-first < 2 {
		return x
	}
	x.RankedBy = (*string)(nil)
	if partition, ok := rankEntry(r, job); ok && partition != "" {
		x.RankedBy = partition
	}
	for row := first; row < end; row++ {
		x.ByPartition = append(x.ByPartition, entryReport{r.Rows.Text("job.partition", row),
			encode.Some(r.Priority[row], !r.Failed.Get(row)), encode.Known(r.Score[row], !r.Failed.Get(row)),
			WhyOf(r, r.Barred[int32(row)])})
	}
	return x
}

// Finding is a diagnostic with its notes.
type Finding struct {
	Code     string          `json:"code"`
	Severity string          `json:"severity"`
	Message  string          `json:"message"`
	Place    encode.Position `json:"place"`
	Notes    []note          `json:"notes"`
}

type note struct {
	Text  string          `json:"text"`
	Place encode.Position `json:"place"`
}

func FindingsOf(list diag.List) (out []Finding) {
	for _, d := range list {
		f := Finding{d.Code, d.Severity.String(), d.Message, encode.Position(d.Span), nil}
		for _, n := range d.Notes {
			f.Notes = append(f.Notes, note{n.Text, encode.Position(n.Span)})
		}
		out = append(out, f)
	}
	return out
}

// SetBy is what set a number, as the site knows it, and where.
type SetBy struct {
	Name  string          `json:"name" form:"ornull"`
	Place encode.Position `json:"place"`
}

func setByOf(s program.Source) SetBy { return SetBy{s.Name, encode.Position(s.Span)} }

func TermCapped(t *evaluation.TermColumn, row int) bool { return row < len(t.Factor) && t.Capped(row) }

func SumCapped(s *evaluation.SumColumn, row int) bool { return row < len(s.Sum) && s.Capped(row) }
