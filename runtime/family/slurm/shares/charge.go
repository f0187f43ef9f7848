package shares

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// newCharges lists jobs that have started. A job that completes has ended: what is left of it
// uses nothing that is charged (_apply_new_usage).
func newCharges(r *evaluation.Result, t *evaluation.TreeShares, values *evaluation.Values) *evaluation.Charges {
	c, m, ownNodes := &evaluation.Charges{}, newCharger(t, values, r.Jobs), OwnNodes(r)
	for job := range r.Jobs.Rows {
		start, end := r.Jobs.Value("job.start_time", job), r.Jobs.Value("job.end_time", job)
		if from, until, ran := requeuedRun(r, job); ran {
			had := m.Counts(job)
			if cpu := slices.Index(m.model.TRES, "cpu"); cpu >= 0 && ownNodes(job) {
				size := NodeSize(values, r.Jobs.Text("job.partition", job))
				had[cpu] = float64(WholeNodesOf(size, int64(had[cpu]), r.Jobs.Int("job.nodes", job)))
			}
			x := m.chargeOf(job, from, until, had)
			x.Again = true
			c.List = append(c.List, x)
			continue
		}
		if !start.Known() {
			continue
		}
		switch r.Jobs.Text("job.state", job) {
		case "running", "suspended":
			c.List = append(c.List, m.charge(job, start.Int, 0))
		case "completing", "done":
			if end.Known() && end.Int >= start.Int {
				c.List = append(c.List, m.charge(job, start.Int, end.Int))
			}
		}
	}
	sayBilling(r, m.biller)
	sayMaximum(r, c)
	return c
}

// requeuedRun is the run of a job that was requeued and waits to begin again. It is submitted anew at its end, and the
// scheduler has not looked at it since it started it. It had all processors of nodes that it shared with no other job,
// and shows what it asks for (recorded: preempt-part-requeue).
func requeuedRun(r *evaluation.Result, job int) (from, until int64, ran bool) {
	if r.Jobs.Int("job.restarts", job) <= 0 || r.Jobs.Text("job.state", job) != "pending" {
		return 0, 0, false
	}
	from, until = r.Jobs.Int("job.last_evaluation_time", job), r.Jobs.Int("job.submit_time", job)
	return from, until, from > 0 && from <= until
}

// charger makes jobs charges.
type charger struct {
	*biller
	tree *evaluation.TreeShares
	jobs *column.Table
}

func newCharger(t *evaluation.TreeShares, values *evaluation.Values, jobs *column.Table) *charger {
	return &charger{NewBiller(t.Model, jobs, values), t, jobs}
}

func (m *charger) charge(job int, start, end int64) evaluation.Charge {
	return m.chargeOf(job, start, end, m.Counts(job))
}

// chargeOf charges a job for what it had of each TRES.
func (m *charger) chargeOf(job int, start, end int64, had []float64) evaluation.Charge {
	qos, partition := m.jobs.Text("job.qos", job), m.jobs.Text("job.partition", job)
	x := evaluation.Charge{Job: int32(job), End: end}
	x.Charge = tree.Charge{Node: -1, QOS: rowOfQOS(m.tree, qos),
		PartitionQOS: rowOfQOS(m.tree, m.values.Of("partition.qos", partition).Str),
		StartSeconds: start, UsageFactor: 1, TRES: had}
	x.Billing = m.Of(partition, x.TRES)
	m.bill(x.TRES, x.Billing)
	if factor := m.values.Of("qos.usage_factor", qos); factor.Known() {
		x.UsageFactor = factor.Double
	}
	if node, ok := m.tree.Nodes[m.jobs.Text("job.association", job)]; ok {
		x.Node = int(node)
	}
	return x
}

// rowOfQOS is the row of a QOS, -1 for none.
func rowOfQOS(t *evaluation.TreeShares, name string) int {
	if i, ok := slices.BinarySearch(t.QOS, name); ok {
		return i
	}
	return -1
}

// biller works out what jobs cost a second.
type biller struct {
	model      *program.Tree
	values     *evaluation.Values
	columns    []*column.Column // by TRES; nil where the snapshot has none
	instead    []*column.Column // the column of the job that says the same
	partitions map[string]partitionBilling
}

// partitionBilling is what jobs of a partition are billed by.
type partitionBilling struct {
	tree.Billing
	weights []slurmtext.TRESWeight
	span    source.Span
	unknown bool // no input says whether there are weights: the processors are billed
}

// sameAsTRES are columns that say what a resource's would, in snapshots without it.
var sameAsTRES = map[string]schema.ColumnID{"cpu": "job.procs", "mem": "job.mem_mb", "node": "job.nodes",
	"gres/gpu": "job.gpus"}

func NewBiller(model *program.Tree, jobs *column.Table, values *evaluation.Values) *biller {
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

// Counts are what a job has of each TRES.
func (b *biller) Counts(job int) []float64 {
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

// GivesWholeNodes reports a partition whose jobs all have their nodes for themselves: by OverSubscribe=EXCLUSIVE, or as
// select/linear gives whole nodes everywhere. Before 23.11 that is also what a slurm.conf without SelectType has.
func GivesWholeNodes(p *program.Program, values *evaluation.Values, partition string) bool {
	linear := p.Plan != nil && p.Plan.Slurm != nil && p.Plan.Slurm.Linear
	return linear || strings.HasPrefix(strings.ToUpper(values.Of("partition.oversubscribe", partition).Str), "EXCLUSIVE")
}

// OwnNodes asks of jobs whether they share their nodes with no other job.
func OwnNodes(r *evaluation.Result) func(job int) bool {
	values := evaluation.NewValues(r.Program, r.Snapshot)
	return func(job int) bool {
		exclusive := r.Jobs.Int("job.exclusive", job) != 0
		return exclusive || GivesWholeNodes(r.Program, values, r.Jobs.Text("job.partition", job))
	}
}

// WholeNodesOf are all processors of the nodes that hold so many, and not fewer than are asked for.
func WholeNodesOf(perNode, procs, nodes int64) int64 {
	if perNode <= 0 {
		return procs
	}
	return max(procs, perNode*max(nodes, (procs-1)/perNode+1))
}

// NodeSize is the number of processors of each node of a partition; 0 where they differ or
// unknown.
func NodeSize(values *evaluation.Values, partition string) int64 {
	procs, nodes := values.Of("partition.procs", partition).Int, values.Of("partition.nodes", partition).Int
	if nodes <= 0 || procs%nodes != 0 {
		return 0
	}
	return procs / nodes
}

// Bill is what a job costs each second that it runs, or would run, by the weights of its partition.
type Bill struct {
	Partition   string
	Parts       []BillPart // what has a weight and is not 0, in the order in which it is summed
	Rule        string     // one of program's Bill words
	Total       float64
	QOS         string
	UsageFactor float64     // of the QOS: usage is charged times this
	Span        source.Span // of the weights; zero: the CPUs are billed
}

// BillPart is one resource: Value = Count · Weight.
type BillPart struct {
	TRES                 string
	Count, Weight, Value float64
	OfNode               bool // only the largest of these counts, if the rule is not the sum
}

// Billed works out what a job is billed. It is not ok for policies without account tree.
func Billed(r *evaluation.Result, job int) (bill Bill, ok bool) {
	model := r.Program.Tree
	if model == nil {
		return Bill{}, false
	}
	values := evaluation.NewValues(r.Program, r.Snapshot)
	b := NewBiller(model, r.Jobs, values)
	counts := b.Counts(job)
	bill = Bill{Partition: r.Jobs.Text("job.partition", job), QOS: r.Jobs.Text("job.qos", job), Rule: model.Bill,
		UsageFactor: 1}
	bill.Total = b.Of(bill.Partition, counts)
	weights := []slurmtext.TRESWeight{{Name: "cpu", Value: 1}}
	if p := b.partition(bill.Partition); len(p.weights) > 0 {
		weights, bill.Span = p.weights, p.span
	}
	for i, name := range model.TRES {
		for _, w := range weights {
			if w.Name == name && name != "billing" && counts[i] != 0 {
				bill.Parts = append(bill.Parts,
					BillPart{TRES: name, Count: counts[i], Weight: w.Value, Value: float64(counts[i] * w.Value),
						OfNode: model.Bill != program.BillSum && tree.PerNode(name, billingRule(model))})
				break
			}
		}
	}
	if factor := values.Of("qos.usage_factor", bill.QOS); factor.Known() {
		bill.UsageFactor = factor.Double
	}
	return bill, true
}
