package view

import (
	_ "embed" // eval.schema.json
	"io"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
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
	j := &jsonWriter{w: w}
	j.open('{')
	j.head(r)
	j.key("jobs").open('[')
	for _, job := range sequence(r) {
		j.separateLine()
		j.job(r, int(job))
	}
	j.line()
	j.shut(']')
	j.fairshare(r)
	j.limits(r)
	j.key("findings")
	j.findings(r.Findings)
	j.shut('}').line()
	return j.close()
}

// WriteJSONLines writes one job object on each line, in the order of WriteJSON.
func WriteJSONLines(w io.Writer, r *engine.Result, _ Options) error {
	j := &jsonWriter{w: w}
	for _, job := range sequence(r) {
		j.job(r, int(job))
		j.endRecord()
	}
	return j.close()
}

// job writes one job.
func (j *jsonWriter) job(r *engine.Result, job int) {
	row := int(r.JobRow[job])
	j.open('{')
	j.key("id").str(jobText(r, "job.id", job))
	j.key("user").str(jobText(r, "job.user", job))
	if group := jobText(r, "job.group", job); group != "" {
		j.key("group").str(group)
	}
	j.key("account").str(jobText(r, "job.account", job))
	j.key("qos").str(jobText(r, "job.qos", job))
	j.key("partition").str(jobText(r, "job.partition", job))
	j.key("priority").jobPriority(r, job)
	j.key("score").known(r.Score[row], !r.Failed.Get(row))
	if r.Rank[job] == 0 {
		j.key("rank").null()
	} else {
		j.key("rank").int(int64(r.Rank[job]))
	}
	j.key("state").str(r.State[job].String())
	j.key("failed").bool(r.JobFailed(job))
	j.key("reason").orNull(r.Reason[job])
	j.key("why")
	j.why(r, r.Why[int32(job)])
	j.stored(r, job)
	j.key("terms").open('[')
	for i := range r.Terms {
		j.term(r, &r.Terms[i], row)
	}
	j.shut(']')
	j.key("components").open('[')
	for i := range r.Sums {
		j.component(r, &r.Sums[i], row)
	}
	j.shut(']')
	j.partitions(r, job)
	j.shut('}')
}

func (j *jsonWriter) priority(r *engine.Result, row int) {
	if r.Failed.Get(row) {
		j.null()
		return
	}
	j.int(r.Priority[row])
}

func (j *jsonWriter) jobPriority(r *engine.Result, job int) {
	if r.Failed.Get(int(r.JobRow[job])) {
		j.null()
		return
	}
	j.int(r.JobPriority(job))
}

func (j *jsonWriter) term(r *engine.Result, t *engine.TermColumn, row int) {
	j.open('{')
	j.key("component").str(r.Program.Components[t.Component].Name)
	j.key("term").str(termOf(r.Program, t).Name)
	j.key("factor").known(factorAt(r, t, row))
	j.key("weight").known(weightAt(r, t, row))
	j.key("contribution").known(contributionAt(r, t, row), !t.FactorFailed.Get(row))
	j.key("capped").bool(termCapped(t, row))
	j.key("source").place(placeOf(r, t, row))
	j.shut('}')
}

func (j *jsonWriter) component(r *engine.Result, s *engine.SumColumn, row int) {
	j.open('{')
	j.key("component").str(r.Program.Components[s.Component].Name)
	j.key("weight").known(at(s.Weight, row))
	if sumFailed(r, s, row) {
		j.key("sum").null()
		j.key("value").null()
	} else {
		j.key("sum").known(at(s.Sum, row))
		j.key("value").known(at(s.Value, row))
	}
	j.key("capped").bool(sumCapped(s, row))
	j.shut('}')
}

// partitions lists a job's rows where it has several: Slurm scores a job once
// for each partition it was submitted to.
func (j *jsonWriter) partitions(r *engine.Result, job int) {
	first, end := r.Entries(job)
	if end-first < 2 {
		return
	}
	partition, _ := rankEntry(r, job)
	j.key("ranked_by").orNull(partition)
	j.key("by_partition").open('[')
	for row := first; row < end; row++ {
		j.open('{')
		j.key("partition").str(r.Rows.Value("job.partition", row).Str)
		j.key("priority").priority(r, row)
		j.key("score").known(r.Score[row], !r.Failed.Get(row))
		if b := r.Barred[int32(row)]; b != nil {
			j.key("why")
			j.why(r, b)
		}
		j.shut('}')
	}
	j.shut(']')
}

func (j *jsonWriter) findings(list diag.List) {
	j.open('[')
	for _, d := range list {
		j.open('{')
		j.key("code").str(d.Code)
		j.key("severity").str(d.Severity.String())
		j.key("message").str(d.Message)
		j.position(d.Span)
		j.key("notes").open('[')
		for _, n := range d.Notes {
			j.open('{').key("text").str(n.Text)
			j.position(n.Span)
			j.shut('}')
		}
		j.shut(']')
		j.shut('}')
	}
	j.shut(']')
}

// place writes file:line:column, or null for a default.
func (j *jsonWriter) place(s source.Span) {
	text, ok := j.places[s]
	if !ok {
		if j.places == nil {
			j.places = map[source.Span]string{}
		}
		text = s.String()
		j.places[s] = text
	}
	j.orNull(text)
}

// position writes file, line and column, null where nothing was written.
func (j *jsonWriter) position(s source.Span) {
	if s.IsZero() {
		j.key("file").null()
		j.key("line").null()
		j.key("column").null()
		return
	}
	p := s.Position()
	j.key("file").str(s.File.Name)
	j.key("line").int(int64(p.Line))
	j.key("column").int(int64(p.Column))
}

// separateLine begins the next array element on a line of its own.
func (j *jsonWriter) separateLine() {
	if j.comma {
		j.buf = append(j.buf, ',')
	}
	j.line()
	j.comma = false
}

func termCapped(t *engine.TermColumn, row int) bool { return row < len(t.Factor) && t.Capped(row) }

func sumCapped(s *engine.SumColumn, row int) bool { return row < len(s.Sum) && s.Capped(row) }
