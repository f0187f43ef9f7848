package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// missesPart reports that an output of Slurm is only part of one, by what the jobs in the same capture name: a
// controller keeps no job that runs on a node, or waits for a partition, which it does not have. Where it asks for
// associations, everyone, each job has one.
func missesPart(s *snapshot.Snapshot, everyone bool) error {
	jobs, nodes, partitions := s.Jobs, namesIn(s, "node.id"), namesIn(s, "partition.name")
	qos, users := namesIn(s, "qos.name"), map[string]bool{}
	for name := range namesIn(s, "association.name") { // ACCOUNT/USER, and a partition after
		if parts := strings.SplitN(name, "/", 3); len(parts) > 1 {
			users[parts[0]+"/"+parts[1]] = true
		}
	}
	for row := range jobs.Rows {
		id, state := jobs.Value("job.id", row).Str, jobs.Value("job.state", row).Str
		if state != "pending" && state != "running" {
			continue
		}
		wants := jobs.Value("job.partitions", row).List
		if len(wants) == 0 {
			wants = slices.DeleteFunc([]string{jobs.Value("job.partition", row).Str},
				func(name string) bool { return name == "" })
		}
		if len(wants) > 0 && !slices.ContainsFunc(wants, func(name string) bool { return partitions[name] }) {
			return failf(exitIO, "scontrol show partition: the output is only part of the answer: it lacks partition %q of "+
				"job %s; there is no snapshot", wants[0], id)
		}
		if name := jobs.Value("job.qos", row).Str; name != "" && len(qos) > 0 &&
			!slices.ContainsFunc(strings.Split(name, ","), func(one string) bool { return qos[one] }) {
			return failf(exitIO, "sacctmgr show qos: the output is only part of the answer: it lacks QOS %q of job %s; there "+
				"is no snapshot", name, id)
		}
		account, user := jobs.Value("job.account", row).Str, jobs.Value("job.user", row).Str
		if everyone && account != "" && len(account) < manager.SqueueAccountWidth && known(user) && len(users) > 0 &&
			!users[account+"/"+user] {
			return failf(exitIO, "sshare: the output is only part of the answer: it lacks user %q of account %q, of job %s, "+
				"and scontrol show assoc_mgr has it not either; there is no snapshot", user, account, id)
		}
		for _, name := range jobs.Value("job.allocated_hosts", row).List {
			if state == "running" && !nodes[name] {
				return failf(exitIO, "scontrol show node: the output is only part of the answer: it lacks node %q, on which job "+
					"%s runs; there is no snapshot", name, id)
			}
		}
	}
	return nil
}

// known reports a user that this machine can name. For others squeue prints a number, or the name of the overflow user,
// which is "nobody".
func known(user string) bool { return strings.Trim(user, "0123456789") != "" && user != "nobody" }

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
type associations struct {
	shares, all int
	manager     *manager.Command // that asked the controller, nil if it failed
}

func (a *associations) saw(c manager.Command, text []byte) {
	switch c.File {
	case "sshare.psv":
		a.shares = manager.SlurmShares(text)
	case "assoc_mgr.txt":
		a.all, a.manager = manager.SlurmAssociations(text), &c
	}
}

// say tells that sshare has fewer: it is cut, or shows whoever runs it no more.
func (a *associations) say() {
	if a.shares > 0 && a.shares < a.all {
		fmt.Fprintf(stderr, "fairway: sshare lists %d of the %d associations of users that the controller has; usage and "+
			"shares of the others are those of scontrol show assoc_mgr\n", a.shares, a.all)
	}
}
