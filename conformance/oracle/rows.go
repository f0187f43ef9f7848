package oracle

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// cells are the known values of one job.
type cells map[schema.ColumnID]schema.Value

// row is one job in one of the partitions it was submitted to.
type row struct {
	job   int
	cells cells
}

type queue struct {
	policy *ir.Policy
	snap   *snapshot.Snapshot
	jobs   []cells
	rows   []row
}

// load reads the jobs, adds what follows from other columns and splits them by
// partition.
func (q *queue) load() error {
	if q.snap.Jobs == nil || !q.snap.KnowsNow() {
		return fmt.Errorf("no jobs, or no time")
	}
	for i := range q.snap.Jobs.Rows {
		q.jobs = append(q.jobs, read(q.snap.Jobs, i))
	}
	for i, job := range q.jobs {
		q.derive(i, job)
	}
	q.accrual()
	for i, job := range q.jobs {
		switch q.policy.Family {
		case "maui":
			q.mauiDefaults(job)
		case "slurm":
			job["job.association"] = schema.StringValue(q.association(job))
			q.slurmQOS(job)
			q.slurmSize(job)
		}
		q.split(i, job)
	}
	return nil
}

func read(t *column.Table, row int) cells {
	c := cells{}
	for _, col := range t.Columns() {
		if v := col.Value(row); v.Known() {
			c[col.ID] = v
		}
	}
	return c
}

func (c cells) text(id schema.ColumnID) string { return c[id].Str }

// derive adds the columns of origin Derived that the snapshot does not state.
func (q *queue) derive(i int, job cells) {
	if !job["job.queue_start_time"].Known() {
		job.set("job.queue_start_time", job["job.submit_time"])
	}
	if q.policy.Family == "maui" {
		q.mauiClock(job)
	}
	for _, d := range []struct{ seconds, since schema.ColumnID }{
		{"job.queue_seconds", "job.queue_start_time"},
		{"job.accrue_seconds", "job.accrue_time"},
		{"job.eligible_seconds", "job.eligible_time"},
		{"job.submit_seconds", "job.submit_time"},
	} {
		if since := job[d.since]; !job[d.seconds].Known() && since.Known() {
			job[d.seconds] = schema.IntValue(q.snap.Now - since.Int)
		}
	}
	if seconds := job["job.queue_seconds"]; !job["job.queue_minutes"].Known() && seconds.Known() {
		job["job.queue_minutes"] = schema.DoubleValue(float64(max(0, seconds.Int)) / 60)
	}
	q.activity(job)
	if pe := q.equivalents(job); !job["job.processor_equivalents"].Known() {
		job.set("job.processor_equivalents", pe)
	}
	earlier := 0
	for k := range q.jobs {
		mine, other := job["job.submit_time"].Int, q.jobs[k]["job.submit_time"].Int
		if other < mine || other == mine && k < i {
			earlier++
		}
	}
	job["job.submit_rank"] = schema.IntValue(int64(earlier))
}

// activity counts what the job's user has running.
func (q *queue) activity(job cells) {
	jobs, procs := int64(0), int64(0)
	for _, other := range q.jobs {
		switch other.text("job.state") {
		case "running", "completing":
			if other.text("job.user") == job.text("job.user") {
				jobs++
				procs += other["job.procs"].Int
			}
		}
	}
	if !job["job.user_active_count"].Known() {
		job["job.user_active_count"] = schema.IntValue(jobs)
	}
	if !job["job.user_active_procs"].Known() {
		job["job.user_active_procs"] = schema.IntValue(procs)
	}
}

// equivalents is the job's largest share of a resource of the cluster, in processors. A resource
// that the cluster has none of does not count.
func (q *queue) equivalents(job cells) schema.Value {
	procs := q.cluster("cluster.procs")
	if procs.Known() && procs.Int <= 0 {
		return schema.DoubleValue(0)
	}
	if each := job["job.procs_per_task"]; !job["job.tasks"].Known() && job["job.procs"].Int > 0 &&
		(!each.Known() || each.Int == 1) {
		return q.equivalentsOfProcs(job, procs)
	}
	if !procs.Known() || !job["job.tasks"].Known() || !job["job.procs_per_task"].Known() {
		return schema.Value{}
	}
	largest := math.Max(float64(job["job.procs_per_task"].Int)/float64(procs.Int), 0)
	for _, name := range []schema.ColumnID{"mem", "disk", "swap"} {
		asked, total := orAbsent("job."+name+"_per_task_mb", job["job."+name+"_per_task_mb"]),
			q.cluster("cluster."+name+"_mb")
		if total.Int <= 0 {
			continue
		}
		if !asked.Known() {
			return schema.Value{}
		}
		largest = math.Max(largest, float64(asked.Int)/float64(total.Int))
	}
	return schema.DoubleValue(float64(job["job.tasks"].Int) * largest * float64(procs.Int))
}

// equivalentsOfProcs are those of a job that has a task for each of its processors and says no more of
// tasks: its memory, disk and swap are spread evenly.
func (q *queue) equivalentsOfProcs(job cells, cluster schema.Value) schema.Value {
	if !cluster.Known() {
		return schema.Value{}
	}
	tasks := float64(job["job.procs"].Int)
	largest := 1 / float64(cluster.Int)
	for _, name := range []schema.ColumnID{"mem", "disk", "swap"} {
		each := float64(job["job."+name+"_mb"].Int) / tasks
		if stated := job["job."+name+"_per_task_mb"]; stated.Known() {
			each = float64(stated.Int)
		}
		if total := q.cluster("cluster." + name + "_mb"); total.Int > 0 {
			largest = math.Max(largest, each/float64(total.Int))
		}
	}
	return schema.DoubleValue(tasks * largest * float64(cluster.Int))
}

func (c cells) set(id schema.ColumnID, v schema.Value) {
	if v.Known() {
		c[id] = v
	}
}

// split makes a row for each partition of the job's list, or one of its own.
func (q *queue) split(i int, job cells) {
	list := job["job.partitions"].List
	if len(list) == 0 {
		q.rows = append(q.rows, row{i, job})
		return
	}
	for _, partition := range list {
		r := cells{}
		maps.Copy(r, job)
		r["job.partition"] = schema.StringValue(partition)
		q.rows = append(q.rows, row{i, r})
	}
}

// association is account/user/partition if the snapshot or the policy has such
// a one, else account/user; Slurm knows accounts in lower case only.
func (q *queue) association(job cells) string {
	key := strings.ToLower(job.text("job.account")) + "/" + job.text("job.user")
	exact := key + "/" + job.text("job.partition")
	known := slices.Contains(q.names("association"), exact)
	for _, t := range q.policy.Tables {
		if t.Column.Object() == "association" {
			known = known || slices.ContainsFunc(t.Rows, func(r ir.TableRow) bool { return r.Name == exact })
		}
	}
	if known {
		return exact
	}
	return key
}

// slurmQOS gives a job that names no QOS that of its association, else normal, where there is such a QOS. Lists of QOS
// and accounts above are none of the oracle's.
func (q *queue) slurmQOS(job cells) {
	if q.policy.Enforced == nil || job.text("job.qos") != "" || job.text("job.state_reason") == "InvalidQOS" {
		return
	}
	name := strings.ToLower(q.stated("association.qos_default", job.text("job.association")).Str)
	if name == "" {
		name = "normal"
	}
	known := slices.Contains(q.names("qos"), name)
	for _, t := range q.policy.Tables {
		if t.Column.Object() == "qos" {
			known = known || slices.ContainsFunc(t.Rows, func(r ir.TableRow) bool { return r.Name == name })
		}
	}
	if known {
		job["job.qos"] = schema.StringValue(name)
	}
}

// names lists the credentials of the snapshot's table.
func (q *queue) names(object string) []string {
	t := q.snap.Credentials[object]
	if t == nil {
		return nil
	}
	var names []string
	for i := range t.Rows {
		names = append(names, t.Value(schema.ColumnID(object+".name"), i).Str)
	}
	return names
}

// slurmSize: once tried, a job that has its nodes for itself counts with all processors of these, where the
// partition's are alike.
func (q *queue) slurmSize(job cells) {
	if job["job.size_procs"].Known() || !job["job.procs"].Known() {
		return
	}
	size := job["job.procs"].Int
	at, waits := job["job.last_evaluation_time"],
		!slices.Contains([]string{"running", "suspended", "completing"}, job.text("job.state"))
	partition := job.text("job.partition")
	shares := strings.ToUpper(q.credential("partition.oversubscribe", partition).Str)
	whole := job["job.exclusive"].Int != 0 || strings.HasPrefix(shares, "EXCLUSIVE")
	whole = whole || q.policy.SlurmPlan != nil && q.policy.SlurmPlan.Linear
	if waits && whole && at.Known() && at.Int <= q.snap.Now && at.Int > job["job.submit_time"].Int {
		procs, nodes := q.credential("partition.procs", partition).Int, q.credential("partition.nodes", partition).Int
		if nodes > 0 && procs >= nodes && procs%nodes == 0 {
			each := procs / nodes
			size = max(size, each*max(1, job["job.nodes"].Int, (size+each-1)/each))
		}
	}
	job["job.size_procs"] = schema.IntValue(size)
}

// accrual: where nothing says from when ages grow, they do from eligible time, else from submission,
// but not while a job waits for another or for a time, or is held where limits are enforced. Limits
// on accrual themselves are none of the oracle's.
func (q *queue) accrual() {
	e := q.policy.Enforced
	if e == nil || e.AccrueAlways || version(q.policy.Version) < 1808 || q.snap.Jobs.Column("job.accrue_time") != nil {
		return
	}
	for _, job := range q.jobs {
		if job["job.accrue_seconds"].Known() {
			return
		}
	}
	for _, job := range q.jobs {
		since, begin := job["job.eligible_time"], job["job.begin_time"]
		if !since.Known() {
			since = job["job.submit_time"]
		}
		later := begin.Known() && begin.Int > q.snap.Now
		if since.Known() && !later && job.text("job.dependency") == "" && (!e.Limits || job["job.held"].Int == 0) {
			job["job.accrue_time"], job["job.accrue_seconds"] = since, schema.IntValue(q.snap.Now-since.Int)
		}
	}
}

func version(text string) int {
	var year, month int
	fmt.Sscanf(text, "%d.%d", &year, &month)
	return 100*year + month
}
