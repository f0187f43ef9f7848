package maui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// counted chooses the nodes of a job that wants so many nodes with each of some features, each with an even part of its
// tasks: those that reservations for the job prefer, then the first or the last ones. Allocation policies that look at
// anything else are done without.
func (p *Planner) counted(j *Job, partition int32, list []candidate) []backfill.Share {
	nodes := p.demand(j.Job).nodes
	even := (j.Tasks + nodes - 1) / nodes
	list = slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return c.tasks < even })
	if !strings.HasPrefix(p.allocation(partition, false), "FIRST") {
		slices.Reverse(list)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.wants, a.wants) })
	picked, ok := j.Features.Pick(len(list), nodes, func(at int) []string { return list[at].node.features })
	if !ok {
		return nil
	}
	var shares []backfill.Share
	left := j.Tasks
	for k, at := range picked {
		others := int64(len(picked) - k)
		tasks := (left + others - 1) / others
		if left -= tasks; tasks > 0 {
			shares = append(shares, backfill.Share{Node: list[at].node.index, Tasks: tasks})
		}
	}
	return shares
}
