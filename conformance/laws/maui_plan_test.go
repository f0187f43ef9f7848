package laws

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// mauiMachine is a maui.cfg with a snapshot, and what the test knows of both beside.
type mauiMachine struct {
	cfg    strings.Builder
	snap   *snapshot.Snapshot
	random *rand.Rand
	names  []string // of the nodes
	procs  map[string]int64
	free   map[string]int64   // processors that running jobs leave
	owner  map[string]string  // who has running jobs there
	access string             // NODEACCESSPOLICY
	rules  map[string]keptFor // by the name of an SRCFG line or of a reservation of the snapshot
	memory int64              // of each node
}

// keptFor says who a reservation admits, and how many processors of each node it keeps; 0 is all.
type keptFor struct {
	users []string
	procs int64
}

func (m *mauiMachine) pick(list ...string) string   { return list[m.random.IntN(len(list))] }
func (m *mauiMachine) line(format string, a ...any) { fmt.Fprintf(&m.cfg, format+"\n", a...) }

// drawMachine makes one of them: the same one for the same number, so that what fails once fails again.
func drawMachine(number uint64) *mauiMachine {
	m := &mauiMachine{random: rand.New(rand.NewPCG(number, 7)), procs: map[string]int64{}, free: map[string]int64{},
		owner: map[string]string{}, rules: map[string]keptFor{}, memory: 1000}
	m.line("SERVERHOST localhost")
	m.line("BACKFILLPOLICY %s", m.pick("FIRSTFIT", "FIRSTFIT", "BESTFIT", "PREEMPT", "NONE"))
	m.line("RESERVATIONPOLICY %s", m.pick("CURRENTHIGHEST", "CURRENTHIGHEST", "HIGHEST", "NEVER"))
	m.line("RESERVATIONDEPTH[0] %d", m.random.IntN(5))
	m.line("NODEALLOCATIONPOLICY %s",
		m.pick("FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE", "CPULOAD", "PRIORITY", "FASTEST", "MAXBALANCE", "FIRSTSET"))
	m.access = m.pick("SHARED", "SHARED", "SHARED", "SINGLEUSER", "SINGLEJOB")
	m.line("NODEACCESSPOLICY %s", m.access)
	if m.random.IntN(4) == 0 {
		m.line("ENABLEMULTINODEJOBS FALSE")
	}
	for k := range 1 + m.random.IntN(6) {
		name := fmt.Sprintf("n%d", k)
		m.names = append(m.names, name)
		m.procs[name] = int64(1 + m.random.IntN(6))
		m.free[name] = m.procs[name]
	}
	jobs, reservations := column.NewBuilder("jobs"), column.NewBuilder("reservations")
	for k := range m.random.IntN(4) {
		m.reservation(fmt.Sprintf("s%d", k), reservations)
	}
	jobs.Declare("job.allocated_hosts", schema.StringList)
	jobs.Declare("job.start_time", schema.Timestamp)
	for k := range 2 + m.random.IntN(12) {
		m.job(fmt.Sprint(100+k), jobs)
	}
	nodes := column.NewBuilder("nodes")
	for _, name := range m.names {
		nodes.Row()
		nodes.String("node.id", name)
		nodes.Int("node.procs", m.procs[name])
		nodes.Int("node.procs_available", m.free[name])
		nodes.Int("node.mem_mb", m.memory)
		nodes.String("node.state", map[bool]string{true: "Idle", false: "Running"}[m.free[name] == m.procs[name]])
	}
	m.snap = &snapshot.Snapshot{Now: now, Credentials: map[string]*column.Table{}, Jobs: jobs.Table(),
		Nodes: nodes.Table(), Reservations: reservations.Table()}
	return m
}

// reservation is a standing one or one of the snapshot, of all of its nodes or of some processors of each.
func (m *mauiMachine) reservation(name string, rows *column.Builder) {
	rule := keptFor{users: [][]string{{"amy"}, {"bob"}, {"amy", "bob"}, {"eve"}}[m.random.IntN(4)]}
	on := m.names[m.random.IntN(len(m.names)):]
	if m.random.IntN(3) == 0 {
		start := now + int64(m.random.IntN(12)-4)*600
		rows.Row()
		rows.String("reservation.name", name)
		rows.Value("reservation.start_time", schema.TimestampValue(start))
		rows.Value("reservation.end_time", schema.TimestampValue(start+int64(1+m.random.IntN(9))*900))
		rows.Value("reservation.hosts", schema.ListValue(on))
		rows.Value("reservation.users", schema.ListValue(rule.users))
		m.rules[name] = rule
		return
	}
	text := fmt.Sprintf("SRCFG[%s] HOSTLIST=%s USERLIST=%s%s", name, strings.Join(on, ","), strings.Join(rule.users, ","),
		m.pick("", "+", "-", "="))
	switch m.random.IntN(3) { // it is 22:13:20
	case 0:
		text += " PERIOD=INFINITY"
	case 1:
		text += fmt.Sprintf(" PERIOD=DAY STARTTIME=%s ENDTIME=24:00:00 DEPTH=%d",
			m.pick("00:00:00", "22:00:00", "22:30:00", "23:00:00"), 1+m.random.IntN(3))
	default:
		text += fmt.Sprintf(" PERIOD=DAY STARTTIME=00:00:00 ENDTIME=%s DEPTH=%d", m.pick("22:30:00", "23:00:00", "02:00:00"),
			1+m.random.IntN(3))
	}
	if m.random.IntN(2) == 0 {
		rule.procs = int64(1 + m.random.IntN(2))
		text += fmt.Sprintf(" RESOURCES=PROCS:%d", rule.procs)
	}
	m.line("%s", text)
	m.rules[name] = rule
}

// job is one that waits or, on one node, one that runs.
func (m *mauiMachine) job(id string, rows *column.Builder) {
	tasks, user, on := int64(1+m.random.IntN(8)), m.pick("amy", "bob", "cat"), m.pick(m.names...)
	runs := m.random.IntN(4) == 0 && m.free[on] > 0 &&
		(m.access == "SHARED" || m.owner[on] == "" || m.access == "SINGLEUSER" && m.owner[on] == user)
	memory := int64(0)
	rows.Row()
	if runs {
		tasks = min(tasks, m.free[on])
		m.free[on] -= tasks
		m.owner[on] = user
		rows.Value("job.start_time", schema.TimestampValue(now-int64(m.random.IntN(600))))
		rows.Value("job.allocated_hosts", schema.ListValue(slices.Repeat([]string{on}, int(tasks))))
	} else if m.random.IntN(3) == 0 {
		memory = int64(m.random.IntN(400))
	}
	rows.String("job.id", id)
	rows.String("job.user", user)
	rows.String("job.group", "users")
	rows.String("job.state", map[bool]string{true: "running", false: "pending"}[runs])
	rows.Int("job.tasks", tasks)
	rows.Int("job.procs_per_task", 1)
	rows.Int("job.procs", tasks)
	rows.Int("job.mem_per_task_mb", memory)
	rows.Int("job.mem_mb", memory*tasks)
	rows.Int("job.nodes", max(0, int64(m.random.IntN(10))-7))
	rows.Int("job.walltime_seconds", int64(1+m.random.IntN(40))*300)
	rows.Value("job.submit_time", schema.TimestampValue(now-int64(1000+m.random.IntN(9000))))
}

var givenTwice = regexp.MustCompile(`(?: more of| on) (\S+) (?:than there is|what)`)

// TestMauiPlansFit: in a plan of Maui's no node gives more than it has at any time, none that a reservation keeps
// whole goes to a job that it does not admit, and none is shared by jobs that may not share. Where room on a node
// shrinks within a job's time, Maui gives the same room twice (recorded: b04-respolicy-highest, b09). The plan reports
// these nodes, and no others.
func TestMauiPlansFit(t *testing.T) {
	twice, standing := 0, 0
	for number := uint64(400); number < 800; number++ { // two of these give a node twice
		m := drawMachine(number)
		out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("maui.cfg", []byte(m.cfg.String()))},
			Lang: lower.Maui})
		if out.Diags.HasErrors() {
			t.Fatalf("%s\n%v", m.cfg.String(), out.Diags)
		}
		r, err := engine.Run(out.Program, m.snap, evaluation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := engine.Plan(r, planning.Options{})
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]bool{}
		for _, d := range r.Findings {
			if d.Code == "plan-given-twice" {
				told[givenTwice.FindStringSubmatch(d.Message)[1]] = true
			}
		}
		for node, wrong := range m.wrong(s) {
			if !wrong.twice || !told[node] {
				t.Errorf("%d: %s: %s\n%s", number, node, wrong.text, m.cfg.String())
			}
			delete(told, node)
			twice++
		}
		for node := range told {
			t.Errorf("%d: nothing is wrong with %s\n%s", number, node, m.cfg.String())
		}
		standing += len(s.Cluster.Reservations)
	}
	if twice == 0 || standing == 0 {
		t.Errorf("%d nodes are given twice and %d reservations are made: the generator has gone blind", twice, standing)
	}
}

// wrong is what is wrong with a node in a plan, the worst of it.
type wrong struct {
	text  string
	twice bool // more than there is, and nothing else
}

// wrong looks at all nodes at all times at which anything begins.
func (m *mauiMachine) wrong(s *backfill.Schedule) map[string]wrong {
	var times []int64
	for at := range s.Placements {
		times = append(times, max(s.Placements[at].Start, s.Now))
	}
	for _, r := range s.Cluster.Reservations {
		times = append(times, max(r.Start, s.Now))
	}
	slices.Sort(times)
	out := map[string]wrong{}
	for _, time := range slices.Compact(times) {
		for k := range s.Cluster.Nodes {
			name := s.Cluster.Nodes[k].Name
			m.wrongAt(s, int32(k), time, func(twice bool, text string) {
				if was, known := out[name]; !known || was.twice && !twice {
					out[name] = wrong{fmt.Sprintf("%s at +%d", text, time-now), twice}
				}
			})
		}
	}
	return out
}

func (m *mauiMachine) wrongAt(s *backfill.Schedule, node int32, time int64, say func(twice bool, text string)) {
	name := s.Cluster.Nodes[node].Name
	procs, memory, users, jobs := int64(0), int64(0), map[string]int64{}, 0
	planned := map[string]bool{} // users who have jobs there that do not run yet
	for at := range s.Placements {
		p, r := &s.Placements[at], &s.Requests[at]
		if p.By == backfill.ByNone || max(p.Start, s.Now) > time || max(p.End, s.Now+1) <= time {
			continue
		}
		for _, share := range p.Nodes {
			if share.Node == node {
				procs, memory, jobs = procs+share.Tasks, memory+share.Tasks*r.PerTask.MemMB, jobs+1
				users[r.User] += share.Tasks
				planned[r.User] = planned[r.User] || p.By != backfill.ByRunning
			}
		}
	}
	if procs > m.procs[name] || memory > m.memory {
		say(true, fmt.Sprintf("%d processors and %d MB are taken", procs, memory))
	}
	if m.access == "SINGLEJOB" && jobs > 1 || m.access == "SINGLEUSER" && len(users) > 1 {
		say(false, fmt.Sprintf("%d jobs of %d users share it", jobs, len(users)))
	}
	for _, r := range s.Cluster.Reservations {
		if time < r.Start || time >= r.End || !slices.Contains(r.Nodes, node) {
			continue
		}
		rule := m.rules[strings.SplitN(r.Name, ".", 2)[0]]
		own, others, came := int64(0), int64(0), false
		for user, tasks := range users {
			if slices.Contains(rule.users, user) {
				own += tasks
			} else {
				others += tasks
				came = came || planned[user]
			}
		}
		switch {
		case !came:
		case rule.procs == 0:
			say(false, fmt.Sprintf("others are in reservation %s of %v", r.Name, rule.users))
		case others+max(own, rule.procs) > m.procs[name]:
			say(true, fmt.Sprintf("others have what reservation %s keeps for %v", r.Name, rule.users))
		}
	}
}
