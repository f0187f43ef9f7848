package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
)

func (g *guard) readPartition(name string) partition {
	value := func(column string) schema.Value { return g.values.Of(schema.ColumnID("partition."+column), name) }
	number := func(column string) int64 {
		if v := value(column); v.Known() {
			return v.Int
		}
		return -1
	}
	p := partition{name: name, state: strings.ToUpper(value("state").Str), qos: value("qos").Str,
		maxSeconds: number("walltime_max_seconds"), defaultSeconds: number("walltime_default_seconds"),
		nodesMin: number("nodes_min"), nodesMax: number("nodes_max"), procsPerNode: number("procs_per_node_max"),
		accounts: slices.Concat(value("accounts_allowed").List, value("accounts_denied").List),
		groups:   value("groups_allowed").List, whole: shares.GivesWholeNodes(g.result.Program, g.values, name)}
	_, p.known = g.values.Names("partition")[name]
	if now := g.recordedState(name); now != "" && (p.state == "" || p.state == "UP") {
		p.state, p.stateFrom = now, "the snapshot states it, whatever the configuration begins with"
	}
	return p
}

// recordedState is the state that commands have set since slurm.conf was read, where a partition
// that the file has as UP begins.
func (g *guard) recordedState(name string) string {
	if row, ok := g.values.Rows("partition")[name]; ok {
		return strings.ToUpper(g.result.Snapshot.Credentials["partition"].Value("partition.state", row).Str)
	}
	return ""
}

func (g *guard) partition(row int) *partition {
	if g.codes == nil {
		return &g.partitions[0]
	}
	return &g.partitions[g.codes[row]]
}

// qosFlag reports a flag of a row's QOS, the job's or its partition's.
func (g *guard) qosFlag(row int, flag string) bool {
	return slices.ContainsFunc([]string{g.partition(row).qos, g.result.Rows.Text("job.qos", row)}, func(q string) bool {
		return q != "" && slices.Contains(evaluation.FlagWords(g.values.Of("qos.flags", q).List), flag)
	})
}

// partitionQOS reports partitions whose QOS is none of those that an input lists in full.
func partitionQOS(b *score.Binder) {
	set := b.Settings["partition.qos"]
	names := listedQOS(b)
	if set == nil || names == nil {
		return
	}
	for name := range evaluation.SortedNames(set.Rows) {
		row := set.Rows[name]
		if qos := row.Value.Str; qos != "" &&
			!slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, qos) }) {
			b.Findings.Warnf("partition-qos-unknown", row.Span, "partition %s has the QOS %s, and there is none", name, qos).
				Note("the limits that it should set do not count; those there are: %s", evaluation.FirstFew(names)).
				DidYouMean(row.Span, qos, names)
		}
	}
}

// listedQOS names all QOS there are; nil where no input lists them in full.
func listedQOS(b *score.Binder) (names []string) {
	switch {
	case b.Program.Slurm != nil && slices.Contains(b.Program.Slurm.Complete, "qos"):
		if set := b.Settings[qosPriority]; set != nil {
			names = slices.Collect(evaluation.SortedNames(set.Rows))
		}
	case b.Snapshot.ListsQOS():
		names = slices.Collect(evaluation.SortedNames(evaluation.NameIndex(b.Snapshot.Credentials["qos"], "qos.name")))
	}
	return names
}

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
			"AllowGroups of partition %s is not checked for %s", strings.Join(names, ", "), diag.Count(jobs, "job")).
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
