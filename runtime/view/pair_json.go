package view

import (
	"io"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// WriteExplainPairJSON writes what WriteExplainPair says as one JSON document.
func WriteExplainPairJSON(w io.Writer, r *engine.Result, a, b int, _ Options) error {
	j := &jsonWriter{w: w}
	p := compare(r, a, b)
	j.open('{')
	j.head(r)
	j.key("first")
	j.job(r, p.first)
	j.key("second")
	j.job(r, p.second)
	j.key("decided_by").str(p.rule.Name)
	j.key("reason").str(p.reason)
	j.key("differences").open('[')
	for _, d := range p.differences {
		j.open('{')
		j.key("name").str(d.name)
		j.key("first").known(d.first.value, !d.first.failed)
		j.key("second").known(d.second.value, !d.second.failed)
		j.key("difference").known(d.size())
		j.key("source").orNull(d.place)
		j.shut('}')
	}
	j.shut(']')
	j.key("flips").open('[')
	for _, f := range p.flips {
		j.open('{')
		j.key("weight").str(f.weight)
		j.key("from").num(f.from)
		j.key("to").num(f.to)
		j.key("past_cap").bool(f.capped)
		j.key("source").orNull(f.place)
		j.shut('}')
	}
	j.shut(']')
	j.key("no_flip").orNull(p.noFlip)
	j.shut('}').line()
	return j.close()
}
