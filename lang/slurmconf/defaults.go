package slurmconf

import (
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// defaultChanges lists what a default was before a version; the table of
// stdlib has the newest. Oldest change first for each name (release notes of
// the versions; reference of the SchedulerParameters tokens).
var defaultChanges = []struct{ name, before, value string }{
	{"SchedulerType", "2.6", "sched/builtin"},
	{"PriorityType", "23.11", "priority/basic"},
	{"SelectType", "23.11", "select/linear"},
	{"TreeWidth", "23.11", "50"},
	{"bf_max_job_test", "16.05", "50"},
	{"bf_max_job_test", "21.08", "100"},
	{"sched_min_interval", "17.11", "0"},
}

// Default is what Slurm uses when slurm.conf does not set a global key or a
// SchedulerParameters token, as text in the notation of slurm.conf. It reports
// false for an unknown name and for one without a fixed default.
func Default(name, version string) (string, bool) {
	branch, ok := Branch(version)
	if !ok {
		return "", false
	}
	p := Known("global", name)
	if p == nil {
		p = findToken(name)
	}
	if p == nil || !Exists(p, branch) {
		return "", false
	}
	for _, c := range defaultChanges {
		if c.name == p.Name && before(branch, c.before) {
			return c.value, true
		}
	}
	return p.Default, p.Default != ""
}

// findToken looks a SchedulerParameters token up; those are written in one case.
func findToken(name string) *stdlib.Param {
	rows := stdlib.SlurmScheduler.Params()
	for i := range rows {
		if rows[i].Name == name {
			return &rows[i]
		}
	}
	return nil
}

// DefaultValue is Default read as the table types it. A name without a default
// gives the empty value of its type; false means that no such key exists in the version.
func DefaultValue(name, version string) (Value, bool) {
	branch, ok := Branch(version)
	p := Known("global", name)
	if !ok || p == nil || !Exists(p, branch) {
		return Value{}, false
	}
	text, _ := Default(name, version)
	if text == "" {
		return Value{}, true
	}
	f := source.NewFile(name, []byte(text))
	v, ok := typed(p, Word{Text: text, Span: f.Span(0, len(text))}, branch, bounds.Findings())
	v.Span = source.Span{}
	if !ok { // a default in words, such as "unset"
		return Value{Text: text}, true
	}
	return v, true
}
