package engine

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// charges are what the jobs of the snapshot add to usage.
type charges struct {
	list []charge
}

// charge is a job that ran or runs.
type charge struct {
	tree.Charge
	job   int32
	end   int64 // epoch seconds; 0 while it runs
	again bool  // it was requeued at its end
}

// flagWords makes the flags of a QOS comparable: sacctmgr writes NoDecay, dumps nodecay.
func flagWords(flags []string) []string {
	out := make([]string, len(flags))
	for i, f := range flags {
		out[i] = strings.ToLower(f)
	}
	return out
}

// newCharges lists jobs that have started. A job that completes has ended: what is left of it
// uses nothing that is charged (_apply_new_usage).
func (r *Result) newCharges(t *TreeShares, values *credentialValues) *charges {
	c, m, ownNodes := &charges{}, newCharger(t, values, r.Jobs), r.OwnNodes()
	for job := range r.Jobs.Rows {
		start, end := r.Jobs.Value("job.start_time", job), r.Jobs.Value("job.end_time", job)
		if from, until, ran := r.requeuedRun(job); ran {
			had := m.counts(job)
			if cpu := slices.Index(m.model.TRES, "cpu"); cpu >= 0 && ownNodes(job) {
				size := nodeSize(values, r.Jobs.Value("job.partition", job).Str)
				had[cpu] = float64(wholeNodesOf(size, int64(had[cpu]), r.Jobs.Value("job.nodes", job).Int))
			}
			x := m.chargeOf(job, from, until, had)
			x.again = true
			c.list = append(c.list, x)
			continue
		}
		if !start.Known() {
			continue
		}
		switch r.Jobs.Value("job.state", job).Str {
		case "running", "suspended":
			c.list = append(c.list, m.charge(job, start.Int, 0))
		case "completing", "done":
			if end.Known() && end.Int >= start.Int {
				c.list = append(c.list, m.charge(job, start.Int, end.Int))
			}
		}
	}
	r.sayBilling(m.biller)
	r.sayMaximum(c)
	return c
}

// requeuedRun is the run of a job that was requeued and waits to begin again. It is submitted anew at its end, and
// the scheduler has not looked at it since it started it. It had all processors of nodes that it shared with nobody,
// and shows what it asks for (recorded: preempt-part-requeue).
func (r *Result) requeuedRun(job int) (from, until int64, ran bool) {
	if r.Jobs.Value("job.restarts", job).Int <= 0 || r.Jobs.Value("job.state", job).Str != "pending" {
		return 0, 0, false
	}
	from, until = r.Jobs.Value("job.last_evaluation_time", job).Int, r.Jobs.Value("job.submit_time", job).Int
	return from, until, from > 0 && from <= until
}

// charger makes jobs charges.
type charger struct {
	*biller
	tree *TreeShares
	jobs *column.Table
}

func newCharger(t *TreeShares, values *credentialValues, jobs *column.Table) *charger {
	return &charger{newBiller(t.Model, jobs, values), t, jobs}
}

func (m *charger) charge(job int, start, end int64) charge {
	return m.chargeOf(job, start, end, m.counts(job))
}

// chargeOf charges a job for what it had of each TRES.
func (m *charger) chargeOf(job int, start, end int64, had []float64) charge {
	qos, partition := m.jobs.Value("job.qos", job).Str, m.jobs.Value("job.partition", job).Str
	x := charge{job: int32(job), end: end}
	x.Charge = tree.Charge{Node: -1, QOS: m.tree.qos(qos), PartitionQOS: m.tree.qos(m.values.of("partition.qos", partition).Str),
		StartSeconds: start, UsageFactor: 1, TRES: had}
	x.Billing = m.of(partition, x.TRES)
	m.bill(x.TRES, x.Billing)
	if factor := m.values.of("qos.usage_factor", qos); factor.Known() {
		x.UsageFactor = factor.Double
	}
	if node, ok := m.tree.nodes[m.jobs.Value("job.association", job).Str]; ok {
		x.Node = int(node)
	}
	return x
}

// qos is the row of a QOS, -1 for none.
func (t *TreeShares) qos(name string) int {
	if i, ok := slices.BinarySearch(t.QOS, name); ok {
		return i
	}
	return -1
}

// running are those who run at a moment.
func (c *charges) running(at int64) []tree.Charge {
	var list []tree.Charge
	for _, x := range c.list {
		if x.StartSeconds < at && (x.end == 0 || x.end > at) {
			list = append(list, x.Charge)
		}
	}
	return list
}

// biller works out what jobs cost a second.
type biller struct {
	model      *program.Tree
	values     *credentialValues
	columns    []*column.Column // by TRES; nil where the snapshot has none
	instead    []*column.Column // the column of the job that says the same
	partitions map[string]partitionBilling
}

// partitionBilling is what jobs of a partition are billed by.
type partitionBilling struct {
	tree.Billing
	weights []slurmtext.TRESWeight
	span    source.Span
	unknown bool // nobody says whether there are weights: the processors are billed
}

// sameAsTRES are columns that say what a resource's would, in snapshots without it.
var sameAsTRES = map[string]schema.ColumnID{"cpu": "job.procs", "mem": "job.mem_mb", "node": "job.nodes", "gres/gpu": "job.gpus"}

func newBiller(model *program.Tree, jobs *column.Table, values *credentialValues) *biller {
	b := &biller{model: model, values: values, partitions: map[string]partitionBilling{}}
	for _, name := range model.TRES {
		b.columns = append(b.columns, jobs.Column(schema.TRES("job", name)))
		var instead *column.Column
		if id, ok := sameAsTRES[name]; ok {
			instead = jobs.Column(id)
		}
		b.instead = append(b.instead, instead)
	}
	return b
}

// counts are what a job has of each TRES.
func (b *biller) counts(job int) []float64 {
	counts := make([]float64, len(b.columns))
	for i, c := range b.columns {
		switch same := b.instead[i]; {
		case c != nil && !c.Missing.Get(job):
			counts[i] = c.Doubles[job]
		case same != nil && !same.Missing.Get(job):
			counts[i] = float64(same.Ints[job])
		}
	}
	return counts
}

// bill enters billing among the TRES where the snapshot does not have it: cut to an integer, as
// limits and accounting count it.
func (b *biller) bill(counts []float64, billing float64) {
	for i, name := range b.model.TRES {
		if name == "billing" && counts[i] == 0 {
			counts[i] = math.Trunc(billing)
		}
	}
}

func billingRule(model *program.Tree) tree.BillingRule {
	return map[string]tree.BillingRule{program.BillMax: tree.MaxTRES, program.BillMaxGRES: tree.MaxTRESGRES}[model.Bill]
}
