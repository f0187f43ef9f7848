package slurmconf

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// HasFlag reports whether Slurm finds a word in an option list. It searches for
// the text without regard to case and without looking at the token's borders,
// so MAX_TRESS has MAX_TRES, and bf_continue=no has bf_continue.
func HasFlag(list, word string) bool {
	return strings.Contains(strings.ToLower(list), strings.ToLower(word))
}

// atoi stops at the first byte that is no digit, as C's does, and saturates.
func atoi(text string) int64 {
	text = strings.TrimLeft(text, " \t\n\v\f\r")
	negative := strings.HasPrefix(text, "-")
	text = strings.TrimLeft(text[:min(1, len(text))], "+-") + text[min(1, len(text)):]
	n := int64(0)
	for i := 0; i < len(text) && text[i] >= '0' && text[i] <= '9' && n < 1<<40; i++ {
		n = n*10 + int64(text[i]-'0')
	}
	if negative {
		return -n
	}
	return n
}

// PriorityFlags is what PriorityFlags switches on, by version.
type PriorityFlags struct {
	AccrueAlways, CalculateRunning, DepthOblivious, FairTree, IncrOnly, MaxTRES, MaxTRESGres bool
	NoNormalAssoc, NoNormalPart, NoNormalQOS, NoNormalTRES                                   bool
	SmallRelativeToTime, TicketBased                                                         bool
}

// ParsePriorityFlags follows read_config.c: substrings, each known only in its
// versions. Until 18.08 NO_FAIR_TREE contains FAIR_TREE and switches it on;
// until 24.11 MAX_TRES_GRES acts as MAX_TRES; since 19.05 Fair Tree is the default.
func ParsePriorityFlags(text, version string) PriorityFlags {
	branch, ok := Branch(version)
	if !ok {
		branch = Newest()
	}
	has := func(word, since string) bool { return !before(branch, since) && HasFlag(text, word) }
	f := PriorityFlags{
		AccrueAlways:        has("ACCRUE_ALWAYS", "2.4"),
		CalculateRunning:    has("CALCULATE_RUNNING", "14.11"),
		DepthOblivious:      has("DEPTH_OBLIVIOUS", "14.03"),
		IncrOnly:            has("INCR_ONLY", "17.02"),
		MaxTRESGres:         has("MAX_TRES_GRES", "25.05"),
		SmallRelativeToTime: has("SMALL_RELATIVE_TO_TIME", "2.6"),
		TicketBased:         has("TICKET_BASED", "2.6") && before(branch, "15.08"),
	}
	f.MaxTRES = has("MAX_TRES", "15.08") && !f.MaxTRESGres
	if before(branch, "19.05") {
		f.FairTree = has("FAIR_TREE", "14.11")
	} else {
		f.FairTree = !f.DepthOblivious && !HasFlag(text, "NO_FAIR_TREE")
	}
	all := has("NO_NORMAL_ALL", "19.05")
	f.NoNormalAssoc = all || has("NO_NORMAL_ASSOC", "19.05")
	f.NoNormalPart = all || has("NO_NORMAL_PART", "19.05")
	f.NoNormalQOS = all || has("NO_NORMAL_QOS", "19.05")
	f.NoNormalTRES = all || has("NO_NORMAL_TRES", "19.05")
	return f
}

// Enforce is what AccountingStorageEnforce switches on.
type Enforce struct{ Associations, Limits, QOS, Safe, WCKeys, NoJobs, NoSteps bool }

// enforceWords are the words of AccountingStorageEnforce with what each implies.
var enforceWords = []struct {
	words []string
	set   Enforce
}{
	{[]string{"none", "0"}, Enforce{}},
	{[]string{"associations", "1"}, Enforce{Associations: true}},
	{[]string{"limits", "2"}, Enforce{Associations: true, Limits: true}},
	{[]string{"safe"}, Enforce{Associations: true, Limits: true, Safe: true}},
	{[]string{"wckeys"}, Enforce{Associations: true, WCKeys: true}},
	{[]string{"qos"}, Enforce{Associations: true, QOS: true}},
	{[]string{"nosteps"}, Enforce{NoSteps: true}},
	{[]string{"nojobs"}, Enforce{NoJobs: true, NoSteps: true}},
	{[]string{"all"}, Enforce{Associations: true, Limits: true, QOS: true, Safe: true, WCKeys: true}},
}

// ParseEnforce reads AccountingStorageEnforce. This list is split at its
// commas, so words must match whole; the second result is those that do not.
func ParseEnforce(text string) (Enforce, []string) {
	var e Enforce
	var unknown []string
	for _, word := range strings.Split(strings.ToLower(text), ",") {
		word = strings.TrimSpace(word)
		i := slices.IndexFunc(enforceWords, func(w struct {
			words []string
			set   Enforce
		}) bool {
			return slices.Contains(w.words, word)
		})
		if i < 0 {
			if word != "" {
				unknown = append(unknown, word)
			}
			continue
		}
		s := enforceWords[i].set
		e.Associations = e.Associations || s.Associations
		e.Limits = e.Limits || s.Limits
		e.QOS = e.QOS || s.QOS
		e.Safe = e.Safe || s.Safe
		e.WCKeys = e.WCKeys || s.WCKeys
		e.NoJobs = e.NoJobs || s.NoJobs
		e.NoSteps = e.NoSteps || s.NoSteps
	}
	return e, unknown
}

// priorityFlags finds words of PriorityFlags that do nothing, or something else
// than they say: Slurm searches the list for the words it knows, wherever they
// begin and end, and ignores the rest in silence (read_config.c).
func (e *evaluator) priorityFlags(v Value) {
	places := placesIn(v.Text, v.Span)
	var words []string
	for _, p := range stdlib.SlurmPriorityFlags.Params() {
		if Exists(&p, e.version) && p.Effective == "yes" {
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

// longestIn is the longest of the words that is anywhere in the text.
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
	lower := strings.ToLower(text)
	another, off := row != nil && before(e.version, row.Since), strings.HasPrefix(lower, "no") ||
		strings.Contains(text, "=")
	severity := diag.Warning
	if !another && (number || !off) {
		severity = diag.Info // it does what its author means
	}
	d := e.ds.Add(severity, code, place, "%s works as %s", text, name).
		Note("Slurm searches the list for the words it knows, wherever they begin and end")
	switch {
	case another:
		d.Note("%s is a word of its own from %s on; in %s write %s, or nothing", row.Name, row.Since, e.version, name)
	case number:
		whole := text[strings.Index(lower, strings.ToLower(word)):]
		d.Note("write %s, or delete it", whole).Suggest(place, whole)
	case off:
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
		level := diag.Warning
		if e.guessed {
			level = diag.Info // the file may be for a release that has it
		}
		d := e.ds.Add(level, "slurm-word-other-version", place, "%s has had no effect since %s", row.Name, row.Until).
			Note("Slurm %s does not look for it in %s and says nothing", e.version, key)
		if row.ReplacedBy != "" {
			d.Note("see %s", row.ReplacedBy)
		}
	default: // the name a word had before its release
		e.ds.Warnf("slurm-word-other-version", place, "%s has no effect in any release", row.Name).
			Note("use %s", row.ReplacedBy).
			Suggest(place, row.ReplacedBy)
	}
}

func (e *evaluator) unknownWord(place source.Span, key, text string, words []string) *diag.Diagnostic {
	d := e.ds.Warnf("slurm-unknown-word", place, "%s does not know %q", key, text).
		Note("Slurm ignores it in silence; correct it, or delete it").DidYouMean(place, text, words)
	if strings.HasPrefix(text, "rl_") { // the limits of requests, a list away
		d.Note("%s belongs in SlurmctldParameters", text)
	}
	return d
}
