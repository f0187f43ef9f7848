package usage

import (
	"regexp"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestCodes: each code is reported for the case beside it, with its severity and a note.
func TestCodes(t *testing.T) {
	settings := Settings{Usage: fairshare.DedicatedProcSeconds, IntervalSeconds: 100, Depth: 4, Now: 950,
		Told: snapshot.Span{First: 0, Last: 940, Known: true}}
	with := func(change func(*Settings)) Settings { s := settings; change(&s); return s }
	measured := func(s *Settings) { s.Usage = fairshare.UtilizedProcSeconds }
	overdue, cpu, blank := ana(700, -1, 1), ana(700, 800, 1), ana(700, 800, 1)
	overdue.limit, cpu.cpuSeconds, blank.user = 10, 5, "a b"
	cases := map[string]func() diag.List{
		"usage-no-cluster": func() diag.List {
			return Build(nil, with(func(s *Settings) { s.Usage = fairshare.DedicatedPESeconds })).Findings()
		},
		"usage-no-cpu-time": func() diag.List {
			return Build(tableOf([]job{ana(700, 800, 1)}), with(measured)).
				Findings()
		},
		"usage-partly-measured": func() diag.List {
			return Build(tableOf([]job{ana(700, 800, 1), cpu}), with(measured)).
				Findings()
		},
		"usage-no-runs":     func() diag.List { return Build(nil, settings).Findings() },
		"usage-overdue":     func() diag.List { return Build(tableOf([]job{overdue}), settings).Findings() },
		"usage-not-in-tree": func() diag.List { return (&Tree{Strangers: 1, Stranger: "a/b"}).Findings() },
		"usage-records-begin": func() diag.List {
			return (&Tree{Told: snapshot.Span{First: 5, Known: true}, Left: 0.5}).
				Findings()
		},
		"usage-records-end": func() diag.List {
			return Build(tableOf([]job{cpu}), with(func(s *Settings) { s.Told.Last = 799 })).Findings()
		},
		"usage-unnamed-credential": func() diag.List { return Build(tableOf([]job{cpu}), settings).Findings() },
		"usage-unwritable-name":    func() diag.List { return Build(tableOf([]job{blank}), settings).Findings() },
		"usage-window-kept": func() (list diag.List) {
			Kept(&list, &Window{Cover: Begins}, Decision{Keep, "why"})
			return list
		},
		"usage-interval-differs": func() (list diag.List) { IntervalDiffers(&list, "FS.0", 1, 2); return list },
	}
	form := regexp.MustCompile(`^usage(-[a-z]+)+$`)
	for _, doc := range pages.In("usage") {
		report := cases[doc.Code]
		if report == nil || !form.MatchString(doc.Code) || doc.What == "" || doc.Why == "" || doc.Instead == "" {
			t.Errorf("%s", doc.Code)
			continue
		}
		found := false
		for _, d := range report() {
			if d.Code == doc.Code {
				found = true
				if d.Severity != doc.Severity || len(d.Notes) == 0 {
					t.Errorf("%s: %v %v", d.Code, d.Severity, d.Notes)
				}
			}
		}
		if !found {
			t.Errorf("%s is not reported", doc.Code)
		}
	}
	if len(cases) != len(pages.In("usage")) {
		t.Errorf("%d cases, %d codes", len(cases), len(pages.In("usage")))
	}
	// A measured run beside a running one is fine: nothing measures before the end.
	if list := Build(tableOf([]job{cpu, ana(700, -1, 1)}), with(measured)).Findings(); list.HasErrors() || len(list) > 4 {
		t.Errorf("%d findings", len(list))
	}
}
