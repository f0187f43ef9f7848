package shares

import (
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

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
