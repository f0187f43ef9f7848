package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// slurmPartition is what a partition refuses. Numbers are −1 where there is no limit.
type slurmPartition struct {
	name                                        string
	known                                       bool
	state, qos                                  string
	stateFrom                                   string // what said so, where the policy did not
	inferred                                    int    // jobs whose reasons did
	maxSeconds, defaultSeconds                  int64
	nodesMin, nodesMax, nodes, procs            int64
	procsPerNode, memPerNode, memPerProc        int64
	allowAccounts, denyAccounts, allowQOS, deny []string
	allowGroups                                 []string
	rootOnly, needsReservation                  bool
	whole                                       bool            // jobs have their nodes for themselves
	nodeNames                                   map[string]bool // nil where the snapshot does not say
}

// readPartitions reads the partitions of the rows.
func (g *slurmGuard) readPartitions() {
	names := []string{""}
	if c := g.result.Rows.Column("job.partition"); c != nil {
		names, g.codes = c.Dict, c.Codes
	}
	for _, name := range names {
		g.partitions = append(g.partitions, g.readPartition(name))
	}
	g.inferStates()
	nodes := g.result.Snapshot.Nodes
	ids, in := nodes.Column("node.id"), nodes.Column("node.partitions")
	if ids == nil || in == nil {
		return
	}
	for i := range g.partitions {
		g.partitions[i].nodeNames = map[string]bool{}
	}
	for row := range nodes.Rows {
		for _, partition := range in.Lists[in.Codes[row]] {
			if at := slices.Index(names, partition); at >= 0 {
				g.partitions[at].nodeNames[ids.Dict[ids.Codes[row]]] = true
			}
		}
	}
}

func (g *slurmGuard) readPartition(name string) slurmPartition {
	value := func(column string) schema.Value { return g.values.of(schema.ColumnID("partition."+column), name) }
	number := func(column string) int64 {
		if v := value(column); v.Known() {
			return v.Int
		}
		return -1
	}
	p := slurmPartition{name: name, state: strings.ToUpper(value("state").Str), qos: value("qos").Str,
		maxSeconds: number("walltime_max_seconds"), defaultSeconds: number("walltime_default_seconds"),
		nodesMin: number("nodes_min"), nodesMax: number("nodes_max"), nodes: number("nodes"), procs: number("procs"),
		procsPerNode: number("procs_per_node_max"), memPerNode: number("mem_per_node_max_mb"), memPerProc: number("mem_per_proc_max_mb"),
		allowAccounts: value("accounts_allowed").List, denyAccounts: value("accounts_denied").List,
		allowQOS: value("qos_allowed").List, deny: value("qos_denied").List, allowGroups: value("groups_allowed").List,
		rootOnly: value("root_only").Int != 0, needsReservation: value("needs_reservation").Int != 0,
		whole: givesWholeNodes(g.result.Program, g.values, name)}
	_, p.known = g.values.names("partition")[name]
	if now := g.recordedState(name); now != "" && (p.state == "" || p.state == "UP") {
		p.state, p.stateFrom = now, "the snapshot states it, whatever the configuration begins with"
	}
	return p
}

// recordedState is the state that commands have set since slurm.conf was read, where a partition
// that the file has as UP begins.
func (g *slurmGuard) recordedState(name string) string {
	if row, ok := g.values.rows("partition")[name]; ok {
		return strings.ToUpper(g.result.Snapshot.Credentials["partition"].Value("partition.state", row).Str)
	}
	return ""
}

// partition is the partition of a row.
func (g *slurmGuard) partition(row int) *slurmPartition {
	if g.codes == nil {
		return &g.partitions[0]
	}
	return &g.partitions[g.codes[row]]
}

// qosFlag reports a flag of a row's QOS, the job's or its partition's.
func (g *slurmGuard) qosFlag(row int, flag string) bool {
	for _, q := range []string{g.partition(row).qos, g.result.Rows.Value("job.qos", row).Str} {
		if q != "" && slices.Contains(flagWords(g.values.of("qos.flags", q).List), flag) {
			return true
		}
	}
	return false
}

// refusal is why a partition does not take a job: Slurm's reason, and the setting of the
// partition that decides, with the numbers or names that it is about.
type refusal struct {
	reason string
	column schema.ColumnID // of the partition; "" where none is to blame
	text   string
	from   string // what said so where the policy's setting did not
}

// late reports a refusal that is not found when the queue is built but when the scheduler comes to the entry: of
// the job's account or QOS.
func (r *refusal) late() bool { return isLate(r.column) }

func isLate(column schema.ColumnID) bool {
	return slices.Contains([]schema.ColumnID{"partition.accounts_allowed", "partition.accounts_denied", "partition.qos_allowed", "partition.qos_denied"}, column)
}

// refused asks a row's partition, in the order of slurmctld (job_limits_check). Groups come first, then its state
// (recorded: jobs too long or too large for a partition that is down show PartitionDown, but partition-multi-reasons, job 14).
func (g *slurmGuard) refused(row int) *refusal {
	p := g.partition(row)
	if r := g.recordedGroups(p, int(g.result.RowJob[row])); r != nil {
		return r
	}
	switch {
	case !p.known:
	case p.state == "DOWN":
		return &refusal{"PartitionDown", "partition.state", "partition " + p.name + " is down", p.stateFrom}
	case p.state == "INACTIVE":
		return &refusal{"PartitionInactive", "partition.state", "partition " + p.name + " is inactive", p.stateFrom}
	}
	if r := g.misfit(row); r != nil {
		return r
	}
	return g.belowThreshold(row, int(g.result.RowJob[row]))
}

// misfit asks what of a job its partition never takes, whatever state it is in.
func (g *slurmGuard) misfit(row int) *refusal {
	p, jobs, job := g.partition(row), g.result.Jobs, int(g.result.RowJob[row])
	refuse := func(reason, column, format string, args ...any) *refusal {
		return &refusal{reason, schema.ColumnID("partition." + column), fmt.Sprintf(format, args...), ""}
	}
	procs, nodes, most := jobs.Value("job.procs", job).Int, max(1, jobs.Value("job.nodes", job).Int), jobs.Value("job.nodes_max", job)
	switch {
	case !p.known:
		return nil
	case p.needsReservation && jobs.Value("job.reservation", job).Str == "":
		return refuse("PartitionConfig", "needs_reservation", "partition %s takes only jobs in a reservation", p.name)
	case p.rootOnly && jobs.Value("job.user", job).Str != "root":
		return refuse("PartitionConfig", "root_only", "partition %s takes only jobs of root", p.name)
	case p.procs >= 0 && procs > p.procs:
		return refuse("PartitionConfig", "procs", "it asks for %d processors, and partition %s has %d", procs, p.name, p.procs)
	case p.procsPerNode >= 0 && p.nodes >= 0 && procs > p.procsPerNode*p.nodes:
		return refuse("PartitionConfig", "procs_per_node_max", "it asks for %d processors, and partition %s gives %d on each of its %d nodes", procs, p.name, p.procsPerNode, p.nodes)
	case p.nodes >= 0 && nodes > p.nodes:
		return refuse("PartitionNodeLimit", "nodes", "it asks for %d nodes, and partition %s has %d", nodes, p.name, p.nodes)
	case g.outside(p, job) != "":
		return refuse("PartitionConfig", "nodes", "it asks for node %s, which is not in partition %s", g.outside(p, job), p.name)
	case p.nodesMax >= 0 && nodes > p.nodesMax && !g.qosFlag(row, "partitionmaxnodes"):
		return refuse("PartitionNodeLimit", "nodes_max", "it asks for %d nodes, and partition %s takes %d at most", nodes, p.name, p.nodesMax)
	case p.nodesMin > 0 && most.Known() && most.Int > 0 && most.Int < p.nodesMin && !g.qosFlag(row, "partitionminnodes"):
		return refuse("PartitionNodeLimit", "nodes_min", "it asks for %d nodes at most, and partition %s takes %d at least", most.Int, p.name, p.nodesMin)
	}
	if r := g.refusedTime(row, p, job); r != nil {
		return r
	}
	mem := jobs.Value("job.mem_mb", job).Int
	switch {
	case p.memPerNode >= 0 && mem/nodes > p.memPerNode:
		return refuse("MaxMemPerLimit", "mem_per_node_max_mb", "it asks for %d MB on a node, and partition %s gives %d at most", mem/nodes, p.name, p.memPerNode)
	case p.memPerProc >= 0 && procs > 0 && mem/procs > p.memPerProc:
		return refuse("MaxMemPerLimit", "mem_per_proc_max_mb", "it asks for %d MB for a processor, and partition %s gives %d at most", mem/procs, p.name, p.memPerProc)
	}
	if r := g.notAllowed(row, p, job); r != nil {
		return r
	}
	return g.recordedGroups(p, job)
}

// refusedTime: a job that may be made shorter (--time-min) counts with that.
func (g *slurmGuard) refusedTime(row int, p *slurmPartition, job int) *refusal {
	seconds := g.result.Jobs.Value("job.walltime_seconds", job)
	unlimited := g.result.Jobs.Value("job.walltime_unlimited", job).Int != 0
	if least := g.result.Jobs.Value("job.walltime_min_seconds", job); least.Known() && least.Int > 0 {
		seconds = least
	}
	if p.maxSeconds < 0 || !unlimited && (!seconds.Known() || seconds.Int <= p.maxSeconds) || g.qosFlag(row, "partitiontimelimit") {
		return nil
	}
	asks := "no time limit"
	if !unlimited {
		asks = fmt.Sprintf("%d minutes", (seconds.Int+59)/60)
	}
	return &refusal{"PartitionTimeLimit", "partition.walltime_max_seconds", fmt.Sprintf("it asks for %s, and partition %s gives %d at most", asks, p.name, p.maxSeconds/60), ""}
}

// outside is a node that a job insists on and a partition does not have.
func (g *slurmGuard) outside(p *slurmPartition, job int) string {
	if p.nodeNames == nil {
		return ""
	}
	for _, host := range g.result.Jobs.Value("job.hosts", job).List {
		if !p.nodeNames[host] {
			return host
		}
	}
	return ""
}
