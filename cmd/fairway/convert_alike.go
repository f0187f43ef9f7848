package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// A list of up to fewFindings is shown in full. Of a longer one, findings that differ only in names are shown once,
// with the places of a few more.
const (
	fewFindings = 60
	fewAlike    = 3
)

// alike puts findings that say the same together, at the place of the first.
func alike(list diag.List) (shown diag.List) {
	if len(list) <= fewFindings {
		return list
	}
	type group struct {
		first *diag.Diagnostic
		rest  diag.List
	}
	var order []*group
	byText := map[string]*group{}
	words := &nameless{lines: map[lineOf]lineWords{}}
	for _, d := range list {
		key := words.sentence(d)
		if g := byText[key]; g != nil && !d.Span.IsZero() {
			g.rest = append(g.rest, d)
			continue
		}
		byText[key] = &group{first: d}
		order = append(order, byText[key])
	}
	for _, g := range order {
		if len(g.rest) < fewAlike {
			shown = append(append(shown, g.first), g.rest...)
			continue
		}
		d := *g.first
		d.Notes = append([]diag.Note(nil), d.Notes...)
		var places []string
		for _, other := range g.rest[:fewAlike] {
			p := other.Span.Position()
			places = append(places, fmt.Sprintf("%d:%d", p.Line, p.Column))
		}
		d.Note("%d more say so with other names or numbers, the next at %s:%s; --all tells each", len(g.rest),
			d.Span.File.Name, strings.Join(places, ", "))
		shown = append(shown, &d)
	}
	shown.Sort()
	return shown
}

// nameless words findings without what differs between those that are alike: numbers, and what their line of the file
// gives as a name or a value.
type nameless struct{ lines map[lineOf]lineWords }

type lineOf struct {
	file *source.File
	n    int
}

// lineWords are the names and values of a line, in lower case.
type lineWords map[string]bool

var (
	word = source.Pattern(`[\pL\pN_.^&+-]+`)
	key  = source.Pattern(`^[ \t]*[\pL\pN_.]+|[\pL\pN_.]+[ \t]*[+-]?[=\[{]`) // of a setting, or of the kind of a record
)

func (n *nameless) sentence(d *diag.Diagnostic) string {
	var b strings.Builder
	here := n.of(d.Span)
	file := ""
	if d.Span.File != nil {
		file = d.Span.File.Name
	}
	fmt.Fprintf(&b, "%d %s %s\n%s", d.Severity, d.Code, file, here.without(d.Message))
	for _, note := range d.Notes {
		b.WriteString("\n" + here.without(note.Text))
	}
	return b.String()
}

// of are the names that a finding can be about: those of its line, and of the block that it is in.
func (n *nameless) of(s source.Span) lineWords {
	if s.File == nil {
		return nil
	}
	at := lineOf{s.File, s.Position().Line}
	if known, ok := n.lines[at]; ok {
		return known
	}
	list := lineWords{}
	for back := range 8 {
		text := s.File.Line(at.n - back)
		if back > 0 && !strings.Contains(text, "{") {
			continue
		}
		for _, w := range word().FindAllString(key().ReplaceAllString(text, " "), -1) {
			list[strings.ToLower(w)] = true
		}
		if strings.Contains(text, "{") {
			break
		}
	}
	n.lines[at] = list
	return list
}

// without replaces the names, also as parts of what is called after them.
func (n lineWords) without(text string) string {
	return word().ReplaceAllStringFunc(text, func(w string) string {
		if strings.ContainsAny(w, "0123456789") || n[strings.ToLower(w)] {
			return "…"
		}
		for name := range n {
			if len(name) > 2 && isPart(strings.ToLower(w), name) {
				return "…"
			}
		}
		return w
	})
}

// isPart reports a name that stands by itself in a longer word, as that of a class does in part_batch, but not
// USERCFG[max] in MAXPE.
func isPart(word, name string) bool {
	inside := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; ; {
		i := strings.Index(word[at:], name)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(word[:at])
		after, _ := utf8.DecodeRuneInString(word[at+len(name):])
		if !(at > 0 && inside(before)) && !inside(after) {
			return true
		}
		at += len(name)
	}
}
