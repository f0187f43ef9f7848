// Package upgrade says what becomes of a configuration of Slurm under another version: what that version alone finds,
// which defaults change, and what means something else.
package upgrade

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/compiler/lint/slurm"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Version is one policy as one version reads it.
type Version struct {
	Policy   *ir.Policy
	Findings diag.List // of all stages
}

// Findings says what becomes of a configuration: what only the newer version finds, or takes for worse, what
// changes its default, and what means something else. What keeps either version from reading it all is reported too.
func Findings(from, to Version) diag.List {
	var list diag.List
	old := map[string]diag.Severity{}
	for _, d := range from.Findings {
		key := d.Code + d.Span.String()
		if worst, ok := old[key]; !ok || d.Severity < worst {
			old[key] = d.Severity
		}
	}
	for _, d := range to.Findings {
		if before, ok := old[d.Code+d.Span.String()]; !ok || d.Severity < before ||
			d.Severity == diag.Error && lint.Unread(d) {
			list = append(list, d)
		}
	}
	if from.Policy == nil || to.Policy == nil || from.Policy.Family != "slurm" {
		return list
	}
	run := &upgrade{from: rule.NewPass(from.Policy, false), to: rule.NewPass(to.Policy, false), found: list}
	run.defaults()
	run.words()
	run.behaviours()
	run.awakened(from.Findings, to.Findings)
	run.hooks(from.Findings)
	run.found.Sort()
	return run.found
}

type upgrade struct {
	from, to *rule.Pass
	found    diag.List
}

func (u *upgrade) report(code string, at source.Span, format string, args ...any) *diag.Diagnostic {
	return u.found.Add(pages.Of(code).Severity, code, at, format, args...)
}

// defaults compares those of parameters that are not set and that both versions have.
func (u *upgrade) defaults() {
	for _, row := range stdlib.SlurmParams.Params() {
		a, b := u.from.Param(row.Name), u.to.Param(row.Name)
		before, after := a.Default.String(), b.Default.String()
		both := u.from.Since(row.Since) && (row.Until == "" || !u.to.Since(row.Until))
		if row.Record != "global" || !both || !a.Set.IsZero() || before == after || before == `""` || after == `""` ||
			u.from.Facts.Partial {
			continue
		}
		u.report("upgrade-default", u.to.Whole(), "%s is not set: %s in %s, %s in %s",
			a.Name, before, u.from.Version, after, u.to.Version).
			Note("write %s=%s to keep what is in force", a.Name, strings.Trim(before, `"`))
	}
}

// words compares the defaults of entries of SchedulerParameters.
func (u *upgrade) words() {
	if !slurm.Backfill(u.from) || u.from.Facts.Partial {
		return
	}
	at := u.to.At("SchedulerParameters")
	if at.IsZero() {
		at = u.to.Whole()
	}
	for _, a := range u.from.Options {
		b := u.to.Option(a.Name)
		if a.Default.Known() && b.Default.Known() && a.Default.Int != b.Default.Int && !a.IsSet() {
			u.report("upgrade-default-used", at, "%s is not set: %s in %s, %s in %s",
				a.Name, a.Default, u.from.Version, b.Default, u.to.Version).
				Note("add %s=%s to keep what is in force", a.Name, a.Default)
		}
	}
}
