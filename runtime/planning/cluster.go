package planning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Machine makes the cluster: the nodes of the snapshot, or one pool of processors.
func (q *Queue) Machine(o Options) error {
	q.Cluster, q.Nodes = &backfill.Cluster{}, map[string]int32{}
	nodes := q.Result.Snapshot.Nodes
	switch {
	case o.Procs > 0:
		q.Cluster.Nodes = []backfill.Node{{Name: "machine",
			Capacity: backfill.Amounts{Procs: o.Procs, MemMB: plenty, SwapMB: plenty, DiskMB: plenty}, Up: true, Speed: 1}}
		q.Nodes["machine"] = 0
		return nil
	case nodes == nil || nodes.Rows == 0:
		return &Error{Problem: "the snapshot has no nodes to plan on",
			Advice: "add the output of scontrol show node, pbsnodes or a nodes file; or say --procs N for a machine that is " +
				"one pool of processors"}
	}
	q.Cluster.Gres = gresNames(q.Result)
	if o.Known.gives(q) {
		return nil
	}
	reported := len(q.Result.Findings)
	for row := range nodes.Rows {
		node := q.node(nodes, row)
		q.Nodes[node.Name] = int32(row)
		q.Cluster.Nodes = append(q.Cluster.Nodes, node)
	}
	q.Cluster.ThreadMemory = q.wholeCores() && q.Result.Program.Plan.Slurm.Cores
	q.coresUnknown()
	q.configuredSwitches()
	q.topologyUnknown()
	q.partitions()
	if len(q.Result.Findings) == reported { // else they are reported again
		o.Known.keep(q)
	}
	return nil
}

// Known is a machine for callers that plan again and again while nodes, policy and credentials stay as they are. The
// zero value knows none; nil never does.
type Known struct {
	nodes   *column.Table
	program *program.Program
	cluster backfill.Cluster
	at      map[string]int32
}

// gives hands the machine to a queue that has the same nodes.
func (k *Known) gives(q *Queue) bool {
	if k == nil || k.nodes == nil || k.nodes != q.Result.Snapshot.Nodes || k.program != q.Result.Program ||
		len(q.Cluster.Gres) > 0 {
		return false
	}
	*q.Cluster, q.Nodes = k.cluster, k.at
	q.Cluster.Nodes, q.Cluster.Partitions = slices.Clone(k.cluster.Nodes), slices.Clone(k.cluster.Partitions)
	return true
}

// keep takes the machine of a queue, before any of its jobs counts there. Generic resources go by the jobs too.
func (k *Known) keep(q *Queue) {
	if k == nil || len(q.Cluster.Gres) > 0 {
		return
	}
	k.nodes, k.program, k.cluster, k.at = q.Result.Snapshot.Nodes, q.Result.Program, *q.Cluster, q.Nodes
	k.cluster.Nodes, k.cluster.Partitions = slices.Clone(k.cluster.Nodes), slices.Clone(k.cluster.Partitions)
}

// plenty is the amount of a resource for which no input says how much there is: it binds nothing.
const plenty = int64(1) << 50

func (q *Queue) node(t *column.Table, row int) backfill.Node {
	amount := func(id schema.ColumnID) int64 {
		if v := t.Value(id, row); v.Known() {
			return v.Int
		}
		return plenty
	}
	n := backfill.Node{
		Name: t.Text("node.id", row), State: t.Text("node.state", row),
		Capacity: backfill.Amounts{Procs: t.Int("node.procs", row), MemMB: amount("node.mem_mb"),
			SwapMB: amount("node.swap_mb"), DiskMB: amount("node.disk_mb"),
			Gres: nodeGres(q.Cluster.Gres, t, row)},
		UpTime: t.Int("node.expected_time", row), Features: t.Value("node.features", row).List,
		Partitions: t.Value("node.partitions", row).List,
		Up:         StartsJobs(t, row), Asleep: sleeps(t.Text("node.state", row)),
		Load:  t.Value("node.load", row).Double,
		Speed: 1, Weight: t.Int("node.weight", row),
		Switches: t.Value("node.switches", row).List,
	}
	if speed := t.Value("node.speed", row); speed.Known() && speed.Double > 0 {
		n.Speed = speed.Double
	}
	if usable := t.Value("node.procs_usable", row); usable.Known() && usable.Int > 0 {
		n.Capacity.Procs = min(n.Capacity.Procs, usable.Int)
	}
	n.ThreadsPerCore, n.CoresPerSocket = q.wholeCoreThreads(t, row), q.socketCores(t, row)
	n.Used = backfill.Amounts{Procs: used(t, row, "node.procs", "node.procs_available"),
		MemMB:  used(t, row, "node.mem_mb", "node.mem_available_mb"),
		SwapMB: used(t, row, "node.swap_mb", "node.swap_available_mb"),
		DiskMB: used(t, row, "node.disk_mb", "node.disk_available_mb")}
	n.Told = !q.Result.Snapshot.Manner().FreeIsOwn && t.Value("node.procs_available", row).Known()
	n.Classes = classSlots(t, row)
	// a machine of Maui's or PBS, whose classes become partitions
	if t.Column("node.partitions") == nil && q.Result.Facts.Partitions == evaluation.Places {
		n.Partitions = t.Value("node.classes", row).List
	}
	return n
}

func used(t *column.Table, row int, all, free schema.ColumnID) int64 {
	a, f := t.Value(all, row), t.Value(free, row)
	if !a.Known() || !f.Known() {
		return 0
	}
	return max(0, a.Int-f.Int)
}

// StartsJobs reports a node that takes new jobs: a node that drains runs on and takes none.
func StartsJobs(t *column.Table, row int) bool {
	if up := t.Value("node.up", row); up.Known() && up.Int == 0 {
		return false
	}
	return takesJobs(t.Text("node.state", row))
}

func takesJobs(state string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToUpper(state),
		func(c rune) bool { return c == '+' || c == ',' || c == ' ' }) {
		switch strings.TrimRight(word, "*~#!%$@^-") {
		case "DRAIN", "DRAINING", "DRNG", "DRAINED", "DOWN", "FAIL", "FAILING", "FLUSH", "OFFLINE", "MAINT", "MAINTENANCE",
			"REBOOT_ISSUED", "FUTURE", "ERROR":
			return false
		}
	}
	return true
}

// maintained takes the nodes of a reservation for maintenance that is on for nodes that take jobs: it keeps out all jobs
// but its own itself, and they are free after it (recorded: loopback-reserves-maint, jobs 5 and 8).
func (q *Queue) maintained(r *backfill.Reservation, now int64) {
	if !r.Maintenance || r.Start > now || r.End <= now {
		return
	}
	for _, i := range r.Nodes {
		n := &q.Cluster.Nodes[i]
		state := strings.ToUpper(n.State)
		n.Up = n.Up || strings.Contains(state, "MAINT") && takesJobs(maintenance.Replace(state))
	}
}

var maintenance = strings.NewReplacer("MAINTENANCE", "", "MAINT", "")

// sleeps reports a node that power saving has put to sleep, or is about to: ~ and % in sinfo's short form.
func sleeps(state string) bool {
	state = strings.ToUpper(state)
	return strings.Contains(state, "POWERED_DOWN") || strings.Contains(state, "POWERING_DOWN") ||
		strings.ContainsAny(state, "~%")
}

// classSlots are the tasks of each class that a node takes; nil if only its processors bound them. A class that a
// node names without a number is bounded by its processors alone.
func classSlots(t *column.Table, row int) map[string]int64 {
	list := t.Value("node.classes", row).List
	if len(list) == 0 {
		return nil
	}
	slots := map[string]int64{}
	for _, class := range list {
		slots[class] = plenty
		if v := t.Value(schema.ColumnID("node.class_slots("+class+")"), row); v.Known() {
			slots[class] = int64(v.Double)
		}
	}
	return slots
}

// partitions makes the partitions that nodes name, in the order in which they do, with what policy
// and snapshot say of each.
func (q *Queue) partitions() {
	values := evaluation.NewValues(q.Result.Program, q.Result.Snapshot)
	at := map[string]int{}
	for node := range q.Cluster.Nodes {
		for _, name := range q.Cluster.Nodes[node].Partitions {
			k, ok := at[name]
			if !ok {
				k = len(q.Cluster.Partitions)
				at[name] = k
				q.Cluster.Partitions = append(q.Cluster.Partitions, partition(values, name))
			}
			p := &q.Cluster.Partitions[k]
			p.Nodes = append(p.Nodes, int32(node))
		}
	}
}

// rowsOf reads FORCE:2 or YES:4: how many jobs may have a processor at a time, and whether they need not ask for it.
// Without a number it is 4 (slurm.conf.5).
func rowsOf(text string) (rows int64, forced bool) {
	word, number, counted := strings.Cut(strings.ToUpper(text), ":")
	if word != "FORCE" && word != "YES" {
		return 1, false
	}
	n, err := strconv.ParseInt(number, 10, 32)
	switch {
	case !counted:
		n = 4
		if word == "FORCE" { // the policy writes FORCE:1 so
			n = 1
		}
	case err != nil || n < 1:
		n = 1
	}
	return n, word == "FORCE"
}

func partition(values *evaluation.Values, name string) backfill.Partition {
	p := backfill.Partition{Name: name, Up: true, PriorityTier: 1}
	switch strings.ToUpper(values.Of("partition.state", name).Str) {
	case "DOWN", "INACTIVE":
		p.Up = false
	}
	if tier := values.Of("partition.priority_tier", name); tier.Known() {
		p.PriorityTier = tier.Int
	}
	if strings.HasPrefix(strings.ToUpper(values.Of("partition.oversubscribe", name).Str), "EXCLUSIVE") {
		p.Sharing = backfill.SingleJob
	} else if values.Of("partition.exclusive_user", name).Int != 0 {
		p.Sharing = backfill.SingleUser
	}
	p.Rows, p.Forced = rowsOf(values.Of("partition.oversubscribe", name).Str)
	p.Kept = strings.EqualFold(values.Of("partition.preempt_mode", name).Str, "OFF")
	p.LeastLoaded = values.Of("partition.least_loaded", name).Int != 0
	p.MaxTimeSeconds = values.Of("partition.walltime_max_seconds", name).Int
	return p
}
