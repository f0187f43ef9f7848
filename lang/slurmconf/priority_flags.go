package slurmconf

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// priorityFlags finds words of PriorityFlags that do nothing, or something else
// than they say: Slurm searches the list for the words it knows, wherever they
// begin and end, and passes over the rest in silence (read_config.c).
func (e *evaluator) priorityFlags(v Value) {
	places := placesIn(v.Text, v.Span)
	var words []string
	for _, p := range stdlib.SlurmPriorityFlags.Params() {
		if exists(&p, e.version) && p.Effective == "yes" {
			words = append(words, p.Name)
		}
	}
	for _, it := range items(v.Text) {
		row := findWord(stdlib.SlurmPriorityFlags, it.text)
		hit := longestIn(it.text, words)
		place := func() source.Span { return places.at(it.at, it.end()) }
		switch {
		case row != nil && row.Name == hit:
		case row != nil && row.Name == "FAIR_TREE": // what it asks for became the default
		case hit != "":
			e.worksAs(place(), it.text, hit, row)
		case row != nil:
			e.otherVersion(place(), "PriorityFlags", row)
		default:
			e.unknownWord(place(), "PriorityFlags", it.text, words)
		}
	}
}

// findWord looks up a word of an option list without regard to case.
func findWord(table stdlib.Table, word string) *stdlib.Param {
	rows := table.Params()
	for i := range rows {
		if strings.EqualFold(rows[i].Name, word) {
			return &rows[i]
		}
	}
	return nil
}

// longestIn is the longest of the words that stands anywhere in the text.
func longestIn(text string, words []string) (longest string) {
	text = strings.ToLower(text)
	for _, w := range words {
		if len(w) > len(longest) && strings.Contains(text, strings.ToLower(w)) {
			longest = w
		}
	}
	return longest
}

// worksAs: a text that holds a known word is that word to Slurm. row is set for
// a word that is one of its own in other versions.
func (e *evaluator) worksAs(place source.Span, text, word string, row *stdlib.Param) {
	name, number := strings.CutSuffix(word, "=")
	code := "slurm-word-works-as"
	if row != nil && strings.EqualFold(row.Name, "NO_"+name) {
		code = "slurm-word-reversed"
	}
	d := e.ds.Warnf(code, place, "%s works as %s", text, name).
		Note("Slurm searches the list for the words it knows, wherever they begin and end")
	switch lower := strings.ToLower(text); {
	case row != nil && before(e.version, row.Since):
		d.Note("%s is a word of its own from %s on; in %s write %s, or nothing", row.Name, row.Since, e.version, name)
	case number:
		whole := text[strings.Index(lower, strings.ToLower(word)):]
		d.Note("write %s, or delete it", whole).Suggest(place, whole)
	case strings.Contains(text, "=") || strings.HasPrefix(lower, "no"):
		d.Note("delete it to switch %s off", name)
	default:
		d.Note("write %s, or delete it", name).Suggest(place, name)
	}
}

// otherVersion: a word that only other versions look for.
func (e *evaluator) otherVersion(place source.Span, key string, row *stdlib.Param) {
	switch {
	case before(e.version, row.Since):
		e.ds.Warnf("slurm-word-other-version", place, "%s has no effect before %s", row.Name, row.Since).
			Note("Slurm %s does not look for it in %s and says nothing", e.version, key)
	case row.Until != "":
		d := e.ds.Warnf("slurm-word-other-version", place, "%s has no effect since %s", row.Name, row.Until).
			Note("Slurm %s does not look for it in %s and says nothing", e.version, key)
		if row.ReplacedBy != "" {
			d.Note("see %s", row.ReplacedBy)
		}
	default: // the name a word had before its release
		e.ds.Warnf("slurm-word-other-version", place, "%s has no effect in any release", row.Name).Note("use %s", row.ReplacedBy).Suggest(place, row.ReplacedBy)
	}
}

func (e *evaluator) unknownWord(place source.Span, key, text string, words []string) *diag.Diagnostic {
	d := e.ds.Warnf("slurm-unknown-word", place, "%s does not know %q", key, text).
		Note("Slurm passes over it in silence; correct it, or delete it").DidYouMean(place, text, words)
	if strings.HasPrefix(text, "rl_") { // the limits of requests, a list away
		d.Note("%s belongs in SlurmctldParameters", text)
	}
	return d
}
