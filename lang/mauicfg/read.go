package mauicfg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// setting is one value to read, with all that decides how.
type setting struct {
	row      stdlib.Param
	st       *statement
	attr     *word  // the attribute's text, nil for a parameter
	label    string // the name shown
	strict   bool   // old-style parameters refuse −1 and text without digits; attributes do not
	previous bool   // a value was set before and is kept if this one is refused
	quiet    bool   // a value of the table itself
}

// value reads the words as the row's type; false if Maui keeps what it had.
func (e *evaluator) value(s setting, words []word) (Value, bool) {
	first := words[0]
	if !s.quiet && s.attr == nil && s.row.Type != "list" && len(words) > 1 {
		rest := words[1].span
		rest.End = words[len(words)-1].span.End
		if strings.HasPrefix(rest.Text(), "//") {
			e.diags.Warnf("maui-slash-comment", rest, "// begins no comment, Maui reads it as part of the line").
				Note("write #; %s takes one value, so that the rest is lost", s.label)
		} else {
			e.diags.Warnf("maui-extra-text", rest, "%s takes one value, Maui ignores the rest of the line", s.label).
				Note("remove it, or write # before a comment")
		}
	}
	switch e.typeOf(s.row) {
	case "int":
		return e.intValue(s, first)
	case "weight":
		return e.weight(s, first)
	case "float":
		return e.floatValue(s, first)
	case "bool":
		return e.boolValue(s, first), true
	case "enum":
		return e.enumValue(s, first)
	case "time":
		return e.timeValue(s, first), true
	case "memory":
		return e.memoryValue(s, first), true
	case "limit":
		return e.limitValue(s, first), true
	case "timelimit":
		return e.timeLimit(s, first), true
	case "fstarget":
		return e.fsTarget(s, first), true
	case "list", "acl", "resources":
		return e.listValue(s, words), true
	}
	return Value{Kind: KindText, Text: unquote(first.text)}, true
}

// refuse reports a value Maui does not take.
func (e *evaluator) refuse(s setting, code string, w word, format string, args ...any) *noteTarget {
	if s.quiet {
		return nil
	}
	d := e.ignore(code, s.st, s.attr, w.span, format, args...)
	return &noteTarget{d}
}

// warn reports a value Maui takes to mean something else.
func (e *evaluator) warn(s setting, code string, w word, format string, args ...any) *noteTarget {
	if s.quiet {
		return nil
	}
	return &noteTarget{e.diags.Warnf(code, w.span, format, args...)}
}

// kept says what a refused value leaves in force.
func (s setting) kept() string {
	switch {
	case s.previous:
		return "the value set before stays"
	case s.row.Default != "":
		return "the default " + s.row.Default + " stays"
	}
	return "it stays unset"
}

// enumValue matches exactly; anything else leaves the value as it was.
func (e *evaluator) enumValue(s setting, w word) (Value, bool) {
	text := unquote(w.text)
	v := Value{Kind: KindEnum, Text: text}
	name, suffix := text, ""
	switch s.row.Name {
	case "FSPOLICY": // a trailing % asks for ratios; a true boolean is the oldest policy
		if name = strings.TrimSuffix(text, "%"); name != text {
			suffix = "%"
		}
		if slices.Contains(trueWords, name) {
			name, v.Text = "DEDICATEDPS", "DEDICATEDPS"+suffix
		}
		if now, ok := manualPolicies[name]; ok && e.opt.ManualPolicies {
			name, v.Text = now, now+suffix
		}
	case "RMTYPE", "TYPE": // TYPE:SUBTYPE
		name, _, _ = strings.Cut(text, ":")
	}
	if len(s.row.Enum) == 0 || slices.Contains(s.row.Enum, name) {
		return v, true
	}
	if e.opt.ManualMetrics && s.row.Name == "BACKFILLMETRIC" && slices.Contains(manualMetrics, name) {
		return v, true
	}
	upper := strings.ToUpper(name)
	switch {
	case slices.Contains(s.row.Enum, upper) && e.opt.CaseInsensitive:
		v.Text = upper + strings.TrimPrefix(text, name)
		return v, true
	case slices.Contains(s.row.Enum, "OFF") && slices.Contains(falseWords, name):
		v.Text = "OFF" // the switches of old-style limits also take a boolean
		return v, true
	case slices.Contains(s.row.Enum, upper):
		e.refuse(s, "maui-wrong-case", w, "%s must be written in capitals, Maui refuses it", name).
			note("values are case-sensitive; %s", s.kept()).suggest(w.span, upper+strings.TrimPrefix(text, name))
	case (text == "NONE" || text == "[NONE]") && !s.previous && s.row.Default == "":
		return v, false // the usual way to write "not set", and it leaves it unset
	default:
		e.refuse(s, "maui-bad-enum", w, "%s is no value of %s", text, s.label).
			note("the values are %s; %s", strings.Join(s.row.Enum, " "), s.kept()).
			didYouMean(w.span, name, s.row.Enum)
	}
	return v, false
}

// listValue reads words, or the parts of an attribute's text.
func (e *evaluator) listValue(s setting, words []word) Value {
	v := Value{Kind: KindList}
	if s.attr != nil || s.row.Type == "resources" {
		v.Text = words[0].text
		v.List = strings.FieldsFunc(v.Text, splitter(s.row))
		if s.row.Type == "resources" {
			for i, pair := range v.List {
				v.List[i] = strings.Replace(pair, ":", "=", 1)
			}
		}
	} else {
		for _, w := range words {
			if len(w.text) > maxName {
				e.refuse(s, "maui-truncated", word{span: w.span},
					"this element is longer than %d characters, Maui drops the rest", maxName).
					note("shorten the name")
				w.text = w.text[:maxName]
			}
			v.List = append(v.List, w.text)
		}
		v.Text = joinWords(words)
		if !s.quiet && s.st.noted {
			// MCfgAdjustBuffer blanks a comment but leaves its #.
			v.List = append(v.List, "#")
			e.diags.Warnf("maui-comment-in-list", s.st.span, "the # of the comment becomes one more element of %s",
				s.label).
				Note("put the comment on a line of its own")
		}
	}
	e.checkElements(s, words, v.List)
	return v
}

// splitter says what separates the parts of an attribute's list.
func splitter(row stdlib.Param) func(rune) bool {
	separators := ",:"
	switch {
	case row.Type == "resources":
		separators = ";,+"
	case row.Name == "GRES" || row.Name == "RESOURCES" || row.Name == "HOSTLIST" || row.Name == "NETWORK":
		separators = "," // their elements hold colons, or brackets with them
	}
	return func(r rune) bool { return strings.ContainsRune(separators, r) }
}

// checkElements looks for elements that hold none of the names the table knows;
// Maui searches the text for the names, so one inside a longer word counts.
func (e *evaluator) checkElements(s setting, words []word, list []string) {
	if s.quiet || len(s.row.Enum) == 0 {
		return
	}
	flags := s.row.Name == "QFLAGS" || s.row.Name == "QOSFLAGS" // whose names count in capitals only
	for _, element := range list {
		has := func(name string) bool {
			if flags && !e.opt.CaseInsensitive {
				return strings.Contains(element, name)
			}
			return strings.Contains(strings.ToUpper(element), strings.ToUpper(name))
		}
		if element == "#" || strings.Contains(element, "[NONE]") {
			continue
		}
		span := words[0].span
		for _, w := range words {
			if at := strings.Index(w.span.Text(), element); at >= 0 {
				span = w.span.Sub(at, at+len(element))
				break
			}
		}
		if i := slices.IndexFunc(s.row.Enum, has); i >= 0 {
			if name := s.row.Enum[i]; flags && !slices.Contains(s.row.Enum, strings.ToUpper(element)) {
				e.diags.Infof("maui-flag-within", span,
					"%s counts as %s, because Maui looks for the name anywhere in the text", element, name).
					Note("write %s, if that is meant", name).
					DidYouMean(span, element, s.row.Enum)
			}
			continue
		}
		d := e.refuse(
			s,
			"maui-bad-element",
			word{text: element, span: span},
			"%s is no element of %s",
			element,
			s.label,
		)
		if flags && strings.HasPrefix(element, "IGN") &&
			(strings.HasSuffix(element, "GROUP") || strings.HasSuffix(element, "ACCOUNT")) {
			d.note("the names that end in PERUSER lift the limits of every credential, not the user's alone")
		}
		d.note("the names are %s", strings.Join(s.row.Enum, " ")).
			didYouMean(span, strings.ToUpper(element), s.row.Enum)
	}
}

// The words of Maui's boolean tables, in its spelling.
var (
	trueWords  = []string{"1", "true", "True", "TRUE", "ON", "yes", "Yes", "YES"}
	falseWords = []string{"0", "false", "False", "FALSE", "off", "Off", "OFF", "no", "No", "NO"}
)

// boolValue follows Maui's two lists of words: only the words against the default count,
// anything else is the default. "on" and "On" are missing among the true words.
func (e *evaluator) boolValue(s setting, w word) Value {
	standard := slices.Contains(trueWords, s.row.Default)
	text := w.text
	if e.opt.CaseInsensitive {
		text = strings.ToUpper(text)
	}
	v := Value{Kind: KindBool, Bool: standard}
	switch {
	case slices.Contains(trueWords, text):
		v.Bool = true
	case slices.Contains(falseWords, text):
		v.Bool = false
	default:
		e.warn(s, "maui-bad-bool", w, "%s is no boolean to Maui, %s becomes its default %s", w.text, s.label,
			boolWord(standard)).
			note("write TRUE or FALSE")
	}
	return v
}

// boolWord is how the manual writes a boolean.
func boolWord(b bool) string { return map[bool]string{true: "TRUE", false: "FALSE"}[b] }

// tail is the span of a word's last bytes, for messages about what follows a number.
func tail(w word, rest string) source.Span {
	n := int(w.span.End - w.span.Start)
	return w.span.Sub(max(0, n-len(rest)), n)
}

// ReadValue reads text as the value of a parameter, of those of the manual alone too, the way
// a line of maui.cfg would be read; false if there is no such parameter or the text is no value.
func ReadValue(name, text string) (Value, bool) {
	v, _, ok := ReadSetting(name, text, Options{ManualNames: true})
	return v, ok
}

// ReadSetting is ReadValue with all that there is to say of the line. The findings are
// in a file that holds "name text". A word that leaves the parameter unset gives an empty
// value.
func ReadSetting(name, text string, opt Options) (Value, diag.List, bool) {
	if strings.ContainsAny(name+text, "\n\\") {
		return Value{}, nil, false // these would begin another line or join two
	}
	file, found := Parse(source.NewFile(name, []byte(name+" "+text)))
	if file.Template != "" {
		return Value{}, found, false
	}
	e := newEvaluator(opt)
	known := false
	for i := range file.Lines {
		if file.Lines[i].Kind != SettingLine {
			continue
		}
		st := newStatement(&file.Lines[i])
		if row, ok := e.known(st); ok && canonical(row) == name && !IsFamily(row) {
			known = true
			e.layout(st, row)
			e.param(row, []*statement{st})
		}
	}
	found = append(found, e.diags.List()...)
	switch {
	case known && len(e.cfg.Params) == 1:
		return e.cfg.Params[0].Value, found, !found.HasErrors()
	case known && len(found) == 0:
		return Value{Kind: KindEnum}, nil, true
	}
	return Value{}, found, false
}

// targetSuffix is the character after a fairshare target.
var targetSuffix = map[byte]TargetKind{'+': Floor, '-': Ceiling, '^': AbsoluteCap, '%': RelativeCap}

const targetSuffixes = "+ is a floor, - a ceiling, % a cap in percent of all usage, ^ a cap in units of usage; " +
	"none of them a target in percent"

// fsTarget reads a percentage and the one character that says what kind it is.
func (e *evaluator) fsTarget(s setting, w word) Value {
	n := parseFloat(w.text)
	v := Value{Kind: KindFSTarget, Float: n.Float, Target: Target}
	if n.Rest != "" && n.Found {
		if kind, ok := targetSuffix[n.Rest[0]]; ok {
			v.Target, n.Rest = kind, n.Rest[1:]
		}
	}
	if rest := n.Rest; n.Found && rest != "" && rest != "#" && rest[0] != ':' {
		e.warn(s, "maui-number-rest", word{text: rest, span: tail(w, rest)},
			"%s is read as %s, the rest is dropped", w.text, w.text[:len(w.text)-len(rest)]).
			note("one character may follow the number: %s", targetSuffixes)
		n.Rest = ""
	}
	e.accept(s, w, n, fmt.Sprint(n.Float), false, false)
	e.negativeTarget(s, w, v)
	return v
}

// negativeTarget: a cap is compared with usage whatever its sign (MFSCheckCap), a target of
// less than nothing is taken for none (MFSCalcFactor).
func (e *evaluator) negativeTarget(s setting, w word, v Value) {
	switch {
	case v.Float >= 0:
	case v.Target == AbsoluteCap || v.Target == RelativeCap:
		when := ""
		if v.Target == RelativeCap {
			when = " once anybody has used anything"
		}
		e.warn(s, "maui-negative-target", w, "a cap below 0 keeps every job from starting%s", when).
			note("write a cap above 0; to keep jobs out, a limit of theirs or PRIORITY says so more clearly")
	default:
		e.warn(s, "maui-negative-target", w,
			"%s below 0 is none: the target of DEFAULT counts, if there is one", s.label).
			note("write percent of all usage above 0")
	}
}
