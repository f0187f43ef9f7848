package mauicfg

import "fmt"

// targetSuffix is the character after a fairshare target.
var targetSuffix = map[byte]TargetKind{'+': Floor, '-': Ceiling, '^': AbsoluteCap, '%': RelativeCap}

const targetSuffixes = "+ is a floor, - a ceiling, % a cap in percent of all usage, ^ a cap in units of usage; none of them a target in percent"

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
		e.warn(s, "maui-number-rest", word{text: rest, span: tail(w, rest)}, "%s is read as %s, the rest is dropped", w.text, w.text[:len(w.text)-len(rest)]).
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
		e.warn(s, "maui-negative-target", w, "%s below 0 is none: the target of DEFAULT counts, if there is one", s.label).
			note("write percent of all usage above 0")
	}
}
