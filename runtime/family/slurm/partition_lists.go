package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// accountsBelow is the version since which lists of accounts mean those below them too.
const accountsBelow = 2302

// otherGroup reports a job whose main group is not among those that a partition takes: another of the
// user's may be. Root may use every partition.
func (g *guard) otherGroup(p *partition, job int) bool {
	jobs := g.result.Jobs
	return len(p.groups) > 0 && jobs.Text("job.user", job) != "root" &&
		!slices.Contains(p.groups, jobs.Text("job.group", job))
}

// unknownLists reports, once, lists of partitions that were asked and cannot be answered: those of
// groups, since a snapshot states a job's main group alone, and those of accounts without a tree.
func (g *guard) unknownLists() {
	var names []string
	jobs, alone := 0, ""
	for job := range g.result.Jobs.Rows {
		if state := g.result.State[job]; state == evaluation.Done || state == evaluation.Running {
			continue
		}
		asked := false
		for row, end := g.result.Entries(job); row < end; row++ {
			p := g.partition(row)
			if alone == "" {
				alone = g.standsAlone(p, job)
			}
			if !g.otherGroup(p, job) {
				continue
			}
			asked = true
			if !slices.Contains(names, p.name) {
				names = append(names, p.name)
			}
		}
		if asked {
			jobs++
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		g.result.Findings.Infof("slurm-groups-unknown", source.Span{},
			"AllowGroups of partition %s is not checked for %d jobs", strings.Join(names, ", "), jobs).
			Note("a snapshot has the main group of each job, which is not among those allowed, and slurmctld asks for all " +
				"groups of the user")
	}
	if alone != "" {
		g.result.Findings.Infof("slurm-accounts-above-unknown", source.Span{},
			"partitions name accounts, and no input says what is above account %s, so it counts alone", alone).
			Note("since 23.02 AllowAccounts and DenyAccounts mean the accounts below too; give the output of `sacctmgr dump` " +
				"with the policy, or of `sshare -a -P` with the snapshot")
	}
}

// standsAlone is a job's account if a partition asks for those above it and no input says which these are.
func (g *guard) standsAlone(p *partition, job int) string {
	if g.version < accountsBelow || len(p.accounts) == 0 {
		return ""
	}
	account := strings.ToLower(g.result.Jobs.Text("job.account", job))
	names := func(have string) bool { return strings.EqualFold(have, account) }
	if account == "" || slices.ContainsFunc(p.accounts, names) {
		return ""
	}
	if g.above == nil {
		g.above = g.values.Parents(g.result.Program.Tree)
	}
	if _, known := g.above[account]; known {
		return ""
	}
	return account
}
