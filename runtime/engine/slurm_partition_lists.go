package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// accountsBelow is the version since which lists of accounts mean those below them too; their words
// are no longer part of the reason since then (slurm.conf manuals and changes of 22.05 and 23.02;
// recorded: limit-partition of 22.05 and 25.11).
const accountsBelow = 2302

// notAllowed asks the lists of accounts and QOS. An empty list is none, and a list of those allowed
// makes that of those denied void.
func (g *slurmGuard) notAllowed(row int, p *slurmPartition, job int) *refusal {
	account, qos := strings.ToLower(g.result.Jobs.Value("job.account", job).Str), g.result.Rows.Value("job.qos", row).Str
	if r := notListed(p, "account", "accounts", g.accountAndAbove(account, p), p.allowAccounts, p.denyAccounts, g.version < accountsBelow); r != nil {
		return r
	}
	return p.refusedQOS(qos)
}

// refusedQOS: of several QOS that a job asks for (24.11) one will do, as each has an entry of its own in the queue.
func (p *slurmPartition) refusedQOS(asked string) (last *refusal) {
	for qos := range strings.SplitSeq(asked, ",") {
		if last = notListed(p, "QOS", "qos", []string{qos}, p.allowQOS, p.deny, true); last == nil {
			return nil
		}
	}
	return last
}

// notListed refuses a name, the first of names, that a partition's lists have not, or have. The other
// names are accounts above it, which count as well.
func notListed(p *slurmPartition, what, column string, names, allow, deny []string, worded bool) *refusal {
	if len(names) == 0 || names[0] == "" {
		return nil
	}
	listed := func(list []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return hasName(list, name) })
	}
	text := ""
	switch {
	case len(allow) > 0 && !listed(allow):
		text, column = fmt.Sprintf("%s allows %s not %s", p.name, strings.Join(allow, ","), names[0]), column+"_allowed"
	case len(allow) == 0 && listed(deny):
		text, column = fmt.Sprintf("%s denies %s including %s", p.name, strings.Join(deny, ","), names[0]), column+"_denied"
	default:
		return nil
	}
	reason := "PartitionConfig"
	if worded {
		reason = snapshot.OneWord(fmt.Sprintf("Job's %s not permitted to use this partition (%s)", what, text))
	}
	return &refusal{reason, schema.ColumnID("partition." + column), "partition " + text, ""}
}

// hasName: accounts and QOS are in lower case in the database, and scontrol prints lists as slurm.conf has them.
func hasName(list []string, name string) bool {
	return slices.ContainsFunc(list, func(have string) bool { return strings.EqualFold(have, name) })
}

// accountAndAbove are the accounts that a list may name for one.
func (g *slurmGuard) accountAndAbove(account string, p *slurmPartition) []string {
	list := []string{account}
	names := append(slices.Clip(p.allowAccounts), p.denyAccounts...)
	if g.version < accountsBelow || len(names) == 0 || account == "" || hasName(names, account) {
		return list
	}
	if g.above == nil {
		g.above = g.parents()
	}
	if _, known := g.above[account]; !known && g.alone == "" {
		g.alone = account
	}
	for range maxAccounts {
		parent := g.above[account]
		if parent == "" || parent == account {
			break
		}
		account = parent
		list = append(list, account)
	}
	return list
}

// recordedGroups: of which groups a user is only slurmctld knows. Where it found that the user is in none
// that the partition takes, it is right as long as the list is there.
func (g *slurmGuard) recordedGroups(p *slurmPartition, job int) *refusal {
	if !g.otherGroup(p, job) || g.result.Jobs.Value("job.state_reason", job).Str != "PartitionConfig" {
		return nil
	}
	groups := strings.Join(p.allowGroups, ",")
	return &refusal{"PartitionConfig", "partition.groups_allowed", fmt.Sprintf("partition %s allows the groups %s, and the recorded reason says that the user is in none", p.name, groups), ""}
}

// otherGroup reports a job whose main group is not among those that a partition takes: another of the
// user's may be. Root may use every partition.
func (g *slurmGuard) otherGroup(p *slurmPartition, job int) bool {
	jobs := g.result.Jobs
	return len(p.allowGroups) > 0 && jobs.Value("job.user", job).Str != "root" && !slices.Contains(p.allowGroups, jobs.Value("job.group", job).Str)
}

// unknownLists reports, once, lists of partitions that were asked and cannot be answered: those of
// groups, since a snapshot states a job's main group alone, and those of accounts without a tree.
func (g *slurmGuard) unknownLists() {
	var names []string
	jobs := 0
	for job := range g.result.Jobs.Rows {
		if state := g.result.State[job]; state == Done || state == Running {
			continue
		}
		asked := false
		for row, end := g.result.Entries(job); row < end; row++ {
			p := g.partition(row)
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
		g.result.Findings.Infof("slurm-groups-unknown", source.Span{}, "AllowGroups of partition %s is not checked for %d jobs", strings.Join(names, ", "), jobs).
			Note("a snapshot has the main group of each job, which is not among those allowed, and slurmctld asks for all groups of the user")
	}
	if g.alone != "" {
		g.result.Findings.Infof("slurm-accounts-above-unknown", source.Span{}, "partitions name accounts, and no input says what is above account %s, so it counts alone", g.alone).
			Note("since 23.02 AllowAccounts and DenyAccounts mean the accounts below too; give the output of `sacctmgr dump` with the policy, or of `sshare -a -P` with the snapshot")
	}
}
