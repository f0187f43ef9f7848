package counterexample

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// stranger is the name of who no policy names.
const stranger = "other"

// draw makes a queue of a few jobs, sometimes with many of one kind, as limits count them.
func (s *Search) draw(r *rand.Rand) *Queue {
	q := &Queue{Jobs: make([]Job, 1+r.IntN(5))}
	for i := range q.Jobs {
		q.Jobs[i] = s.job(r)
	}
	if n := s.Vocabulary.Counts; len(n) > 0 && r.IntN(2) == 0 {
		like := q.Jobs[0]
		like.Procs, like.Nodes, like.MemMB, like.GPUs = 1, min(1, like.Nodes), 1024, 0
		if like.State = pending; r.IntN(2) == 0 {
			like.State = running
		}
		for range min(pick(r, n)+int64(r.IntN(2)), 100) {
			q.Jobs = append(q.Jobs, like.complete(like.waited()))
		}
	}
	for i := range q.Jobs {
		q.Jobs[i].ID = i + 1
	}
	if s.Vocabulary.Usage {
		for range r.IntN(3) {
			j := s.job(r)
			if r.IntN(2) == 0 {
				j = q.Jobs[r.IntN(len(q.Jobs))]
			}
			q.Used = append(q.Used, Used{j.User, j.Group, j.Account, j.QOS, j.Partition, 3600 << r.IntN(12)})
		}
	}
	if s.Vocabulary.Shares {
		s.record(r, q)
	}
	for i, name := range s.Vocabulary.RecordedQOS {
		priority := int64(10 * i)
		q.QOS = append(q.QOS, Recorded{Name: name, Priority: &priority})
	}
	return q
}

// record draws what only the resource manager knows.
func (s *Search) record(r *rand.Rand, q *Queue) {
	for i := range q.Jobs {
		name := q.Jobs[i].association()
		if slices.ContainsFunc(q.Recorded, func(x Recorded) bool { return x.Name == name }) {
			continue
		}
		factor := []float64{0.25, 0.5, 0.75}[r.IntN(3)]
		priority := s.noPriority()
		if points := int64(10 * r.IntN(2)); priority != nil {
			*priority = points
		}
		q.Recorded = append(q.Recorded, Recorded{Name: name, FairshareFactor: &factor, Priority: priority})
	}
}

func (s *Search) job(r *rand.Rand) Job {
	v := &s.Vocabulary
	c := pick(r, v.Partitions)
	j := Job{User: word(r, v.Users, true), Group: word(r, v.Groups, true), Account: word(r, v.Accounts, true),
		QOS: word(r, v.QOS, false), Partition: c.Name, State: pending}
	if len(v.QOS) > 0 && !v.AlwaysQOS && r.IntN(4) == 0 {
		j.QOS = "" // the default, whose-ever that is
	}
	if len(v.Members) > 0 {
		m := v.Members[r.IntN(len(v.Members))]
		j.Account, j.User = m[0], m[1]
	}
	if r.IntN(4) == 0 {
		j.State = running
	}
	j.size(r, v, c)
	waited := j.times(r, v)
	j.memory(r, v, c)
	for _, amount := range []struct {
		drawn bool
		of    *int64
		least int64
	}{{v.Swap, &j.SwapMB, 512}, {v.Disk, &j.DiskMB, 512}, {v.Bypass, &j.BypassCount, 1}} {
		if amount.drawn && r.IntN(2) == 0 {
			*amount.of = amount.least << r.IntN(5)
		}
	}
	if len(v.Features) > 0 && r.IntN(3) == 0 {
		j.Features = []string{pick(r, v.Features)}
	}
	if len(v.Licenses) > 0 && r.IntN(3) == 0 {
		j.Licenses = fmt.Sprintf("%s:1", pick(r, v.Licenses))
	}
	if s.nice && r.IntN(4) == 0 {
		j.Nice = int64(100) << r.IntN(7)
	}
	if v.Nodeless && r.IntN(4) == 0 {
		j.Nodes, j.Procs, j.MemMB = 0, min(j.Procs, c.NodeProcs), min(j.MemMB, c.NodeMemMB)
	}
	return j.complete(waited)
}

// size draws nodes and processors; what could never run is in no queue.
func (j *Job) size(r *rand.Rand, v *Vocabulary, c Partition) {
	switch {
	case len(v.Procs) > 0 && r.IntN(3) == 0:
		j.Procs = near(r, v.Procs, 1)
		j.Nodes = (j.Procs + c.NodeProcs - 1) / c.NodeProcs
	case len(v.Nodes) > 0 && r.IntN(3) == 0:
		j.Nodes = near(r, v.Nodes, 1)
		j.Procs = j.Nodes
	default:
		j.Nodes = int64(1) << r.IntN(5)
		j.Procs = j.Nodes << r.IntN(7)
	}
	j.Nodes = min(j.Nodes, c.Nodes)
	j.Procs = min(max(j.Procs, j.Nodes), j.Nodes*c.NodeProcs)
}

// times draws how long the job may run, and how long it has waited.
func (j *Job) times(r *rand.Rand, v *Vocabulary) (waited int64) {
	j.WalltimeSeconds = 600 << r.IntN(11)
	switch {
	case len(v.ProcSeconds) > 0 && r.IntN(3) == 0:
		j.WalltimeSeconds = max(60, near(r, v.ProcSeconds, 60)/j.Procs)
	case len(v.WalltimesSeconds) > 0 && r.IntN(2) == 0:
		j.WalltimeSeconds = max(60, near(r, v.WalltimesSeconds, 60))
	}
	waited = int64(1+r.IntN(14*1440)) * 60
	if len(v.WaitsSeconds) > 0 && r.IntN(2) == 0 {
		waited = min(max(1, near(r, v.WaitsSeconds, 600)/60)*60, 3*365*86400)
	}
	return waited
}

// memory draws memory and GPUs.
func (j *Job) memory(r *rand.Rand, v *Vocabulary, c Partition) {
	j.MemMB = 1024 * j.Procs
	if len(v.MemMB) > 0 && r.IntN(2) == 0 {
		j.MemMB = near(r, v.MemMB, 1)
	}
	j.MemMB = min(j.MemMB, j.Nodes*c.NodeMemMB)
	if len(v.GPUs) > 0 && r.IntN(2) == 0 {
		j.GPUs = min(near(r, v.GPUs, 1), max(1, j.Nodes*c.NodeGPUs))
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// near is a number of the list, or one that is a step off, or far from both.
func near(r *rand.Rand, list []int64, step int64) int64 {
	n := pick(r, list)
	return max(1, []int64{n, n + step, n - step, n * 2, n / 2}[r.IntN(5)])
}

// word is a name of the list, or sometimes one that is not in it.
func word(r *rand.Rand, list []string, others bool) string {
	switch {
	case len(list) == 0 && !others:
		return ""
	case len(list) == 0 || others && r.IntN(4) == 0:
		return stranger
	}
	return pick(r, list)
}

// Vocabulary is what two policies speak of, so that generated jobs meet it: the names that they know, and the
// numbers at which they begin to treat jobs otherwise.
type Vocabulary struct {
	Users, Groups, Accounts, QOS []string
	// account and user; where there are any, jobs are those of a user in an account
	Members            [][2]string
	Partitions         []Partition // the first is where jobs go that name none
	Features, Licenses []string

	Procs, Nodes, WalltimesSeconds, WaitsSeconds, MemMB, GPUs []int64 // of a job
	ProcSeconds, Counts                                       []int64 // of all jobs of somebody, and how many these are

	Swap, Disk, Bypass bool // of a job
	Nodeless           bool // it may ask for processors alone, and is then on one node

	ListNodes    bool     // the snapshot lists the nodes, as no policy does
	Associations bool     // the resource manager has associations
	AlwaysQOS    bool     // it gives a QOS to each job that asks for none
	Shares       bool     // it alone knows their factors and priorities
	Priorities   bool     // the policies say the priorities of associations
	RecordedQOS  []string // QOS whose priorities it alone knows
	Usage        bool     // past usage moves priorities
	Nice         bool     // users give their jobs a nice value
}

// Partition is where jobs could run: so many nodes of such a size. One without a name is the whole cluster.
type Partition struct {
	Name                                  string
	Nodes, NodeProcs, NodeMemMB, NodeGPUs int64
}
