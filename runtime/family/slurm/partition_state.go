package slurm

import (
	"fmt"
	"math"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
)

// stateByReason are the states that slurmctld names as the reason of every job that could be tried.
var stateByReason = map[string]string{"PartitionDown": "DOWN", "PartitionInactive": "INACTIVE"}

// inferStates takes a partition that the configuration has as UP for down where waiting jobs were
// recorded so and no input states its present state: an operator has set it since. A job that was
// recorded to wait for nodes of the same partition says that it is not down any more, unless it was looked at before
// these were.
func (g *guard) inferStates() {
	down := make([]map[string]int, len(g.partitions))                                 // state → jobs recorded with it
	tried, said := make([]int64, len(g.partitions)), make([]int64, len(g.partitions)) // the last second of each
	jobs := g.result.Jobs
	reasons := jobs.Column("job.state_reason")
	if reasons == nil || g.codes == nil {
		return
	}
	for job := range jobs.Rows {
		if jobs.Text("job.state", job) != "pending" {
			continue
		}
		rows := g.byTier(job)
		at, reason := g.codes[rows[len(rows)-1]], reasons.Value(job).Str // of several the one that is asked last has the say
		looked := jobs.Value("job.last_evaluation_time", job)
		switch state := stateByReason[reason]; {
		case state != "":
			if down[at] == nil {
				down[at] = map[string]int{}
			}
			down[at][state]++
			said[at] = max(said[at], looked.Int)
		case len(rows) == 1 && waitsForNodes(reason) && looked.Known():
			tried[at] = max(tried[at], looked.Int)
		case len(rows) == 1 && waitsForNodes(reason):
			tried[at] = math.MaxInt64
		}
	}
	for at := range g.partitions {
		p := &g.partitions[at]
		unknown := p.known && (p.state == "" || p.state == "UP") && g.recordedState(p.name) == ""
		if !unknown || len(down[at]) != 1 || tried[at] > said[at] {
			continue
		}
		for state, n := range down[at] {
			p.state, p.stateFrom = state, fmt.Sprintf("no input states it; the reason of %s in it says so", diag.Count(n, "waiting job"))
			p.inferred = n
		}
	}
}

// sayInferred reports the states that were inferred: once, however often partitions are read.
func (g *guard) sayInferred() {
	for i := range g.partitions {
		if p := &g.partitions[i]; p.inferred > 0 {
			g.result.Findings.Infof("slurm-partition-state-inferred", source.Span{},
				"partition %s is taken to be %s, as the reason of %s in it says, since no input states it", p.name,
				strings.ToLower(p.state), diag.Count(p.inferred, "waiting job")).
				Note("the configuration has it as UP; `scontrol show partition` states what it is now")
		}
	}
}

// stateColumn is the state of partitions in which commands have left them, as far as anything says.
func (g *guard) stateColumn() score.Model {
	state := func(name string) schema.Value {
		for i := range g.partitions {
			if g.partitions[i].name == name {
				return schema.StringValue(g.partitions[i].state)
			}
		}
		return schema.StringValue(strings.ToUpper(g.values.Of("partition.state", name).Str))
	}
	return func(b *score.Binder, id, key schema.ColumnID) *column.Column {
		if id != "partition.present_state" {
			return nil
		}
		return b.Derived(id, key, state)
	}
}

// readPartitions reads the partitions of the rows.
func (g *guard) readPartitions() {
	names := []string{""}
	if c := g.result.Rows.Column("job.partition"); c != nil {
		names, g.codes = c.Dict, c.Codes
	}
	for _, name := range names {
		g.partitions = append(g.partitions, g.readPartition(name))
	}
	g.inferStates()
}
