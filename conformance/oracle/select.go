package oracle

import (
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Selection is Maui's decision of a first iteration, per job of the snapshot.
type Selection struct {
	State  []string // running, eligible, blocked, held, done
	Stored []int64  // the priority in the end
}

// selection follows the jobs through one iteration by the rules of the reference: nothing is
// kept that can be found out again.
type selection struct {
	*queue
	accrual  string
	negative bool // jobs of negative priority may not start

	rows            []Row // as scored last
	submitted       []int64
	start, eligible []int64 // per job: from when queue time counts; its queue time when it last passed
	overSoft        []bool
	running         []bool
	active, idle    []int // jobs that count
	shown           []int // jobs over a hard active limit that the manual's queue shows
}

// Select decides which jobs of a maui.cfg's queue may start, when the given ones do. It is for
// queues whose jobs have one row each and say when they were submitted.
func (a *Answer) Select(started []int) Selection {
	q := a.queue
	s := &selection{queue: q, rows: slices.Clone(a.Rows), accrual: accrual(q.param("JOBPRIOACCRUALPOLICY").Str),
		negative: q.param("REJECTNEGPRIOJOBS").Int != 0}
	for i, job := range q.jobs {
		s.submitted = append(s.submitted, job["job.queue_start_time"].Int)
		s.start = append(s.start, s.submitted[i])
		s.eligible, s.overSoft = append(s.eligible, 0), append(s.overSoft, false)
		s.running = append(s.running, runs(job))
	}
	hard := s.walk(true)
	s.rescore(s.all())
	soft := s.walk(false)
	s.filter(hard, true)
	s.filter(soft, false)
	for _, job := range started {
		s.running[job] = true
		s.active = append(s.active, job)
	}
	s.filter(soft, false)
	s.filter(hard, true)
	may := s.filter(hard, false)
	s.rescore(may)
	if s.follows("queue_display") {
		may = append(may, s.shownIdle(hard)...)
	}
	return s.outcome(may)
}

// walk asks every waiting job in the order of priorities. The hard walk counts what runs when it
// comes to it, the soft one begins with all of that; idle jobs count from none in both.
func (s *selection) walk(hard bool) (list []int) {
	s.idle = nil
	if hard {
		s.active = nil
		for job := range s.jobs { // of no priority, so the walk does not come to them
			if s.running[job] && s.rows[job].Priority.Err != nil {
				s.active = append(s.active, job)
			}
		}
	}
	for _, job := range s.byPriority() {
		switch {
		case s.running[job] && hard:
			s.overSoft[job] = s.exceeds(s.jobs[job], s.active, "active", false)
			s.active = append(s.active, job)
		case !s.running[job] && s.passes(job, hard):
			s.idle = append(s.idle, job)
			list = append(list, job)
		case !s.running[job] && hard && s.follows("queue_display") && s.overActive(job):
			s.idle = append(s.idle, job)
			s.shown = append(s.shown, job)
		}
	}
	return list
}

// overActive: nothing but a hard active limit keeps the walk from taking a job.
func (s *selection) overActive(job int) bool {
	j := s.jobs[job]
	return s.stopped(job) == "" && !s.tooLarge(j, false, true) && s.exceeds(j, s.active, "active", true) &&
		!s.exceeds(j, s.idle, "idle", true)
}

// byPriority picks the greatest again and again; of equal ones the first in the snapshot.
func (s *selection) byPriority() []int {
	var left, order []int
	for job := range s.jobs {
		if s.jobs[job].text("job.state") != "done" && s.rows[job].Priority.Err == nil {
			left = append(left, job)
		}
	}
	for len(left) > 0 {
		best := left[0]
		for _, job := range left {
			if s.rows[job].Stored > s.rows[best].Stored {
				best = job
			}
		}
		order = append(order, best)
		left = slices.DeleteFunc(left, func(job int) bool { return job == best })
	}
	return order
}

func (s *selection) passes(job int, hard bool) bool {
	if why := s.stopped(job); why != "" {
		if s.accrual == "full" && why != "begin" && why != "size" {
			s.start[job] = s.snap.Now
		}
		return false
	}
	j := s.jobs[job]
	if s.tooLarge(j, false, hard) || s.exceeds(j, s.active, "active", hard) || s.exceeds(j, s.idle, "idle", hard) {
		if hard && s.accrual != "always" {
			s.start[job] = s.snap.Now
		}
		return false
	}
	return true
}

// stopped is what keeps a job out of the walks whatever others do.
func (s *selection) stopped(job int) string {
	j := s.jobs[job]
	switch {
	case s.held(job):
		return "held"
	case s.tooLarge(j, true, true):
		return "batch hold"
	case s.negative && s.rows[job].Stored < 0:
		return "priority"
	case j["job.begin_time"].Known() && j["job.begin_time"].Int > s.snap.Now:
		return "begin"
	case j["job.procs"].Int > s.procsUp():
		return "size"
	}
	return ""
}

// held: by a person or by a rule of the policy.
func (s *selection) held(job int) bool {
	return s.jobs[job]["job.held"].Int != 0 || slices.Contains(s.rows[job].Holds, true)
}

// procsUp adds up the nodes that count: what is going down or unknown does, what is down does not.
func (s *selection) procsUp() int64 {
	if s.snap.Nodes == nil || s.snap.Nodes.Column("node.procs") == nil {
		return 1 << 62
	}
	total := int64(0)
	for i := range s.snap.Nodes.Rows {
		up := s.snap.Nodes.Value("node.up", i)
		word := strings.ToLower(s.snap.Nodes.Value("node.state", i).Str)
		counts := !up.Known() || up.Int != 0
		if s.snap.Family != "slurm" {
			counts = counts && !slices.Contains([]string{"down", "drained", "flush"}, word) ||
				slices.Contains([]string{"draining", "drain", "unknown"}, word)
		}
		procs := s.snap.Nodes.Value("node.procs", i)
		if counts && !procs.Known() {
			return 1 << 62
		}
		if counts {
			total += procs.Int
		}
	}
	return total
}

// filter keeps those that may start by what runs now, and renews their queue time.
func (s *selection) filter(list []int, hard bool) (out []int) {
	for _, job := range list {
		j := s.jobs[job]
		w := s.windows()
		switch {
		case s.running[job], !s.placed(j):
		case j.text("job.dependency") != "":
			if s.accrual == "full" {
				s.start[job] = s.snap.Now
			}
		case s.tooLarge(j, false, hard), s.exceeds(j, s.active, "active", hard), w != nil && w.capped(j):
			if hard && s.accrual == "full" {
				s.start[job] = s.snap.Now
			}
		default:
			s.eligible[job] = s.snap.Now - s.start[job]
			out = append(out, job)
		}
	}
	return out
}

// placed: in some partition of the nodes the job is allowed to run and its class is offered, as far as
// nodes say so; or its class is offered nowhere, which nothing notices (maui.md §9 P20).
func (s *selection) placed(j cells) bool {
	if s.snap.Nodes == nil || s.snap.Nodes.Rows == 0 {
		return len(j["job.node_partitions"].List) == 0 || s.snap.Nodes == nil ||
			slices.Contains(j["job.node_partitions"].List, "DEFAULT")
	}
	mask, class := j["job.node_partitions"].List, j.text("job.partition")
	if class != "" && !s.offered(class) {
		return true
	}
	for i := range s.snap.Nodes.Rows {
		partition := s.partitionOf(i)
		if (len(mask) == 0 || slices.Contains(mask, partition)) && (class == "" || s.offers(partition, class)) {
			return true
		}
	}
	return false
}

func (s *selection) partitionOf(node int) string {
	if in := s.snap.Nodes.Value("node.partitions", node).List; len(in) > 0 {
		return in[0]
	}
	return "DEFAULT"
}

// offered: some partition offers the class.
func (s *selection) offered(class string) bool {
	for i := range s.snap.Nodes.Rows {
		if s.offers(s.partitionOf(i), class) {
			return true
		}
	}
	return false
}

// offers: a node of the partition has the class, or one of them does not say what it has.
func (s *selection) offers(partition, class string) bool {
	for i := range s.snap.Nodes.Rows {
		classes := s.snap.Nodes.Value("node.classes", i)
		if s.partitionOf(i) == partition && (len(classes.List) == 0 || slices.Contains(classes.List, class)) {
			return true
		}
	}
	return false
}

func (s *selection) all() (list []int) {
	for job := range s.jobs {
		list = append(list, job)
	}
	return list
}

// shownIdle are the jobs that the manual's queue shows among those that may start: the hard walk took
// them or refused them for what runs, and nothing but that is in their way.
func (s *selection) shownIdle(taken []int) (list []int) {
	for _, job := range append(slices.Clone(taken), s.shown...) {
		j := s.jobs[job]
		w := s.windows()
		free := s.stopped(job) == "" && s.placed(j) && j.text("job.dependency") == "" && !s.tooLarge(j, false, false) &&
			(w == nil || !w.capped(j))
		if free && (s.exceeds(j, s.active, "active", false) || slices.Contains(s.shown, job)) {
			list = append(list, job)
		}
	}
	return list
}

// rescore computes the priorities of jobs by the queue times as they are now.
func (s *selection) rescore(list []int) {
	for _, i := range list {
		r, cells := s.queue.rows[i], cells{}
		maps.Copy(cells, r.cells)
		since := s.start[i]
		switch {
		case s.fromSubmission() && s.follows("queue_time_source"):
			since = s.submitted[i]
		case s.eligible[i] > 0:
			since = s.snap.Now - s.eligible[i]
		case s.fromSubmission():
			since = s.submitted[i]
		}
		cells["job.queue_start_time"] = schema.TimestampValue(since)
		cells["job.queue_seconds"] = schema.IntValue(s.snap.Now - since)
		cells["job.queue_minutes"] = schema.DoubleValue(float64(max(0, s.snap.Now-since)) / 60)
		cells["job.soft_policy_violation"] = schema.BoolValue(s.overSoft[i])
		s.rows[i] = s.evaluate(row{r.job, cells})
	}
}

func (s *selection) outcome(may []int) Selection {
	var out Selection
	for job := range s.jobs {
		state := "blocked"
		switch {
		case s.jobs[job].text("job.state") == "done":
			state = "done"
		case s.running[job], s.jobs[job].text("job.state") == "suspended":
			state = "running"
		case slices.Contains(may, job):
			state = "eligible"
		case s.held(job):
			state = "held"
		}
		out.State = append(out.State, state)
		out.Stored = append(out.Stored, s.rows[job].Stored)
	}
	return out
}
