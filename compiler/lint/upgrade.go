package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
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

func (u *upgrade) report(code string, at source.Span, format string, args ...any) *diag.Diagnostic {
	return u.found.Add(pages.Of(code).Severity, code, at, format, args...)
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
		u.report("upgrade-default", u.to.whole(), "%s is not set: %s in %s, %s in %s",
			a.Name, before, u.from.Version, after, u.to.Version).
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
			u.report("upgrade-default-used", at, "%s is not set: %s in %s, %s in %s",
				a.Name, a.Default, u.from.Version, b.Default, u.to.Version).
				Note("add %s=%s to keep what is in force", a.Name, a.Default)
		}
	}
}
