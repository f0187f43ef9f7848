package main

import (
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/usage"
)

// usageFrom gives a snapshot the usage that job records come to by the policy's own windows, or by its account tree, as
// of the time of the snapshot: what `fairway usage` would write, without the files.
func usageFrom(d *disk, paths []string, p *program.Program, s *snapshot.Snapshot, place *time.Location,
	list *diag.List) error {
	switch {
	case p.Windows == nil && p.Tree == nil:
		return failf(exitUsage, "--usage-from is for a policy that counts usage, and this one has no fairshare block")
	case snapshot.HasUsage(s):
		return failf(exitUsage, "the snapshot has recorded usage already: leave it out, or --usage-from")
	case len(p.Usage) > 0:
		return failf(exitUsage, "the policy states usage already: remove its usage blocks, or leave out --usage-from")
	}
	records, found, err := snapshot.ReadRecords(d, paths, snapshot.Options{Location: place})
	if err != nil {
		return &exitError{code: exitIO, err: err}
	}
	if found.HasErrors() {
		return complain(found)
	}
	told := usage.Settings{Now: s.Now, Told: records.Told}
	if p.Windows == nil {
		u, err := shares.UsageOfRuns(p, records.Jobs, shares.RunsOptions{Now: s.Now, Place: place})
		if err != nil {
			return failf(exitUsage, "%v", err)
		}
		out := &treeOutput{RunsUsage: u, program: p, records: records, told: told.Told}
		found = slices.Concat(found, u.Findings, out.known(false, nil).Findings())
		snapshot.Add(s, out.snapshot())
	} else {
		w := p.Windows
		told.Usage, told.IntervalSeconds, told.Depth = w.Usage, w.IntervalSeconds, w.Depth
		if s.Nodes != nil {
			told.Cluster = usage.ClusterOf(s.Nodes)
		}
		if records.Jobs != nil {
			records.Jobs.Put(maui.EffectiveQOS(records.Jobs, p))
		}
		report := usage.Build(records.Jobs, told)
		found = append(found, report.Findings()...)
		part := &snapshot.Snapshot{}
		for _, window := range report.Windows {
			part.Usage = append(part.Usage, window.UsageWindow)
		}
		snapshot.Add(s, part)
	}
	if found.HasErrors() {
		return complain(found)
	}
	*list = append(*list, found...)
	return nil
}
