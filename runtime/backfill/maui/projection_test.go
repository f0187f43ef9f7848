package maui_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
	"github.com/fairway-sched/fairway/runtime/program"
)

// use is what a job has of a node for a time; kept by a reservation that is for nobody if job is -1.
type use struct {
	job, node  int32
	start, end int64
	tasks      int64
}

// planned is everything that one input comes to: what is settled, and the projection after it.
type planned struct {
	in        maui.Input
	settled   []use
	projected []backfill.Placement
	most      int64 // tasks that a user may have at a time; 0 is no limit
}

// mostTasks is that limit over time, which tries the ends of all jobs.
type mostTasks struct {
	most int64
	had  []userSpan
}

type userSpan struct {
	user     string
	from, to int64
	tasks    int64
}

func (l *mostTasks) Expect(*backfill.Request, string, int64) {}

func (l *mostTasks) Never(*backfill.Request, string) string { return "" }

func (l *mostTasks) First(r *backfill.Request, _ string, after, before, seconds int64) (int64, bool) {
	times := []int64{after}
	for _, s := range l.had {
		if s.to > after && s.to < before {
			times = append(times, s.to)
		}
	}
	slices.Sort(times)
	for _, at := range times {
		if l.room(r, at, seconds) {
			return at, true
		}
	}
	return 0, false
}

func (l *mostTasks) room(r *backfill.Request, from, seconds int64) bool {
	moments := []int64{from}
	for _, s := range l.had {
		if s.from > from && s.from < from+max(1, seconds) {
			moments = append(moments, s.from)
		}
	}
	return !slices.ContainsFunc(moments, func(at int64) bool {
		tasks := r.Tasks
		for _, s := range l.had {
			if s.user == r.User && s.from <= at && at < s.to {
				tasks += s.tasks
			}
		}
		return tasks > l.most
	})
}

func (l *mostTasks) Add(r *backfill.Request, _ string, from, to int64) {
	l.had = append(l.had, userSpan{r.User, from, max(to, from+1), r.Tasks})
}

func (l *mostTasks) Waits(*backfill.Request, string, int64, int64, int64) []backfill.Wait { return nil }

// limited is what the limit has of uses; nil without one.
func (p *planned) limited(uses []use) *mostTasks {
	if p.most == 0 {
		return nil
	}
	l, seen := &mostTasks{most: p.most}, map[int32]bool{}
	for _, u := range uses {
		if u.job >= 0 && !seen[u.job] {
			seen[u.job] = true
			l.Add(&p.in.Jobs[u.job].Request, "", u.start, u.end)
		}
	}
	return l
}

// drawPlanned draws a machine on which jobs run, and plans it.
func drawPlanned(t *rapid.T) planned {
	in := drawInput(t)
	out := planned{in: in}
	running := map[int32]bool{}
	for node := range in.Cluster.Nodes {
		n := &in.Cluster.Nodes[node]
		if rapid.Bool().Draw(t, "busy") {
			job := int32(len(in.Jobs))
			tasks := rapid.Int64Range(1, n.Capacity.Procs).Draw(t, "tasks of one that runs")
			end := in.Now + rapid.Int64Range(1, 5).Draw(t, "left")*100
			in.Jobs = append(in.Jobs, maui.Job{Request: backfill.Request{Job: job, User: "amy", Tasks: tasks,
				PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: 1000,
				Start: end - 1000, End: end, Allocated: []backfill.Share{{Node: int32(node), Tasks: tasks}}}})
			running[job] = true
			out.settled = append(out.settled, use{job, int32(node), in.Now, end, tasks})
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "maintained") == 0 {
		r := backfill.Reservation{Name: "work", Start: in.Now + 200, End: in.Now + 400, Nodes: []int32{0}}
		in.Cluster.Reservations = append(in.Cluster.Reservations, r)
		out.settled = append(out.settled, use{-1, 0, r.Start, r.End, in.Cluster.Nodes[0].Capacity.Procs})
	}
	in.Runs = func(job int32) bool { return running[job] }
	out.in = in
	p := maui.New(in)
	starts := p.Iterate(newOpenQueue(len(in.Jobs), in.Runs))
	add := func(job int32, start, end int64, nodes []backfill.Share) {
		for _, s := range nodes {
			out.settled = append(out.settled, use{job, s.Node, start, max(end, start+1), s.Tasks})
		}
	}
	gone := map[int32]bool{}
	for _, s := range starts {
		add(s.Job, in.Now, in.Now+in.Jobs[s.Job].WalltimeSeconds, s.Nodes)
		gone[s.Job] = true
	}
	plan := p.Finish(nil)
	for _, r := range plan.Reservations {
		if r.Job >= 0 {
			add(r.Job, r.Start, r.End, r.Nodes)
			gone[r.Job] = true
		}
	}
	for _, job := range plan.Deferred {
		gone[job] = true
	}
	var list []int32
	for job := range in.Jobs {
		if !running[int32(job)] && !gone[int32(job)] {
			list = append(list, int32(job))
		}
	}
	if rapid.Bool().Draw(t, "limited") {
		out.most = rapid.Int64Range(1, 12).Draw(t, "most")
		limits := out.limited(slices.DeleteFunc(slices.Clone(out.settled), func(u use) bool { return u.start > in.Now }))
		out.projected = p.Project(list, limits)
		return out
	}
	out.projected = p.Project(list, nil)
	return out
}

// roomFor is how many tasks of a job a node has room for from a time on, looked up moment by moment.
func (p *planned) roomFor(job, node int32, uses []use, from int64) int64 {
	s, j, n := p.in.Settings, &p.in.Jobs[job], &p.in.Cluster.Nodes[node]
	end := from + max(1, j.WalltimeSeconds)
	moments := []int64{from}
	for _, u := range uses {
		if u.node == node && u.start > from && u.start < end {
			moments = append(moments, u.start)
		}
	}
	room := int64(1) << 30
	for _, at := range moments {
		procs, mem := n.Capacity.Procs, n.Capacity.MemMB
		for _, u := range uses {
			if u.node != node || at < u.start || at >= u.end {
				continue
			}
			if u.job < 0 || s.Access == "SINGLEJOB" || j.Dedicated || p.in.Jobs[u.job].Dedicated || s.Access == "SINGLETASK" ||
				s.Access == "SINGLEUSER" && p.in.Jobs[u.job].User != j.User {
				return 0
			}
			procs, mem = procs-u.tasks, mem-u.tasks*p.in.Jobs[u.job].PerTask.MemMB-p.in.Jobs[u.job].PerNode.MemMB
		}
		room = min(room, procs)
		if mem -= j.PerNode.MemMB; mem < 0 && j.PerTask.MemMB+j.PerNode.MemMB > 0 {
			return 0
		}
		if j.PerTask.MemMB > 0 {
			room = min(room, mem/j.PerTask.MemMB)
		}
	}
	unit := max(1, j.TasksPerNode)
	if s.Access == "SINGLETASK" {
		room, unit = min(room, 1), 1
	}
	room = max(0, room)
	room -= room % unit
	if j.Nodes > 0 {
		room = min(room, max(unit, (j.Tasks+j.Nodes-1)/j.Nodes/unit*unit))
	}
	if !s.MultiNode[""] && room < j.Tasks {
		return 0
	}
	return room
}

// licensed reports that a job may have its licences from a time on.
func (p *planned) licensed(job int32, uses []use, from int64) bool {
	j := &p.in.Jobs[job]
	moments := []int64{from}
	for _, u := range uses {
		if u.start > from && u.start < from+max(1, j.WalltimeSeconds) {
			moments = append(moments, u.start)
		}
	}
	for _, at := range moments {
		left, counted := p.in.Cluster.Licenses["tool"], map[int32]bool{}
		for _, u := range uses {
			if u.job >= 0 && u.start <= at && at < u.end && !counted[u.job] {
				counted[u.job] = true
				left -= p.in.Jobs[u.job].Licenses["tool"]
			}
		}
		if left < j.Licenses["tool"] && j.Licenses["tool"] > 0 {
			return false
		}
	}
	return true
}

// first is the first time from one on at which a job fits: that time, or the end of something.
func (p *planned) first(job int32, uses []use, after map[string]int64) (int64, bool) {
	j := &p.in.Jobs[job]
	times := []int64{0}
	for _, u := range uses {
		times = append(times, u.end)
	}
	best, found := int64(0), false
	limit := p.limited(uses)
	for partition, least := range after {
		for _, at := range times {
			at = max(at, least)
			if found && at >= best || !p.licensed(job, uses, at) || limit != nil &&
				!limit.room(&j.Request, at, j.WalltimeSeconds) {
				continue
			}
			for _, colours := range j.Features.Ways() {
				tasks, nodes := int64(0), int64(0)
				for k := range p.in.Cluster.Nodes {
					n := &p.in.Cluster.Nodes[k]
					if n.State == "Idle" && n.Partitions[0] == partition && colours.Suit(n.Features) {
						room := p.roomFor(job, int32(k), uses, at)
						tasks, nodes = tasks+room, nodes+min(room, 1)
					}
				}
				unit := max(1, j.TasksPerNode)
				if p.in.Settings.Access == "SINGLETASK" {
					unit = 1
				}
				if !p.in.Settings.MultiNode[""] && tasks >= j.Tasks || tasks >= j.Tasks &&
					nodes >= min(max(1, j.Nodes), (j.Tasks+unit-1)/unit) {
					best, found = at, true
				}
			}
		}
	}
	return best, found
}

// TestProjectionIsTheFirst: each job of a projection starts at the first time at which it fits beside all that is
// settled and those before it, as the slow search finds it; where Maui has no backfill, not before them.
func TestProjectionIsTheFirst(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		p := drawPlanned(t)
		uses := slices.Clone(p.settled)
		s := p.in.Settings
		ordered := s.Backfill[""] == "NONE" || s.Backfill[""] == "GREEDY" && !s.Combined
		fence := map[string]int64{}
		for k := range p.in.Cluster.Nodes {
			fence[p.in.Cluster.Nodes[k].Partitions[0]] = 0
		}
		for _, at := range p.projected {
			after := map[string]int64{}
			for partition, least := range fence {
				after[partition] = p.in.Now + 1
				if ordered || p.in.Jobs[at.Job].NoBackfill {
					after[partition] = max(after[partition], least)
				}
			}
			want, ok := p.first(at.Job, uses, after)
			limit := p.limited(uses)
			over := limit != nil && !limit.room(&p.in.Jobs[at.Job].Request, p.in.Now+1, p.in.Jobs[at.Job].WalltimeSeconds)
			if ok != (at.By == backfill.ByEstimate) || ok && want != at.Start || !ok && at.Never == "" && !over {
				t.Fatalf("job %d: %+v, the first time is %d (%t)", at.Job, at, want, ok)
			}
			tasks := int64(0)
			for _, share := range at.Nodes {
				tasks += share.Tasks
				uses = append(uses, use{at.Job, share.Node, at.Start, max(at.End, at.Start+1), share.Tasks})
			}
			if ok && tasks != p.in.Jobs[at.Job].Tasks {
				t.Fatalf("job %d has %d of its tasks", at.Job, tasks)
			}
			if ok && !over { // whom a limit stops holds nobody up
				for partition := range fence {
					fence[partition] = max(fence[partition], at.Start)
				}
			}
		}
	})
}

// TestProjectionGivesNoNodeTwice: beside what a projection places there is never more on a node than it has. What Maui
// itself reserves may overlap (recorded: b09-resdepth-qos).
func TestProjectionGivesNoNodeTwice(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		p := drawPlanned(t)
		uses := slices.Clone(p.settled)
		for _, at := range p.projected {
			for _, share := range at.Nodes {
				uses = append(uses, use{at.Job, share.Node, at.Start, max(at.End, at.Start+1), share.Tasks})
			}
		}
		for _, at := range uses[len(p.settled):] {
			n := &p.in.Cluster.Nodes[at.node]
			for _, moment := range uses {
				if moment.start < at.start || moment.start >= at.end {
					continue
				}
				procs, mem := int64(0), int64(0)
				for _, u := range uses {
					if u.node == at.node && u.start <= moment.start && u.end > moment.start {
						procs += u.tasks
						if u.job >= 0 {
							mem += u.tasks*p.in.Jobs[u.job].PerTask.MemMB + p.in.Jobs[u.job].PerNode.MemMB
						}
					}
				}
				if procs > n.Capacity.Procs || mem > n.Capacity.MemMB {
					t.Fatalf("%d tasks and %d MB on node %d at %d", procs, mem, at.node, moment.start-p.in.Now)
				}
			}
		}
	})
}

// TestProjectionKeepsTo names what binds a projection beside room.
func TestProjectionKeepsTo(t *testing.T) {
	const now = int64(1_700_000_000)
	job := func(tasks, seconds int64) maui.Job {
		return maui.Job{Request: backfill.Request{Tasks: tasks, PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: seconds,
			User: "amy"}}
	}
	with := func(j maui.Job, change func(j *maui.Job)) maui.Job { change(&j); return j }
	for _, c := range []struct {
		what   string
		change func(in *maui.Input)
		jobs   []maui.Job // the first one has reserved the whole machine from 100 on, the others are projected
		want   []int64    // when they start from now on; -1 is never
	}{
		{"the queue's order", nil, []maui.Job{job(8, 100), job(8, 100), job(8, 100)}, []int64{200, 300}},
		{"a later job fills a gap", nil, []maui.Job{job(8, 100), job(8, 100), job(1, 50)}, []int64{200, 1}},
		{"no backfill, no gap", func(in *maui.Input) { in.Settings.Backfill[""] = "NONE" },
			[]maui.Job{job(8, 100), job(7, 100), job(1, 50)}, []int64{200, 200}},
		{"one that is not to be backfilled", nil,
			[]maui.Job{job(8, 100), job(7, 100), with(job(1, 50), func(j *maui.Job) { j.NoBackfill = true })},
			[]int64{200, 200}},
		{"a begin time", nil, []maui.Job{job(8, 100), with(job(1, 50), func(j *maui.Job) { j.Begin = now + 20 }), job(1, 50)},
			[]int64{20, 1}},
		{"another job's end", nil, []maui.Job{job(8, 100), with(job(1, 50), func(j *maui.Job) { j.After = []int32{2} }),
			job(8, 100)}, []int64{300, 200}},
		{"jobs that wait for each other", nil,
			[]maui.Job{job(8, 100), with(job(1, 50), func(j *maui.Job) { j.After = []int32{2} }),
				with(job(1, 50), func(j *maui.Job) { j.After = []int32{1} })}, []int64{-1, -1}},
		{"resources kept from small jobs", func(in *maui.Input) {
			in.Settings.ChunkProcs, in.Settings.ChunkSeconds, in.Kept = 4, 60, &maui.Kept{ChunkUntil: now + 40}
		}, []maui.Job{job(8, 100), job(8, 100), job(1, 50), job(4, 50)}, []int64{200, 40, 1}},
		{"a standing reservation", func(in *maui.Input) {
			in.Settings.Standing = []program.StandingReservation{{Name: "work", Period: "INFINITY", Procs: -1,
				Hosts: []string{"n0"}}}
		}, []maui.Job{job(4, 100), job(8, 100), job(1, 50)}, []int64{-1, 1}},
		{"a standing reservation for its user", func(in *maui.Input) {
			in.Settings.Standing = []program.StandingReservation{{Name: "amys", Period: "INFINITY", Procs: -1,
				Hosts: []string{"n0"}, Admits: []program.Admission{{Object: "user", Name: "amy"}}}}
		}, []maui.Job{with(job(4, 100), func(j *maui.Job) { j.User = "bob" }), job(8, 100),
			with(job(8, 100), func(j *maui.Job) { j.User = "bob" })}, []int64{200, -1}},
		{"slots of a class", func(in *maui.Input) {
			for k := range in.Cluster.Nodes {
				in.Cluster.Nodes[k].Classes = map[string]int64{"small": 1}
			}
		}, []maui.Job{job(8, 100), with(job(2, 50), func(j *maui.Job) { j.Class = "small" }),
			with(job(2, 40), func(j *maui.Job) { j.Class = "small" }),
			with(job(3, 40), func(j *maui.Job) { j.Class = "small" })}, []int64{1, 51, -1}},
		{"jobs of a node", func(in *maui.Input) { in.Settings.Nodes = []program.MauiNode{{Name: "DEFAULT", MaxJobs: 1}} },
			[]maui.Job{job(8, 100), job(1, 20), job(1, 20), job(1, 20)}, []int64{1, 1, 21}},
		{"a node of its own", nil, []maui.Job{job(8, 100), with(job(1, 50), func(j *maui.Job) { j.Dedicated = true }),
			job(4, 20), job(4, 20)}, []int64{1, 1, 21}},
		{"sets of nodes", func(in *maui.Input) {
			in.Settings.Sets = program.NodeSets{Policy: "ONEOF", Attribute: "FEATURE", DelaySeconds: 1}
			in.Cluster.Nodes[0].Features, in.Cluster.Nodes[1].Features = []string{"a"}, []string{"b"}
		}, []maui.Job{job(4, 100), job(4, 50), job(5, 50)}, []int64{1, -1}},
	} {
		t.Run(c.what, func(t *testing.T) {
			in := maui.Input{Cluster: &backfill.Cluster{}, Now: now, Settings: settings(), Jobs: c.jobs,
				Runs: func(int32) bool { return false }}
			for k := range 2 {
				in.Cluster.Nodes = append(in.Cluster.Nodes,
					backfill.Node{Name: fmt.Sprint("n", k), State: "Idle", Up: true, Speed: 1,
						Capacity: backfill.Amounts{Procs: 4, MemMB: 1000}})
			}
			for k := range in.Jobs {
				in.Jobs[k].Job = int32(k)
			}
			if in.Kept == nil {
				in.Kept = &maui.Kept{}
			}
			in.Settings.Reservations = "HIGHEST"
			if c.change != nil {
				c.change(&in)
			}
			in.Kept.Reservations = []maui.Reservation{{Job: 0, Start: now + 100, End: now + 200,
				Nodes: []backfill.Share{{Node: 0, Tasks: 4}, {Node: 1, Tasks: 4}}}}
			p := maui.New(in)
			var list []int32
			for k := range in.Jobs[1:] {
				list = append(list, int32(k+1))
			}
			var got []int64
			for _, at := range p.Project(list, nil) {
				if at.By == backfill.ByNone {
					got = append(got, -1)
				} else {
					got = append(got, at.Start-now)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
