package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// coerce gives a constant the type of its attribute. The fault reads after
// "NAME is", and is empty when all is well.
func coerce(a *AttrDoc, v schema.Value) (out schema.Value, fault string) {
	switch a.Type {
	case Number:
		if f, ok := number(v); ok {
			return schema.DoubleValue(f), ""
		}
		return out, "not a number"
	case Integer, Depth:
		if v.Type == schema.Int {
			return v, ""
		}
		if a.Type == Depth && v.Type == schema.String && isUnlimited(v.Str) {
			return schema.IntValue(slurmtext.Infinite), ""
		}
		return out, "not a whole number"
	case Bool:
		if v.Type == schema.Bool {
			return v, ""
		}
		return out, "not true or false"
	case String:
		if v.Type == schema.String {
			return v, ""
		}
		return out, "not a string"
	case List:
		if v.Type == schema.StringList {
			return v, ""
		}
		return out, "not a list of strings"
	case Names:
		if v.Type == schema.String {
			return schema.ListValue([]string{v.Str}), ""
		}
		if v.Type == schema.StringList {
			return v, ""
		}
		return out, "neither a string nor a list of strings"
	case Duration:
		return coerceQuantity(a, v, "no duration", parseDuration)
	case Memory:
		return coerceQuantity(a, v, "no memory size",
			func(s string) (float64, bool) { return parseMemory(strings.ToUpper(s)) })
	case Bound:
		return coerceBound(v)
	case Timestamp:
		return coerceTimestamp(v)
	case Share:
		if f, ok := number(v); ok {
			return schema.DoubleValue(f), ""
		}
		if v.Type == schema.String && v.Str == "parent" {
			return v, ""
		}
		return out, "neither a number nor \"parent\""
	}
	return v, ""
}

// coerceQuantity takes a number in the attribute's unit, or text.
func coerceQuantity(a *AttrDoc, v schema.Value, fault string, parse func(string) (float64, bool)) (schema.Value,
	string) {
	f, ok := number(v)
	if v.Type == schema.String {
		if f, ok = parse(v.Str); ok && a.Unit == schema.Minutes {
			f /= 60
		}
	}
	switch {
	case !ok:
		return schema.Value{}, fault
	case !a.Whole:
		return schema.DoubleValue(f), ""
	case math.IsInf(f, 1):
		return schema.IntValue(slurmtext.Infinite), ""
	case f != math.Trunc(f) || math.Abs(f) > 1<<53:
		return schema.Value{}, fmt.Sprintf("not a whole number of %s", a.Unit)
	}
	return schema.IntValue(int64(f)), ""
}

// coerceBound reads a limit's bound, which may count anything: lower-case
// letters are units of time and upper-case ones of memory.
func coerceBound(v schema.Value) (schema.Value, string) {
	if f, ok := number(v); ok {
		return schema.DoubleValue(f), ""
	}
	if v.Type == schema.String {
		if v.Str == "none" || isUnlimited(v.Str) {
			return schema.DoubleValue(-1), ""
		}
		if f, ok := parseMemory(v.Str); ok {
			return schema.DoubleValue(f), ""
		}
		if f, ok := parseDuration(v.Str); ok {
			return schema.DoubleValue(f), ""
		}
	}
	return schema.Value{}, "no number, duration or memory size"
}

// coerceTimestamp wants a zone in text, because without one it is unknown which clock a
// time without one was read from.
func coerceTimestamp(v schema.Value) (schema.Value, string) {
	switch v.Type {
	case schema.Int:
		return schema.TimestampValue(v.Int), ""
	case schema.String:
		if t, err := time.Parse(time.RFC3339, v.Str); err == nil {
			return schema.TimestampValue(t.Unix()), ""
		}
	}
	return schema.Value{}, "no time"
}

// hint says what to type for an attribute of this type.
func hint(t Type) string {
	switch t {
	case Duration:
		return `write seconds as a number, or text such as "12h", "1h30m", "12:00:00" or "7-0"; ` +
			`"90" and "1:30" are refused because the schedulers read them differently`
	case Memory:
		return `write MB as a number, or text such as "512M" or "16G"`
	case Bound:
		return `write a number, or text such as "12h" (lower-case letters count time), ` +
			`"16G" (upper-case ones memory) or "none"`
	case Timestamp:
		return `write epoch seconds, or text such as "2026-03-01T12:00:00Z"`
	case List:
		return `write ["a", "b"]`
	case Depth:
		return `write a number without decimals, or "unlimited"`
	case String:
		return "put it in double quotes"
	}
	return ""
}

// wrongWord reports a word that is not one of those allowed.
func wrongWord(diags *diag.List, span source.Span, name, word string, words []string) {
	d := diags.Errorf("policy-wrong-word", span, "%q is no value of %s", word, name)
	if near := diag.Nearest(word, words); near != "" {
		d.Note("did you mean %q?", near).Suggest(span, quote(near))
	}
	d.Note("it is one of %s", strings.Join(words, ", "))
}

// checkWords tests the text of an attribute that allows certain words only.
func checkWords(diags *diag.List, a *AttrDoc, v schema.Value, span source.Span) bool {
	if len(a.Values) == 0 || v.Type != schema.String || slices.Contains(a.Values, v.Str) {
		return true
	}
	wrongWord(diags, span, a.Name, v.Str, a.Values)
	return false
}

// plain prints a constant as a person would type it.
func plain(v schema.Value) string {
	if v.Type == schema.Double {
		return strings.TrimSuffix(v.String(), ".0")
	}
	return v.String()
}
