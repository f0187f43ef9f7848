package backfill

import (
	"cmp"
	"slices"
	"strings"
)

// Named are the reservations that a request may ask for by these names, parted by commas as in Slurm's --reservation:
// of one that comes again all its times. The earliest comes first.
func (c *Cluster) Named(names string) []int32 {
	var list []int32
	for name := range strings.SplitSeq(names, ",") {
		for i := range c.Reservations {
			if name != "" && c.Reservations[i].Name == name && !slices.Contains(list, int32(i)) {
				list = append(list, int32(i))
			}
		}
	}
	slices.SortStableFunc(list, func(a,
		b int32) int {
		return cmp.Compare(c.Reservations[a].Start, c.Reservations[b].Start)
	})
	return list
}

// Current is, of the reservations of these names, the one that is there now, else the next; -1 if there is none.
func (c *Cluster) Current(names string, now int64) int32 {
	for _, i := range c.Named(names) {
		if c.Reservations[i].End > now {
			return i
		}
	}
	return -1
}

// Follows reports a later time of the reservation before it in the list, which is the same in all but its time.
func (c *Cluster) Follows(i int) bool {
	return i > 0 && c.Reservations[i].Series > 0 && c.Reservations[i].Series == c.Reservations[i-1].Series
}

// closed is until when a reservation keeps others out. Of one that comes again for ever not all times are written down:
// after the last it is unknown when its nodes are free for long, so that nothing is planned there.
func (c *Cluster) closed(i int32) int64 {
	r := &c.Reservations[i]
	if r.PeriodSeconds > 0 && (int(i)+1 == len(c.Reservations) || !c.Follows(int(i)+1)) {
		return Forever
	}
	return r.End
}

// admitted says which reservations may be used by a request, asking each that comes again once.
func (c *Cluster) admitted(r *Request, admits []bool) {
	for i := range c.Reservations {
		if c.Follows(i) {
			admits[i] = admits[i-1]
		} else {
			admits[i] = c.Reservations[i].admits(r)
		}
	}
}

func (r *Reservation) admits(request *Request) bool { return r.Admits != nil && r.Admits(request) }

// series are the reservations that a kind asked for, the times of each together; one nil if it asked for none.
func (p *planner) series(k *kind) [][]int32 {
	if k.like.Reservation == "" {
		return [][]int32{nil}
	}
	var list [][]int32
	at := map[int32]int{}
	for _, r := range p.Named(k.like.Reservation) {
		if !k.admits[r] {
			continue
		}
		s := p.Reservations[r].Series
		if n, again := at[s]; again && s > 0 {
			list[n] = append(list[n], r)
			continue
		}
		at[s] = len(list)
		list = append(list, []int32{r})
	}
	return list
}

// own narrows a search to a time of a reservation that was asked for.
func (p *planner) own(reservation int32, after, before, seconds int64) (int64, int64) {
	if v := &p.Reservations[reservation]; !v.Flexible {
		after = max(after, p.ceil(v.Start))
		if v.End < Forever {
			before = min(before, v.End-min(seconds, v.End)+1)
		}
	}
	return after, before
}

// insideUntil is the end of the time of a reservation asked for in which a start lies.
func (p *planner) insideUntil(o *option, start int64) int64 {
	for _, r := range o.inside {
		if v := &p.Reservations[r]; !v.Flexible && v.Start <= start && start < v.End {
			return v.End
		}
	}
	return Forever
}

// opens is when the first of the reservations that a kind asked for begins; 0 if it need not wait for that.
func (p *planner) opens(k *kind) (first int32, at int64) {
	for _, o := range k.options {
		for _, r := range o.inside {
			v := &p.Reservations[r]
			switch {
			case v.End <= p.now:
				continue
			case v.Flexible || v.Start <= p.now:
				return 0, 0
			case at == 0 || v.Start < at:
				first, at = r, v.Start
			}
			break
		}
		if o.inside == nil {
			return 0, 0
		}
	}
	return first, at
}

// longestInside is the longest time that a reservation asked for has left.
func (p *planner) longestInside(o *option) (longest int64) {
	for _, r := range o.inside {
		v := &p.Reservations[r]
		if v.Flexible || v.End >= Forever {
			return Forever
		}
		longest = max(longest, v.End-max(v.Start, p.now))
	}
	return longest
}

// ownReservationWait notes that a job starts in a time of its reservation which has not begun.
func (p *planner) ownReservationWait(i int, pl *Placement) {
	if p.spots[i].option == nil {
		return
	}
	for _, r := range p.spots[i].option.inside {
		if v := &p.Reservations[r]; !v.Flexible && v.Start > p.now && v.Start <= pl.Start && pl.Start < v.End &&
			!slices.ContainsFunc(pl.WaitsFor, func(w Wait) bool { return w.Kind == WaitReservation && w.Until == v.Start }) {
			pl.WaitsFor = append(pl.WaitsFor, Wait{Kind: WaitReservation, Job: -1, Name: v.Name, Until: v.Start})
		}
	}
}
