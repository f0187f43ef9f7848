package mauicfg

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// param evaluates all lines of one old-style parameter, top to bottom.
func (e *evaluator) param(row stdlib.Param, lines []*statement) {
	sticky := map[string]word{} // by the name as written: each name is one scan of the file
	var order []string          // indexes in the order they were set
	set := map[string]Param{}
	for _, st := range lines {
		index, ok := e.index(row, st, sticky)
		if !ok {
			continue
		}
		e.effect(row, st)
		s := setting{row: row, st: st, strict: true, label: st.name.text}
		if len(st.words) == 0 {
			e.ignore("maui-missing-value", st, nil, st.name.span, "%s has no value, so it keeps the one it had",
				s.label).
				Note("write a value after the name, or remove the line")
			continue
		}
		old, again := set[index]
		s.previous = again
		v, ok := e.value(s, st.words)
		if !ok {
			continue
		}
		p := Param{Name: row.Name, Index: index, Value: v, Raw: st.raw, Span: st.span, NameSpan: st.name.span}
		if again {
			if row.Name == "NODESETLIST" && len(v.List) < len(old.Value.List) {
				// Its elements are stored one by one, so a shorter list leaves the tail.
				p.Value.List = append(v.List, old.Value.List[len(v.List):]...)
			}
			if old.NameSpan != p.NameSpan {
				e.cfg.Ignored = append(e.cfg.Ignored,
					Ignored{"maui-overridden", old.Name, old.Index, "", old.Raw, old.Span})
				e.diags.Infof(overridden(old.Raw, p.Raw), old.NameSpan, "this %s is overridden by a later line", old.Name).
					NoteAt(p.NameSpan, "the last line counts")
			}
		} else {
			order = append(order, index)
		}
		set[index] = p
	}
	for _, index := range order {
		e.cfg.Params = append(e.cfg.Params, set[index])
		e.keepLimit(set[index])
	}
}

// index works out which element of an indexed parameter a line sets. While one
// parameter is scanned the last index stays in force, because its
// buffer is not cleared between lines.
func (e *evaluator) index(row stdlib.Param, st *statement, sticky map[string]word) (string, bool) {
	if row.Index == "" {
		if st.hasIndex() {
			e.diags.Infof("maui-index-ignored", st.index.span, "%s has no index, Maui ignores it", st.name.text).
				Note("write %s without brackets", st.name.text)
		}
		return "", true
	}
	text := st.index.text
	if st.hasIndex() {
		e.checkIndex(st)
		sticky[st.name.text] = st.index
	} else if last, ok := sticky[st.name.text]; ok {
		text = last.text
		e.diags.Warnf("maui-sticky-index", st.name.span,
			"this line sets %s[%s] again, because the line before it has that index", st.name.text, text).
			NoteAt(last.span, "the index stays in force until another one is written").
			Note("write %s[0], or put the line without index first", st.name.text)
	}
	switch row.Index {
	case "partition":
		return e.partition(text, st.index.span), true
	case "bucket":
		n := parseInt(text, 10)
		if !n.Found && text != "" {
			e.diags.Warnf("maui-bucket-index", st.index.span,
				"%s[%s] is bucket 0, because the index is read as a number", st.name.text, text).
				Note("write %s[0]", st.name.text).
				Suggest(st.index.span, "0")
		}
		return strconv.FormatInt(n.Int, 10), true
	}
	if text == "" {
		return "0", true
	}
	return text, true
}

// partition is "" for the whole machine (partition 0, ALL), else the number or
// name of another one; Maui has four of them, so larger numbers mean the last.
func (e *evaluator) partition(text string, at source.Span) string {
	switch {
	case text == "" || text == "ALL":
		return ""
	case text == "DEFAULT":
		return "1"
	case isDigit(text[0]):
		n := min(parseInt(text, 10).Int, 3)
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	e.parts.add(text, at)
	return text
}

// checkIndex reports an index Maui would cut short: its buffer for names has 64
// bytes, and a blank ends it like a bracket does.
func (e *evaluator) checkIndex(st *statement) {
	if ix := st.index; len(ix.text) > maxName {
		e.ignore("maui-truncated", st, nil, ix.span, "the index is longer than %d characters, Maui drops the rest",
			maxName).
			Note("shorten the name")
		st.index.text = ix.text[:maxName]
	}
	switch last := st.line.Tokens; {
	case hasKind(last, Close):
	case st.quotedIndex():
		e.diags.Warnf("maui-quoted-blank", st.index.span, "Maui cuts this quoted index at its first blank").
			Note("write the name without blanks; quotes do not keep them together")
	default:
		e.diags.Warnf("maui-open-bracket", st.index.span, "the index of %s is not closed", st.name.text).
			Note("write ] after it; an index cannot hold blanks, not even in quotes")
	}
}

// quotedIndex reports an index that opens a quote which a blank cuts.
func (st *statement) quotedIndex() bool {
	return !hasKind(st.line.Tokens, Close) && openQuote(st.index.span.Text()) != 0
}

func hasKind(tokens []Token, kind TokenKind) bool {
	return slices.ContainsFunc(tokens, func(t Token) bool { return t.Kind == kind })
}

// effect says so when a parameter is stored but changes nothing.
func (e *evaluator) effect(row stdlib.Param, st *statement) {
	switch row.Effective {
	case "parsed-unused":
		if e.opt.UserTerms && (row.Name == "UPROCWEIGHT" || row.Name == "UJOBWEIGHT") {
			return
		}
		e.diags.Infof("maui-unused-parameter", st.name.span, "%s is stored, but nothing in Maui reads it", row.Name).
			Note("remove the line")
	case "stored-not-enforced":
		if e.opt.OldSwitches {
			return
		}
		e.diags.Warnf("maui-not-enforced", st.name.span, "%s is stored, but Maui does not enforce it", row.Name).
			Note("limit the idle jobs of each group or account on its own *CFG line")
	case "broken":
		if e.typeOf(row) == "time" { // a queue-time target, as the manual has it
			return
		}
		e.diags.Warnf("maui-no-effect", st.name.span, "%s has no effect: %s", row.Name,
			strings.TrimSuffix(row.Notes, ".")).
			Note("use QOSCFG[name] QTTARGET=seconds")
	}
}
