package slurm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/derive"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// oneQOS gives each row of a job that asks for several QOS (since 24.11, sbatch --qos=normal,high) one of
// them: the first that its association may use and its partition takes. slurmctld has an entry in its
// queue for each partition and QOS (build_job_queue); here is one for each partition, and a finding says
// so. A job counts with the QOS of its first row; what it asked for stays in the snapshot.
func oneQOS(r *evaluation.Result, machine *vm.Machine) error {
	asked := r.Jobs.Column("job.qos")
	if !anyList(asked) {
		return nil
	}
	g := &guard{result: r, rules: r.Program.Slurm, version: evaluation.VersionNumber(r.Program.Version),
		values: evaluation.NewValues(r.Program, r.Snapshot)}
	if g.rules == nil {
		g.rules = &program.Slurm{}
	}
	refused, err := refusedQOS(r, machine, asked)
	if err != nil {
		return err
	}
	rows, jobs := column.NewBuilder(r.Rows.Name), column.NewBuilder(r.Jobs.Name)
	rows.Declare("job.qos", schema.String)
	jobs.Declare("job.qos", schema.String)
	var several []string
	for row, job := range r.RowJob {
		i := int(job)
		text := asked.Dict[asked.Codes[i]]
		if list := qosNames(text); strings.Contains(text, ",") {
			if text = ""; len(list) > 0 {
				partition := r.Rows.Text("job.partition", row)
				text = g.firstQOS(list, i, func(qos string) bool { return !refused[entryQOS{partition, qos}] })
			}
			if len(list) > 1 && int(r.JobRow[i]) == row {
				several = append(several, r.JobID(i))
			}
		}
		rows.Row()
		rows.String("job.qos", text)
		if int(r.JobRow[i]) == row {
			jobs.Row()
			jobs.String("job.qos", text)
		}
	}
	if r.Rows != r.Jobs {
		r.Rows.Put(rows.Table().Column("job.qos"))
	}
	r.Jobs.Put(jobs.Table().Column("job.qos"))
	if len(several) > 0 {
		r.Findings.Warnf("slurm-several-qos", source.Span{},
			"the several QOS that %d of the jobs ask for are not distinguished: each counts with the first that its "+
				"association may use and its partition takes", len(several)).
			Note("these are %s; slurmctld tries a job with each of its QOS since 24.11", evaluation.FirstFew(several))
	}
	return nil
}

// firstQOS is the first of a job's QOS that may be used in the partition of a row; where there is none, the first
// that its association may use, else the first.
func (g *guard) firstQOS(list []string, job int, taken func(qos string) bool) string {
	key, first := g.result.Jobs.Text("job.association", job), ""
	for _, qos := range list {
		if g.refusedQOS(key, qos, false) != nil {
			continue
		}
		if taken(qos) {
			return qos
		}
		if first == "" {
			first = qos
		}
	}
	return cmp.Or(first, list[0])
}

// entryQOS is an entry that slurmctld would have in its queue.
type entryQOS struct{ partition, qos string }

// refusedQOS asks the partitions' lists of QOS about each that some job asks for beside others.
func refusedQOS(r *evaluation.Result, machine *vm.Machine, asked *column.Column) (map[entryQOS]bool, error) {
	var entries []entryQOS
	b := column.NewBuilder(r.Rows.Name)
	for row, job := range r.RowJob {
		text := asked.Dict[asked.Codes[job]]
		if !strings.Contains(text, ",") {
			continue
		}
		for _, qos := range qosNames(text) {
			e := entryQOS{r.Rows.Text("job.partition", row), qos}
			if slices.Contains(entries, e) {
				continue
			}
			entries = append(entries, e)
			b.Row()
			b.String("job.partition", e.partition)
			b.String("job.qos", e.qos)
		}
	}
	bind := score.NewBinder(r.Program, r.Snapshot, b.Table(), r.Now)
	bind.Models = []score.Model{derive.Credentials(&evaluation.Run{Result: r})}
	var regs []program.Reg
	for i := range r.Program.Admission {
		h := &r.Program.Admission[i]
		if h.Setting != "partition.qos_allowed" && h.Setting != "partition.qos_denied" {
			continue
		}
		regs = append(regs, h.When)
		for _, id := range h.Reads {
			shape := program.ShapeOf(id)
			bind.Key(shape.Key)
			bind.Bind(id, shape)
		}
	}
	out, err := machine.Run(vm.Binding{Rows: len(entries), Columns: bind.Columns}, regs, 1)
	if err != nil {
		return nil, err
	}
	refused := map[entryQOS]bool{}
	for i := range out.Vectors {
		marks := score.TrueRows(out, out.Vectors[i].Reg, len(entries))
		for row, e := range entries {
			refused[e] = refused[e] || marks.Get(row)
		}
	}
	return refused, nil
}

// qosNames are the QOS of a list.
func qosNames(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' })
}

// anyList reports names with commas in a column; one that no input has has none.
func anyList(c *column.Column) bool {
	if c == nil {
		return false
	}
	return slices.ContainsFunc(c.Dict, func(name string) bool { return strings.Contains(name, ",") })
}

const qosDefault schema.ColumnID = "association.qos_default"

// defaultQOS gives a job that names no QOS the one that slurmctld gives it when it is submitted. A recorded queue has
// the outcome; one of another scheduler's, or one that is made up, has not. Where no QOS are known no job has one.
func defaultQOS(r *evaluation.Result) {
	asked := r.Jobs.Column("job.qos")
	if asked != nil && !slices.ContainsFunc(asked.Codes, func(code uint32) bool { return asked.Dict[code] == "" }) {
		return
	}
	g := &guard{result: r, values: evaluation.NewValues(r.Program, r.Snapshot), rules: r.Program.Slurm}
	g.qosNames = g.values.Names("qos")
	if g.rules == nil || len(g.qosNames) == 0 {
		return
	}
	b := column.NewBuilder("qos")
	b.Declare("job.qos", schema.String)
	given := map[string]string{}
	for i := range r.Jobs.Rows {
		qos := r.Jobs.Text("job.qos", i)
		if key := r.Jobs.Text("job.association", i); qos == "" && r.Jobs.Text("job.state_reason", i) != invalidQOS {
			known := false
			if qos, known = given[key]; !known {
				qos = g.defaultQOS(key)
				given[key] = qos
			}
		}
		b.Row()
		b.String("job.qos", qos)
	}
	r.Jobs.Put(b.Table().Column("job.qos"))
}

// defaultQOS is that of an association or of the nearest above it, as far as it may have that, else the only one that
// it may have, else normal (sacctmgr.1, DefaultQOS; _determine_and_validate_qos). A QOS that no input describes is
// none.
func (g *guard) defaultQOS(key string) string {
	may, qos := g.allowedQOS(key), ""
	if g.above == nil {
		g.above = g.values.Parents(g.result.Program.Tree)
	}
	at := key
	for range maxAccounts {
		if qos = strings.ToLower(g.values.Of(qosDefault, at).Str); qos != "" || at == "" {
			break
		}
		at = g.above[at]
	}
	if may.set && !slices.Contains(may.list, qos) {
		if qos = ""; len(may.list) == 1 {
			qos = may.list[0]
		}
	}
	qos = cmp.Or(qos, usualQOS)
	if _, known := g.qosNames[qos]; !known {
		return ""
	}
	return qos
}
