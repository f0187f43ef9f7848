package policy

import (
	"strconv"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/fairway-sched/fairway/lang/schema"
)

// elements evaluates for_each: what to make a block for, in order. Maps and
// sets go by their keys, lists as they stand. The key of a list's element is the
// element itself when it is a string or a number; {key, value} objects, as
// tres_weights gives, say their own; any other element has its index.
func (e *evaluator) elements(a *hclsyntax.Attribute, outer *each) []*each {
	v, params, ok := e.eval(a.Expr, outer)
	if !ok {
		return nil
	}
	span := e.span(a.Expr.Range())
	if v.IsNull() || !v.IsWhollyKnown() || !(isSequence(v.Type()) || isMapping(v.Type())) {
		e.diags.Errorf("policy-for-each", span, "for_each is not a list, set or map").
			Note(`write ["a", "b"], { a = 1, b = 2 } or an expression that gives one`)
		return nil
	}
	if outer != nil {
		params = append(params, outer.params...)
	}
	var out []*each
	seen := map[string]bool{}
	index := 0
	for it := v.ElementIterator(); it.Next(); index++ {
		k, item := it.Element()
		el := &each{value: item, params: params}
		if isMapping(v.Type()) {
			el.key = k.AsString()
		} else if el.key, el.value, ok = listKey(item, index); !ok {
			e.diags.Errorf("policy-for-each", span, "element %d of for_each is null", index)
			return nil
		}
		if seen[el.key] {
			e.diags.Errorf("policy-for-each", span, "for_each has the key %q twice", el.key).
				Note("distinct(list) leaves repetitions out")
			return nil
		}
		seen[el.key] = true
		el.cel = map[string]schema.Value{"key": schema.StringValue(el.key)}
		flatten("value", el.value, el.cel)
		out = append(out, el)
	}
	return out
}

// listKey is the key of a list's element, and its value.
func listKey(item cty.Value, index int) (key string, value cty.Value, ok bool) {
	if item.IsNull() {
		return "", item, false
	}
	if t := item.Type(); t.IsObjectType() && len(t.AttributeTypes()) == 2 && t.HasAttribute("key") &&
		t.HasAttribute("value") {
		if k, fault := fromCty(item.GetAttr("key")); fault == "" && k.Type == schema.String {
			return k.Str, item.GetAttr("value"), true
		}
	}
	v, fault := fromCty(item)
	switch {
	case fault == "" && v.Type == schema.String:
		return v.Str, item, true
	case fault == "" && (v.Type == schema.Int || v.Type == schema.Double):
		return plain(v), item, true
	}
	return strconv.Itoa(index), item, true
}

// flatten lists what CEL can see of an element: "value", or "value.NAME" for
// each attribute of an object. A number is always a double, because CEL would
// refuse job.procs * each.value for some numbers and not for others otherwise.
func flatten(path string, v cty.Value, into map[string]schema.Value) {
	if !v.IsNull() && isMapping(v.Type()) {
		for it := v.ElementIterator(); it.Next(); {
			k, item := it.Element()
			flatten(path+"."+k.AsString(), item, into)
		}
		return
	}
	if c, fault := fromCty(v); fault == "" && c.Known() {
		if f, ok := number(c); ok {
			c = schema.DoubleValue(f)
		}
		into[path] = c
	}
}
