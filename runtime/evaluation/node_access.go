package evaluation

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// NodeAccess says in which partitions of nodes a job may run as far as no node has to be chosen for
// it: those that its mask names and that offer its class. Jobs share masks and classes, so both are
// decided once for each that occurs.
type NodeAccess struct {
	partitions  []string // of the nodes, by their first node
	mask, class *column.Column
	masked      [][]bool // per mask, per partition: the mask leaves it out
	unoffered   [][]bool // per class, per partition: no node there offers the class
}

// NewNodeAccess reads masks and classes. Without nodes that is unknown, so nothing is refused.
func NewNodeAccess(jobs *column.Table, s *snapshot.Snapshot) *NodeAccess {
	a := &NodeAccess{partitions: nodePartitions(s.Nodes)}
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

func (a *NodeAccess) each(is func(k int, partition string) bool) []bool {
	list := make([]bool, len(a.partitions))
	for k, partition := range a.partitions {
		list[k] = is(k, partition)
	}
	return list
}

// offered are the classes that some node of each partition offers; nil for a partition where not
// every node says, and for all where none says.
func (a *NodeAccess) offered(nodes *column.Table) []map[string]bool {
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

// refuses says what keeps a job out of a partition: BlockNodes, BlockClass, or nothing.
func (a *NodeAccess) refuses(job, partition int) (kind string) {
	switch {
	case a.mask != nil && !a.mask.Missing.Get(job) && a.masked[a.mask.Codes[job]][partition]:
		return BlockNodes
	case a.class != nil && a.unoffered[a.class.Codes[job]][partition]:
		return BlockClass
	}
	return ""
}

// First is the first partition that a job may run in; ok is false if there is none.
func (a *NodeAccess) First(job int) (partition int, ok bool) {
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
func (a *NodeAccess) Stays(job int) bool {
	return a.class != nil && !slices.Contains(a.unoffered[a.class.Codes[job]], false)
}

// Name is the partition that a reason names: the first that the job may run in, else the first of all.
func (a *NodeAccess) Name(job int) string {
	k, _ := a.First(job)
	return a.partitions[k]
}

// Blocks lists the refusals of a job, one for each partition (recorded: n04). Of a class Maui breaks off where its
// name should be (observed in recordings: N064).
func (a *NodeAccess) Blocks(job int) []*Block {
	var list []*Block
	if a.mask == nil && a.class == nil {
		return nil
	}
	for k, name := range a.partitions {
		switch a.refuses(job, k) {
		case BlockNodes:
			allowed := a.mask.Lists[a.mask.Codes[job]]
			list = append(list, &Block{Kind: BlockNodes, Nodes: name,
				Text: "not allowed to run in partition " + name + "  (partitions allowed: [" + strings.Join(allowed, "][") + "])"})
		case BlockClass:
			list = append(list, &Block{Kind: BlockClass, Nodes: name,
				Text: "requires classes not configured in partition " + name + " ("})
		}
	}
	return list
}

// NodePartitions lists the partitions of nodes, in Maui's sense, by their first node.
func (r *Result) NodePartitions() []string {
	if r.NodeAccess != nil {
		return r.NodeAccess.partitions
	}
	if r.Snapshot == nil {
		return nodePartitions(nil)
	}
	return nodePartitions(r.Snapshot.Nodes)
}

// RefusedBy says why the selection keeps a job out of one of NodePartitions whatever runs there:
// BlockNodes, BlockClass, or nothing.
func (r *Result) RefusedBy(job, partition int) (kind string) {
	if r.NodeAccess == nil {
		return ""
	}
	return r.NodeAccess.refuses(job, partition)
}
