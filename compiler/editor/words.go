package editor

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// count is "1 node" or "2 nodes".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func base(name string) string { return source.Plain(path.Base(name)) }

// fenced is text that Markdown shows as it is.
func fenced(text string) string {
	text = source.PlainLines(text)
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// code is a word that Markdown shows as it is.
func code(text string) string {
	text = source.Plain(text)
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// duration is a number of seconds in words, in the largest units that say it whole.
func duration(seconds uint64) string {
	var parts []string
	for _, unit := range []struct {
		seconds uint64
		name    string
	}{{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}} {
		if n := seconds / unit.seconds; n > 0 || unit.seconds == 1 && len(parts) == 0 {
			parts = append(parts, count(int(n), unit.name))
			seconds %= unit.seconds
		}
	}
	return strings.Join(parts, " ")
}

// megabytes is a number of MB in the largest unit that says it briefly.
func megabytes(mb uint64) string {
	for _, unit := range []struct {
		mb   uint64
		name string
	}{{1 << 20, "TB"}, {1 << 10, "GB"}} {
		if mb >= unit.mb {
			return strings.TrimSuffix(strconv.FormatFloat(float64(mb)/float64(unit.mb), 'f', 1, 64), ".0") + " " + unit.name
		}
	}
	return strconv.FormatUint(mb, 10) + " MB"
}

// rowText is what a table says of a parameter, as Markdown. fallback is its default in the release at hand.
func rowText(p *stdlib.Param, fallback string) string {
	var b strings.Builder
	title := p.Name
	if p.Record != "" && p.Record != "global" {
		title = p.Record + " " + p.Name
	}
	fmt.Fprintf(&b, "**%s**", title)
	if p.Doc != "" {
		fmt.Fprintf(&b, "\n\n%s", p.Doc)
	}
	if fallback == "" {
		fallback = p.Default
	}
	var facts []string
	for _, f := range []struct{ what, text string }{
		{"type", p.Type}, {"unit", p.Unit}, {"one of", strings.Join(p.Enum, ", ")}, {"default", fallback},
		{"default in the manual", p.DocDefault}, {"at least", p.Min}, {"at most", p.Max}, {"since", p.Since},
		{"until", p.Until}, {"replaced by", p.ReplacedBy}, {"also written", strings.Join(p.Aliases, ", ")},
		{"effect", effect(p.Effective)}, {"note", p.Notes},
	} {
		if f.text != "" {
			facts = append(facts, "- "+f.what+": "+f.text)
		}
	}
	if len(facts) > 0 {
		b.WriteString("\n\n" + strings.Join(facts, "\n"))
	}
	for _, d := range deviationsOf(p.Name) {
		fmt.Fprintf(&b, "\n\nManual and program differ (%s): %s The manual: %s. The program: %s.", d.name,
			sentence(d.about), d.documented, d.observed)
	}
	return b.String()
}

// effects are the treatments of the tables in words; what is treated as it says needs none.
var effects = map[string]string{
	"alias": "an old name, which is still taken", "deprecated": "an old name, which is still taken",
	"defunct": "none any more", "fatal": "the scheduler does not start with it",
	"parsed-unused": "stored, but nothing reads it", "stored-unused": "stored, but nothing reads it",
	"stored-not-enforced": "stored, but not enforced", "not-implemented": "stored, but not enforced",
	"not-dispatched": "none: the program has no code that sets it", "never-loaded": "none: such lines are never loaded",
	"documented-only": "none: it is in the manual alone", "private-file-only": "in the private file only",
	"broken": "none, by a fault of the program", "no-storage": "none: the program has no place for it",
	"ignored": "none: the program has no code that sets it", "name-only": "none: the program has no code that sets it",
	"not-configurable": "none: a configuration cannot set it", "no": "none", "own-entry-only": "on its own object only",
	"superseded": "another parameter has taken its place",
}

// effect is a treatment in words, with the release from which it is so.
func effect(treatment string) string {
	kind, since, dated := strings.Cut(treatment, ">=")
	text := effects[kind]
	if text != "" && dated {
		text += ", from " + since + " on"
	}
	return text
}

func sentence(text string) string {
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// deviation is a point in which a scheduler and its manual differ.
type deviation struct{ name, about, observed, documented, changes string }

func deviations() (list []deviation) {
	for _, p := range lower.Library() {
		for _, d := range p.DeviationDecls {
			list = append(list, deviation{d.Name, d.Doc.Value, d.Observed.Value, d.Documented.Value, d.Changes.Value})
		}
	}
	return list
}

// deviationsOf are those that name a parameter.
func deviationsOf(param string) (list []deviation) {
	if !coined(param) {
		return nil
	}
	seen := map[string]bool{}
	for _, d := range deviations() {
		text := d.about + " " + d.observed + " " + d.documented + " " + d.changes
		words := strings.FieldsFunc(text, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
		})
		if slices.Contains(words, param) && !seen[d.name] {
			seen[d.name] = true
			list = append(list, d)
		}
	}
	return list
}

// coined reports a name that is no word of a sentence: with capital letters within it.
func coined(name string) bool {
	return strings.IndexFunc(name[min(1, len(name)):], func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '_' }) >= 0
}
