package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// mostWaits is how many things a job is reported to wait for: those that bind it last.
const mostWaits = 8

// waits says what the jobs wait for: what holds their nodes until they start, the last first. Whoever was considered
// after a job only fills a gap before it, but estimates are made around all that is reserved: so the estimates come
// first, each kind from the last to the first, and those that are done have left their nodes.
func (p *planner) waits(s *backfill.Schedule, record map[int32]int32) error {
	const steps = 3
	holders := backfill.HoldersOf(s.Placements, len(s.Cluster.Nodes))
	done := 0
	for _, by := range [steps]backfill.By{backfill.ByEstimate, backfill.ByReservation, backfill.ByNone} {
		for at := range slices.Backward(s.Placements) {
			if err := p.reached("what jobs wait for", done, steps*len(s.Placements)); err != nil {
				return err
			}
			if done++; s.Placements[at].By != by {
				continue
			}
			holders.Leave(at)
			if k, waiting := record[s.Requests[at].Row]; waiting {
				p.waitsOf(s, at, k, holders)
			}
		}
	}
	return nil
}

func (p *planner) waitsOf(s *backfill.Schedule, at int, k int32, holders *backfill.Holders) {
	place := &s.Placements[at]
	if place.By != backfill.ByNone && place.Start > s.Now {
		place.WaitsFor = append(place.WaitsFor, p.leavers(s, place, holders)...)
	}
	said := strings.HasPrefix(place.Reason, "Assoc") || strings.HasPrefix(place.Reason, "QOS")
	if p.in.Limits == nil && place.By == backfill.ByEstimate && said { // of limits that the snapshot alone knows
		place.WaitsFor = append(place.WaitsFor,
			backfill.Wait{Kind: backfill.WaitLimit, Job: -1, Name: place.Reason, Until: place.Start})
	}
	if place.Reason == Licenses {
		place.WaitsFor = append(place.WaitsFor, p.shortLicenses(k)...)
	}
	if begin := p.in.Waiting[k].Begin; begin > s.Now && place.By != backfill.ByReservation {
		place.WaitsFor = append(place.WaitsFor, backfill.Wait{Kind: backfill.WaitBegin, Job: -1, Until: begin})
	}
	if bound := p.boundOf(k, place); bound != "" {
		place.WaitsFor = append(place.WaitsFor, backfill.Wait{Kind: backfill.WaitSetting, Job: -1, Name: bound})
	}
	slices.SortStableFunc(place.WaitsFor, func(a, b backfill.Wait) int { return cmp.Compare(after(a), after(b)) })
}

// after is 1 for what comes after a job's start: it is reported last.
func after(w backfill.Wait) int {
	if w.Kind == backfill.WaitOverrun {
		return 1
	}
	return 0
}

// leavers are those who have a job's nodes before it.
func (p *planner) leavers(s *backfill.Schedule, place *backfill.Placement, holders *backfill.Holders) []backfill.Wait {
	latest := place.Start
	if place.By == backfill.ByReservation { // these begin rounded down
		latest += p.in.Settings.ResolutionSeconds
	}
	list := p.reservedUntil(place)
	reserved := len(list)
	for found := holders.Before(place, s.Now, latest); len(found) > 0 && len(list) < reserved+mostWaits; {
		other, of := &s.Placements[found[0].At], 1
		for of < len(found) && found[of].At == found[0].At {
			of++
		}
		if !place.After(other.Job) { // else it waits for that one anyhow
			w := backfill.Wait{Kind: backfill.WaitReserved, Job: other.Job, Nodes: make([]int32, of), Until: other.End}
			if other.Start <= s.Now || other.By == backfill.ByMain || other.By == backfill.ByBackfill {
				w.Kind = backfill.WaitRunning
			}
			for i, u := range found[:of] {
				w.Nodes[i] = place.Nodes[u.Share].Node
			}
			list = append(list, w)
		}
		found = found[of:]
	}
	slices.SortFunc(list, func(a, b backfill.Wait) int {
		return cmp.Or(cmp.Compare(b.Until, a.Until), cmp.Compare(a.Job, b.Job), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), mostWaits)]
}

// reservedUntil are the advance reservations that had a job's nodes before.
func (p *planner) reservedUntil(place *backfill.Placement) []backfill.Wait {
	var list []backfill.Wait
	for k := range p.in.Cluster.Reservations {
		v := &p.in.Cluster.Reservations[k]
		if v.End <= p.in.Now || v.End > place.Start {
			continue
		}
		w := backfill.Wait{Kind: backfill.WaitReservation, Job: -1, Name: v.Name, Until: v.End}
		for _, n := range place.Nodes {
			if p.reservedNodes(k).has(n.Node) {
				w.Nodes = append(w.Nodes, n.Node)
			}
		}
		if w.Nodes != nil {
			list = append(list, w)
		}
	}
	return list
}

func (p *planner) shortLicenses(k int32) []backfill.Wait {
	var list []backfill.Wait
	r := &p.in.Waiting[k]
	free := p.freeLicenses(r, p.now, 1)
	for i, name := range p.licenses.names {
		kind := backfill.WaitLicense
		if r.Licenses[name] > p.licenses.total[i] {
			kind = backfill.WaitElsewhere
		}
		if r.Licenses[name] > free[i] {
			list = append(list, backfill.Wait{Kind: kind, Job: -1, Name: name})
		}
	}
	return list
}

// never says what no time can give a job; "" if it may run some day in one of its partitions.
func (p *planner) never(k int32) string {
	text := ""
	for _, i := range p.of[k] {
		w := p.wantOf(i)
		if p.fits(w) {
			if lacking := p.licenses.never(&p.in.Waiting[k]); lacking != "" {
				return "it asks for more licences " + lacking + " than there are"
			}
			return ""
		}
		text = p.binding(&p.in.Entries[i], w)
	}
	return text
}

// fits reports that an empty cluster would meet a want.
func (p *planner) fits(w *want) bool {
	if w.fits == unknown {
		w.fits = no
		if w.nodesMin <= w.nodesMax && p.chooseFeatures(w, p.nothing(), w.fit.clone()) != nil {
			w.fits = yes
		}
	}
	return w.fits == yes
}

// nothing is the usage of an empty cluster.
func (p *planner) nothing() *usage {
	if p.empty == nil {
		p.empty = newUsage(len(p.nodes), p.gresCount)
	}
	return p.empty
}

// binding names what of a job's request its partition cannot give.
func (p *planner) binding(e *Entry, w *want) string {
	r, name := &p.in.Waiting[e.Request], p.in.Cluster.Partitions[e.Partition].Name
	all := p.partitions[e.Partition]
	switch n := int64(all.count()); {
	case w.nodesMin > w.nodesMax:
		return fmt.Sprintf("it asks for %s, and partition %s gives a job %d at most", backfill.Count(w.nodesMin, "node"),
			name, w.nodesMax)
	case w.nodesMin > n:
		return fmt.Sprintf("it asks for %s, and partition %s has %d", backfill.Count(w.nodesMin, "node"), name, n)
	}
	if len(r.Features.Alternatives) > 0 {
		some := newSet(len(p.nodes))
		for _, f := range r.Features.Alternatives {
			some.or(p.withFeatures(f))
		}
		some.and(all)
		if n := int64(some.count()); n < w.nodesMin {
			return fmt.Sprintf("it asks for %s with features that %d of partition %s have", backfill.Count(w.nodesMin, "node"),
				n, name)
		}
	}
	if n := int64(w.fit.count()); n < w.nodesMin {
		least := w.least(r)
		size := strings.TrimPrefix(backfill.SizeWords(&least, nil), "have ")
		return fmt.Sprintf("it asks for %s with %s, and partition %s has %d such", backfill.Count(w.nodesMin, "node"), size,
			name, n)
	}
	procs := int64(0)
	for i := all.next(0); i >= 0; i = all.next(i + 1) {
		procs += p.nodes[i].Capacity.Procs
	}
	if w.procs > procs {
		return fmt.Sprintf("it asks for %s, and partition %s has %d", backfill.Count(w.procs, "processor"), name, procs)
	}
	return fmt.Sprintf("no set of %s of partition %s has what it asks for", backfill.Count(w.nodesMin, "node"), name)
}
