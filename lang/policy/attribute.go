package policy

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/fairway-sched/fairway/lang/schema"
)

// attribute evaluates an attribute. It is not set when it is null, and not ok
// when a fault was reported.
func (e *evaluator) attribute(a *hclsyntax.Attribute, ad *AttrDoc, in *each) (attr, bool) {
	out := attr{name: a.Name, nameSpan: e.span(a.NameRange)}
	ok := false
	switch {
	case ad.Type == ValueList:
		return e.valueList(a, in)
	case ad.Type == Map:
		out.Span = e.span(a.Expr.Range())
		out.entries, ok = e.entries(a, ad, in)
	case ad.Kind == Constant:
		out.Scalar, ok = e.constant(a, ad, in)
	default:
		out.Scalar, ok = e.expression(a, ad, in)
	}
	return out, ok
}

// constant evaluates an attribute to a value of its type.
func (e *evaluator) constant(a *hclsyntax.Attribute, ad *AttrDoc, in *each) (Scalar, bool) {
	v, params, ok := e.eval(a.Expr, in)
	if !ok {
		return Scalar{}, false
	}
	return e.typed(v, params, a.Expr, ad)
}

// typed gives a value the type of its attribute.
func (e *evaluator) typed(v cty.Value, params []string, x hclsyntax.Expression, ad *AttrDoc) (Scalar, bool) {
	span := e.span(x.Range())
	loose, fault := fromCty(v)
	if fault == "" && !loose.Known() {
		return Scalar{}, true // null: not set
	}
	if fault == "" {
		loose, fault = coerce(ad, loose)
	}
	if fault != "" {
		d := e.diags.Errorf("policy-wrong-type", span, "%s is %s", ad.Name, fault)
		if h := hint(ad.Type); h != "" {
			d.Note("%s", h)
		}
		return Scalar{}, false
	}
	if !checkWords(e.diags, ad, loose, span) || !inRange(e.diags, ad, loose, span) {
		return Scalar{}, false
	}
	return Scalar{Value: loose, Span: span, Params: params}, true
}

// entries evaluates a map attribute. Each entry of a literal map keeps its own place.
func (e *evaluator) entries(a *hclsyntax.Attribute, ad *AttrDoc, in *each) ([]entry, bool) {
	object, literal := a.Expr.(*hclsyntax.ObjectConsExpr)
	if !literal {
		return e.computedEntries(a, ad, in)
	}
	var out []entry
	at := map[string]int{} // where in out a name is
	for _, item := range object.Items {
		key, _, ok := e.eval(item.KeyExpr, in)
		if !ok {
			continue
		}
		name, fault := fromCty(key)
		if name.Type == schema.Int {
			name = schema.StringValue(plain(name))
		}
		span := e.span(item.KeyExpr.Range())
		if fault != "" || name.Type != schema.String {
			e.diags.Errorf("policy-wrong-type", span, "the key of %s is not a string", a.Name)
			continue
		}
		if i, twice := at[name.Str]; twice {
			e.diags.Errorf("policy-duplicate-name", span, "%s is given twice in %s", name.Str, a.Name).
				NoteAt(out[i].name.Span, "the first is here")
			continue
		}
		v, params, ok := e.eval(item.ValueExpr, in)
		if !ok {
			continue
		}
		before := len(out)
		if out = e.entry(out, Text{name.Str, span}, v, params, item.ValueExpr, ad); len(out) > before {
			at[name.Str] = before
		}
	}
	return out, true
}

// computedEntries takes a map that an expression gives. Its entries share the
// place of the expression, since that is what a person would edit.
func (e *evaluator) computedEntries(a *hclsyntax.Attribute, ad *AttrDoc, in *each) ([]entry, bool) {
	v, params, ok := e.eval(a.Expr, in)
	if !ok {
		return nil, false
	}
	span := e.span(a.Expr.Range())
	if v.IsNull() {
		return nil, true
	}
	if !isMapping(v.Type()) {
		e.diags.Errorf("policy-wrong-type", span, "%s is not a map", a.Name).Note("write { NAME = value }")
		return nil, false
	}
	var out []entry
	for it := v.ElementIterator(); it.Next(); {
		k, item := it.Element()
		name := k.AsString()
		out = e.entry(out, Text{name, span}, item, params, a.Expr, ad)
	}
	return out, true
}

// entry appends one entry of a map. A null is refused: it is neither a value nor the
// absence of one, which is written by leaving the entry out.
func (e *evaluator) entry(list []entry, name Text, v cty.Value, params []string, x hclsyntax.Expression,
	ad *AttrDoc) []entry {
	s, ok := e.typed(v, params, x, &AttrDoc{Name: name.Value, Type: ad.Element})
	switch {
	case !ok:
		return list
	case !s.IsSet():
		e.diags.Errorf("policy-wrong-type", e.span(x.Range()), "%s is null", name.Value).
			Note("write a value, or leave the entry out")
		return list
	}
	return append(list, entry{name, s})
}
