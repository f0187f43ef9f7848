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

// passes reports a reason that the next partition clears if it takes the job: of those of partitions all but these two
// (part_policy_job_runnable_state).
func passes(reason string) bool {
	return OfPartition(reason) && reason != "PartitionConfig" && reason != "MaxMemPerLimit"
}

// opens reports an entry by which its job may start.
func (e *Entry) opens() bool { return e.Refused == "" && e.Denied == "" }

// built is what building the queue makes of a job's reason, and whether any entry of the job is in it.
func (p *planner) built(k int32, reason string) (_ string, queued bool) {
	entries := slices.Clone(p.of[k])
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
		if passes(reason) {
			reason = ""
		}
		queued = true
	}
	return reason, queued
}

// refusal is why no entry lets a job start; "" if one does.
func (p *planner) refusal(k int32) string {
	if reason, queued := p.built(k, ""); !queued {
		return reason
	}
	denied := ""
	for _, i := range p.of[k] {
		if e := &p.in.Entries[i]; e.opens() {
			return ""
		} else if e.Refused == "" {
			denied = e.Denied
		}
	}
	return denied
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
