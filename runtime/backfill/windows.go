package backfill

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// lasting are the reservations that keep an option's kind out for ever, or again and again for ever: of one that comes
// again the first of its times.
func (p *planner) lasting(k *kind, o *option) (list []int32) {
	for _, c := range o.cells {
		for _, r := range p.classes[c.class].reservations {
			v := &p.Reservations[r]
			if !k.admits[r] && !p.Follows(int(r)) && v.Amounts.Procs <= 0 && (v.PeriodSeconds > 0 || v.End >= Forever) {
				list = append(list, r)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// windowed reports a request that fits an option for so many seconds when nothing is on its nodes but reservations.
func (p *planner) windowed(k *kind, o *option, a *ask, seconds int64) bool {
	if o.idle == nil {
		for _, c := range o.cells {
			steps := profile.NewSteps(p.now, c.size)
			for _, r := range p.classes[c.class].reservations {
				if v := &p.Reservations[r]; !k.admits[r] && v.Amounts.Procs <= 0 {
					steps.Add(p.floor(v.Start), p.ceil(p.closed(r)), c.size)
				}
			}
			o.idle = append(o.idle, steps)
		}
		o.windows = map[[2]int64]bool{}
	}
	key := [2]int64{a.size, seconds}
	fits, known := o.windows[key]
	if !known {
		w := o.want(k, a)
		_, fits = p.together.FirstFit(o.idle, p.now, Forever, max(seconds, 1), 0,
			func(free []int64) bool { return o.enough(w, free) })
		o.windows[key] = fits
	}
	return fits
}

// neverFree says of a request that reservations never leave enough nodes to for its time; "" if they do.
func (p *planner) neverFree(k *kind, o *option, a *ask) string {
	if o.lasting == nil {
		o.lasting = append([]int32{}, p.lasting(k, o)...)
	}
	if len(o.lasting) == 0 || len(o.inside) > 0 || p.windowed(k, o, a, a.least) {
		return ""
	}
	var names []string
	for _, r := range o.lasting {
		names = append(names, p.Reservations[r].Name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	who, keep, leave := "reservation "+names[0], "keeps", "leaves"
	if len(names) > 1 {
		who, keep, leave = "reservations "+strings.Join(names, " and "), "keep", "leave"
	}
	longest := largest(0, a.least, func(seconds int64) bool { return seconds == 0 || p.windowed(k, o, a, seconds) })
	if longest == 0 {
		return who + " " + keep + " nodes that it needs for ever"
	}
	return "its walltime of " + duration(a.least) + " is over the " + duration(longest) + " for which " + who + " " +
		leave + " enough nodes free at a time"
}

// beyond notes the reservations that come again for ever and keep a kind out: farther ahead than their times are
// written down nothing is planned.
func (p *planner) beyond(k *kind, pl *Placement) bool {
	seen := map[int32]bool{}
	for n := range k.options {
		for _, r := range p.lasting(k, &k.options[n]) {
			if v := &p.Reservations[r]; !seen[r] && v.PeriodSeconds > 0 {
				pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitReservation, Job: -1, Name: v.Name})
				seen[r] = true
			}
		}
	}
	return len(seen) > 0
}
