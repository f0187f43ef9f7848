package policy

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// ParamSetting is one entry of `params`. Value is what is there, not yet
// of the declared type: a whole number is an int, any other a double.
type ParamSetting struct {
	Name  Text
	Value schema.Value
	Raw   string
	Span  source.Span // of the value
}

// ParamDecl declares a parameter. A duration is held as int seconds, a memory
// size as int MB, a number as a double, an enum as a string.
type ParamDecl struct {
	Block
	Type       Type
	Default    schema.Value // unknown if there is none
	Min, Max   schema.Value // unknown if there is none
	Unit       string
	Enum       []string
	Aliases    []string
	Since      Text
	Until      Text
	Deviations Text
}

// Convert gives the setting the type of its declaration and checks bounds and
// words. The value is unknown when a diagnostic is an error.
func (d *ParamDecl) Convert(s ParamSetting) (schema.Value, diag.List) {
	var diags diag.List
	v := d.convert(s.Value, s.Span, &diags)
	return v, diags
}

// convert goes from the type to the words to the bounds and stops at the first
// fault. Bounds that are unknown do not bind.
func (d *ParamDecl) convert(v schema.Value, span source.Span, diags *diag.List) schema.Value {
	a := d.attribute()
	out, fault := coerce(a, v)
	if fault != "" {
		diags.Errorf("policy-wrong-type", span, "%s is %s", d.Name, fault).Note("the parameter's type is %s", d.Type)
		return schema.Value{}
	}
	if len(d.Enum) > 0 && out.Type == schema.String && !slices.Contains(d.Enum, out.Str) {
		wrongWord(diags, span, d.Name, out.Str, d.Enum)
		return schema.Value{}
	}
	if d.Min.Known() && less(out, d.Min) {
		diags.Errorf("policy-out-of-range", span, "%s is below its least value", d.Name).
			Note("it must be at least %s", plain(d.Min))
		return schema.Value{}
	}
	if d.Max.Known() && less(d.Max, out) {
		diags.Errorf("policy-out-of-range", span, "%s is above its greatest value", d.Name).
			Note("it must be at most %s", plain(d.Max))
		return schema.Value{}
	}
	return out
}

// attribute describes the parameter's value as if it were an attribute.
func (d *ParamDecl) attribute() *AttrDoc {
	a := &AttrDoc{Name: d.Name, Type: d.Type}
	switch d.Type {
	case Duration:
		a.Unit, a.Whole = schema.Seconds, true
	case Memory:
		a.Unit, a.Whole = schema.MB, true
	}
	return a
}

// less compares two numbers; anything else is not less.
func less(a, b schema.Value) bool {
	if a.Type == schema.Int && b.Type == schema.Int {
		return a.Int < b.Int
	}
	x, xOK := number(a)
	y, yOK := number(b)
	return xOK && yOK && x < y
}

// number reads any number as a double.
func number(v schema.Value) (float64, bool) {
	switch v.Type {
	case schema.Int:
		return float64(v.Int), true
	case schema.Double:
		return v.Double, true
	}
	return 0, false
}
