package view

import (
	"io"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

// WriteExplainJSON writes what WriteExplain says as one JSON document.
func WriteExplainJSON(w io.Writer, r *engine.Result, job int, o Options) error {
	j := &jsonWriter{w: w}
	e := explain(r, job, int(r.JobRow[job]))
	j.open('{')
	j.head(r)
	j.key("job")
	j.job(r, job)
	j.blocks(r, job)
	j.explainedPlan(o.Plan, job)
	j.bill(r, job)
	j.key("finish").open('{')
	j.key("rule").str(e.finish.rule)
	j.key("override").orNull(e.finish.name)
	j.key("source").place(e.finish.span)
	j.shut('}')
	j.key("components").open('[')
	for i := range e.components {
		j.explainedComponent(r, &e.components[i])
	}
	j.shut(']')
	j.shut('}').line()
	return j.close()
}

// head writes the fields that every document begins with: what was evaluated and how.
func (j *jsonWriter) head(r *engine.Result) {
	j.key("format_version").int(FormatVersion)
	j.key("policy").str(r.Program.Policy)
	j.key("semantics").str(r.Program.Semantics)
	j.key("version").orNull(r.Program.Version)
	j.key("deviations").strings(r.Program.Deviations)
	j.key("without").strings(r.Program.Without)
	j.key("params").open('[')
	for _, p := range r.Program.Params {
		j.open('{').key("name").str(p.Name)
		j.key("value").str(p.Value)
		j.shut('}')
	}
	j.shut(']')
	j.key("now").int(r.Now)
	if r.Pass != 0 {
		j.key("pass").int(r.Pass)
	}
}

func (j *jsonWriter) explainedComponent(r *engine.Result, c *explainedComponent) {
	j.open('{')
	j.key("component").str(c.Name)
	j.key("doc").orNull(c.Doc)
	j.key("value").known(c.value, !c.failed)
	j.quantity("weight", c.weight)
	j.quantity("cap", c.cap)
	j.key("sum").known(c.sum, !c.failed)
	j.key("capped").bool(c.capped)
	j.key("terms").open('[')
	for i := range c.terms {
		j.explainedTerm(r, &c.terms[i])
	}
	j.shut(']')
	j.shut('}')
}

func (j *jsonWriter) explainedTerm(r *engine.Result, t *explainedTerm) {
	j.open('{')
	j.key("term").str(t.Name)
	j.key("doc").orNull(t.Doc)
	j.key("contribution").known(t.contribution, !t.failed)
	j.quantity("weight", t.weight)
	j.quantity("factor", t.factor)
	j.quantity("cap", t.cap)
	j.key("capped").bool(t.capped)
	j.key("reads").open('[')
	for _, read := range t.reads {
		j.open('{')
		j.key("column").str(string(read.id))
		j.key("value").value(read.value)
		j.key("unit").orNull(string(read.unit))
		j.key("doc").orNull(read.doc)
		j.key("set_by").orNull(read.setBy)
		j.key("source").place(read.span)
		if read.share != nil {
			j.key("fairshare")
			j.share(r.Windows, read.share)
		}
		if read.node != noNode {
			j.key("path")
			j.treePath(r, read.node)
		}
		j.shut('}')
	}
	j.shut(']')
	j.shut('}')
}

// quantity writes a number and, beside it, what gave it its value.
func (j *jsonWriter) quantity(name string, q quantity) {
	j.key(name).known(q.value, q.known)
	j.key(name + "_from")
	j.sources(q.sources)
}

func (j *jsonWriter) sources(list []program.Source) {
	j.open('[')
	for _, s := range list {
		j.open('{')
		j.key("name").str(s.Name)
		j.key("value").value(s.Value)
		j.key("source").place(s.Span)
		j.shut('}')
	}
	j.shut(']')
}

// value writes a column's value: times in epoch seconds, durations in seconds.
func (j *jsonWriter) value(v schema.Value) {
	switch v.Type {
	case schema.Invalid:
		j.null()
	case schema.Bool:
		j.bool(v.Int != 0)
	case schema.Double:
		j.num(v.Double)
	case schema.String:
		j.str(v.Str)
	case schema.StringList:
		j.strings(v.List)
	case schema.Duration:
		j.num(float64(v.Int) / 1e9)
	default:
		j.int(v.Int)
	}
}
