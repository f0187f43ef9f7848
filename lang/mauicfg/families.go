package mauicfg

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// object evaluates one *CFG line: FAMILY[name] ATTR=text ATTR=text …
func (e *evaluator) object(family string, st *statement) {
	index := ""
	if st.hasIndex() {
		e.checkIndex(st)
		index = st.index.text
	}
	switch {
	case !needsIndex(family):
		index = "" // one object, whatever the brackets say
	case index == "":
		e.ignore("maui-missing-index", st, nil, st.name.span, "%s names no object, so Maui skips the line",
			st.name.text).
			Note("write %s[name], or %s[DEFAULT]", family, family)
		return
	}
	if family == "CLASSCFG" {
		e.classes.add(index, st.index.span)
	}
	if len(st.words) == 0 {
		e.ignore("maui-missing-value", st, nil, st.name.span, "%s has no attributes", st.name.text).
			Note("write ATTRIBUTE=value after it, or remove the line")
		return
	}
	if !st.lost.IsZero() {
		return // layout has reported it
	}
	o := e.findObject(family, index, st.line.Span)
	words := e.joinQuoted(family, st)
	for _, w := range words {
		if w.text != "#" {
			e.attribute(o, st, w)
		}
	}
}

// findObject returns the object of that name, new if this is its first line. The
// pointer is good until the next call: the slice may move.
func (e *evaluator) findObject(family, index string, span source.Span) *Object {
	key := family + "[" + index
	if at, ok := e.objects[key]; ok {
		return &e.cfg.Objects[at]
	}
	e.objects[key] = len(e.cfg.Objects)
	e.cfg.Objects = append(e.cfg.Objects, Object{Family: family, Index: index, Span: span})
	return &e.cfg.Objects[len(e.cfg.Objects)-1]
}

// joinQuoted deals with blanks inside quotes. Maui cuts at white space before it
// looks at quotes; only the first token of a NODECFG line is read with quotes
// in mind, so that a PRIORITYF may hold blanks.
func (e *evaluator) joinQuoted(family string, st *statement) []word {
	var out []word
	for i := 0; i < len(st.words); i++ {
		w := st.words[i]
		quote := openQuote(w.text)
		if quote == 0 {
			out = append(out, w)
			continue
		}
		end := i + 1
		for end < len(st.words) && strings.IndexByte(st.words[end].text, quote) < 0 {
			end++
		}
		if end == len(st.words) {
			out = append(out, w) // never closed: every word stands for itself
			continue
		}
		whole := word{text: joinWords(st.words[i : end+1]), span: w.span}
		whole.span.End = st.words[end].span.End
		if family == "NODECFG" && i == 0 {
			out = append(out, whole)
		} else {
			w.quoted = whole.span
			out = append(out, w)
		}
		i = end
	}
	return out
}

// openQuote returns the quote that a text opens and does not close, or 0.
func openQuote(text string) byte {
	var open byte
	for i := range len(text) {
		switch c := text[i]; {
		case open == 0 && (c == '\'' || c == '"'):
			open = c
		case c == open:
			open = 0
		}
	}
	return open
}

// quotable is a word as messages may quote it: after a password it may be a part of that.
func quotable(w word) string {
	if w.span.Shown() != w.span.Text() {
		return source.Hidden
	}
	return w.text
}

// attribute evaluates one ATTR[sub]=text.
func (e *evaluator) attribute(o *Object, st *statement, w word) {
	name, sub, op, value := splitAttribute(w)
	if op.text == "" {
		if st.quotedIndex() && strings.HasSuffix(w.text, "]") {
			return // the rest of an index that a blank cut; that is reported
		}
		e.ignore("maui-no-attribute", st, &w, w.span, "%q is no attribute, Maui skips it", quotable(w)).
			Note("write ATTRIBUTE=value, without blanks around the =")
		return
	}
	row, ok := e.knownAttribute(o.Family, st, name)
	if !ok {
		return
	}
	if !w.quoted.IsZero() {
		e.ignore("maui-quoted-blank", st, &w, w.quoted, "Maui cuts this quoted value at its first blank").
			Note("write the value without blanks; quotes do not keep them together")
	}
	if op.text != "=" {
		e.diags.Warnf("maui-plus-assignment", op.span, "%s sets the value, it does not change it", op.text).
			Note("Maui reads every operator as =").
			Suggest(op.span, "=")
	}
	if len(value.text) > maxName {
		cut := value.span.Sub(maxName, len(value.text))
		e.ignore("maui-truncated", st, &w, cut, "the value is longer than %d characters, Maui drops the rest", maxName).
			Note("shorten it; a second line for the same attribute replaces the first")
		value = word{text: value.text[:maxName], span: value.span.Sub(0, maxName)}
	}
	a := Attr{Name: row.Name, Raw: value.text, Span: w.span}
	if a.Sub, ok = e.sub(o, st, w, row, sub); !ok {
		return
	}
	e.attributeEffect(o, st, row, name)
	if value.text == "" {
		e.diags.Infof("maui-empty-value", w.span, "%s is empty", row.Name).
			Note("Maui reads it as an empty text, or as 0")
	}
	s := setting{row: row, st: st, label: row.Name, attr: &w, previous: o.Attr(a.Name, a.Sub) != nil}
	if a.Value, ok = e.value(s, []word{value}); !ok {
		return
	}
	if o.Family == "NODECFG" && a.Name == "PARTITION" {
		e.partition(a.Value.Text, value.span)
	}
	e.setAttribute(o, a)
}

// overridden is the code of a value that a later one takes the place of: the same one again is no mistake.
func overridden(before, after string) string {
	if before == after {
		return "maui-repeated"
	}
	return "maui-overridden"
}

// setAttribute stores a; the last one wins, except that JOBFLAGS add up
// (their bits are set and never cleared).
func (e *evaluator) setAttribute(o *Object, a Attr) {
	old := o.Attr(a.Name, a.Sub)
	if old == nil {
		o.Attrs = append(o.Attrs, a)
		return
	}
	if a.Name == "JOBFLAGS" {
		a.Value.List = append(old.Value.List, a.Value.List...)
	} else if old.Span != a.Span {
		if old.From != "" { // old-style parameters are read before all records, wherever they are
			e.cfg.Ignored = append(e.cfg.Ignored, Ignored{"maui-overridden", old.From, "", "", old.Raw, old.Span})
			e.diags.Infof(overridden(old.Raw, a.Raw), old.Span, "this %s is overridden by %s of %s[%s]", old.From, a.Name,
				o.Family, o.Index).
				NoteAt(a.Span, "which counts instead, wherever it is written")
		} else {
			e.cfg.Ignored = append(e.cfg.Ignored,
				Ignored{"maui-overridden", o.Family, o.Index, old.Name, old.Raw, old.Span})
			e.diags.Infof(overridden(old.Raw, a.Raw), old.Span, "this %s of %s[%s] is overridden by a later one", old.Name,
				o.Family, o.Index).
				NoteAt(a.Span, "the last one counts")
		}
	}
	*old = a
}

// splitAttribute cuts NAME[sub]=value. ATTR+5 and ATTR-5 also assign.
func splitAttribute(w word) (name, sub, op, value word) {
	n := run(w.text, isAttrByte)
	// piece keeps text and span apart: a # stuck to a value is no byte of it.
	piece := func(from, to int) word {
		return word{text: w.text[from:to], span: w.span.Sub(min(from, int(w.span.End-w.span.Start)),
			min(to, int(w.span.End-w.span.Start)))}
	}
	name, at := piece(0, n), n
	if at < len(w.text) && w.text[at] == '[' {
		if end := strings.IndexByte(w.text[at:], ']'); end > 0 {
			sub = piece(at+1, at+end)
			at += end + 1
		}
	}
	opEnd := at
	switch rest := w.text[at:]; {
	case strings.HasPrefix(rest, "+="), strings.HasPrefix(rest, "-="), strings.HasPrefix(rest, "=="):
		opEnd += 2
	case strings.HasPrefix(rest, "="), n > 0 && len(rest) > 1 && (rest[0] == '+' || rest[0] == '-') && isDigit(rest[1]):
		opEnd++
	}
	if n == 0 {
		opEnd = at
	}
	op, value = piece(at, opEnd), piece(opEnd, len(w.text))
	value.text = unquote(value.text)
	return name, sub, op, value
}

// isAttrByte holds for the letters of attribute names, such as MAX.WCLIMIT.
func isAttrByte(c byte) bool { return dialect.IsLetter(c) || isDigit(c) || c == '.' || c == '_' }

// subWords are the indexes Maui stores a limit under; all others it drops.
var subWords = []string{"USER", "GROUP", "ACCT", "CLASS", "QOS"}

// sub judges the [text] after an attribute. Only MAXJOB and MAXPROC keep it, and
// only MAXJOB[USER] of a class is ever enforced, as recorded runs show.
func (e *evaluator) sub(o *Object, st *statement, w word, row stdlib.Param, sub word) (string, bool) {
	if sub.text == "" {
		return "", true
	}
	word, _, _ := strings.Cut(sub.text, ":")
	switch {
	case e.opt.CrossLimits && row.Category == "throttle" && slices.Contains(subWords, word):
		return sub.text, true
	case row.Index == "limit" && o.Family == "CLASSCFG" && row.Name == "MAXJOB" && sub.text == "USER":
		return sub.text, true
	case row.Index == "limit":
		d := e.ignore("maui-limit-index", st, &w, w.span, "%s[%s] is not enforced", row.Name, sub.text)
		if o.Family == "CLASSCFG" && row.Name == "MAXPROC" && sub.text == "USER" {
			d.Note("write MAXPROCPERUSER")
		} else {
			d.Note("the only indexed limit Maui enforces is CLASSCFG[class] MAXJOB[USER], beside MAXJOBPERUSER, " +
				"MAXPROCPERUSER and MAXNODEPERUSER of a class")
		}
		return sub.text, slices.Contains(subWords, sub.text)
	}
	e.diags.Warnf("maui-limit-index-dropped", sub.span, "%s takes no index, Maui sets the plain %s of %s[%s]", row.Name,
		row.Name, o.Family, o.Index).
		Note("remove [%s] if that is meant", sub.text)
	return "", true
}
