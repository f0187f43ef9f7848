package evaluation

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Machine counts the nodes that are up, as Maui does, and their processors. known is false where
// some node's processors are not stated.
func Machine(s *snapshot.Snapshot) (procs int64, nodes int, known bool) {
	if s == nil || s.Nodes == nil {
		return 0, 0, false
	}
	count := s.Nodes.Column("node.procs")
	known = count != nil
	for i := range s.Nodes.Rows {
		if !isUp(s, i) {
			continue
		}
		nodes++
		if column.Known(count, i) {
			procs += count.Ints[i]
		} else {
			known = false
		}
	}
	return procs, nodes, known
}

// isUp: Maui counts a node that drains or is in no state that it knows, though it gives it no new
// job, and does not count one that has drained or is flushed (recorded: n12). Slurm's words are
// others, which its reader has judged.
func isUp(s *snapshot.Snapshot, node int) bool {
	if !s.Manner().StateIsJudged {
		switch strings.ToLower(s.Nodes.Value("node.state", node).Str) {
		case "draining", "drain", "unknown":
			return true
		case "down", "drained", "flush":
			return false
		}
	}
	up := s.Nodes.Column("node.up")
	return !column.Known(up, node) || up.Ints[node] != 0
}

// ProcsUp are the processors of all nodes that are up; without bound where no input says. A job
// that needs more is set aside (Defer) as soon as the walk comes to it.
func ProcsUp(s *snapshot.Snapshot) int64 {
	if procs, _, known := Machine(s); known {
		return procs
	}
	return math.MaxInt64
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
