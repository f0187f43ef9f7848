package sacctmgr

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// This file is what an editor asks while a dump is written: which options there are, and what one means.

// Objects are the words that begin a line.
func Objects() []string { return slices.Clone(objects) }

// ObjectOf is the word that begins a line, in its own spelling; "" if it is none of them.
func ObjectOf(l *Line) string { return objectOf(l) }

// Known is an option of a line.
type Known struct {
	Name string // as dumps have it today
	Type string
	Doc  string
}

// kindNames say how values are read.
var kindNames = map[kind]string{
	text: "text", name: "name", names: "comma list of names", number: "whole number, -1 for none",
	decimal: "number", minutes: "time or minutes, -1 for none", seconds: "time or seconds",
	shares: "number, or parent", tres: "list of TRES such as cpu=64,mem=100G", oldTRES: "whole number, -1 for none",
	qosFlagNames: "comma list of flags",
}

// Find looks an option up as sacctmgr does, which takes the beginning of a name too.
func Find(object, key string) (Known, bool) {
	o, _, ok := findOption(optionsOf(object), key)
	if !ok {
		return Known{}, false
	}
	return o.known(), true
}

func (o option) known() Known {
	return Known{o.canonical(), kindNames[o.kind], optionDocs[o.canonical()]}
}

// OptionsOf are those that a line of an object may have, each by its name of today.
func OptionsOf(object string) (list []Known) {
	for _, o := range optionsOf(object) {
		if o.alias == "" {
			list = append(list, o.known())
		}
	}
	return list
}

// Seconds reads the value of an option that is a time; false for all others, and for a
// value that has no end.
func Seconds(object, key, value string) (length uint64, ok bool) {
	o, _, found := findOption(optionsOf(object), key)
	var n int64
	err := errNumber
	switch {
	case found && o.kind == minutes:
		if n, err = slurmtext.ParseTimeMinutes(value); err == nil && n != slurmtext.Infinite {
			n *= 60
		}
	case found && o.kind == seconds:
		n, err = parseSeconds(value)
	}
	return uint64(max(n, 0)), err == nil && n > 0 && n != slurmtext.Infinite
}

// Items are the entries of a list, each with its place; a sign before one is left out.
func Items(w Word) (list []Word) {
	if w.IsZero() {
		return nil
	}
	quote := (len(w.Span.Text()) - len(w.Text)) / 2
	at := 0
	for _, part := range strings.Split(w.Text, ",") {
		entry := strings.TrimLeft(strings.TrimSpace(part), "+-")
		if i := strings.Index(part, entry); entry != "" {
			list = append(list, Word{Text: entry, Span: w.Span.Sub(quote+at+i, quote+at+i+len(entry))})
		}
		at += len(part) + 1
	}
	return list
}

// optionDocs say what an option does, by its name of today (sacctmgr(1), resource limits of Slurm's manual).
var optionDocs = map[string]string{
	"AdminLevel":               "What the user may do with the accounting database: None, Operator or Administrator.",
	"Coordinator":              "Accounts that the user may manage.",
	"Classification":           "A word about a cluster or account that has no effect.",
	"DefaultAccount":           "Account of jobs that name none.",
	"DefaultQOS":               "QOS of jobs that name none.",
	"DefaultWCKey":             "Workload key of jobs that name none.",
	"Description":              "A text for people.",
	"Comment":                  "A text for people.",
	"Flags":                    "Switches of the QOS or association, such as NoDecay, DenyOnLimit or OverPartQOS.",
	"Fairshare":                "Share against the other members of the parent; parent: users have that of their account.",
	"GrpTRESMins":              "TRES minutes that all jobs below may use, past ones too as they decay.",
	"GrpTRESRunMins":           "TRES minutes that running jobs below may still need, all together.",
	"GrpTRES":                  "TRES of running jobs below, all together.",
	"GrpJobs":                  "Running jobs below, all together.",
	"GrpJobsAccrue":            "Waiting jobs below that gain priority by age, all together.",
	"GrpSubmitJobs":            "Waiting and running jobs below, all together.",
	"GrpWall":                  "Wall time that all jobs below may use, past ones too as they decay.",
	"LimitFactor":              "Multiplies the TRES limits of the association for jobs of this QOS.",
	"MaxJobs":                  "Running jobs of each user of the association.",
	"MaxJobsAccrue":            "Waiting jobs of each user that gain priority by age.",
	"MaxJobsPU":                "Running jobs of each user in this QOS.",
	"MaxJobsPA":                "Running jobs of each account in this QOS.",
	"MaxJobsAccruePU":          "Waiting jobs of each user in this QOS that gain priority by age.",
	"MaxJobsAccruePA":          "Waiting jobs of each account in this QOS that gain priority by age.",
	"MaxSubmitJobs":            "Waiting and running jobs of each user of the association.",
	"MaxSubmitJobsPU":          "Waiting and running jobs of each user in this QOS.",
	"MaxSubmitJobsPA":          "Waiting and running jobs of each account in this QOS.",
	"MaxTRESPerJob":            "TRES of one job.",
	"MaxTRESPerNode":           "TRES of one job on each node.",
	"MaxTRESPerUser":           "TRES of the running jobs of each user in this QOS.",
	"MaxTRESPerAccount":        "TRES of the running jobs of each account in this QOS.",
	"MaxTRESMinsPerJob":        "TRES minutes of one job.",
	"MaxTRESRunMins":           "TRES minutes that running jobs of a user may still need.",
	"MaxTRESRunMinsPerUser":    "TRES minutes that the running jobs of each user in this QOS may still need.",
	"MaxTRESRunMinsPerAccount": "TRES minutes that the running jobs of each account in this QOS may still need.",
	"MaxWallDurationPerJob":    "Wall time of one job.",
	"MinPrioThresh":            "Priority below which a job reserves nothing in the plan.",
	"MinTRESPerJob":            "TRES that a job must at least ask for.",
	"Organization":             "A word about an account that has no effect.",
	"Partition":                "The partition that the user's association is for; without it, every partition.",
	"Priority":                 "Points, which are divided by the largest and weighed.",
	"QOS":                      "QOS that jobs may use; + and - add to those of the parent and take away from them.",
	"WCKeys":                   "Workload keys that the user may use.",
	"GraceTime":                "Seconds that a preempted job may still run.",
	"PreemptMode":              "What becomes of jobs of this QOS that are preempted.",
	"PreemptExemptTime":        "How long a job runs before it may be preempted.",
	"Preempt":                  "QOS whose jobs this one may preempt.",
	"UsageFactor":              "Multiplies the usage that jobs of this QOS are charged.",
	"UsageThreshold":           "Fairshare below which an association may not start jobs in this QOS.",
}
