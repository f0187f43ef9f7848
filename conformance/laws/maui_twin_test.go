package laws

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/oracle/mauiplan"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestGeneratedMauiPlans: plan(compile(cfg), Q) = mauiplan.Run(cfg, Q) for one iteration of Maui: the same jobs
// start, in the same order, in the same pass, on the same nodes, and the same jobs have the same reservations. The
// queues have unlike nodes with memory, features and classes of few slots, in one partition or in two, running jobs,
// endless standing reservations, limits, jobs with tasks per node, node counts and tasks of several processors, and
// the policies of drawMauiQueue. Not asked: several iterations. Times are odd: two that meet to the second are left to
// the recordings. FAIRWAY_LONG tries more.
func TestGeneratedMauiPlans(t *testing.T) {
	queues := uint64(250)
	if draws.Long() {
		queues = 2000
	}
	started, reserved := 0, 0
	for number := range queues {
		c := drawMauiQueue(rand.New(rand.NewPCG(number, 15)))
		got, want := productPlan(t, c), twinPlan(t, c)
		if !slices.Equal(got, want) {
			differs := func(c *mauiplan.Case) bool { return !slices.Equal(productPlan(t, c), twinPlan(t, c)) }
			c = shrinkCase(c, differs)
			text, _ := json.Marshal(c)
			t.Fatalf("%d: %s\nthe product plans\n%s\nthe twin\n%s", number, text,
				strings.Join(productPlan(t, c), "\n"), strings.Join(twinPlan(t, c), "\n"))
		}
		for _, line := range want {
			if strings.HasPrefix(line, "start") {
				started++
			} else {
				reserved++
			}
		}
	}
	if started < int(queues) || reserved < int(queues)/4 {
		t.Errorf("%d starts and %d reservations: the generator has gone blind", started, reserved)
	}
}

// drawMauiQueue draws a machine of unlike nodes with jobs on it and a queue.
func drawMauiQueue(r *rand.Rand) *mauiplan.Case {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	c := &mauiplan.Case{Now: now}
	c.Cfg = append(c.Cfg, "BACKFILLPOLICY "+pick("FIRSTFIT", "FIRSTFIT", "BESTFIT", "NONE", "GREEDY", "PREEMPT"),
		"RESERVATIONPOLICY "+pick("CURRENTHIGHEST", "CURRENTHIGHEST", "HIGHEST", "NEVER"),
		fmt.Sprintf("RESERVATIONDEPTH %d", 1+r.IntN(4)),
		"NODEALLOCATIONPOLICY "+pick("FIRSTAVAILABLE", "MINRESOURCE", "FASTEST", "LASTAVAILABLE", "MAXBALANCE", "PRIORITY",
			"CPULOAD"),
		"NODEACCESSPOLICY "+pick("SHARED", "SHARED", "SHARED", "SINGLEUSER", "SINGLEJOB", "SINGLETASK"))
	parts, fewSlots := r.IntN(3) == 0, r.IntN(3) == 0
	if parts {
		c.Cfg = append(c.Cfg, "SYSCFG PLIST=pa:pb"+pick("", " PDEF=pa", " PDEF=pb"))
	}
	if r.IntN(3) == 0 {
		c.Cfg = append(c.Cfg, pick("USERCFG[DEFAULT] MAXJOB=2,3", "USERCFG[amy] MAXPROC=4,8", "GROUPCFG[DEFAULT] MAXJOB=3,5",
			"CLASSCFG[batch] MAXPROC=8,12", "USERCFG[DEFAULT] MAXPS=20000,40000"))
	}
	if r.IntN(4) == 0 {
		c.Cfg = append(c.Cfg, "QOSCFG[hi] QFLAGS=RESERVEALWAYS", "USERCFG[bob] QLIST=hi QDEF=hi")
	}
	if r.IntN(4) == 0 {
		c.Cfg = append(c.Cfg, "BACKFILLDEPTH "+pick("1", "2"))
	}
	kinds := []struct{ procs, mem int64 }{{2, 2048}, {4, 4096}, {8, 16384}}
	for k := range 3 + r.IntN(6) {
		kind := kinds[r.IntN(len(kinds))]
		n := mauiplan.CaseNode{
			ID: fmt.Sprintf("n%02d", k+1), Procs: kind.procs, MemMB: kind.mem,
			AvailableProcs: kind.procs, AvailableMemMB: kind.mem,
		}
		if r.IntN(3) == 0 {
			n.Features = []string{"big"}
		}
		n.Slots = map[string]int64{"batch": kind.procs, "long": kind.procs}
		if fewSlots && r.IntN(2) == 0 {
			n.Slots["batch"] = 1 + r.Int64N(kind.procs)
		}
		if parts { // each has a node
			n.Partition = []string{"pa", "pb", pick("pa", "pb")}[min(k, 2)]
		}
		c.Nodes = append(c.Nodes, n)
	}
	if r.IntN(4) == 0 {
		whom := pick("amy", "bob") + pick("", "-", "=")
		c.Cfg = append(c.Cfg, "SRCFG[s1] PERIOD=INFINITY HOSTLIST=n01 USERLIST="+whom)
	}
	access := c.Cfg[4] // NODEACCESSPOLICY
	for k := range r.IntN(10) {
		j := drawMauiJob(r, fmt.Sprintf("r%02d", k))
		at := r.IntN(len(c.Nodes))
		n := &c.Nodes[at]
		shared := !slices.ContainsFunc(c.Jobs, func(o mauiplan.CaseJob) bool {
			alone := strings.HasSuffix(access, "JOB") || strings.HasSuffix(access, "TASK") ||
				strings.HasSuffix(access, "USER") && o.User != j.User
			return o.On[0].Node == n.ID && alone
		})
		j.Tasks = min(j.Tasks, n.AvailableProcs/j.ProcsPerTask, n.Slots[j.Class])
		if j.Tasks == 0 || n.AvailableMemMB < j.Tasks*j.MemMBPerTask || !shared {
			continue
		}
		n.AvailableProcs, n.AvailableMemMB = n.AvailableProcs-j.Tasks*j.ProcsPerTask, n.AvailableMemMB-j.Tasks*j.MemMBPerTask
		j.State, j.Started, j.Features, j.NodeCount, j.TasksPerNode = "running", now-int64(r.IntN(300)), nil, 0, 0
		j.On = []mauiplan.CaseShare{{Node: n.ID, Tasks: j.Tasks}}
		c.Jobs = append(c.Jobs, j)
	}
	for k := range 2 + r.IntN(9) {
		c.Jobs = append(c.Jobs, drawMauiJob(r, fmt.Sprintf("j%02d", k)))
	}
	settle(c)
	return c
}

// settle makes what nodes have available follow from the jobs that run on them.
func settle(c *mauiplan.Case) {
	for k := range c.Nodes {
		n := &c.Nodes[k]
		n.AvailableProcs, n.AvailableMemMB, n.AvailableSlots = n.Procs, n.MemMB, map[string]int64{}
		for class, slots := range n.Slots {
			n.AvailableSlots[class] = slots
		}
		for _, j := range c.Jobs {
			for _, s := range j.On {
				if s.Node == n.ID {
					n.AvailableProcs -= s.Tasks * j.ProcsPerTask
					n.AvailableMemMB -= s.Tasks * j.MemMBPerTask
					n.AvailableSlots[j.Class] -= s.Tasks
				}
			}
		}
		n.Load = float64(n.Procs - n.AvailableProcs)
		n.State = "Running"
		if n.AvailableProcs == n.Procs {
			n.State = "Idle"
		} else if n.AvailableProcs == 0 {
			n.State = "Busy"
		}
	}
}

func drawMauiJob(r *rand.Rand, id string) mauiplan.CaseJob {
	j := mauiplan.CaseJob{
		ID: id, User: []string{"amy", "bob", "cat"}[r.IntN(3)], Group: "users", Class: []string{"batch", "long"}[r.IntN(2)],
		State: "idle", Submitted: now - int64(1+r.IntN(40))*300, Seconds: int64(600 + r.IntN(7200)),
		Tasks: int64(1 + r.IntN(6)), ProcsPerTask: 1,
	}
	if r.IntN(4) == 0 {
		j.Tasks += int64(r.IntN(12))
	}
	if r.IntN(3) == 0 {
		j.MemMBPerTask = int64(1+r.IntN(4)) * 256
	}
	if r.IntN(6) == 0 {
		j.Features = []string{"big"}
	}
	if r.IntN(8) == 0 {
		j.ProcsPerTask = 2
		j.Tasks = (j.Tasks + 1) / 2
	}
	switch r.IntN(12) {
	case 0:
		j.TasksPerNode = int64(1 + r.IntN(2))
		j.Tasks *= j.TasksPerNode
	case 1:
		j.NodeCount = min(j.Tasks, int64(1+r.IntN(3)))
	}
	return j
}

// twinPlan is what the twin decides, a line each.
func twinPlan(t *testing.T, c *mauiplan.Case) (lines []string) {
	t.Helper()
	m, err := c.Machine()
	if err != nil {
		t.Fatal(err)
	}
	plan := mauiplan.Run(m).Plan()
	share := func(s mauiplan.Share) (string, int64) { return m.Nodes[s.Node].Name, s.Tasks }
	for _, s := range plan.Starts {
		pass := strings.Replace(s.Pass, "reservation", "main", 1) // one pass of the product
		lines = append(lines, fmt.Sprintf("start %s %s %s", s.Job, pass, onNodes(s.On, share)))
	}
	from := len(lines)
	for _, r := range plan.Reservations {
		lines = append(lines, fmt.Sprintf("reserve %s %d %s", r.Job, r.Start, onNodes(r.On, share)))
	}
	slices.Sort(lines[from:])
	return lines
}

// onNodes are names with tasks, in the order of the names.
func onNodes[S any](on []S, of func(S) (string, int64)) string {
	var out []string
	for _, s := range on {
		name, tasks := of(s)
		out = append(out, fmt.Sprintf("%s:%d", name, tasks))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// productPlan is what the product decides, in the same lines.
func productPlan(t *testing.T, c *mauiplan.Case) (lines []string) {
	t.Helper()
	cfg := "SERVERHOST localhost\nRMPOLLINTERVAL 00:00:30\n" + strings.Join(c.Cfg, "\n") + "\n"
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("maui.cfg", []byte(cfg))},
		Lang: lower.Maui})
	if out.Diags.HasErrors() {
		t.Fatalf("%v\n%v", c.Cfg, out.Diags)
	}
	files := fstest.MapFS{}
	for name, v := range map[string]any{"jobs.json": shownJobs(c), "nodes.json": shownNodes(c)} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	s, diags, err := snapshot.Read(files, []string{"jobs.json", "nodes.json"}, snapshot.Options{Now: c.Now})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, findings(diags))
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1, Plan: true})
	if err != nil {
		t.Fatal(err, c.Cfg)
	}
	if r.Findings.HasErrors() {
		t.Fatal(findings(r.Findings), c.Cfg)
	}
	plan, err := engine.Plan(r, planning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	share := func(s backfill.Share) (string, int64) { return plan.Cluster.Nodes[s.Node].Name, s.Tasks }
	at, id := map[int32]*backfill.Placement{}, map[int32]string{}
	for k := range plan.Placements {
		p := &plan.Placements[k]
		at[p.Job], id[p.Job] = p, plan.Requests[k].ID
		if p.By == backfill.ByReservation {
			lines = append(lines, fmt.Sprintf("reserve %s %d %s", id[p.Job], p.Start-c.Now, onNodes(p.Nodes, share)))
		}
	}
	slices.Sort(lines)
	var starts []string
	for _, job := range plan.Started {
		starts = append(starts, fmt.Sprintf("start %s %s %s", id[job], at[job].By, onNodes(at[job].Nodes, share)))
	}
	return append(starts, lines...)
}

func findings(list diag.List) (text string) {
	for _, d := range list {
		text += d.Message + "\n"
	}
	return text
}

// shownJobs are the jobs with what the resource manager shows beside, and a node for each task.
func shownJobs(c *mauiplan.Case) (list []map[string]any) {
	for _, j := range c.Jobs {
		var shown map[string]any
		text, _ := json.Marshal(j)
		_ = json.Unmarshal(text, &shown)
		var on []string
		for _, s := range j.On {
			on = append(on, slices.Repeat([]string{s.Node}, int(s.Tasks))...)
		}
		shown["alloc"] = on
		list = append(list, shown)
	}
	return list
}

// shownNodes are the nodes with swap and disk that bound nobody.
func shownNodes(c *mauiplan.Case) (list []map[string]any) {
	for _, n := range c.Nodes {
		var shown map[string]any
		text, _ := json.Marshal(n)
		_ = json.Unmarshal(text, &shown)
		for _, key := range []string{"swap_mb", "avail_swap_mb", "disk_mb", "avail_disk_mb"} {
			shown[key] = 100000
		}
		list = append(list, shown)
	}
	return list
}

// shrinkCase drops jobs, nodes and lines of maui.cfg as long as the plans still differ.
func shrinkCase(c *mauiplan.Case, differs func(*mauiplan.Case) bool) *mauiplan.Case {
	for again := true; again; {
		again = false
		try := func(change func(*mauiplan.Case)) bool {
			smaller := &mauiplan.Case{Now: c.Now}
			smaller.Cfg, smaller.Nodes, smaller.Jobs = slices.Clone(c.Cfg), slices.Clone(c.Nodes), slices.Clone(c.Jobs)
			change(smaller)
			settle(smaller)
			if differs(smaller) {
				c, again = smaller, true
				return true
			}
			return false
		}
		for k := 0; k < len(c.Jobs) && len(c.Jobs) > 1; k++ {
			if try(func(c *mauiplan.Case) { c.Jobs = slices.Delete(c.Jobs, k, k+1) }) {
				k--
			}
		}
		for k := 0; k < len(c.Nodes) && len(c.Nodes) > 1; k++ {
			name := c.Nodes[k].ID
			runs := func(j mauiplan.CaseJob) bool { return len(j.On) > 0 && j.On[0].Node == name }
			used := slices.ContainsFunc(c.Jobs, runs) || strings.Contains(strings.Join(c.Cfg, " "), "HOSTLIST="+name)
			others := slices.ContainsFunc(c.Nodes, func(n mauiplan.CaseNode) bool {
				return n.ID != name && n.Partition == c.Nodes[k].Partition
			})
			if !used && others && try(func(c *mauiplan.Case) { c.Nodes = slices.Delete(c.Nodes, k, k+1) }) {
				k--
			}
		}
		for k := 0; k < len(c.Cfg); k++ {
			needed := strings.HasPrefix(c.Cfg[k], "SYSCFG") // nodes name its partitions
			if !needed && try(func(c *mauiplan.Case) { c.Cfg = slices.Delete(c.Cfg, k, k+1) }) {
				k--
			}
		}
	}
	return c
}
