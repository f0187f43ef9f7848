package slurm

import (
	"cmp"
	"slices"
)

// The jobs of a partition are in rows, and no two of a row have a processor at once. A job that starts goes into the
// first row that has room, the fullest first; when one ends, the others are dealt out anew (job_res_add_job,
// part_data_build_row_bitmaps; recorded: loopback-shared-rows).

// lanes are the rows of a partition that have jobs.
type lanes []lane

type lane struct {
	jobs []*holding
	cpus set
}

// fullestFirst orders rows in place.
func (l lanes) fullestFirst() {
	slices.SortStableFunc(l, func(a, b lane) int { return cmp.Compare(b.cpus.count(), a.cpus.count()) })
}

// with is the rows with one more job; false if there is no room for it.
func (l lanes) with(h *holding, most int) (lanes, bool) {
	k := slices.IndexFunc(l, func(one lane) bool { return !one.cpus.meets(h.cpus) })
	if k < 0 {
		if len(l) >= most {
			return l, false
		}
		return append(l, lane{[]*holding{h}, h.cpus.clone()}), true
	}
	l[k].jobs = append(slices.Clip(l[k].jobs), h)
	l[k].cpus = l[k].cpus.clone()
	l[k].cpus.or(h.cpus)
	return l, true
}

// without is the rows once a job has ended: those that are left are dealt out by their first processors, those with
// fewer processors first. Where that leaves a job over, they stay as they are.
func (l lanes) without(h *holding, most int) lanes {
	kept, jobs, found := lanes{}, []*holding(nil), false
	for _, one := range l {
		stay := lane{nil, make(set, len(one.cpus))}
		for _, o := range one.jobs {
			if o == h {
				found = true
				continue
			}
			stay.jobs = append(stay.jobs, o)
			stay.cpus.or(o.cpus)
		}
		if jobs = append(jobs, stay.jobs...); len(stay.jobs) > 0 {
			kept = append(kept, stay)
		}
	}
	if !found || most <= 1 {
		return kept
	}
	slices.SortStableFunc(jobs, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(a.cpus.next(0), b.cpus.next(0)), cmp.Compare(a.cpus.count(), b.cpus.count()))
	})
	dealt, fits := lanes{}, true
	for _, o := range jobs {
		if dealt, fits = dealt.with(o, most); !fits {
			return kept
		}
		dealt.fullestFirst()
	}
	return dealt
}

// enterLane puts a job that starts into a row of its partition.
func (p *planner) enterLane(h *holding) {
	if h.part < 0 {
		return
	}
	l := slices.Clone(p.rows.layout[h.part])
	l.fullestFirst()
	p.rows.layout[h.part], _ = l.with(h, p.rowsOf(h.part))
}

// leaveLane takes out a job that has ended.
func (p *planner) leaveLane(h *holding) {
	if p.rows == nil {
		return
	}
	p.rows.layout[h.part] = p.rows.layout[h.part].without(h, p.rowsOf(h.part))
	for _, u := range []*usage{p.use, p.future} {
		u.gone = slices.DeleteFunc(u.gone, func(o *holding) bool { return o == h })
	}
}

// lanesOf are the rows of a partition, the fullest first, once those jobs have ended that have in a usage.
func (p *planner) lanesOf(u *usage, partition int32) lanes {
	l := slices.Clone(p.rows.layout[partition])
	for _, h := range u.gone {
		if h.part == partition {
			l = l.without(h, p.rowsOf(partition))
		}
	}
	l.fullestFirst()
	return l
}

func (p *planner) rowsOf(partition int32) int {
	return int(max(1, p.in.Cluster.Partitions[partition].Rows))
}
