package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// After the cycle a plan goes on. Of slurmctld's times those hold for which it keeps nodes; it comes to the jobs after
// its bounds in later cycles, and the times that it shows without keeping anything are those of each job alone. Both
// are placed here, in the order of the queue, around what runs, starts and is kept: so that no node is given twice.

// project gives estimates to all that wait and have no time of their own. It includes jobs over a limit: slurmctld
// plans no start for them until planned ends have freed the limit (Input.Limits).
func (p *planner) project(s *backfill.Schedule) (*backfill.Schedule, error) {
	in := p.in
	all := &backfill.Schedule{Now: p.now + 1, Cluster: p.laterCluster()} // the passes of now have left them waiting
	// of its job's, of each task of a request of the list
	var tasksEach []int64
	var list []int              // those to be placed
	record := map[int32]int32{} // waiting jobs by what they are read from
	for k := range in.Waiting {
		record[in.Waiting[k].Row] = int32(k)
	}
	if err := p.overruns(s, record); err != nil {
		return nil, err
	}
	tasks := map[int32][]int32{} // of arrays, by the job of the record
	for i := range s.Requests {
		if r := &s.Requests[i]; r.Array != 0 {
			if k, waits := record[r.Row]; waits {
				tasks[in.Waiting[k].Job] = append(tasks[in.Waiting[k].Job], r.Job)
			}
		}
	}
	all.Requests = make([]backfill.Request, 0, len(s.Requests))
	for _, now := range [...]bool{true, false} { // those that have nodes now come first, which saves a copy of all
		for i := range s.Requests {
			place := &s.Placements[i]
			if place.By == backfill.ByNone || now != (place.By == backfill.ByRunning || place.Start <= all.Now) {
				continue
			}
			all.Requests, all.Placements = append(all.Requests, s.Requests[i]), append(all.Placements, p.laterPlacement(i, s))
			r := &all.Requests[len(all.Requests)-1]
			if place.Partition != "" {
				r.Partitions = []string{place.Partition}
			}
			if place.By == backfill.ByRunning && r.End < backfill.Forever { // it may have been ended for another
				r.End = min(r.End, place.End)
			}
			p.laterRequest(r, nil)
		}
	}
	for i := range s.Requests {
		r, place := &s.Requests[i], &s.Placements[i]
		k, waits := record[r.Row]
		if !waits || place.Never != "" || place.By != backfill.ByNone {
			continue
		}
		entries := p.entriesOf(k)
		if entries == nil {
			continue
		}
		if word := p.limitsOf(entries); word != "" {
			place.WaitsFor = append(place.WaitsFor, backfill.Wait{Kind: backfill.WaitLimit, Job: -1, Name: word})
			if p.in.Limits == nil {
				place.Reason = cmp.Or(place.Reason, word)
				continue
			}
			if !p.in.Entries[entries[0]].Later { // such a job is not asked about limits before its time
				place.Reason = cmp.Or(place.Reason, word)
			}
		}
		all.Requests, list = append(all.Requests, *r), append(list, i)
		later := &all.Requests[len(all.Requests)-1]
		tasksEach = append(tasksEach, p.laterRequest(later, entries))
		later.After, later.AfterStart = allOf(tasks, r.After), allOf(tasks, r.AfterStart)
	}
	again, victims := p.requeued(freeJob(s.Requests))
	all.Requests = append(all.Requests, again...)
	if len(list)+len(again) > 0 {
		placed, err := backfill.Project(all, !in.Settings.Backfill, p.laterLimits(record),
			p.watch("later starts"))
		if err != nil {
			return nil, err
		}
		for k := range list {
			p.projected(&s.Placements[list[k]], &placed[k], &s.Requests[list[k]], tasksEach[k])
		}
		for k, i := range victims {
			back := &placed[len(list)+k]
			s.Preempted[i].Restart, s.Preempted[i].RestartNodes = back.Start, back.Nodes
		}
	}
	return s, p.waits(s, record)
}

// freeJob is a number that no job of the plan has.
func freeJob(list []backfill.Request) int32 {
	next := int32(0)
	for i := range list {
		next = max(next, list[i].Job+1, list[i].Row+1)
	}
	return next
}

// watch is reached for a step that says itself from time to time how far it is.
func (p *planner) watch(step string) func(done, total int) error {
	return func(done, total int) error {
		if p.in.Progress != nil {
			p.in.Progress(step, done, total)
		}
		return p.in.Context.Err()
	}
}

// projected enters where a job comes to be.
func (p *planner) projected(place, found *backfill.Placement, r *backfill.Request, tasksEach int64) {
	place.Start, place.End, place.By, place.Nodes, place.Partition = found.Start, found.End, found.By,
		p.tasksOfCores(r, tasksEach, found.Nodes), found.Partition
	place.Never = found.Never
	for _, w := range place.WaitsFor {
		if found.By == backfill.ByNone && w.Kind == backfill.WaitLimit {
			place.Reason = cmp.Or(place.Reason, w.Name)
		}
	}
	if place.Never != "" && place.Reason == "" {
		place.Reason = backfill.ReasonNever
	}
	if found.By != backfill.ByNone {
		place.WaitsFor = nil // the limit, which is named anew
	}
	place.WaitsFor = append(place.WaitsFor, found.WaitsFor...)
}

// boundOf is the setting by which nothing is kept for a job that has an estimate.
func (p *planner) boundOf(k int32, place *backfill.Placement) string {
	set := p.in.Settings
	switch bound := p.jobs[k].bound; {
	case place.By != backfill.ByEstimate || p.in.Entries[p.of[k][0]].Later:
	case bound != "":
		return bound
	case !set.Backfill && !set.Builtin:
		return p.setting("bf_interval")
	case set.Backfill && place.Start >= p.slots.windowEnd:
		return p.setting("bf_window")
	}
	return ""
}

// allOf puts all tasks of an array in the place of its record.
func allOf(tasks map[int32][]int32, jobs []int32) []int32 {
	if !slices.ContainsFunc(jobs, func(job int32) bool { return tasks[job] != nil }) {
		return jobs
	}
	var list []int32
	for _, job := range jobs {
		if of := tasks[job]; of != nil {
			list = append(list, of...)
		} else {
			list = append(list, job)
		}
	}
	return list
}

// entriesOf are the entries of a job that its partitions take, or would once its time has come.
func (p *planner) entriesOf(k int32) (list []int32) {
	for _, i := range p.of[k] {
		if p.in.Entries[i].opens() && p.fits(p.wantOf(i)) {
			list = append(list, i)
		}
	}
	return list
}

// limitsOf is what limits say to a job now, unless there is a partition in which they let it start.
func (p *planner) limitsOf(entries []int32) (word string) {
	if p.gate == nil {
		return ""
	}
	for _, i := range entries {
		e, w := &p.in.Entries[i], p.wantOf(i)
		said := p.gate.BeforeNodes(e.Row)
		if most, text := p.limited(e); said == "" && most > 0 && most < w.nodesMin {
			said = text
		}
		if said == "" {
			said = p.gate.WithNodes(e.Row, p.planned(w, nil))
		}
		if said == "" {
			return ""
		}
		word = said
	}
	return word
}

// laterLimits are the limits of those that wait, in the partition that is asked about.
func (p *planner) laterLimits(record map[int32]int32) backfill.Limits {
	if p.in.Limits == nil {
		return nil
	}
	running := slices.Clone(p.in.Running)
	for k, h := range p.given {
		if h.stopped {
			running[k].End = h.end
		}
	}
	return p.in.Limits(running, func(r *backfill.Request, partition string) (int32, Got) {
		k, waits := record[r.Row]
		if !waits {
			return p.requestedBy(r)
		}
		of := p.of[k]
		at := of[0]
		for _, i := range of {
			if p.in.Cluster.Partitions[p.in.Entries[i].Partition].Name == partition {
				at = i
			}
		}
		got := p.planned(p.wantOf(at), nil)
		if p.wantOf(at).alone {
			got.Procs = 0 // all of nodes that are not chosen yet, which the limits know
		}
		return p.in.Entries[at].Row, got
	})
}

// laterCluster is the machine as slurmctld has it: whether partitions take a job is given by its entries, and what
// the resource manager says of nodes beside their jobs does not count.
func (p *planner) laterCluster() *backfill.Cluster {
	c := *p.in.Cluster
	c.Nodes, c.Partitions = slices.Clone(c.Nodes), slices.Clone(c.Partitions)
	for i := range c.Nodes {
		c.Nodes[i].Used = backfill.Amounts{}
		c.Nodes[i].ThreadsPerCore = 0 // its requests are for cores, its jobs have cores
	}
	for i := range c.Partitions {
		c.Partitions[i].Up, c.Partitions[i].MaxTimeSeconds = true, 0
	}
	c.Reservations = slices.Clone(c.Reservations)
	for i := range c.Reservations { // no job is admitted that does not ask for it
		v := p.in.Cluster.Reservations[i]
		c.Reservations[i].Admits = func(r *backfill.Request) bool {
			return r.Reservation != "" && slices.Contains(c.Named(r.Reservation), int32(i)) && (v.Admits == nil || v.Admits(r))
		}
	}
	return &c
}

// laterRequest makes of a request what slurmctld reads in it, in the terms of a planner that knows processors alone;
// entries are those of one that is to be placed. A task of it may then stand for several of its job's.
func (p *planner) laterRequest(r *backfill.Request, entries []int32) (tasksEach int64) {
	set := p.in.Settings
	mem := max(r.PerNode.MemMB, r.PerTask.MemMB)
	for _, s := range r.Allocated {
		mem = max(mem, s.MemMB)
	}
	switch {
	case set.Linear, set.Memory && mem == 0: // all memory of its nodes, so that no other job has any
		r.Sharing = backfill.SingleJob
	}
	if !set.Memory {
		r.Minimum.MemMB = max(r.Minimum.MemMB, mem)
		r.PerNode.MemMB, r.PerTask.MemMB = 0, 0
	}
	r.TaskIDs = nil // each is a job by now
	if entries == nil {
		return 0
	}
	r.Partitions, r.Nodes, r.NodesMax = nil, 0, 0
	seconds, least := int64(0), int64(0)
	for n, i := range entries {
		e, w := &p.in.Entries[i], p.wantOf(i)
		limit, planned := p.limit(e)
		seconds, least = max(seconds, limit), max(least, planned)
		r.Partitions = append(r.Partitions, p.in.Cluster.Partitions[e.Partition].Name)
		if n == 0 || w.nodesMin < r.Nodes {
			r.Nodes = w.nodesMin
		}
		r.NodesMax = max(r.NodesMax, min(w.nodesMax, int64(len(p.nodes))))
	}
	tasksEach = r.InCores(p.fewestThreads(entries), set.Cores)
	if r.WalltimeSeconds = least; least < seconds && p.rules.stretches {
		r.WalltimeSeconds, r.WalltimeMinSeconds = seconds, least
	} else {
		r.WalltimeMinSeconds = 0
	}
	return tasksEach
}

// laterPlacement is a placement with what a job has of its nodes.
func (p *planner) laterPlacement(i int, s *backfill.Schedule) backfill.Placement {
	place := s.Placements[i]
	if p.in.Settings.Memory || place.By != backfill.ByRunning {
		return place
	}
	place.Nodes = slices.Clone(place.Nodes)
	for k := range place.Nodes {
		place.Nodes[k].MemMB = 0
	}
	return place
}
