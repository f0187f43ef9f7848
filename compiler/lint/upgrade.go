package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// upgradeRules are what Upgrade reports besides findings that only the newer version has.
var upgradeRules = []Rule{
	{ID: "U001", CodeDoc: diag.CodeDoc{Code: "upgrade-default", Severity: diag.Warning,
		What: "A parameter is not set, and its default differs between the two versions.", Why: "The upgrade changes it silently.",
		Example: "PriorityType unset, from 22.05 to 23.11", Instead: "The parameter with the value that is meant."},
		Source: "release notes"},
	{ID: "U002", CodeDoc: diag.CodeDoc{Code: "upgrade-behaviour", Severity: diag.Warning,
		What: "The same settings mean something else in the newer version.", Why: "The upgrade changes the order of the queue, or which jobs may start.",
		Example: "PriorityWeightFairshare=1000 without PriorityFlags, from 18.08 to 19.05", Instead: "What the finding says, if the old meaning is wanted."},
		Source: "release notes"},
	{ID: "U003", CodeDoc: diag.CodeDoc{Code: "upgrade-default-used", Severity: diag.Info,
		What: "An entry of SchedulerParameters is not set, and its default differs between the two versions.", Why: "The upgrade changes it silently.",
		Example: "bf_max_job_test unset, from 20.11 to 21.08", Instead: "The entry with the value that is meant."},
		Source: "release notes"},
}

// Version is one policy as one version reads it.
type Version struct {
	Policy   *ir.Policy
	Findings diag.List // of all stages
}

// Upgrade says what becomes of a configuration: what only the newer version finds, or takes for worse, what
// changes its default, and what means something else. What keeps either version from reading it all is said too.
func Upgrade(from, to Version) diag.List {
	var list diag.List
	old := map[string]diag.Severity{}
	for _, d := range from.Findings {
		key := d.Code + d.Span.String()
		if worst, ok := old[key]; !ok || d.Severity < worst {
			old[key] = d.Severity
		}
	}
	for _, d := range to.Findings {
		if before, ok := old[d.Code+d.Span.String()]; !ok || d.Severity < before || d.Severity == diag.Error && Unread(d) {
			list = append(list, d)
		}
	}
	if from.Policy == nil || to.Policy == nil || from.Policy.Family != "slurm" {
		return list
	}
	run := &upgrade{from: &pass{Policy: from.Policy}, to: &pass{Policy: to.Policy}, found: list}
	run.from.index()
	run.to.index()
	run.defaults()
	run.words()
	run.behaviours()
	run.awakened(from.Findings, to.Findings)
	run.hooks(from.Findings)
	run.found.Sort()
	return run.found
}

// Unread reports an included file that is missing, or a line that ends before its author meant: what
// it sets is then not known.
func Unread(d *diag.Diagnostic) bool {
	switch d.Code {
	case "slurm-more-findings", "maui-more-findings":
		return true
	case "slurm-syntax", "slurm-missing-value":
		key, _, ok := strings.Cut(d.Span.File.Line(d.Span.Position().Line), "=")
		return !ok || slices.ContainsFunc([]string{"PartitionName", "NodeName", "NodeSet"}, func(record string) bool {
			return strings.EqualFold(strings.TrimSpace(key), record)
		})
	}
	return strings.HasPrefix(d.Code, "slurm-include") || strings.HasPrefix(d.Code, "maui-include")
}

type upgrade struct {
	from, to *pass
	found    diag.List
}

func (u *upgrade) report(rule int, at source.Span, format string, args ...any) *diag.Diagnostic {
	r := upgradeRules[rule]
	return u.found.Add(r.Severity, r.Code, at, format, args...)
}

// defaults compares those of parameters that nobody set and both versions have.
func (u *upgrade) defaults() {
	for _, row := range stdlib.SlurmParams.Params() {
		a, b := u.from.param(row.Name), u.to.param(row.Name)
		before, after := a.Default.String(), b.Default.String()
		both := u.from.since(row.Since) && (row.Until == "" || !u.to.since(row.Until))
		if row.Record != "global" || !both || !a.Set.IsZero() || before == after || before == `""` || after == `""` || u.from.Facts.Partial {
			continue
		}
		u.report(0, u.to.whole(), "%s is not set: %s in %s, %s in %s", a.Name, before, u.from.Version, after, u.to.Version).
			Note("write %s=%s to keep what is in force", a.Name, strings.Trim(before, `"`))
	}
}

// words compares the defaults of entries of SchedulerParameters.
func (u *upgrade) words() {
	if !u.from.backfill() || u.from.Facts.Partial {
		return
	}
	at := u.to.at("SchedulerParameters")
	if at.IsZero() {
		at = u.to.whole()
	}
	for _, a := range u.from.Options {
		b := u.to.Option(a.Name)
		if a.Default.Known() && b.Default.Known() && a.Default.Int != b.Default.Int && !a.IsSet() {
			u.report(2, at, "%s is not set: %s in %s, %s in %s", a.Name, a.Default, u.from.Version, b.Default,
				u.to.Version).
				Note("add %s=%s to keep what is in force", a.Name, a.Default)
		}
	}
}
