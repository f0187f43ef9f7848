package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// slurmBackfill are the rules about SchedulerParameters.
var slurmBackfill = []Rule{
	{"slurm-window-short", shortWindow},
	{"slurm-resolution-fine", fineResolution},
	{"slurm-resolution-coarse", coarseResolution},
	{"slurm-backfill-share", backfillShares},
	{"slurm-backfill-user-dropped", userDropped},
	{"slurm-backfill-cut", cutBackfill},
	{"slurm-reserve-threshold", reserveThreshold},
	{"slurm-licenses-unplanned", unplannedLicenses},
	{"slurm-scheduling-off", schedulingOff},
	{"slurm-rpc-count", rpcCount},
	{"slurm-complete-wait", completeWait},
	{"slurm-array-over-jobs", arrayOverJobs},
}

func (p *pass) backfill() bool {
	return p.slurm() && strings.EqualFold(p.text("SchedulerType"), "sched/backfill")
}

func shortWindow(p *pass) {
	window := p.Option("bf_window").Number()
	var longest *ir.Record
	var most float64
	for _, r := range p.records["PartitionName"] {
		if a := r.Attr("MaxTime"); a != nil && !a.Infinite && a.Number() > most {
			longest, most = r, a.Number()
		}
	}
	if !p.backfill() || longest == nil || most <= float64(window) || p.Facts.Partial {
		return
	}
	a := longest.Attr("MaxTime")
	d := p.report(a.Span, "backfill looks %s ahead, but a job in %s may run for %s", duration(window*60), longest.Name, duration(int64(most)*60))
	if w := p.Option("bf_window"); w.Refused {
		d.NoteAt(w.Set, "Slurm does not take this one, so the window is 1440 minutes")
	} else if w.IsSet() {
		d.NoteAt(w.Set, "the window is set here")
	} else {
		d.Note("bf_window is 1440 minutes by default")
	}
	d.Note("a job that ends beyond the window gets no reservation; write bf_window=%.0f, with a bf_resolution of some minutes", most)
}

func fineResolution(p *pass) {
	w, window := p.Option("bf_resolution"), p.Option("bf_window").Number()
	if p.backfill() && w.IsSet() && w.Number() > 0 && w.Number() < 60 && window > 2880 {
		p.report(w.Set, "backfill plans %s in steps of %s", duration(window*60), duration(w.Number())).
			Note("write bf_resolution=300 or 600 for a long window")
	}
}

func coarseResolution(p *pass) {
	if w := p.Option("bf_resolution"); p.backfill() && w.IsSet() && w.Number() > 600 {
		p.report(w.Set, "every job is planned to take a multiple of %s", duration(w.Number())).
			Note("shorter jobs leave gaps; write bf_resolution=300 or 600")
	}
}

func backfillShares(p *pass) {
	tests := p.Option("bf_max_job_test")
	most := tests.Number()
	for _, name := range []string{"bf_max_job_user", "bf_max_job_part", "bf_max_job_assoc", "bf_max_job_user_part"} {
		w := p.Option(name)
		if !p.backfill() || w.Number() <= 0 || w.Number() < most {
			continue
		}
		d := p.report(w.Set, "%s=%d leaves nothing for others: a cycle tests %s", name, w.Number(),
			several(int(most), "job"))
		if tests.IsSet() {
			d.NoteAt(tests.Set, "bf_max_job_test is set here")
		} else {
			d.Note("bf_max_job_test is %d by default", most)
		}
		d.Note("write a number well below, or a higher bf_max_job_test")
	}
}

func userDropped(p *pass) {
	user, assoc := p.Option("bf_max_job_user"), p.Option("bf_max_job_assoc")
	if p.backfill() && user.Number() > 0 && assoc.Number() > 0 {
		p.report(user.Set, "bf_max_job_user has no effect beside bf_max_job_assoc").
			NoteAt(assoc.Set, "this one counts").Note("keep one of the two")
	}
}

func cutBackfill(p *pass) {
	if w := p.Option("bf_max_time"); p.backfill() && w.IsSet() && w.Number() > 2 && !p.Option("bf_continue").IsSet() {
		p.report(w.Set, "without bf_continue a cycle ends at the first change, not after %s", duration(w.Number())).
			Note("add bf_continue")
	}
}

func reserveThreshold(p *pass) {
	w := p.Option("bf_min_prio_reserve")
	if !p.backfill() || !p.multifactor() || w.Number() <= 0 || p.text("PriorityWeightTRES") != "" ||
		p.flag("PriorityFlags", "NO_NORMAL") || len(p.ownTerms()) > 0 {
		return
	}
	most := 0.0
	for _, v := range p.weighs(slurmTerms) {
		most += float64(v.Value.Int)
	}
	if float64(w.Number()) > most {
		p.report(w.Set, "no job reaches %d: the weights add up to %.0f", w.Number(), most).
			Note("only jobs above the threshold get reservations; write a lower one")
	}
}

func unplannedLicenses(p *pass) {
	known := slices.ContainsFunc(p.Options, func(o ir.Option) bool { return o.Name == "bf_licenses" })
	if p.backfill() && known && p.text("Licenses") != "" && !p.Option("bf_licenses").On() {
		p.report(p.at("Licenses"), "backfill plans without licenses").Note("a job that waits for one gets no reservation of it; add bf_licenses to SchedulerParameters")
	}
}

func schedulingOff(p *pass) {
	for _, s := range []struct{ word, what string }{{"sched_interval", "the main pass"}, {"bf_interval", "backfill"}} {
		if w := p.Option(s.word); p.slurm() && w.IsSet() && w.Number() == -1 {
			p.report(w.Set, "%s is switched off", s.what).Note("remove %s, or give it a number of seconds", s.word)
		}
	}
}

func rpcCount(p *pass) {
	if w := p.Option("max_rpc_cnt"); p.slurm() && w.Number() > 256 {
		p.report(w.Set, "slurmctld has 256 threads for requests, so %d are never pending at once", w.Number()).
			Note("write 150 or so, to let scheduling yield to requests")
	}
}

func completeWait(p *pass) {
	n, spared := p.number("CompleteWait"), p.Option("reduce_completing_frag").IsSet()
	if p.slurm() && n > 0 && p.isSet("CompleteWait") && !spared && p.since("16.05") {
		p.report(p.at("CompleteWait"), "for up to %s after any job no other is started", duration(int64(n))).
			Note("add reduce_completing_frag to SchedulerParameters, so that only the nodes in question wait")
	}
}

func arrayOverJobs(p *pass) {
	if jobs, array := p.number("MaxJobCount"), p.number("MaxArraySize"); p.slurm() && jobs > 0 && jobs < array && (p.isSet("MaxJobCount") || p.isSet("MaxArraySize")) {
		at, other := p.either("MaxJobCount", "MaxArraySize")
		d := p.report(at, "an array may have %s, but there is room for %s", several(int(array-1), "task"), several(int(jobs), "job"))
		if !other.IsZero() {
			d.NoteAt(other, "the other one")
		}
		d.Note("write a MaxJobCount of several times MaxArraySize")
	}
}
