package maui

import (
	"maps"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// Project says when jobs start that wait without a reservation if the iterations go on: in the order given, each at
// the first time at which it fits beside all that runs, is reserved or was placed before it. Maui itself decides
// nothing of that now, for it makes no more reservations than its depth; what it is not, is a time at which a node is
// given twice. Where Maui has no backfill, no job starts before those ahead of it. One for which there is no
// time says what it lacks.
//
// Limits know what runs, and are notified of what is reserved and placed: a job that they stop by now comes once
// planned ends have freed them, and holds no other job up before that. nil lets all pass.
func (p *Planner) Project(list []int32, limits backfill.Limits) []backfill.Placement {
	pr := &projection{Planner: p, limits: limits, layout: p.layout(list), fence: make([]int64, len(p.partitions)),
		large: math.MaxInt}
	for k := range p.partitions {
		pr.fields = append(pr.fields, pr.field(int32(k), list))
	}
	pr.await(list)
	pr.limit()
	for i := range list {
		if pr.open[i] == 0 && !pr.placed[i] {
			pr.settle(i)
		}
	}
	for i, job := range list {
		if !pr.placed[i] {
			pr.out[i] = backfill.Placement{Job: job, Never: "it waits for jobs that wait for it"}
		}
	}
	return pr.out
}

// projection is the state of Project.
type projection struct {
	*Planner
	limits backfill.Limits
	layout *layout
	fields []*field // by partition
	fence  []int64  // by partition: who is not backfilled starts no sooner
	large  int      // the first job of the list for which chunks are kept

	list      []int32
	out       []backfill.Placement
	placed    []bool
	at        map[int32]int // places in the list
	open      []int         // by place: jobs of the list that come first
	followers map[int32][]int
}

// await notes which jobs of the list wait for others of it.
func (pr *projection) await(list []int32) {
	n := len(list)
	pr.list, pr.out, pr.placed, pr.open = list, make([]backfill.Placement, n), make([]bool, n), make([]int, n)
	pr.at, pr.followers = make(map[int32]int, n), map[int32][]int{}
	for i, job := range list {
		pr.at[job] = i
		if pr.large == math.MaxInt && pr.procs(&pr.jobs[job]) >= pr.settings.ChunkProcs {
			pr.large = i
		}
	}
	for i, job := range list {
		j := &pr.jobs[job]
		for _, first := range [][]int32{j.After, j.AfterStart} {
			for _, other := range first {
				if _, listed := pr.at[other]; listed {
					pr.open[i]++
					pr.followers[other] = append(pr.followers[other], i)
				}
			}
		}
	}
}

// settle places a job, and those whose turn has passed while they waited for it.
func (pr *projection) settle(i int) {
	job := pr.list[i]
	pr.out[i], pr.placed[i] = pr.project(i), true
	for _, follower := range pr.followers[job] {
		if pr.open[follower]--; pr.open[follower] == 0 && follower < i {
			pr.settle(follower)
		}
	}
}

// project is where and when one job starts.
func (pr *projection) project(i int) backfill.Placement {
	job := pr.list[i]
	j := &pr.jobs[job]
	out := backfill.Placement{Job: job}
	if pr.deferred[job] {
		out.WaitsFor, out.Never = pr.missing(j)
		return out
	}
	after, known := pr.released(i, &out)
	if !known {
		return out
	}
	from := pr.pass(j, after, profile.Forever)
	if from >= profile.Forever {
		out.Never = pr.limits.Never(&j.Request, "")
		return out
	}
	var best fit
	for k, f := range pr.fields {
		if !pr.allowed(j, int32(k)) {
			continue
		}
		from := from
		if from > after { // what nodes alone rule out is learnt
			if found, ok := f.fit(j, after, profile.Forever); ok {
				from = max(from, found.start)
			}
		}
		if j.NoBackfill || !pr.backfills(int32(k)) {
			from = max(from, pr.fence[k])
		}
		before := profile.Forever
		if best.field != nil {
			before = best.start
		}
		if found, ok := pr.fit(f, j, from, before); ok {
			best = found
		}
	}
	if best.field == nil {
		out.WaitsFor, out.Never = pr.missing(j)
		return out
	}
	out.Start, out.End, out.By = best.start, profile.End(best.start, j.WalltimeSeconds), backfill.ByEstimate
	out.Nodes, out.Partition = best.field.take(j, best), pr.partitions[best.field.partition]
	out.WaitsFor = append(out.WaitsFor, pr.awaited(j, out.Start)...)
	pr.license(job, out.Start, max(out.End, out.Start+1), 1)
	if pr.limits != nil {
		out.WaitsFor = append(out.WaitsFor, pr.limited(j, after, out.Start)...)
		pr.limits.Add(&j.Request, "", out.Start, out.End)
	}
	for k := range pr.fields {
		if from == after && pr.allowed(j, int32(k)) {
			pr.fence[k] = max(pr.fence[k], best.start)
		}
	}
	return out
}

// fit is the first time from one on and before another at which a job has nodes in a field, its licences, and room
// within limits.
func (pr *projection) fit(f *field, j *Job, after, before int64) (fit, bool) {
	ready := func(after int64) (int64, bool) {
		for {
			at, ok := pr.licensed(j, after, before)
			if !ok {
				return 0, false
			}
			if after = pr.pass(j, at, before); after == at || after >= before {
				return after, after < before
			}
		}
	}
	for {
		at, ok := ready(after)
		if !ok {
			return fit{}, false
		}
		found, ok := f.fit(j, at, before)
		if !ok {
			return fit{}, false
		}
		if after, ok = ready(found.start); ok && after == found.start {
			return found, true
		}
	}
}

// pass is the first time from one on at which limits let a job run; before if there is none.
func (pr *projection) pass(j *Job, after, before int64) int64 {
	if pr.limits == nil {
		return after
	}
	if at, ok := pr.limits.First(&j.Request, "", after, before, max(1, j.WalltimeSeconds)); ok {
		return at
	}
	return before
}

// limited names the limits that keep a job from starting sooner. This iteration has asked them of jobs that wait for
// nothing else.
func (pr *projection) limited(j *Job, after, start int64) []backfill.Wait {
	if after == pr.now+1 && j.Begin < after && len(j.After)+len(j.AfterStart) == 0 {
		after--
	}
	return pr.limits.Waits(&j.Request, "", after, start, j.WalltimeSeconds)
}

// limit tells limits what is reserved, and who will be asked about.
func (pr *projection) limit() {
	if pr.limits == nil {
		return
	}
	for _, job := range slices.Sorted(maps.Keys(pr.reserved)) {
		if r := pr.reserved[job]; !pr.runs[job] {
			pr.limits.Add(&pr.jobs[job].Request, "", r.Start, r.End)
		}
	}
	for _, job := range pr.list {
		pr.limits.Expect(&pr.jobs[job].Request, "", max(1, pr.jobs[job].WalltimeSeconds))
	}
}

// released is the first time at which a job may be looked at: an iteration after this one, which passed it over; its
// begin time; the end of the jobs that come first; and for small jobs the time for which resources are kept from them.
// known is false if it waits for a job without a known time.
func (pr *projection) released(i int, out *backfill.Placement) (after int64, known bool) {
	j := &pr.jobs[pr.list[i]]
	after = max(pr.now+1, j.Begin)
	if pr.chunk > pr.now && pr.large < i && pr.procs(j) < pr.settings.ChunkProcs && pr.policy("") == "FIRSTFIT" {
		after = max(after, pr.chunk)
	}
	if j.Begin > pr.now {
		out.WaitsFor = append(out.WaitsFor, backfill.Wait{Kind: backfill.WaitBegin, Job: -1, Until: j.Begin})
	}
	var met []int64
	ask := func(other int32, end bool) {
		w := backfill.Wait{Kind: backfill.WaitDependency, Job: other}
		at := pr.timeOf(other, end)
		if at < profile.Forever {
			w.Until = at
		}
		if at > pr.now {
			out.WaitsFor = append(out.WaitsFor, w)
		}
		met = append(met, at)
	}
	for _, other := range j.After {
		ask(other, true)
	}
	for _, other := range j.AfterStart {
		ask(other, false)
	}
	if len(met) > 0 {
		least := slices.Max(met)
		if j.AfterAny {
			least = slices.Min(met)
		}
		after = max(after, least)
	}
	return after, after < profile.Forever
}

// timeOf is when a job starts or ends; Forever if unknown.
func (pr *projection) timeOf(job int32, end bool) int64 {
	var start, stop int64
	if i, listed := pr.at[job]; listed && pr.out[i].By != backfill.ByNone {
		start, stop = pr.out[i].Start, pr.out[i].End
	} else if r := pr.reserved[job]; r != nil {
		start, stop = r.Start, r.End
	} else if j := &pr.jobs[job]; pr.runs[job] && !j.Suspended {
		if start, stop = j.Start, j.End; start == 0 { // it starts now
			start, stop = pr.now, profile.End(pr.now, j.WalltimeSeconds)
		}
	} else {
		return profile.Forever
	}
	if end {
		return max(stop, pr.now+1)
	}
	return start
}

// backfills reports a partition in which jobs start that others before them have to wait.
func (p *Planner) backfills(partition int32) bool {
	switch p.policy("") {
	case "NONE":
		return false
	case "GREEDY":
		return p.settings.Combined // else its list of jobs is never made
	}
	return p.policy(p.partitions[partition]) != "NONE"
}
