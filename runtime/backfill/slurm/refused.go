package slurm

import (
	"cmp"
	"slices"
	"strings"
)

// Building the queue asks the partitions of a job, those of the highest tier first, and writes the reason of each
// that does not take it; the next one that takes it clears the reason of a partition. What is written in the end stays
// until nodes are looked for: a partition that another job holds up does not change it (slurm.md §11.3; recorded:
// partition-multi-reasons, partition-multi-tiers).

// OfPartition reports a reason that a partition gives when the queue is built.
func OfPartition(reason string) bool {
	return strings.HasPrefix(reason, "Partition") || reason == "QOSUsageThreshold" || reason == "MaxMemPerLimit"
}

// opens reports an entry by which its job may start.
func (e *Entry) opens() bool { return e.Refused == "" && e.Denied == "" }

// built is what building the queue makes of a job's reason, and whether the job may start by any entry.
func (p *planner) built(k int32, reason string) (_ string, queued bool) {
	entries, denied := slices.Clone(p.of[k]), ""
	slices.SortStableFunc(entries, func(a, b int32) int {
		return cmp.Compare(p.in.Cluster.Partitions[p.in.Entries[b].Partition].PriorityTier,
			p.in.Cluster.Partitions[p.in.Entries[a].Partition].PriorityTier)
	})
	for _, i := range entries {
		e := &p.in.Entries[i]
		if e.Refused != "" {
			reason = e.Refused
			continue
		}
		if OfPartition(reason) {
			reason = ""
		}
		if queued = queued || e.Denied == ""; reason == "" && e.Denied != "" {
			denied = e.Denied
		}
	}
	if !queued && denied != "" {
		return denied, false
	}
	return reason, queued
}

// refusal is why none of a job's entries is in the queue; "" if one is.
func (p *planner) refusal(k int32) string {
	if reason, queued := p.built(k, ""); !queued {
		return reason
	}
	return ""
}

// build writes the reasons of jobs with several entries, as each pass does when it begins.
func (p *planner) build() {
	for k := range p.jobs {
		if j := &p.jobs[k]; len(p.of[k]) > 1 && j.tasks > 0 {
			if reason, queued := p.built(int32(k), j.reason); queued {
				j.reason = reason
			}
		}
	}
}
