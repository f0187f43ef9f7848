package maui

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Days says where days begin; nil is UTC.
type Days = *time.Location

// standing is a reservation for some jobs, during one period.
type standing struct {
	name       string
	start, end int64
	admits     func(j *Job) (affinity, bool)
	limit      int64 // TIMELIMIT: for how long at most a job may be in it; 0 is no limit
}

// piece is its part of one node.
type piece struct {
	*standing
	whole bool             // all of the node
	per   backfill.Amounts // else so much for each task
	tasks int64

	// touched: a job was put on the node or taken off it since. Maui then works out anew what the reservation keeps, and
	// takes it for one task on each node (recorded: n07).
	touched bool
}

// keepOut takes what a reservation keeps from a job off what is free of a node. What admitted jobs have
// of it is not kept twice.
func (p *Planner) keepOut(n *node, s *piece, j *Job, begin, t int64, left *amounts) {
	if _, ok := s.serves(j, begin); ok {
		return
	}
	if s.whole {
		left.procs = 0
		return
	}
	tasks := s.tasks
	if s.touched {
		tasks = 1
	}
	kept := amounts{procs: s.per.Procs * tasks, mem: s.per.MemMB * tasks, swap: s.per.SwapMB * tasks,
		disk: s.per.DiskMB * tasks}
	for _, h := range n.holds {
		if t < h.start || t >= h.end {
			continue
		}
		if _, ok := s.serves(&p.jobs[h.job], h.start); ok {
			kept.add(p.demand(h.job), h.tasks, -1)
		}
	}
	left.procs -= max(0, kept.procs)
	left.mem -= max(0, kept.mem)
	left.swap -= max(0, kept.swap)
	left.disk -= max(0, kept.disk)
}

// placeStanding makes the standing reservations of the policy, in its order, then those that the snapshot
// and the policy's own blocks have. One that the iteration before had began when that says (observed in recordings:
// N063, N139).
func (p *Planner) placeStanding(in Input) {
	c := in.Cluster
	for i := range p.settings.Standing {
		spec := &p.settings.Standing[i]
		for period := range max(1, spec.Depth) {
			begins, end, ok := p.period(spec, period)
			if !ok {
				continue
			}
			name, start := fmt.Sprintf("%s.%d.0", spec.Name, period), max(begins, p.now)
			if in.Kept != nil && in.Kept.Standing[name] >= begins && begins <= p.now {
				start = in.Kept.Standing[name]
			}
			s := &standing{name: name, start: start, end: end, admits: admitter(spec), limit: spec.TimeLimitSeconds}
			p.lay(s, p.standingNodes(spec, s), ByPolicy)
		}
	}
	for i := range c.Reservations {
		r := &c.Reservations[i]
		s := &standing{name: r.Name, start: r.Start, end: r.End, admits: admitted(r)}
		if r.End <= p.now {
			continue
		}
		var parts []standingPart
		for _, k := range r.Nodes {
			parts = append(parts, standingPart{node: k, tasks: 1,
				piece: piece{whole: r.Amounts.Procs == 0, per: r.Amounts, tasks: 1}})
		}
		p.lay(s, parts, byCluster)
	}
}

func admitted(r *backfill.Reservation) func(*Job) (affinity, bool) {
	return func(j *Job) (affinity, bool) {
		if r.Admits == nil || !r.Admits(&j.Request) {
			return none, false
		}
		return positive, true
	}
}

// standingPart is a piece with its node.
type standingPart struct {
	node  int32
	tasks int64
	piece piece
}

// lay puts a reservation on its nodes.
func (p *Planner) lay(s *standing, parts []standingPart, kind Kind) {
	if len(parts) == 0 {
		return
	}
	p.anyStanding = true
	out := Reservation{Job: -1, Name: s.name, Start: s.start, End: s.end, Kind: kind}
	for i := range parts {
		n := &p.nodes[parts[i].node]
		at := parts[i].piece
		at.standing = s
		at.touched = len(n.holds) > 0
		n.standing = append(n.standing, &at)
		out.Nodes = append(out.Nodes, backfill.Share{Node: parts[i].node, Tasks: parts[i].tasks})
		out.Partition = p.partitions[n.partition]
		if !at.whole {
			out.ProcsPerNode = max(out.ProcsPerNode, at.per.Procs*at.tasks)
		}
	}
	p.plan.Reservations = append(p.plan.Reservations, out)
}

// period is the time of a reservation so many periods ahead; ok is false where there is none. One without end has
// always been.
func (p *Planner) period(spec *program.StandingReservation, ahead int64) (start, end int64, ok bool) {
	at := time.Unix(p.now, 0).In(p.days)
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, p.days)
	switch spec.Period {
	case "INFINITY":
		return 0, forever, ahead == 0
	case "WEEK":
		sunday := day.AddDate(0, 0, -int(day.Weekday())+7*int(ahead))
		start, end = sunday.Unix()+spec.From, sunday.Unix()+spec.To
	default:
		day = day.AddDate(0, 0, int(ahead))
		if !spec.Days[day.Weekday()] {
			return 0, 0, false
		}
		start, end = day.Unix()+spec.From, day.Unix()+spec.To
	}
	return start, end, end > p.now && end > start
}

// standingNodes chooses the nodes of a reservation: all that it lists or, for a number of tasks, the last ones that
// have room for the whole time (recorded: n07, n08).
func (p *Planner) standingNodes(spec *program.StandingReservation, s *standing) []standingPart {
	var parts []standingPart
	left := spec.Tasks
	hosts, has := patterns(spec.Hosts), backfill.FeatureSet{All: spec.Features}
	for i := len(p.nodes) - 1; i >= 0; i-- {
		n := &p.nodes[i]
		if n.readiness == never || hosts != nil && !hosts(n.Name) || !has.In(n.features) ||
			spec.Partition != "" && spec.Partition != p.partitions[n.partition] {
			continue
		}
		whole := spec.Procs < 0
		per := backfill.Amounts{Procs: max(0, spec.Procs), MemMB: spec.MemMB, SwapMB: spec.SwapMB, DiskMB: spec.DiskMB}
		tasks := int64(1)
		if !whole {
			tasks = p.standingTasks(n, spec, &per, s)
		} else if spec.Tasks > 0 && !spec.Shared && p.busyDuring(n, s) {
			tasks = 0
		}
		if spec.Tasks > 0 {
			tasks = min(tasks, left)
		}
		if tasks == 0 {
			continue
		}
		left -= tasks
		parts = append(parts, standingPart{node: int32(i), tasks: tasks, piece: piece{whole: whole, per: per, tasks: tasks}})
		if spec.Tasks > 0 && left == 0 {
			break
		}
	}
	slices.Reverse(parts)
	return parts
}

// standingTasks is how many tasks of a reservation a node has room for during its time; one that is
// shared lies over what runs.
func (p *Planner) standingTasks(n *node, spec *program.StandingReservation, per *backfill.Amounts, s *standing) int64 {
	d := &demand{per: *per, class: -1}
	first := n.profile.at(s.start)
	tasks := n.profile[first].free.tasks(d)
	if spec.Shared {
		tasks = (&amounts{procs: n.Capacity.Procs, mem: n.Capacity.MemMB, swap: n.Capacity.SwapMB, disk: n.Capacity.DiskMB}).
			tasks(d)
	} else {
		for k := first + 1; k < len(n.profile) && n.profile[k].at < s.end; k++ {
			tasks = min(tasks, n.profile[k].free.tasks(d))
		}
	}
	if spec.TasksPerNode > 0 {
		tasks -= tasks % spec.TasksPerNode
	}
	return tasks
}

func (p *Planner) busyDuring(n *node, s *standing) bool {
	return slices.ContainsFunc(n.holds, func(h hold) bool { return h.start < s.end && h.end > s.start })
}

// patterns reports hosts that one of the expressions matches, which stand for the whole name; nil where there are
// none. One that cannot be read stands for itself.
func patterns(list []string) func(string) bool {
	if len(list) == 0 || slices.Contains(list, "[ALL]") || slices.Contains(list, "ALL") {
		return nil
	}
	var tests []func(string) bool
	for _, text := range list {
		e, err := regexp.Compile("^(?:" + text + ")$")
		if err != nil {
			tests = append(tests, func(name string) bool { return name == text })
			continue
		}
		tests = append(tests, e.MatchString)
	}
	return func(name string) bool {
		return slices.ContainsFunc(tests, func(is func(string) bool) bool { return is(name) })
	}
}
