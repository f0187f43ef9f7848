package replay

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/replay/outage"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Nodes go down and come back. A job that runs on one that goes down ends; it waits again, and then runs in full, unless
// slurm.conf has JobRequeue=0. A node that drains starts no job, and those on it run on.

// outages are the nodes that are out, and the times at which that changes.
type outages struct {
	edges []edge         // to come, in their order
	out   map[string]int // how many outages each node has now
	down  map[string]int // and how many in which it is down
	whole *column.Table  // the nodes as they were before the first
}

// edge is the begin of an outage, or its end; without an outage that of a reservation, at which jobs may start.
type edge struct {
	at    int64
	begin bool
	of    *outage.Outage
}

// edgesOf are the times at which reservations of a snapshot begin and end, until a time.
func edgesOf(reservations *column.Table, begin, until int64) (list []edge) {
	if reservations == nil {
		return nil
	}
	for row := range reservations.Rows {
		every := int64(0)
		for _, flag := range reservations.Value("reservation.flags", row).List {
			every = cmp.Or(every, periods[flag])
		}
		for _, id := range []schema.ColumnID{"reservation.start_time", "reservation.end_time"} {
			at := reservations.Int(id, row)
			for k := 0; at > 0 && (k == 0 || every > 0 && at < until && len(list) < mostEdges); k++ {
				if at > begin {
					list = append(list, edge{at: at})
				}
				at += every
			}
		}
	}
	return list
}

// periods are those of reservations that come again, by Slurm's flags; some of their days are left out.
var periods = map[string]int64{"hourly": 3600, "daily": 24 * 3600, "weekday": 24 * 3600, "weekend": 24 * 3600,
	"weekly": 7 * 24 * 3600}

// afterwards is for how long after the last submission reservations come again, and mostEdges bounds how often.
const (
	afterwards = 30 * 24 * 3600
	mostEdges  = 10_000
)

// Failures are what became of outages.
type Failures struct {
	Unknown        []string // nodes that the machine does not have
	Requeued, Lost int      // how often a job ended with its node, to wait again and for good
}

// newOutages puts them into the order of time. What ends at a time comes before what begins then.
func newOutages(list []outage.Outage, edges []edge, begin int64, nodes *column.Table, f *Failures) *outages {
	x := &outages{edges: edges, out: map[string]int{}, down: map[string]int{}, whole: nodes}
	for i := range list {
		o := &list[i]
		for _, node := range o.Nodes {
			if rowOfNode(nodes, node) < 0 && !slices.Contains(f.Unknown, node) {
				f.Unknown = append(f.Unknown, node)
			}
		}
		if o.To != 0 && o.To <= begin {
			continue
		}
		if x.edges = append(x.edges, edge{max(begin, o.From), true, o}); o.To != 0 {
			x.edges = append(x.edges, edge{o.To, false, o})
		}
	}
	slices.SortStableFunc(x.edges, func(a, b edge) int {
		switch {
		case a.at != b.at:
			return cmp.Compare(a.at, b.at)
		case a.begin == b.begin:
			return 0
		case b.begin:
			return -1
		}
		return 1
	})
	return x
}

func rowOfNode(nodes *column.Table, name string) int {
	ids := nodes.Column("node.id")
	if ids == nil {
		return -1
	}
	for row := range nodes.Rows {
		if ids.Dict[ids.Codes[row]] == name {
			return row
		}
	}
	return -1
}

// nextOutage is when a node goes down or comes back; after all times if none does any more.
func (r *run) nextOutage() int64 {
	if r.outages == nil || len(r.outages.edges) == 0 {
		return math.MaxInt64
	}
	return r.outages.edges[0].at
}

// outagesUntil lets nodes go down and come back, and ends the jobs on those that go down.
func (r *run) outagesUntil(now int64) (changed bool, err error) {
	x := r.outages
	var gone []string
	for r.nextOutage() <= now {
		e := x.edges[0]
		x.edges, changed = x.edges[1:], changed || e.of != nil
		if e.of == nil {
			continue
		}
		by := -1
		if e.begin {
			by = 1
		}
		for _, node := range e.of.Nodes {
			if x.out[node] += by; e.of.Down {
				if x.down[node] += by; e.begin {
					gone = append(gone, node)
				}
			}
		}
	}
	if !changed {
		return false, nil
	}
	for _, job := range r.on(gone) {
		if err := r.fail(job); err != nil {
			return true, err
		}
	}
	r.state.Repair(x.nodes(r.state.Snapshot().Nodes))
	return true, nil
}

// nodes are those of the machine, with the states that they have now.
func (x *outages) nodes(now *column.Table) *column.Table {
	out := now.Copy()
	states, ups := x.whole.Column("node.state"), x.whole.Column("node.up")
	if states == nil {
		states = (&column.Column{ID: "node.state", Type: schema.String}).Rearranged(nil, now.Rows)
	}
	if ups == nil {
		ups = (&column.Column{ID: "node.up", Type: schema.Bool}).Rearranged(nil, now.Rows)
	}
	states, ups = states.Copy(), ups.Copy()
	for row := range now.Rows {
		switch node := now.Text("node.id", row); {
		case x.down[node] > 0:
			states.Set(row, schema.StringValue("DOWN"))
		case x.out[node] > 0:
			states.Set(row, schema.StringValue("DRAINED"))
		default:
			continue
		}
		ups.Set(row, schema.BoolValue(false))
	}
	out.Put(states)
	out.Put(ups)
	return out
}

// on are the running jobs that have any of some nodes, in the order of the queue.
func (r *run) on(nodes []string) (jobs []string) {
	t := r.state.Snapshot().Jobs
	for row := range t.Rows {
		if t.Text("job.state", row) == "running" && slices.ContainsFunc(t.Value("job.allocated_hosts", row).List,
			func(host string) bool { return slices.Contains(nodes, host) }) {
			jobs = append(jobs, t.Text("job.id", row))
		}
	}
	return jobs
}

// failed ends a job whose node has gone. It waits again.
func (r *run) failed(id string) error {
	at := slices.IndexFunc(r.running, func(e ending) bool { return r.out.Outcomes[e.job].ID == id })
	if at < 0 {
		return nil
	}
	job := r.running[at].job
	heap.Remove(&r.running, at)
	r.out.Failures.Requeued++
	o := &r.out.Outcomes[job]
	r.again(o, job, r.state.Snapshot().Now)
	return r.state.Requeue(id, snapshot.Cells{"job.restarts": schema.IntValue(int64(len(o.Earlier)))})
}

// again lets a job that has run wait.
func (r *run) again(o *Outcome, job int, now int64) {
	o.Earlier = append(o.Earlier, Attempt{o.Start, now, o.By, o.Nodes})
	o.Start, o.By, o.Nodes, o.Cancelled = 0, "", nil, false
	r.out.Started = slices.DeleteFunc(r.out.Started, func(other int) bool { return other == job })
	r.waiting[o.ID] = job
	r.out.End = max(r.out.End, now)
}

// failed is that of slurmctld: as a job that is preempted, unless JobRequeue=0 (slurm.conf.5).
func (c *controller) failed(id string) error {
	job, known := c.jobs[id]
	if !known || c.endsAt[job] == 0 {
		return nil
	}
	v := &Stop{Job: id, Mode: "requeue", Back: c.now.seconds() + c.rules.RequeueSeconds}
	if c.rules.LosesJobs {
		v.Mode = "cancel"
		c.out.Failures.Lost++
	} else {
		c.out.Failures.Requeued++
	}
	return c.stop(job, v)
}

// outageAt is nextOutage by slurmctld's clock.
func (c *controller) outageAt() instant {
	if at := c.nextOutage(); at < math.MaxInt64 {
		return max(c.now, instant(at)*second)
	}
	return never
}

// outagesNow is outagesUntil by slurmctld's clock. A node that comes back asks for a pass. The queue is evaluated at
// once, so that what was charged until the last pass of priorities is not lost with that evaluation.
func (c *controller) outagesNow() error {
	if c.outageAt() > c.now {
		return nil
	}
	c.unseen, c.changed = true, true
	changed, err := c.outagesUntil(c.now.seconds())
	if !changed || err != nil {
		return err
	}
	c.ask()
	if past := c.options.Resume; past != nil && c.looks <= past.From {
		return nil // nothing was evaluated, and the next look begins with what the log has
	}
	_, err = c.state.Evaluate() // what it finds, the next look finds too
	return err
}

// now reports nodes that are out.
func (x *outages) now() bool {
	if x != nil {
		for _, n := range x.out {
			if n > 0 {
				return true
			}
		}
	}
	return false
}

func (f *Failures) report(list *diag.List) {
	if n := len(f.Unknown); n > 0 {
		list.Warnf("replay-unknown-node", source.Span{}, "nodes of outages that the machine does not have: %d", n).
			Note("%s", namedOf("nodes", f.Unknown))
	}
}
