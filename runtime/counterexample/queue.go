package counterexample

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// now is the time of all generated queues.
const now = 1_800_000_000

func (s *Search) draw(r *rand.Rand, id int) Job {
	word := func(list []string) string {
		if len(list) == 0 {
			return "other"
		}
		return list[r.IntN(len(list))]
	}
	user, account := word(s.Names.Users), word(s.Names.Accounts)
	if len(s.Names.Members) > 0 {
		m := s.Names.Members[r.IntN(len(s.Names.Members))]
		account, user = m[0], m[1]
	}
	nodes := int64(1) << r.IntN(4)
	return Job{
		ID: id, User: user, Group: word(s.Names.Groups), Account: account, QOS: word(s.Names.QOS), Partition: word(s.Names.Partitions),
		Nodes: nodes, Procs: nodes << r.IntN(6), WalltimeSeconds: 600 << r.IntN(11), WaitedSeconds: int64(r.IntN(14*86400)) / 60 * 60,
		Running: r.IntN(4) == 0,
	}
}

// snapshot is the queue as a resource manager would show it.
func (s *Search) snapshot(jobs []Job) *snapshot.Snapshot {
	b := column.NewBuilder("jobs")
	for i := range jobs {
		j := &jobs[i]
		b.Row()
		for _, c := range []struct {
			id    schema.ColumnID
			value string
		}{{"job.id", fmt.Sprint(j.ID)}, {"job.user", j.User}, {"job.group", j.Group}, {"job.account", j.Account}, {"job.qos", j.QOS}, {"job.partition", j.Partition}} {
			b.String(c.id, c.value)
		}
		state := "pending"
		if j.Running {
			state = "running"
		}
		b.String("job.state", state)
		for _, c := range []struct {
			id    schema.ColumnID
			value int64
		}{{"job.procs", j.Procs}, {"job.tasks", j.Procs}, {"job.procs_per_task", 1}, {"job.nodes", j.Nodes}, {"job.walltime_seconds", j.WalltimeSeconds}, {"job.mem_mb", 1024 * j.Procs},
			{"job.swap_mb", 0}, {"job.disk_mb", 0}, {"job.gpus", 0}, {"job.nice", 0}, {"job.queue_seconds", j.WaitedSeconds}} {
			b.Int(c.id, c.value)
		}
		for _, id := range []schema.ColumnID{"job.submit_time", "job.queue_start_time", "job.eligible_time", "job.accrue_time"} {
			b.Value(id, schema.TimestampValue(now-j.WaitedSeconds))
		}
		b.Declare("job.start_time", schema.Timestamp)
		if j.Running {
			b.Value("job.start_time", schema.TimestampValue(now-60))
		}
	}
	out := &snapshot.Snapshot{Now: now, Jobs: b.Table(), Credentials: map[string]*column.Table{}}
	nodes := column.NewBuilder("nodes")
	for i := range 16 {
		nodes.Row()
		nodes.String("node.name", fmt.Sprintf("n%d", i+1))
		nodes.Int("node.procs", 64)
		nodes.Int("node.mem_mb", 65536)
	}
	out.Nodes = nodes.Table()
	qos := column.NewBuilder("qos")
	for _, name := range append(slices.Clone(s.Names.QOS), "other") {
		qos.Row()
		qos.String("qos.name", name)
		qos.Int("qos.priority", 0)
	}
	out.Credentials["qos"] = qos.Table()
	associations := column.NewBuilder("association")
	for _, account := range append(slices.Clone(s.Names.Accounts), "other", "root") {
		for _, user := range append(slices.Clone(s.Names.Users), "other", "") {
			associations.Row()
			associations.String("association.name", strings.TrimSuffix(account+"/"+user, "/"))
			associations.Double("association.fairshare_factor", 0.5)
			associations.Int("association.priority", 0)
		}
	}
	out.Credentials["association"] = associations.Table() // nobody has used anything
	return out
}
