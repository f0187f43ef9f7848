package backfill

import (
	"fmt"

	"pgregory.net/rapid"
)

// now is when generated plans begin.
const now = int64(1000)

// queue is a generated case.
type queue struct {
	cluster  *Cluster
	requests []Request
}

// traits say what generated cases may have.
type traits struct {
	whole bool // every job has its nodes to itself
	large bool // no two jobs that wait find room on one node
	plain bool // one task on each node, no lists of hosts, no counted features, no tasks without nodes
}

// queues draws a small cluster and its queue. Times are short, so that much meets.
func queues(t *rapid.T, with traits) queue {
	c := &Cluster{Gres: []string{"gpu"}, Licenses: map[string]int64{"tool": 2}}
	for i := range rapid.IntRange(1, 8).Draw(t, "nodes") {
		n := Node{Name: fmt.Sprintf("n%d", i), Up: rapid.IntRange(0, 9).Draw(t, "up") > 0, Weight: rapid.Int64Range(0, 1).
			Draw(t, "weight")}
		n.Capacity = Amounts{Procs: rapid.SampledFrom([]int64{4, 4, 8}).
			Draw(t, "procs"), MemMB: rapid.SampledFrom([]int64{16, 16, 32}).
			Draw(t, "memory"), Gres: []int64{rapid.SampledFrom([]int64{0, 0, 2}).Draw(t, "gpus")}}
		if rapid.IntRange(0, 3).Draw(t, "feature") == 0 {
			n.Features = []string{rapid.SampledFrom([]string{"red", "blue"}).Draw(t, "which")}
		}
		if !n.Up && rapid.Bool().Draw(t, "comes up") {
			n.UpTime = now + rapid.Int64Range(1, 30).Draw(t, "when")
		}
		if with.whole {
			n.Sharing = SingleJob
		} else if rapid.IntRange(0, 5).Draw(t, "sharing") == 0 {
			n.Sharing = rapid.SampledFrom([]Sharing{SingleUser, SingleJob}).Draw(t, "node sharing")
		}
		n.Partitions = []string{rapid.SampledFrom([]string{"a", "a", "b"}).Draw(t, "partition")}
		c.Nodes = append(c.Nodes, n)
	}
	for range rapid.IntRange(0, 2).Draw(t, "reservations") {
		start := now + rapid.Int64Range(-5, 40).Draw(t, "reservation start")
		v := Reservation{Name: fmt.Sprintf("r%d", len(c.Reservations)), Start: start, End: start + rapid.Int64Range(1, 30).
			Draw(t, "reservation length"),
			Nodes: someOf(t, len(c.Nodes), "reserved nodes")}
		if user := rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(t, "admitted"); user != "" {
			v.Admits = func(r *Request) bool { return r.User == user }
		}
		if !with.whole && rapid.Bool().Draw(t, "partly") {
			v.Amounts = Amounts{Procs: 2, MemMB: 8}
		}
		if rapid.IntRange(0, 3).Draw(t, "reserved licence") == 0 {
			v.Licenses = map[string]int64{"tool": 1}
		}
		c.Reservations = append(c.Reservations, v)
		if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
			c.repeat(rapid.IntRange(1, 3).Draw(t, "times"), rapid.Int64Range(0, 30).Draw(t, "gap"), rapid.Bool().
				Draw(t, "for ever"))
		}
	}
	q := queue{cluster: c}
	q.running(t, with)
	for range rapid.IntRange(1, 10).Draw(t, "jobs") {
		q.requests = append(q.requests, q.request(t, with))
	}
	return q
}

// repeat adds more times of the last reservation.
func (c *Cluster) repeat(times int, gap int64, forEver bool) {
	v := &c.Reservations[len(c.Reservations)-1]
	period := v.End - v.Start + gap
	if v.Series = int32(len(c.Reservations)); forEver {
		v.PeriodSeconds = period
	}
	for k := range int64(times) {
		again := *v
		again.Start, again.End = v.Start+(k+1)*period, v.End+(k+1)*period
		c.Reservations = append(c.Reservations, again)
	}
}

// running draws jobs that run, none of which has more of a node than it has.
func (q *queue) running(t *rapid.T, with traits) {
	for i := range q.cluster.Nodes {
		n := &q.cluster.Nodes[i]
		if !n.Up || rapid.IntRange(0, 2).Draw(t, "busy") > 0 {
			continue
		}
		r := Request{Job: int32(len(q.requests)), ID: fmt.Sprint(len(q.requests)), User: "cat", Start: now - 10,
			End: now + rapid.Int64Range(-2, 40).
				Draw(t, "running until"), Nodes: 1, Tasks: 1, PerTask: Amounts{Procs: 2, MemMB: 8},
			Allocated: []Share{{Node: int32(i), Tasks: 1}}}
		q.requests = append(q.requests, r)
	}
}

func someOf(t *rapid.T, n int, name string) []int32 {
	var nodes []int32
	for i := range n {
		if rapid.Bool().Draw(t, name) {
			nodes = append(nodes, int32(i))
		}
	}
	return nodes
}

// request draws a job that waits.
func (q *queue) request(t *rapid.T, with traits) Request {
	job := int32(len(q.requests))
	r := Request{Job: job, ID: fmt.Sprint(job), User: rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "user"),
		Nodes: rapid.Int64Range(1, 4).Draw(t, "wanted"), WalltimeSeconds: rapid.Int64Range(1, 40).Draw(t, "walltime")}
	r.Tasks = r.Nodes
	rarely := func(name string) bool { return rapid.IntRange(0, 5).Draw(t, name) == 0 }
	r.PerTask = Amounts{Procs: rapid.SampledFrom([]int64{1, 2, 4}).
		Draw(t, "procs per task"), MemMB: rapid.SampledFrom([]int64{0, 4, 10}).Draw(t, "memory per task")}
	if with.large {
		r.PerTask.Procs = rapid.SampledFrom([]int64{5, 5, 3}).Draw(t, "many procs per task")
	}
	if rarely("wants gpus") {
		r.PerNode.Gres = []int64{1}
	}
	if rarely("in a partition") {
		r.Partitions = [][]string{{"a"}, {"b"}, {"b", "a"}}[rapid.IntRange(0, 2).Draw(t, "partitions")]
	}
	if rarely("wants features") {
		r.Features.Alternatives = []FeatureSet{{All: []string{"red"}}}
		if rapid.Bool().Draw(t, "or blue") {
			r.Features.Alternatives = append(r.Features.Alternatives, FeatureSet{All: []string{"blue"}})
			r.Features.SameForAll = rapid.Bool().Draw(t, "same for all")
		}
	}
	if rarely("wants a licence") {
		r.Licenses = map[string]int64{"tool": rapid.Int64Range(1, 2).Draw(t, "licences")}
	}
	if rarely("begins later") {
		r.Begin = now + rapid.Int64Range(1, 30).Draw(t, "begin")
	}
	if rarely("has a deadline") {
		r.Deadline = now + rapid.Int64Range(1, 90).Draw(t, "deadline")
	}
	if rarely("follows") && job > 0 {
		r.After = []int32{rapid.Int32Range(0, job+1).Draw(t, "follows which")}
	}
	if with.plain {
		return r
	}
	if rarely("any nodes") {
		r.Nodes, r.Tasks = 0, rapid.Int64Range(1, 9).Draw(t, "tasks")
	} else if rarely("several tasks") {
		r.Tasks = r.Nodes * rapid.Int64Range(1, 3).Draw(t, "tasks each")
	}
	if rarely("up to more nodes") {
		r.NodesMax = r.Nodes + 2
	}
	if rarely("insists on nodes") {
		r.Hosts = []int32{rapid.Int32Range(0, int32(len(q.cluster.Nodes)-1)).Draw(t, "host")}
	}
	if rarely("excludes nodes") {
		r.Excluded = someOf(t, len(q.cluster.Nodes), "excluded")
	}
	if rarely("counts features") {
		r.Features = Features{Alternatives: []FeatureSet{{All: []string{"red"}, Count: 1}, {All: []string{"blue"}, Count: 1}}}
	}
	if rarely("takes less") {
		r.WalltimeMinSeconds = rapid.Int64Range(1, r.WalltimeSeconds).Draw(t, "least walltime")
	}
	if rarely("asks for a reservation") && len(q.cluster.Reservations) > 0 {
		r.Reservation = q.cluster.Reservations[0].Name
	}
	if rarely("does not share") {
		r.Sharing = rapid.SampledFrom([]Sharing{SingleUser, SingleJob}).Draw(t, "sharing")
	}
	if rarely("has no limit") {
		r.WalltimeSeconds = 0
	}
	return r
}
