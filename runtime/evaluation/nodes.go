package evaluation

import (
	"math"
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
