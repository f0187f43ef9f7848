package view

import (
	_ "embed" // eval.schema.json
	"io"
	"iter"
	"math"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
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
func WriteJSON(w io.Writer, r *engine.Result, _ Options) error {
	return encode.Write(w, struct {
		head
		Jobs     iter.Seq[jobReport] `json:"jobs,lines"`
		Shares   []any               `json:"fairshare,lines"`
		Limits   []any               `json:"limits,lines"`
		Findings []finding           `json:"findings"`
	}{headOf(r), jobReports(r), fairshareReport(r), limitReports(r), findingsOf(r.Findings)})
}

// WriteJSONLines writes one job object on each line, in the order of WriteJSON.
func WriteJSONLines(w io.Writer, r *engine.Result, _ Options) error {
	j := encode.New(w)
	for job := range jobReports(r) {
		j.Record(job)
	}
	return j.Close()
}

// head is what every document begins with: what was evaluated and how.
type head struct {
	FormatVersion int         `json:"format_version"`
	Policy        string      `json:"policy"`
	Semantics     string      `json:"semantics"`
	Version       string      `json:"version,ornull"`
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

func headOf(r *engine.Result) head {
	p := r.Program
	h := head{FormatVersion, p.Policy, p.Semantics, p.Version, p.Deviations, p.Without, nil, r.Now, r.Pass}
	for _, given := range p.Params {
		h.Params = append(h.Params, parameter(given))
	}
	return h
}

// jobReport is one job.
type jobReport struct {
	ID          string        `json:"id"`
	User        string        `json:"user"`
	Group       string        `json:"group,omitempty"`
	Account     string        `json:"account"`
	QOS         string        `json:"qos"`
	Partition   string        `json:"partition"`
	Priority    *int64        `json:"priority"`
	Score       float64       `json:"score"`
	Rank        int32         `json:"rank,ornull"`
	State       string        `json:"state"`
	Failed      bool          `json:"failed"`
	Reason      string        `json:"reason,ornull"`
	Why         *whyReport    `json:"why"`
	Stored      any           `json:"stored_priority,omitempty"` // Maui: null of a job without one
	RunPriority *float64      `json:"run_priority,omitempty"`
	Terms       []termReport  `json:"terms"`
	Components  []sumReport   `json:"components"`
	RankedBy    any           `json:"ranked_by,omitempty"` // of jobs with several entries
	ByPartition []entryReport `json:"by_partition,omitempty"`
}

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
	Why       *whyReport `json:"why,omitempty"`
}

func jobReports(r *engine.Result) iter.Seq[jobReport] {
	return func(yield func(jobReport) bool) {
		for _, job := range sequence(r) {
			if !yield(reportJob(r, int(job))) {
				return
			}
		}
	}
}

func reportJob(r *engine.Result, job int) jobReport {
	row := int(r.JobRow[job])
	x := jobReport{
		ID: jobText(r, "job.id", job), User: jobText(r, "job.user", job), Group: jobText(r, "job.group", job),
		Account: jobText(r, "job.account", job), QOS: jobText(r, "job.qos", job),
		Partition: jobText(r, "job.partition", job),
		Priority:  some(r.JobPriority(job), !r.Failed.Get(row)), Score: known(r.Score[row], !r.Failed.Get(row)),
		Rank:  r.Rank[job],
		State: r.State[job].String(), Failed: r.JobFailed(job), Reason: r.Reason[job],
		Why: whyOf(r, r.Why[int32(job)]),
	}
	if r.Stored != nil {
		x.Stored = some(r.Stored[job], !r.JobFailed(job))
	}
	if r.RunPriority != nil && !math.IsNaN(r.RunPriority[job]) {
		x.RunPriority = &r.RunPriority[job]
	}
	x.Terms = make([]termReport, len(r.Terms))
	for i := range r.Terms {
		t := &r.Terms[i]
		x.Terms[i] = termReport{r.Program.Components[t.Component].Name, termOf(r.Program, t).Name,
			known(factorAt(r, t, row)),
			known(weightAt(r, t, row)), known(contributionAt(r, t, row), !t.FactorFailed.Get(row)),
			termCapped(t, row), placeOf(r, t, row)}
	}
	x.Components = make([]sumReport, len(r.Sums))
	for i := range r.Sums {
		s := &r.Sums[i]
		c := sumReport{r.Program.Components[s.Component].Name, known(at(s.Weight, row)), known(at(s.Sum, row)),
			known(at(s.Value, row)),
			sumCapped(s, row)}
		if sumFailed(r, s, row) {
			c.Sum, c.Value = math.NaN(), math.NaN()
		}
		x.Components[i] = c
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
		x.ByPartition = append(x.ByPartition, entryReport{r.Rows.Value("job.partition", row).Str,
			some(r.Priority[row], !r.Failed.Get(row)), known(r.Score[row], !r.Failed.Get(row)),
			whyOf(r, r.Barred[int32(row)])})
	}
	return x
}

// finding is a diagnostic with its notes.
type finding struct {
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

func findingsOf(list diag.List) (out []finding) {
	for _, d := range list {
		f := finding{d.Code, d.Severity.String(), d.Message, encode.Position(d.Span), nil}
		for _, n := range d.Notes {
			f.Notes = append(f.Notes, note{n.Text, encode.Position(n.Span)})
		}
		out = append(out, f)
	}
	return out
}

// setBy is what set a number, as the site knows it, and where.
type setBy struct {
	Name  string          `json:"name,ornull"`
	Place encode.Position `json:"place"`
}

func setByOf(s program.Source) setBy { return setBy{s.Name, encode.Position(s.Span)} }

// known is a number, NaN if it is not known.
func known(f float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return f
}

// some is a number, nil if there is none.
func some(n int64, ok bool) *int64 {
	if !ok {
		return nil
	}
	return &n
}

func termCapped(t *engine.TermColumn, row int) bool { return row < len(t.Factor) && t.Capped(row) }

func sumCapped(s *engine.SumColumn, row int) bool { return row < len(s.Sum) && s.Capped(row) }
