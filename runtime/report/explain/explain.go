package explain

import (
	"math"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// Explanation is one job's priority taken apart, and what keeps the job from starting.
type Explanation struct {
	eval.Head
	Job        eval.JobReport       `json:"job"`
	Blocks     []explainedBlock     `json:"blocks"`
	Limits     []headroom           `json:"limits"`
	Age        *ageClock            `json:"age"`
	QueueTime  *queueTime           `json:"queue_time"`
	Plan       any                  `json:"plan,omitempty"` // a list, where there is a plan
	Billing    *billing             `json:"billing,omitempty"`
	Finish     finish               `json:"finish"`
	Components []explainedComponent `json:"components"`

	r        *evaluation.Result
	job, row int
	plan     *plan.Plan
}

// Explain takes a job apart.
func Explain(r *evaluation.Result, job int, of *plan.Plan) *Explanation {
	row := int(r.JobRow[job])
	e := &Explanation{Head: eval.HeadOf(r), Job: eval.ReportJob(r, job), Blocks: explainBlocks(r, job),
		Limits: headrooms(r, job), Age: ageClockOf(r, job),
		QueueTime: queueTimeOf(r, job), Billing: billingOf(r, job), Finish: finishOf(r, row),
		Components: componentsOf(r, row),
		r:          r, job: job, row: row, plan: of}
	if of != nil {
		e.Plan = of.ReportsOf(of.PlacesOf(job), true)
	}
	return e
}

type explainedComponent struct {
	Name   string          `json:"component"`
	Doc    string          `json:"doc" form:"ornull"`
	Value  float64         `json:"value"`
	Weight quantity        `json:"weight"`
	Cap    quantity        `json:"cap"` // known only where there is one
	Sum    float64         `json:"sum"`
	Capped bool            `json:"capped"`
	Terms  []explainedTerm `json:"terms"`

	failed bool // a term failed: sum and value mean nothing
	index  int  // of the component
}

type explainedTerm struct {
	Name         string          `json:"term"`
	Doc          string          `json:"doc" form:"ornull"`
	Contribution float64         `json:"contribution"` // what it adds to the score
	Weight       quantity        `json:"weight"`
	Factor       quantity        `json:"factor"`
	Cap          quantity        `json:"cap"`
	Capped       bool            `json:"capped"`
	Reads        []explainedRead `json:"reads"`

	value  float64 // what it adds to the component's sum
	failed bool
}

// quantity is a number with what gave it its value.
type quantity struct {
	value   float64
	known   bool
	sources []program.Source
}

type sourceReport struct {
	Name   string       `json:"name"`
	Value  schema.Value `json:"value"`
	Source source.Span  `json:"source"`
}

// WriteMembers writes the number and, beside it, what gave it its value.
func (q quantity) WriteMembers(j *encode.JSON, name string) {
	var from []sourceReport
	for _, s := range q.sources {
		from = append(from, sourceReport{s.Name, s.Value, s.Span})
	}
	j.Key(name).Value(encode.Known(q.value, q.known)).Key(name + "_from").Value(from)
}

// explainedRead is a column that a term read, with its value.
type explainedRead struct {
	Column schema.ColumnID    `json:"column"`
	Value  schema.Value       `json:"value"`
	Unit   schema.Unit        `json:"unit" form:"ornull"`
	Doc    string             `json:"doc" form:"ornull"`
	SetBy  string             `json:"set_by" form:"ornull"` // for credentials: what set it
	Source source.Span        `json:"source"`
	Share  *eval.ShareReport  `json:"fairshare,omitempty"` // for fairshare of a credential: whose
	Path   []eval.LevelReport `json:"path,omitempty"`      // for an association's fairshare factor

	share *eval.ShareRow
	node  int // of the account tree, else noNode
}

func componentsOf(r *evaluation.Result, row int) (list []explainedComponent) {
	for i := range r.Sums {
		s := &r.Sums[i]
		c := &r.Program.Components[s.Component]
		x := explainedComponent{Name: c.Name, Doc: c.Doc, index: s.Component, failed: eval.SumFailed(r, s, row),
			Capped: eval.SumCapped(s, row)}
		x.Weight, x.Cap = quantityAt(s.Weight, row, c.Weight), capAt(s.Cap, row, c.Cap)
		if x.Sum, x.Value = math.NaN(), math.NaN(); !x.failed {
			x.Sum, _ = eval.At(s.Sum, row)
			x.Value, _ = eval.At(s.Value, row)
		}
		for k := range r.Terms {
			if t := &r.Terms[k]; t.Component == s.Component {
				x.Terms = append(x.Terms, explainTerm(r, t, row))
			}
		}
		list = append(list, x)
	}
	return list
}

func explainTerm(r *evaluation.Result, t *evaluation.TermColumn, row int) explainedTerm {
	term := eval.TermOf(r.Program, t)
	x := explainedTerm{Name: term.Name, Doc: term.Doc, Capped: eval.TermCapped(t, row),
		failed: t.FactorFailed.Get(row),
		Cap:    capAt(t.Cap, row, term.Cap)}
	x.Factor.value, x.Factor.known = eval.FactorAt(r, t, row)
	x.Factor.sources = term.Factor.Sources
	x.Weight = quantity{sources: term.Weight.Sources}
	x.Weight.value, x.Weight.known = eval.WeightAt(r, t, row)
	x.value, _ = eval.At(t.Value, row)
	x.Contribution = encode.Known(eval.ContributionAt(r, t, row), !x.failed)
	for i, d := range term.Defines {
		x.Reads = append(x.Reads, explainedRead{Column: schema.ColumnID("define." + d.Name),
			Value: t.Defines[i].Value(row),
			Doc:   d.Doc, Source: d.Span, node: noNode})
	}
	for _, id := range term.Reads {
		x.Reads = append(x.Reads, explainRead(r, id, row))
	}
	return x
}

func explainRead(r *evaluation.Result, id schema.ColumnID, row int) explainedRead {
	x := explainedRead{Column: id, Value: r.Value(id, row), node: nodeBehind(r, id, row)}
	if id == schema.Now {
		x.Value = schema.TimestampValue(r.Now)
	}
	doc := schema.Lookup(id)
	if _, c, ok := schema.Aggregate(id); ok {
		doc = c
	}
	if doc != nil {
		x.Unit, x.Doc = doc.Unit, doc.Doc
	}
	x.SetBy, x.Source = eval.CredentialPlace(r, id, row)
	if x.share = shareBehind(r, id, row); x.share != nil {
		x.Share = eval.ReportShare(r.Windows, x.share)
		if r.Windows.Model.Ratio && id.Name() == "fairshare_delta" {
			x.Unit = schema.Ratio
		}
	}
	if x.node != noNode {
		x.Path = eval.TreePathOf(r.Tree, x.node)
	}
	return x
}

func quantityAt(values []float64, row int, n program.Number) quantity {
	v, ok := eval.At(values, row)
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
	return t.Contribution != 0 || t.Factor.known && t.Factor.value != 0 && t.Weight.value != 0
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
		return form.Exact(v.Double)
	case schema.String:
		return `"` + source.Plain(v.Str) + `"`
	case schema.StringList:
		return "[" + source.Plain(form.Joined(v.List)) + "]"
	case schema.Timestamp:
		return time.Unix(v.Int, 0).UTC().Format("2006-01-02 15:04:05Z")
	case schema.Duration:
		return time.Duration(v.Int).String()
	}
	return form.Exact(float64(v.Int))
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
	return form.Joined(parts)
}
