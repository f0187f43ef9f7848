package convert

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// rest is the policy file of what slurm.conf cannot say and a push can: terms that add to the priority. Each is one
// that the list reports; the findings about it then say where it is.
type rest struct {
	*conversion
	lost  map[source.Span]bool // what the list reports as lost
	taken map[source.Span]bool // and what of it the rest has
	rows  map[schema.ColumnID]bool
	body  strings.Builder
}

// writeRest writes the rest, nil if it is empty. What it says is not lost.
func (w *conversion) writeRest(name, cluster string) []byte {
	r := &rest{conversion: w, lost: map[source.Span]bool{}, taken: map[source.Span]bool{},
		rows: map[schema.ColumnID]bool{}}
	for _, d := range *w.Diags {
		if d.Code == "convert-not-said" && !d.Span.IsZero() {
			r.lost[d.Span] = true
		}
	}
	shared := map[source.Span]int{} // of terms that for_each makes: the list may name one of them
	for _, c := range w.Policy.Components {
		for _, t := range c.Terms {
			shared[t.Span]++
		}
	}
	for i := range w.Policy.Components {
		c := &w.Policy.Components[i]
		again := func(t ir.Term) bool { return !draft.FromLibrary(t.Span) && shared[t.Span] > 1 }
		own := w.Foreign() || draft.Component(w.Library, c.Name) == nil // else slurmctld adds its own
		if own && !slices.ContainsFunc(c.Terms, again) {
			r.component(c)
		}
	}
	if r.body.Len() == 0 {
		return nil
	}
	text := "# Made by `fairway convert`: what slurm.conf cannot say. Push it with the files of Slurm:\n" +
		"# fairway push slurm.conf assoc.cfg " + draft.OneLine(name) + " --live --to slurm\n" +
		"policy " + draft.Quote(cluster) + " {\n" + r.credentials() + r.body.String() + "}\n"
	canonical, found := lower.Format(source.NewFile("rest", []byte(text)), lower.HCL)
	if found.HasErrors() {
		return nil
	}
	for _, d := range *w.Diags {
		if d.Code == "convert-not-said" && r.taken[d.Span] {
			d.Code, d.Severity = "convert-rest", diag.Info
			d.Note("%s has it, and fairway push hands it to Slurm", name)
		}
	}
	return canonical
}

// component adds what is lost of a component.
func (r *rest) component(c *ir.Component) {
	weight, ok := draft.Constant(c.Weight)
	if !c.Weight.IsSet() {
		weight, ok = 1, true
	}
	if r.Scale > 0 {
		weight *= r.Scale
	}
	if !ok || weight == 0 {
		return
	}
	var terms strings.Builder
	var places []source.Span
	whole := true // all of the component is here
	for k := range c.Terms {
		text, at, all := r.term(c, &c.Terms[k])
		terms.WriteString(text)
		places = append(places, at...)
		whole = whole && all
	}
	limit, bounded := draft.Constant(c.Cap)
	if terms.Len() == 0 || c.Cap.IsSet() && !bounded || limit > 0 && !whole {
		return
	}
	r.body.WriteString("\ncomponent " + draft.Quote("rest_"+c.Name) + " {\n")
	if weight != 1 {
		r.body.WriteString("weight = " + numeral(weight) + "\n")
	}
	if limit > 0 {
		r.body.WriteString("cap = " + numeral(limit) + "\n")
		places = append(places, placesOf(c.Cap)...)
	}
	if whole {
		places = append(places, placesOf(c.Weight)...)
	}
	r.body.WriteString(terms.String() + "}\n")
	for _, s := range places {
		r.taken[s] = true
	}
}

// term is a term that is lost, or what credentials add to the weight of one that is not; all reports one of which
// nothing counts elsewhere.
func (r *rest) term(c *ir.Component, t *ir.Term) (text string, places []source.Span, all bool) {
	weight, factor, limit := r.folded(t.Weight), r.folded(t.Factor), r.folded(t.Cap)
	if weight.IsZero() || factor.IsZero() {
		return "", nil, true
	}
	places = append(append(append([]source.Span{t.Span}, placesOf(t.Weight)...), placesOf(t.Factor)...),
		placesOf(t.Cap)...)
	less := 0.0
	all = slices.ContainsFunc(append([]source.Span{t.Span}, placesOf(t.Weight)...), r.isLost) ||
		draft.PlaceOf(t.Weight).IsZero() && slices.ContainsFunc(placesOf(c.Weight), r.isLost)
	columns := weight.Expr.Columns()
	if !all { // what credentials add to its weight may be, and all of it where that is 0 else
		usual := draft.Component(r.Library, c.Name)
		if usual == nil || len(columns) == 0 || draft.Term(usual, t.Name) == nil {
			return "", nil, false
		}
		less, _, _ = r.Value(t.Weight, draft.Term(usual, t.Name).Weight, "WEIGHT")
	}
	counts := all
	if all = all || less == 0; all {
		columns = append(columns, factor.Expr.Columns()...)
	} else {
		places = nil
	}
	for _, id := range columns {
		rows, ok := r.rowsOf(id)
		if !ok {
			return "", nil, false
		}
		for _, s := range rows {
			counts = counts || r.lost[s]
		}
		places = append(places, rows...)
	}
	if !counts {
		return "", nil, false
	}
	text, ok := termText(t.Name, lessened(weight, less), limit, factor)
	if !ok {
		return "", nil, false
	}
	if r.isRefused("component \"c\" {\n" + text + "}") {
		return "", nil, false
	}
	for _, id := range columns {
		r.rows[id] = true
	}
	return text, places, all
}

// folded is a number with what the policy's credentials have, where the policy says it of all. In Maui each job has
// a QOS.
func (r *rest) folded(s ir.Scalar) ir.Scalar {
	if r.Policy.Family != "maui" {
		return fold.Scalar(s)
	}
	s = diff.Grounded(r.Policy)(s)
	if s.IsSet() {
		s.Expr = expr.Fold(withQOS(s.Expr))
	}
	return s
}

func withQOS(e *expr.Expr) *expr.Expr {
	if e.Op == expr.Opaque && e.Text == `job.qos == ""` {
		return expr.NewConst(schema.BoolValue(false), e.Span)
	}
	copied := *e
	copied.Args = make([]*expr.Expr, len(e.Args))
	for i, a := range e.Args {
		copied.Args[i] = withQOS(a)
	}
	return &copied
}

// lessened is a weight without what slurm.conf has of it.
func lessened(s ir.Scalar, less float64) ir.Scalar {
	if s.Expr == nil {
		return s
	}
	if e := s.Expr; e.Func == "int64_to_double" && e.Args[0].Func == "add_int64" && e.Args[0].Args[0].IsConst() &&
		e.Args[0].Args[0].Value.Number() == less {
		s.Expr = &expr.Expr{Op: expr.Call, Type: schema.Double, Func: e.Func, Args: e.Args[0].Args[1:]}
		return s
	}
	if less == 0 {
		return s
	}
	s.Expr = &expr.Expr{Op: expr.Call, Type: schema.Double, Func: "subtract_double",
		Args: []*expr.Expr{s.Expr, expr.NewConst(schema.DoubleValue(less), s.Expr.Span)}}
	return s
}

// termText is a term of a policy file, false for one that has an expression without a text of its own.
func termText(name string, weight, limit, factor ir.Scalar) (text string, ok bool) {
	text = "term " + draft.Quote(name) + " {\n"
	if one, is := draft.Constant(weight); weight.IsSet() && (!is || one != 1) {
		value, ok := attribute(weight)
		if !ok {
			return "", false
		}
		text += "weight = " + value + "\n"
	}
	if most, is := draft.Constant(limit); limit.IsSet() && (!is || most > 0) {
		value, ok := attribute(limit)
		if !ok {
			return "", false
		}
		text += "cap = " + value + "\n"
	}
	value, ok := cel(factor.Expr)
	return text + "factor = " + draft.Quote(value) + "\n}\n", ok
}

// attribute is a number, or the text of an expression.
func attribute(s ir.Scalar) (string, bool) {
	if value, ok := draft.Constant(s); ok {
		return numeral(value), true
	}
	text, ok := cel(s.Expr)
	return draft.Quote(text), ok
}

func (r *rest) isLost(s source.Span) bool { return r.lost[s] }

// isRefused reports blocks that are no policy in themselves.
func (r *rest) isRefused(blocks string) bool {
	unit, found := lower.Parse(source.NewFile("rest", []byte("policy \"p\" {\n"+blocks+"\n}\n")), lower.HCL, lower.Files{})
	if !found.HasErrors() {
		_, found = lower.Lower([]lower.Unit{unit}, lower.Options{})
	}
	return found.HasErrors()
}

// measured are columns that the policy's own scheduler makes of what it has seen, and Slurm has no record of.
var measured = map[string]bool{"fairshare_delta": true, "fairshare_factor": true, "bypass_count": true,
	"soft_policy_violation": true}

// rowsOf are the places of what credentials have of a column; false for a column that is not the same in Slurm.
func (r *rest) rowsOf(id schema.ColumnID) (places []source.Span, ok bool) {
	_, native := match.SlurmColumn(id)
	if measured[id.Name()] || id.Object() == "association" {
		return nil, false
	}
	if id.Object() == "job" {
		return nil, true
	}
	rows := r.Rows(id)
	for _, row := range rows {
		if row.Value.Type != schema.Int && row.Value.Type != schema.Double {
			return nil, false
		}
		places = append(places, row.Span)
	}
	return places, !native || len(rows) == 0
}

// credentials are the blocks of those that the terms read.
func (r *rest) credentials() string {
	type key struct{ object, name string }
	var order []key
	lines := map[key]string{}
	for i := range r.Policy.Tables {
		id := r.Policy.Tables[i].Column
		if !r.rows[id] {
			continue
		}
		for _, row := range r.Rows(id) {
			k := key{id.Object(), row.Name}
			if lines[k] == "" {
				order = append(order, k)
			}
			lines[k] += id.Name() + " = " + numeral(row.Value.Number()) + "\n"
		}
	}
	var b strings.Builder
	for _, k := range order {
		b.WriteString(k.object + " " + draft.Quote(k.name) + " {\n" + lines[k] + "}\n")
	}
	return b.String()
}

// placesOf are where a site wrote what a number is made of.
func placesOf(s ir.Scalar) (list []source.Span) {
	if at := draft.PlaceOf(s); !at.IsZero() {
		list = append(list, at)
	}
	for _, from := range s.Sources {
		if !from.Span.IsZero() {
			list = append(list, from.Span)
		}
	}
	return list
}

func numeral(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// cel is an expression as a policy file has it, false for one that has no text of its own.
func cel(e *expr.Expr) (text string, ok bool) {
	if e == nil {
		return "", true
	}
	args, ok := make([]string, len(e.Args)), true
	for i, a := range e.Args {
		if e.Op == expr.Opaque {
			break
		}
		arg, is := cel(a)
		args[i], ok = arg, ok && is
	}
	switch e.Op {
	case expr.Const:
		return constant(e.Value)
	case expr.Column:
		return string(e.Column), true
	case expr.Present:
		return "has(" + string(e.Column) + ")", true
	case expr.And:
		return "(" + strings.Join(args, " && ") + ")", ok
	case expr.Or:
		return "(" + strings.Join(args, " || ") + ")", ok
	case expr.Cond:
		return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")", ok
	case expr.Opaque:
		return opaque(e)
	}
	f := schema.FunctionByOverload(e.Func)
	if f == nil {
		return "", false
	}
	operator := strings.Trim(f.Name, "_")
	switch {
	case !strings.Contains(f.Name, "_"):
		return f.Name + "(" + strings.Join(args, ", ") + ")", ok
	case len(args) == 1:
		return operator + "(" + args[0] + ")", ok
	}
	return "(" + args[0] + " " + operator + " " + args[1] + ")", ok
}

// opaque is the text of a part that has no kernels, if it reads nothing that the rest has not.
func opaque(e *expr.Expr) (string, bool) {
	for _, name := range []string{"param.", "define.", "documented.", "each.", "version"} {
		if strings.Contains(e.Text, name) {
			return "", false
		}
	}
	return "(" + e.Text + ")", true
}

// constant is a value as CEL writes it.
func constant(v schema.Value) (string, bool) {
	switch {
	case v.Type == schema.Double && math.IsInf(v.Double, 0):
		return fmt.Sprintf("double('%g')", v.Double), true
	case v.Type == schema.Double && !math.IsNaN(v.Double), v.Type == schema.Int, v.Type == schema.Bool,
		v.Type == schema.String:
		return v.String(), true
	}
	return "", false
}
