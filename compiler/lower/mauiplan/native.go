package mauiplan

import "github.com/fairway-sched/fairway/runtime/program"

// The native planner's words for Maui's; what it has no word for is its default.
var (
	algorithms = map[string]string{"BESTFIT": "bestfit", "GREEDY": "greedy", "PREEMPT": "preempt", "NONE": "none"}
	metrics    = map[string]string{"NODES": "nodes", "SECONDS": "seconds", "PROCSECONDS": "proc_seconds"}
	accesses   = map[string]string{"SINGLEJOB": "single_job", "SINGLETASK": "single_job", "SINGLEUSER": "single_user"}
)

// Native is what the settings come to for the native planner: the first bucket's depth stands for all.
func Native(m *program.MauiPlan, n *program.NativePlan) {
	for _, w := range []struct {
		to    *string
		words map[string]string
		word  string
	}{{&n.Algorithm, algorithms, m.Backfill[""]}, {&n.Metric, metrics, m.Metric}, {&n.NodeAccess, accesses, m.Access}} {
		if word := w.words[w.word]; word != "" {
			*w.to = word
		}
	}
	n.Combinations = m.Combinations
	n.ReservationDepth = m.Buckets[0].Depth
	if m.Reservations == "NEVER" || n.Algorithm == "none" {
		n.ReservationDepth = 0
	}
}
