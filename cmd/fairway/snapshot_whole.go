package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// missesPart reports that an output of Slurm is only part of one, by what the jobs in the same capture name: a
// controller keeps no job that runs on a node, or waits for a partition, which it does not have.
func missesPart(s *snapshot.Snapshot) error {
	jobs, nodes, partitions := s.Jobs, namesIn(s, "node.id"), namesIn(s, "partition.name")
	for row := range jobs.Rows {
		id, state := jobs.Value("job.id", row).Str, jobs.Value("job.state", row).Str
		if state != "pending" && state != "running" {
			continue
		}
		wants := jobs.Value("job.partitions", row).List
		if len(wants) == 0 {
			wants = slices.DeleteFunc([]string{jobs.Value("job.partition", row).Str}, func(name string) bool { return name == "" })
		}
		if len(wants) > 0 && !slices.ContainsFunc(wants, func(name string) bool { return partitions[name] }) {
			return failf(exitIO, "scontrol show partition: the output is only part of the answer: it lacks partition %q of job %s; there is no snapshot", wants[0], id)
		}
		for _, name := range jobs.Value("job.allocated_hosts", row).List {
			if state == "running" && !nodes[name] {
				return failf(exitIO, "scontrol show node: the output is only part of the answer: it lacks node %q, on which job %s runs; there is no snapshot", name, id)
			}
		}
	}
	return nil
}

// namesIn is what a table of a snapshot lists.
func namesIn(s *snapshot.Snapshot, id schema.ColumnID) map[string]bool {
	table := s.Nodes
	if id.Object() != "node" {
		table = s.Credentials[id.Object()]
	}
	names := map[string]bool{}
	if table == nil {
		return names
	}
	for row := range table.Rows {
		names[table.Value(id, row).Str] = true
	}
	return names
}

// associations counts those of users in sshare and in the controller.
type associations struct{ shares, all int }

func (a *associations) saw(c manager.Command, text []byte) {
	switch c.File {
	case "sshare.psv":
		a.shares = manager.SlurmShares(text)
	case "assoc_mgr.txt":
		a.all = manager.SlurmAssociations(text)
	}
}

// say tells that sshare has fewer: it is cut, or shows whoever runs it no more.
func (a *associations) say() {
	if a.shares > 0 && a.shares < a.all {
		fmt.Fprintf(os.Stderr, "fairway: sshare lists %d of the %d associations of users that the controller has; of the others no fairshare is known\n", a.shares, a.all)
	}
}
