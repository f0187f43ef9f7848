package maui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Missing says of a job that waits without a time what it waits for, or what it asks for that no time can give;
// nothing if neither is known.
func (p *Planner) Missing(job int32) (waits []backfill.Wait, never string) {
	j := &p.jobs[job]
	if never = p.impossible(j); never != "" {
		return nil, never
	}
	if waits = p.elsewhere(j); waits == nil && p.deferred[job] {
		never = p.noTime(j)
	}
	return waits, never
}

// missing is the same of a job for which no time was found.
func (p *Planner) missing(j *Job) (waits []backfill.Wait, never string) {
	if waits, never = p.Missing(j.Job); waits == nil && never == "" {
		never = p.noTime(j)
	}
	return waits, never
}

func (p *Planner) noTime(j *Job) string {
	for i := range p.nodes {
		n := &p.nodes[i]
		for _, h := range n.holds {
			if h.end >= forever && p.runs[h.job] && p.allowed(j, n.partition) && p.suits(n, j) {
				return fmt.Sprintf("job %s, which has some of the nodes that would do, has no known end", p.jobs[h.job].ID)
			}
		}
	}
	return "its partition's nodes are never free together for as long as it runs, or the allocation policy finds none"
}

// impossible says what a job asks for that the nodes do not have, busy or not: the first test that leaves too few of
// them. "" if they have it.
func (p *Planner) impossible(j *Job) string {
	if name, asks, has := p.unlicensed(j); name != "" {
		return fmt.Sprintf("it asks for %d of licence %s, there are %d", asks, name, has)
	}
	words := ""
	for _, way := range j.Features.Ways() {
		like := *j
		like.Features = way
		if words = p.lacking(&like); words == "" {
			break
		}
	}
	return words
}

// lacking is the same for a job whose nodes may all have the same features.
func (p *Planner) lacking(j *Job) string {
	d := *p.demand(j.Job)
	d.class = -1
	asks, least := backfill.Asks(j.Tasks, d.nodes), max(d.nodes, 1)
	var failed [tests]int64
	var suited []*node
	for i := range p.nodes {
		n := &p.nodes[i]
		switch at := p.failed(n, j); {
		case !p.allowed(j, n.partition):
			failed[testPartition]++
		case at < tests:
			failed[at]++
		default:
			suited = append(suited, n)
		}
	}
	left := int64(len(p.nodes))
	var sieve backfill.Sieve
	for at, n := range failed {
		left -= n
		sieve = append(sieve, backfill.Stage{Words: p.testWords(test(at), j), Nodes: left})
	}
	able, grouped, most, room := int64(0), int64(0), int64(0), int64(0)
	features := make([][]string, 0, len(suited))
	for _, n := range suited {
		all := amounts{procs: n.Capacity.Procs, mem: n.Capacity.MemMB, swap: n.Capacity.SwapMB, disk: n.Capacity.DiskMB,
			gres: n.Capacity.Gres}
		tasks := all.tasks(&d)
		if tasks == 0 {
			continue
		}
		able, most = able+1, max(most, tasks)
		if tasks >= j.TasksPerNode {
			grouped++
		}
		if tasks = p.shaped(n, j, tasks, false); tasks > 0 {
			room += tasks
			features = append(features, n.features)
		}
	}
	sieve = append(sieve, backfill.Stage{Words: backfill.SizeWords(firstTask(&d), p.cluster.Gres), Nodes: able},
		backfill.Stage{Words: "have room for " + backfill.Count(j.TasksPerNode, "task"), Nodes: grouped})
	if lacks := sieve.Lacks(asks, least); lacks != "" {
		return lacks
	}
	switch _, ok := j.Features.Pick(len(features), 0, func(at int) []string { return features[at] }); {
	case room == 0 && most < j.Tasks && slices.Contains(p.oneNode, true):
		return fmt.Sprintf("it may not span nodes, and no node has room for more than %d of its %d tasks", most, j.Tasks)
	case room < j.Tasks || int64(len(features)) < least:
		return fmt.Sprintf("%s, there is room for %d", asks, room)
	case !ok:
		return asks + ", and too few nodes have the features"
	}
	return ""
}

// testWords say what a node has or is that passes a test.
func (p *Planner) testWords(at test, j *Job) string {
	switch at {
	case testPartition:
		return "are in partition " + strings.Join(j.Partitions, " or ")
	case testUp:
		return "are up of those that would do"
	case testHosts:
		return "are among those that it names"
	case testExcluded:
		return "are left beside those that it excludes"
	case testReservation:
		return "are in reservation " + j.Reservation
	case testFeatures:
		return "have " + j.Features.Words()
	case testClass:
		return "have class " + j.Class
	}
	return "have as much as it wants configured: " +
		strings.TrimPrefix(backfill.SizeWords(&j.Minimum, nil), "have 0 processors, ")
}

// firstTask is what a node must have for any task at all.
func firstTask(d *demand) *backfill.Amounts {
	sum := backfill.Amounts{Procs: d.per.Procs + d.base.Procs, MemMB: d.per.MemMB + d.base.MemMB,
		SwapMB: d.per.SwapMB + d.base.SwapMB, DiskMB: d.per.DiskMB + d.base.DiskMB}
	for k := range max(len(d.per.Gres), len(d.base.Gres)) {
		sum.Gres = append(sum.Gres, at(d.per.Gres, k)+at(d.base.Gres, k))
	}
	return &sum
}

// unlicensed names a licence if a job asks for more than there are.
func (p *Planner) unlicensed(j *Job) (name string, asks, has int64) {
	for _, name := range slices.Sorted(maps.Keys(j.Licenses)) {
		if n := j.Licenses[name]; n > p.cluster.Licenses[name] {
			return name, n, p.cluster.Licenses[name]
		}
	}
	return "", 0, 0
}
