package maui

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// partitionAccess says in which partitions of nodes a job may run as far as no node has to be chosen for
// it: those that its mask names and that offer its class. Jobs share masks and classes, so both are
// decided once for each that occurs.
type partitionAccess struct {
	partitions  []string // of the nodes, by their first node
	mask, class *column.Column
	masked      [][]bool // per mask, per partition: the mask leaves it out
	unoffered   [][]bool // per class, per partition: no node there offers the class
}

// newPartitionAccess reads masks and classes. Without nodes that is unknown, so nothing is refused.
func newPartitionAccess(jobs *column.Table, s *snapshot.Snapshot) *partitionAccess {
	a := &partitionAccess{partitions: nodePartitions(s.Nodes)}
	if s.Nodes == nil {
		return a
	}
	if c := jobs.Column("job.node_partitions"); c != nil {
		a.mask = c
		for _, list := range c.Lists {
			a.masked = append(a.masked, a.each(func(_ int, partition string) bool {
				return len(list) > 0 &&
					!slices.Contains(list, partition)
			}))
		}
	}
	offered := a.offered(s.Nodes)
	if c := jobs.Column("job.partition"); c != nil && offered != nil {
		a.class = c
		for _, class := range c.Dict {
			a.unoffered = append(a.unoffered,
				a.each(func(k int, _ string) bool { return class != "" && offered[k] != nil && !offered[k][class] }))
		}
	}
	return a
}

func (a *partitionAccess) each(is func(k int, partition string) bool) []bool {
	list := make([]bool, len(a.partitions))
	for k, partition := range a.partitions {
		list[k] = is(k, partition)
	}
	return list
}

// offered are the classes that some node of each partition offers; nil for a partition where not
// every node says, and for all where none says.
func (a *partitionAccess) offered(nodes *column.Table) []map[string]bool {
	classes := nodes.Column("node.classes")
	if classes == nil {
		return nil
	}
	offered, silent := make([]map[string]bool, len(a.partitions)), make([]bool, len(a.partitions))
	for i := range nodes.Rows {
		k := slices.Index(a.partitions, nodePartition(nodes, i))
		list := classes.Lists[classes.Codes[i]]
		silent[k] = silent[k] || len(list) == 0 // an input has no way to tell "none" from "not given"
		if offered[k] == nil {
			offered[k] = map[string]bool{}
		}
		for _, class := range list {
			offered[k][class] = true
		}
	}
	for k, is := range silent {
		if is {
			offered[k] = nil
		}
	}
	return offered
}

// refuses says what keeps a job out of a partition: evaluation.BlockNodes, evaluation.BlockClass, or nothing.
func (a *partitionAccess) refuses(job, partition int) (kind string) {
	switch {
	case a.mask != nil && !a.mask.Missing.Get(job) && a.masked[a.mask.Codes[job]][partition]:
		return evaluation.BlockNodes
	case a.class != nil && a.unoffered[a.class.Codes[job]][partition]:
		return evaluation.BlockClass
	}
	return ""
}

// First is the first partition that a job may run in; ok is false if there is none.
func (a *partitionAccess) First(job int) (partition int, ok bool) {
	if a.mask == nil && a.class == nil {
		return 0, true
	}
	for k := range a.partitions {
		if a.refuses(job, k) == "" {
			return k, true
		}
	}
	return 0, false
}

// Stays reports a job whose class no node offers: no partition considers it, and it stays among the eligible jobs
// without a word (maui.md §9 P20).
func (a *partitionAccess) Stays(job int) bool {
	return a.class != nil && !slices.Contains(a.unoffered[a.class.Codes[job]], false)
}

// Name is the partition that a reason names: the first that the job may run in, else the first of all.
func (a *partitionAccess) Name(job int) string {
	k, _ := a.First(job)
	return a.partitions[k]
}

// Blocks lists the refusals of a job, one for each partition (recorded: n04). Of a class Maui breaks off where its
// name should be (observed in recordings: N064).
func (a *partitionAccess) Blocks(job int) []*evaluation.Block {
	var list []*evaluation.Block
	if a.mask == nil && a.class == nil {
		return nil
	}
	for k, name := range a.partitions {
		switch a.refuses(job, k) {
		case evaluation.BlockNodes:
			allowed := a.mask.Lists[a.mask.Codes[job]]
			list = append(list, &evaluation.Block{Kind: evaluation.BlockNodes, Nodes: name,
				Text: "not allowed to run in partition " + name + "  (partitions allowed: [" + strings.Join(allowed, "][") + "])"})
		case evaluation.BlockClass:
			list = append(list, &evaluation.Block{Kind: evaluation.BlockClass, Nodes: name,
				Text: "requires classes not configured in partition " + name + " ("})
		}
	}
	return list
}

// NodePartitions lists the partitions of nodes, in Maui's sense, by their first node.
func NodePartitions(r *evaluation.Result) []string {
	if access := Of(r).access; access != nil {
		return access.partitions
	}
	if r.Snapshot == nil {
		return nodePartitions(nil)
	}
	return nodePartitions(r.Snapshot.Nodes)
}

// RefusedBy says why the selection keeps a job out of one of NodePartitions whatever runs there:
// evaluation.BlockNodes, evaluation.BlockClass, or nothing.
func RefusedBy(r *evaluation.Result, job, partition int) (kind string) {
	access := Of(r).access
	if access == nil {
		return ""
	}
	return access.refuses(job, partition)
}

// defaultPartition is the name of the partition of nodes that have none of their own.
const defaultPartition = "DEFAULT"

// nodePartition is the partition of a node in Maui's sense, in which a node is in one.
func nodePartition(nodes *column.Table, node int) string {
	if in := nodes.Value("node.partitions", node); len(in.List) > 0 {
		return in.List[0]
	}
	return defaultPartition
}

// nodePartitions lists the partitions of the nodes by their first node.
func nodePartitions(nodes *column.Table) []string {
	var list []string
	if nodes != nil {
		for i := range nodes.Rows {
			if name := nodePartition(nodes, i); !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	if list == nil {
		return []string{defaultPartition}
	}
	return list
}
