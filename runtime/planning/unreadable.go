package planning

import (
	"cmp"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// lists reads the lists of a job that are written in one word: the tasks of its array, its licences. It tells what of
// them cannot be read, and which excluded nodes there are not.
func (q *Queue) lists(out *backfill.Request) {
	r, job := q.Result, int(out.Row)
	tasks, licenses := r.Jobs.Text("job.array_task_list", job), r.Jobs.Text("job.licenses", job)
	most, readable, bad := int64(0), false, ""
	out.TaskIDs, most, readable = taskIDs(tasks)
	out.ArrayMax = cmp.Or(out.ArrayMax, most)
	out.Licenses, bad = licensesOf(licenses)
	if r.State[job] == evaluation.Done {
		return
	}
	if !readable {
		note := "those before are planned"
		if out.TaskIDs == nil {
			note = "it is planned as one job"
		}
		r.Findings.Warnf("plan-array-unreadable", source.Span{}, "the tasks %q of array job %s cannot be read to their end",
			tasks, out.ID).
			Note("%s; squeue and scontrol cut long lists off, the output of squeue -r has a row for each task", note)
	}
	if bad != "" {
		r.Findings.Warnf("plan-license-unreadable", source.Span{}, "job %s asks for %q, which is no number of licences",
			out.ID, bad).
			Note("it is planned without; write NAME:NUMBER, such as matlab:2")
	}
	for _, name := range r.Jobs.Value("job.excluded_hosts", job).List {
		q.unknownNode(source.Span{}, name, "job %s excludes", out.ID)
	}
}

// reservedLicenses reads the licences of a reservation.
func (q *Queue) reservedLicenses(name, text string) map[string]int64 {
	licenses, bad := licensesOf(text)
	if bad != "" {
		q.Result.Findings.Warnf("plan-license-unreadable", source.Span{},
			"reservation %s keeps %q, which is no number of licences", name, bad).
			Note("it keeps none of them; write NAME:NUMBER, such as matlab:2")
	}
	return licenses
}

// unknownNode reports a node that there is not where the nodes are known: format is of its name, after the other
// arguments.
func (q *Queue) unknownNode(span source.Span, name, format string, args ...any) {
	if _, ok := q.Nodes[name]; ok || q.pooled {
		return
	}
	names := make([]string, len(q.Cluster.Nodes))
	for i := range q.Cluster.Nodes {
		names[i] = q.Cluster.Nodes[i].Name
	}
	d := q.Result.Findings.Warnf("plan-node-unknown", span, format+" node %s, which there is not", append(args, name)...)
	if near := diag.Nearest(name, names); near != "" {
		d.Note("did you mean %q?", near)
	}
}
