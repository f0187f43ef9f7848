package slurmconf

import (
	"slices"
	"strings"
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
