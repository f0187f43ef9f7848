package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
)

// backfillRules are the rules about SchedulerParameters.
var backfillRules = []rule.Rule{
	{Code: "slurm-window-short", Check: shortWindow},
	{Code: "slurm-resolution-fine", Check: fineResolution},
	{Code: "slurm-resolution-coarse", Check: coarseResolution},
	{Code: "slurm-backfill-share", Check: backfillShares},
	{Code: "slurm-backfill-user-dropped", Check: userDropped},
	{Code: "slurm-backfill-cut", Check: cutBackfill},
	{Code: "slurm-reserve-threshold", Check: reserveThreshold},
	{Code: "slurm-licenses-unplanned", Check: unplannedLicenses},
	{Code: "slurm-scheduling-off", Check: schedulingOff},
	{Code: "slurm-rpc-count", Check: rpcCount},
	{Code: "slurm-complete-wait", Check: completeWait},
	{Code: "slurm-array-over-jobs", Check: arrayOverJobs},
}

func Backfill(p *rule.Pass) bool {
	return p.Slurm() && strings.EqualFold(p.Text("SchedulerType"), "sched/backfill")
}

func shortWindow(p *rule.Pass) {
	window := p.Option("bf_window").Number()
	var longest *ir.Record
	var most float64
	for _, r := range p.Records["PartitionName"] {
		if a := r.Attr("MaxTime"); a != nil && !a.Infinite && a.Number() > most {
			longest, most = r, a.Number()
		}
	}
	if !Backfill(p) || longest == nil || most <= float64(window) || p.Facts.Partial {
		return
	}
	a := longest.Attr("MaxTime")
	d := p.Report(a.Span, "backfill looks %s ahead, but a job in %s may run for %s", rule.Duration(window*60),
		longest.Name, rule.Duration(int64(most)*60))
	if w := p.Option("bf_window"); w.Refused {
		d.NoteAt(w.Set, "Slurm does not take this one, so the window is 1440 minutes")
	} else if w.IsSet() {
		d.NoteAt(w.Set, "the window is set here")
	} else {
		d.Severity = diag.Info
		d.Note("bf_window is 1440 minutes by default")
	}
	d.Note(
		"a job that ends beyond the window gets no reservation; write bf_window=%.0f, with a bf_resolution of some "+
			"minutes",
		most,
	)
}

func fineResolution(p *rule.Pass) {
	w, window := p.Option("bf_resolution"), p.Option("bf_window").Number()
	if Backfill(p) && w.IsSet() && w.Number() > 0 && w.Number() < 60 && window > 2880 {
		p.Report(w.Set, "backfill plans %s in steps of %s", rule.Duration(window*60), rule.Duration(w.Number())).
			Note("write bf_resolution=300 or 600 for a long window")
	}
}

func coarseResolution(p *rule.Pass) {
	if w := p.Option("bf_resolution"); Backfill(p) && w.IsSet() && w.Number() > 600 {
		p.Report(w.Set, "every job is planned to take a multiple of %s", rule.Duration(w.Number())).
			Note("shorter jobs leave gaps; write bf_resolution=300 or 600")
	}
}

func backfillShares(p *rule.Pass) {
	tests := p.Option("bf_max_job_test")
	most := tests.Number()
	for _, name := range []string{"bf_max_job_user", "bf_max_job_part", "bf_max_job_assoc", "bf_max_job_user_part"} {
		w := p.Option(name)
		if !Backfill(p) || w.Number() <= 0 || w.Number() < most {
			continue
		}
		d := p.Report(w.Set, "%s=%d leaves nothing for others: a cycle tests %s", name, w.Number(),
			rule.Several(int(most), "job"))
		if tests.IsSet() {
			d.NoteAt(tests.Set, "bf_max_job_test is set here")
		} else {
			d.Note("bf_max_job_test is %d by default", most)
		}
		d.Note("write a number well below, or a higher bf_max_job_test")
	}
}

func userDropped(p *rule.Pass) {
	user, assoc := p.Option("bf_max_job_user"), p.Option("bf_max_job_assoc")
	if Backfill(p) && user.Number() > 0 && assoc.Number() > 0 {
		p.Report(user.Set, "bf_max_job_user has no effect beside bf_max_job_assoc").
			NoteAt(assoc.Set, "this one counts").Note("keep one of the two")
	}
}

func cutBackfill(p *rule.Pass) {
	if w := p.Option("bf_max_time"); Backfill(p) && w.IsSet() && w.Number() > 2 && !p.Option("bf_continue").IsSet() {
		p.Report(w.Set, "without bf_continue a cycle ends at the first change, not after %s",
			rule.Duration(w.Number())).
			Note("add bf_continue")
	}
}

func reserveThreshold(p *rule.Pass) {
	w := p.Option("bf_min_prio_reserve")
	if !Backfill(p) || !p.Multifactor() || w.Number() <= 0 || p.Text("PriorityWeightTRES") != "" ||
		p.Flag("PriorityFlags", "NO_NORMAL") || len(ownTerms(p)) > 0 {
		return
	}
	most := 0.0
	for _, v := range p.Weighs(slurmTerms) {
		most += float64(v.Value.Int)
	}
	if float64(w.Number()) > most {
		p.Report(w.Set, "no job reaches %d: the weights add up to %.0f", w.Number(), most).
			Note("only jobs above the threshold get reservations; write a lower one")
	}
}

func unplannedLicenses(p *rule.Pass) {
	known := slices.ContainsFunc(p.Options, func(o ir.Option) bool { return o.Name == "bf_licenses" })
	if Backfill(p) && known && p.Text("Licenses") != "" && !p.Option("bf_licenses").On() {
		p.Report(p.At("Licenses"), "backfill plans without licenses").
			Note("a job that waits for one gets no reservation of it; add bf_licenses to SchedulerParameters")
	}
}

func schedulingOff(p *rule.Pass) {
	for _, s := range []struct{ word, what string }{{"sched_interval", "the main pass"}, {"bf_interval", "backfill"}} {
		if w := p.Option(s.word); w.IsSet() && w.Number() == -1 {
			p.Report(w.Set, "%s is switched off", s.what).Note("remove %s, or give it a number of seconds", s.word)
		}
	}
}

func rpcCount(p *rule.Pass) {
	if w := p.Option("max_rpc_cnt"); w.Number() > 256 {
		p.Report(w.Set, "slurmctld has 256 threads for requests, so %d are never pending at once", w.Number()).
			Note("write 150 or so, to let scheduling yield to requests")
	}
}

func completeWait(p *rule.Pass) {
	n, spared := p.Number("CompleteWait"), p.Option("reduce_completing_frag").IsSet()
	if n > 0 && p.IsSet("CompleteWait") && !spared && p.Since("16.05") {
		p.Report(p.At("CompleteWait"), "for up to %s after any job no other is started", rule.Duration(int64(n))).
			Note("add reduce_completing_frag to SchedulerParameters, so that only the nodes in question wait")
	}
}

func arrayOverJobs(p *rule.Pass) {
	if jobs, array := p.Number("MaxJobCount"), p.Number("MaxArraySize"); jobs > 0 && jobs < array &&
		(p.IsSet("MaxJobCount") || p.IsSet("MaxArraySize")) {
		at, other := p.Either("MaxJobCount", "MaxArraySize")
		d := p.Report(at, "an array may have %s, but there is room for %s", rule.Several(int(array-1), "task"),
			rule.Several(int(jobs), "job"))
		if !other.IsZero() {
			d.NoteAt(other, "the other one")
		}
		d.Note("write a MaxJobCount of several times MaxArraySize")
	}
}
