package mauicfg

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// noteTarget lets notes be chained on a diagnostic that may not exist: values of
// the table itself are read without any.
type noteTarget struct{ *diag.Diagnostic }

// note is Diagnostic.Note.
func (t *noteTarget) note(format string, args ...any) *noteTarget {
	if t != nil {
		t.Note(format, args...)
	}
	return t
}

// suggest is Diagnostic.Suggest.
func (t *noteTarget) suggest(span source.Span, text string) {
	if t != nil {
		t.Suggest(span, text)
	}
}

// didYouMean is Diagnostic.DidYouMean.
func (t *noteTarget) didYouMean(span source.Span, text string, names []string) {
	if t != nil {
		t.DidYouMean(span, text, names)
	}
}

// intValue reads what C's strtol does in base 0.
func (e *evaluator) intValue(s setting, w word) (Value, bool) {
	n := parseInt(w.text, 0)
	if !e.accept(s, w, n, fmt.Sprint(n.Int), n.Int == 0, n.Int == -1) {
		return Value{}, false
	}
	if !n.TooLarge && (n.Int > math.MaxInt32 || n.Int < math.MinInt32) { // MCfgGetIVal hands an int on
		e.warn(s, "maui-number-too-large", w, "%s does not fit into Maui's integers of 32 bits",
			w.text).note("write a smaller number")
	}
	return Value{Kind: KindInt, Int: int64(e.bounded(s, w, float64(n.Int), n.Int))}, true
}

// floatValue reads what C's strtod does.
func (e *evaluator) floatValue(s setting, w word) (Value, bool) {
	n := parseFloat(w.text)
	if !e.accept(s, w, n, fmt.Sprint(n.Float), n.Float == 0, n.Float == -1) {
		return Value{}, false
	}
	e.bounded(s, w, n.Float, 0)
	return Value{Kind: KindFloat, Float: n.Float}, true
}

// accept reports what is odd about a number. Parameters take 0
// only if it is written with a leading 0, and −1 is their own "not found".
func (e *evaluator) accept(s setting, w word, n number, read string, zero, minusOne bool) bool {
	switch {
	case s.strict && minusOne && !s.quiet: // the table may hold a default of −1
		e.refuse(s, "maui-minus-one", w, "Maui takes -1 for %s as no value", s.label).
			note("%s; write another number", s.kept())
		return false
	case !n.Found && s.strict, s.strict && zero && !strings.HasPrefix(w.text, "0"):
		e.refuse(s, "maui-bad-number", w, "%q is no number to Maui", w.text).
			note("%s; a zero must begin with the digit 0", s.kept())
		return false
	case !n.Found:
		if w.text != "" {
			e.warn(s, "maui-bad-number", w, "%q is no number, Maui reads it as 0", w.text).note("write a number")
		}
	default:
		e.oddNumber(s, w, n, read)
	}
	return true
}

// oddNumber reports a number that is read otherwise than it looks.
func (e *evaluator) oddNumber(s setting, w word, n number, read string) {
	switch {
	case n.TooLarge:
		e.warn(s, "maui-number-too-large", w, "%s is larger than Maui can hold", w.text).note("write a smaller number")
	case n.Octal:
		e.warn(s, "maui-octal", w, "the leading 0 makes %s octal, so it is %s", w.text, read).note("drop the zero")
		return
	}
	switch rest := n.Rest; {
	case rest == "" || rest == "#":
	case rest[0] == ':':
		e.warn(s, "maui-time-on-number", w, "%s is a plain number to Maui, so %s is %s", s.label, w.text, read).
			note("times with colons are not read here; write seconds")
	default:
		e.warn(s, "maui-number-rest", word{text: rest, span: tail(w, rest)}, "%s is read as %s, the rest is dropped",
			w.text, read).
			note("write a whole number, or scale the weights that go with it")
	}
}

// capped lists the parameters whose largest value Maui enforces with the
// size of a table; other bounds are the manual's.
var capped = map[string]bool{"FSDEPTH": true, "RESDEPTH": true}

// bounded compares with the table's bounds and returns the integer Maui keeps.
func (e *evaluator) bounded(s setting, w word, v float64, i int64) int64 {
	if s.quiet {
		return i
	}
	low, high := parseFloat(s.row.Min), parseFloat(s.row.Max)
	switch {
	case high.Found && v > high.Float && capped[s.row.Name]:
		e.warn(s, "maui-out-of-range", w, "%s is at most %s, which Maui uses instead", s.label, s.row.Max).
			note("write a smaller number")
		return int64(high.Float)
	case high.Found && v > high.Float, low.Found && v < low.Float:
		e.warn(s, "maui-out-of-range", w, "%s should be from %s to %s", s.label, s.row.Min, s.row.Max).
			note("Maui does not check it; write a value within the bounds")
	case s.row.Name == "FSDEPTH" && v == high.Float:
		e.warn(s, "maui-out-of-range", w, "FSDEPTH %s overruns Maui's table when usage files are loaded", w.text).
			note("write 23 or less")
	}
	return i
}

// weight reads a component weight; N%% stores the same weight for every N.
func (e *evaluator) weight(s setting, w word) (Value, bool) {
	n := parseInt(w.text, 0)
	if n.Found && strings.HasPrefix(n.Rest, "%") {
		e.warn(s, "maui-percent-weight", w, "%s written with %% becomes %d, whatever the number", s.label,
			percentWeight).
			note("write a plain number")
		return Value{Kind: KindInt, Int: percentWeight}, true
	}
	s.strict = false // read from text, so −1 and words without digits pass
	e.accept(s, w, n, fmt.Sprint(n.Int), false, false)
	return Value{Kind: KindInt, Int: n.Int}, true
}

// clock reports an attribute that is a time of day, which people write as hours and minutes.
func clock(name string) bool { return name == "STARTTIME" || name == "ENDTIME" }

// timeValue never refuses: what cannot be read is 0 to Maui, unlike a number.
func (e *evaluator) timeValue(s setting, w word) Value {
	d := parseTime(unquote(w.text), e.opt.MinuteSecond)
	v := Value{Kind: KindTime, Int: d.Seconds, Absolute: d.Absolute}
	switch {
	case !d.Found && w.text == "":
	case !d.Found:
		e.warn(s, "maui-bad-time", w, "%q is no time, Maui reads %d", w.text, d.Seconds).
			note("write [[DD:]HH:]MM:SS with at least three fields, or seconds, or INFINITY")
	case d.TwoFields && !e.opt.MinuteSecond && clock(s.row.Name): // 8:00 is what it says
	case d.TwoFields && !e.opt.MinuteSecond:
		e.warn(s, "maui-two-field-time", w, "%s is hours and minutes to Maui, not minutes and seconds", w.text).
			note("write three fields, HH:MM:SS")
	case d.Octal:
		e.warn(s, "maui-octal", w, "the leading 0 makes %s octal, so it is %d seconds", w.text,
			d.Seconds).note("drop the zero")
	case d.Rest != "" && d.Rest != "#":
		e.warn(s, "maui-number-rest", word{text: d.Rest, span: tail(w, d.Rest)},
			"%s is read as %d seconds, the rest is dropped", w.text, d.Seconds).
			note("write seconds or HH:MM:SS, without a unit")
	}
	if s.row.Name == "RMPOLLINTERVAL" && d.Seconds <= 0 {
		e.warn(s, "maui-poll-interval", w, "with this RMPOLLINTERVAL Maui schedules without pause").
			note("write a time such as 00:01:00")
	}
	return v
}

// memoryUnits are the MB of each unit letter.
var memoryUnits = map[byte]float64{'b': 1.0 / (1 << 20), 'w': 8.0 / (1 << 20), 'k': 1.0 / (1 << 10), 'm': 1,
	'g': 1 << 10, 't': 1 << 20}

// memoryValue reads a size; without a unit it is MB. Colons make it a time in
// seconds, since limits of time are read the same way.
func (e *evaluator) memoryValue(s setting, w word) Value {
	if strings.Contains(w.text, ":") {
		return Value{Kind: KindMemory, Int: parseTime(w.text, false).Seconds}
	}
	n := parseFloat(w.text)
	mb, rest := n.Float, n.Rest
	if n.Found && rest != "" {
		if unit, ok := memoryUnits[rest[0]|0x20]; ok {
			mb, rest = mb*unit, rest[1:]
			if rest != "" && rest[0]|0x20 == 'w' {
				mb, rest = mb*8, rest[1:]
			}
		}
	}
	n.Rest = rest
	mb = min(max(mb, -math.MaxInt32), math.MaxInt32) // stored in a C int
	e.accept(s, w, n, fmt.Sprintf("%d MB", int64(mb)), false, false)
	return Value{Kind: KindMemory, Int: int64(mb)}
}

// limitValue reads SOFT[,HARD]; one number is both.
func (e *evaluator) limitValue(s setting, w word) Value {
	s.strict = false
	softText, hardText, both := strings.Cut(w.text, ",")
	read := func(text string) int64 {
		n := parseInt(text, 0)
		e.accept(s, word{text: text, span: w.span}, n, fmt.Sprint(n.Int), false, false)
		v := int32Wrapped(n.Int)
		if v != n.Int && !n.TooLarge {
			e.warn(s, "maui-number-too-large", w, "%s overflows Maui's 32-bit limits and becomes %d", text, v).
				note("the largest limit is %d; write -1 for none", math.MaxInt32)
		}
		return v
	}
	v := Value{Kind: KindLimit, Soft: read(softText)}
	v.Hard = v.Soft
	if both {
		v.Hard = read(hardText)
	}
	if v.Hard == 0 && v.Soft != 0 {
		e.warn(s, "maui-hard-zero", w, "%s limits nothing: a hard number of 0 is none of its own, whatever the soft "+
			"one says", s.label).
			note("write %d,%d if the soft number is to limit, or -1 for no limit at all", v.Soft, v.Soft)
	}
	return v
}

// number is what C's strtol or strtod makes of a text: the value of the longest
// prefix that is a number, and what follows it.
type number struct {
	Int      int64
	Float    float64
	Found    bool // a number comes first
	Rest     string
	Octal    bool // a leading 0 made it octal, and another number than it looks
	TooLarge bool
}

// parseInt follows strtol. Base 0 reads 0x… as hexadecimal and 0… as octal.
func parseInt(text string, base int) number {
	s := strings.TrimLeft(text, "\t\n\v\f\r ")
	at, negative := sign(s)
	var n number
	switch digits := s[at:]; {
	case base == 0 && len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X") && digitValue(digits[2]) < 16:
		base, at = 16, at+2
	case base == 0 && strings.HasPrefix(digits, "0"):
		base = 8
	case base == 0:
		base = 10
	}
	start := at
	for ; at < len(s) && digitValue(s[at]) < base; at++ {
		d := int64(digitValue(s[at]))
		if n.Int > (math.MaxInt64-d)/int64(base) {
			n.TooLarge = true
		} else if !n.TooLarge {
			n.Int = n.Int*int64(base) + d
		}
	}
	if n.Found = at > start; !n.Found {
		return number{Rest: text}
	}
	if n.TooLarge {
		n.Int = math.MaxInt64
	}
	if negative {
		n.Int = -n.Int
	}
	n.Rest = s[at:]
	n.Octal = base == 8 && (n.Int > 7 || n.Int < -7 || n.Rest != "" && isDigit(n.Rest[0]))
	return n
}

// parseFloat follows strtod for decimal numbers. The words inf and nan, which C
// takes too, count as no number: no setting can mean them.
func parseFloat(text string) number {
	s := strings.TrimLeft(text, "\t\n\v\f\r ")
	at, _ := sign(s)
	start := at
	at += run(s[at:], isDigit)
	digits := at - start
	if at < len(s) && s[at] == '.' {
		fraction := run(s[at+1:], isDigit)
		if digits += fraction; digits > 0 {
			at += 1 + fraction
		}
	}
	if digits == 0 {
		return number{Rest: text}
	}
	if at < len(s) && s[at]|0x20 == 'e' {
		e, _ := sign(s[at+1:])
		if d := run(s[at+1+e:], isDigit); d > 0 {
			at += 1 + e + d
		}
	}
	v, err := strconv.ParseFloat(s[:at], 64)
	return number{Float: v, Found: true, Rest: s[at:], TooLarge: err != nil}
}

// sign reads an optional + or -.
func sign(s string) (length int, negative bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return 1, s[0] == '-'
	}
	return 0, false
}

// digitValue is the value of a digit in the bases up to 36, else 99.
func digitValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case dialect.IsLetter(c):
		return int(c|0x20-'a') + 10
	}
	return 99
}
