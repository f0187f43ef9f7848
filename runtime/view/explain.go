package view

import (
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

// explanation is one row's score taken apart: what both the text and the JSON
// form are written from.
type explanation struct {
	r          *engine.Result
	job, row   int
	finish     finish
	components []explainedComponent
}

type explainedComponent struct {
	*program.Component
	column *engine.SumColumn
	failed bool // a term failed: sum and value mean nothing
	weight quantity
	sum    float64
	cap    quantity // known only where there is one
	capped bool
	value  float64
	terms  []explainedTerm
}

type explainedTerm struct {
	*program.Term
	factor       quantity
	weight       quantity
	cap          quantity
	capped       bool
	value        float64 // what it adds to the component's sum
	contribution float64 // what it adds to the score
	failed       bool
	reads        []explainedRead
}

// quantity is a number with what gave it its value.
type quantity struct {
	value   float64
	known   bool
	sources []program.Source
}

// explainedRead is a column that a term read, with its value.
type explainedRead struct {
	id    schema.ColumnID
	value schema.Value
	unit  schema.Unit
	doc   string
	setBy string // for credentials: what set it
	span  source.Span
	share *shareRow // for fairshare of a credential: whose
	node  int       // for an association's fairshare factor: its node, else noNode
}

func explain(r *engine.Result, job, row int) explanation {
	e := explanation{r: r, job: job, row: row, finish: finishOf(r, row)}
	for i := range r.Sums {
		s := &r.Sums[i]
		c := &r.Program.Components[s.Component]
		x := explainedComponent{Component: c, column: s, failed: sumFailed(r, s, row), capped: sumCapped(s, row)}
		x.weight = quantityAt(s.Weight, row, c.Weight)
		x.cap = capAt(s.Cap, row, c.Cap)
		x.sum, _ = at(s.Sum, row)
		x.value, _ = at(s.Value, row)
		for k := range r.Terms {
			if t := &r.Terms[k]; t.Component == s.Component {
				x.terms = append(x.terms, explainTerm(r, t, row))
			}
		}
		e.components = append(e.components, x)
	}
	return e
}

func explainTerm(r *engine.Result, t *engine.TermColumn, row int) explainedTerm {
	term := termOf(r.Program, t)
	x := explainedTerm{Term: term, capped: termCapped(t, row), failed: t.FactorFailed.Get(row)}
	x.factor.value, x.factor.known = factorAt(r, t, row)
	x.factor.sources = term.Factor.Sources
	x.weight = quantity{sources: term.Weight.Sources}
	x.weight.value, x.weight.known = weightAt(r, t, row)
	x.cap = capAt(t.Cap, row, term.Cap)
	x.value, _ = at(t.Value, row)
	x.contribution = contributionAt(r, t, row)
	for i, d := range term.Defines {
		x.reads = append(x.reads, explainedRead{id: schema.ColumnID("define." + d.Name), value: t.Defines[i].Value(row),
			doc: d.Doc, span: d.Span, node: noNode})
	}
	for _, id := range term.Reads {
		x.reads = append(x.reads, explainRead(r, id, row))
	}
	return x
}

func explainRead(r *engine.Result, id schema.ColumnID, row int) explainedRead {
	x := explainedRead{id: id, value: r.Value(id, row), node: nodeBehind(r, id, row)}
	if id == schema.Now {
		x.value = schema.TimestampValue(r.Now)
	}
	doc := schema.Lookup(id)
	if _, c, ok := schema.Aggregate(id); ok {
		doc = c
	}
	if doc != nil {
		x.unit, x.doc = doc.Unit, doc.Doc
	}
	x.setBy, x.span = credentialPlace(r, id, row)
	if x.share = shareBehind(r, id, row); x.share != nil && r.Windows.Model.Ratio && id.Name() == "fairshare_delta" {
		x.unit = schema.Ratio
	}
	return x
}

func quantityAt(values []float64, row int, n program.Number) quantity {
	v, ok := at(values, row)
	return quantity{value: v, known: ok, sources: n.Sources}
}

// capAt is a cap in force; one that is not above zero is none.
func capAt(values []float64, row int, n program.Number) quantity {
	q := quantityAt(values, row, n)
	q.known = q.known && q.value > 0
	return q
}

// matters reports whether the term did anything, so that it must be shown.
func (t *explainedTerm) matters() bool {
	return t.contribution != 0 || t.failed || t.factor.known && t.factor.value != 0 && t.weight.value != 0
}

// valueText is a column's value for people.
func valueText(v schema.Value) string {
	switch v.Type {
	case schema.Invalid:
		return "unknown"
	case schema.Bool:
		if v.Int != 0 {
			return "true"
		}
		return "false"
	case schema.Double:
		return exact(v.Double)
	case schema.String:
		return `"` + source.Plain(v.Str) + `"`
	case schema.StringList:
		return "[" + source.Plain(joined(v.List)) + "]"
	case schema.Timestamp:
		return time.Unix(v.Int, 0).UTC().Format("2006-01-02 15:04:05Z")
	case schema.Duration:
		return time.Duration(v.Int).String()
	}
	return exact(float64(v.Int))
}

// unitText is the unit as it stands after a number.
func unitText(u schema.Unit) string {
	if u == schema.None || u == schema.Count || u == schema.Epoch || u == schema.Ratio {
		return ""
	}
	return " " + string(u)
}

// fromText says what gave a number its value: parameters and places, or default.
func fromText(sources []program.Source) string {
	if len(sources) == 0 {
		return ""
	}
	var parts []string
	for _, s := range sources {
		place := "default"
		if !s.Span.IsZero() {
			place = s.Span.String()
		}
		name := s.Name
		if s.Value.Known() {
			name += " = " + valueText(s.Value)
		}
		parts = append(parts, strings.TrimSpace(name)+" ("+place+")")
	}
	return joined(parts)
}
