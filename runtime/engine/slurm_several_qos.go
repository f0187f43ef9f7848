package engine

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// oneQOS gives each row of a job that asks for several QOS (since 24.11, sbatch --qos=normal,high) one of
// them: the first that its association may use and its partition takes. slurmctld has an entry in its
// queue for each partition and QOS (build_job_queue); here is one for each partition, and a finding says
// so. A job counts with the QOS of its first row; what it asked for stays in the snapshot.
func (r *Result) oneQOS() {
	asked := r.Jobs.Column("job.qos")
	if asked == nil || !anyList(asked) {
		return
	}
	g := &slurmGuard{result: r, rules: r.Program.Slurm, version: versionNumber(r.Program.Version), values: newCredentialValues(r.Program, r.Snapshot)}
	if g.rules == nil {
		g.rules = &program.Slurm{}
	}
	rows, jobs := column.NewBuilder(r.Rows.Name), column.NewBuilder(r.Jobs.Name)
	rows.Declare("job.qos", schema.String)
	jobs.Declare("job.qos", schema.String)
	partitions := map[string]*slurmPartition{}
	var several []string
	for row, job := range r.RowJob {
		i := int(job)
		text := asked.Dict[asked.Codes[i]]
		if list := qosNames(text); strings.Contains(text, ",") {
			if text = ""; len(list) > 0 {
				text = g.firstQOS(list, i, row, partitions)
			}
			if len(list) > 1 && int(r.JobRow[i]) == row {
				several = append(several, r.jobID(i))
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
		r.Findings.Warnf("slurm-several-qos", source.Span{}, "the several QOS that %d of the jobs ask for are not told apart: each counts with the first that its association may use and its partition takes", len(several)).
			Note("these are %s; slurmctld tries a job with each of its QOS since 24.11", listed(several))
	}
}

// firstQOS is the first of a job's QOS that may be used in the partition of a row; where there is none, the first
// that its association may use, else the first.
func (g *slurmGuard) firstQOS(list []string, job, row int, partitions map[string]*slurmPartition) string {
	name := g.result.Rows.Value("job.partition", row).Str
	p := partitions[name]
	if p == nil {
		read := g.readPartition(name)
		p = &read
		partitions[name] = p
	}
	key, first := g.result.Jobs.Value("job.association", job).Str, ""
	for _, qos := range list {
		if g.refusedQOS(key, qos, false) != nil {
			continue
		}
		if p.refusedQOS(qos) == nil {
			return qos
		}
		if first == "" {
			first = qos
		}
	}
	if first == "" {
		return list[0]
	}
	return first
}

// askedQOS is the QOS that a job asked for, or several, with commas; its default if it named none.
func (r *Result) askedQOS(job int) string {
	return cmp.Or(r.Snapshot.Jobs.Value("job.qos", job).Str, r.Jobs.Value("job.qos", job).Str)
}

// qosNames are the QOS of a list.
func qosNames(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' })
}

func anyList(c *column.Column) bool {
	for _, name := range c.Dict {
		if strings.Contains(name, ",") {
			return true
		}
	}
	return false
}
