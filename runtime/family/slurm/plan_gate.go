package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
)

// partitionDown is slurmctld's word for a job whose partition does not start any.
const partitionDown = "PartitionDown"

// gate asks the limits of associations and QOS while a plan starts jobs.
type gate struct {
	limits  *slurmlimit.Limits
	cluster *backfill.Cluster
	result  *evaluation.Result
	last    *slurmlimit.Stop // what stopped the last entry asked about
}

func (g *gate) BeforeNodes(row int32) string {
	return g.word(g.limits.CheckBeforeNodes(int(row)))
}

func (g *gate) WithNodes(row int32, got slurm.Got) string {
	return g.word(g.limits.CheckWithNodes(int(row), g.got(got)))
}

func (g *gate) Start(row int32, got slurm.Got) { g.limits.Start(int(row), g.got(got)) }

func (g *gate) End(row int32, got *slurm.Got) {
	if got != nil {
		g.limits.End(int(row), g.got(*got))
		return
	}
	job := int(g.result.RowJob[row])
	if counted(g.result.Jobs.Text("job.state", job)) {
		g.limits.Remove(job)
	}
}

func (g *gate) Copy() slurm.Gate {
	return &gate{limits: g.limits.Clone(), cluster: g.cluster, result: g.result}
}

func (g *gate) word(stop *slurmlimit.Stop) string {
	if g.last = stop; stop == nil {
		return ""
	}
	return stop.Reason
}

func (g *gate) NodesMax(row int32) (most int64, word string) {
	stop := g.limits.NodesMax(int(row))
	if stop == nil {
		return 0, ""
	}
	return stop.Value, stop.Reason
}

func (g *gate) got(got slurm.Got) timeline.Got {
	out := timeline.Got{Procs: got.Procs, Nodes: got.Count}
	for _, node := range got.Nodes {
		out.Hosts = append(out.Hosts, g.cluster.Nodes[node].Name)
	}
	return out
}

// GroupQOS names the QOS whose limit on all its jobs together stopped the last entry (job_state_qos_grp_limit).
func (g *gate) GroupQOS(int32) string {
	if g.last == nil || g.last.Object != "qos" || !strings.HasPrefix(g.last.Kind, "Grp") {
		return ""
	}
	return g.last.Name
}
