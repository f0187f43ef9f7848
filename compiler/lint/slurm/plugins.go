package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// pluginsRules are the rules about node selection, preemption and defaults that changed.
var pluginsRules = []rule.Rule{
	{Code: "slurm-memory-per-cpu", Check: memoryPerCPU},
	{Code: "slurm-force-without-memory", Check: forceWithoutMemory},
	{Code: "slurm-preemption-idle", Check: idlePreemption},
	{Code: "slurm-preempt-mode", Check: preemptMode},
	{Code: "slurm-impossible-jobs-wait", Check: impossibleJobsWait},
	{Code: "slurm-select-default", Check: selectDefault},
	{Code: "slurm-priority-default", Check: priorityDefault},
	{Code: "slurm-fair-tree-default", Check: fairTreeDefault},
}

func memoryPerCPU(p *rule.Pass) {
	if !strings.EqualFold(p.Text("SelectType"), "select/linear") {
		return
	}
	for _, name := range []string{"DefMemPerCPU", "MaxMemPerCPU"} {
		if p.IsSet(name) && p.Number(name) > 0 {
			memoryUnit(p, name, p.At(name))
		}
	}
	said := map[source.Span]bool{} // what partitions inherit is in one place
	for _, r := range p.Records["PartitionName"] {
		for _, name := range []string{"DefMemPerCPU", "MaxMemPerCPU"} {
			if a := r.Attr(name); a.Number() > 0 && !said[a.Span] {
				said[a.Span] = true
				memoryUnit(p, name, a.Span)
			}
		}
	}
}

func memoryUnit(p *rule.Pass, name string, at source.Span) {
	p.Report(at, "%s is by the processor, but select/linear allocates whole nodes", name).
		Note("write %sNode, or SelectType=select/cons_tres", strings.TrimSuffix(name, "CPU"))
}

func forceWithoutMemory(p *rule.Pass) {
	if p.Flag("SelectTypeParameters", "MEMORY") {
		return
	}
	for _, r := range p.Records["PartitionName"] {
		a := r.Attr("OverSubscribe")
		own := r.Attr("SelectTypeParameters")
		if own != nil && strings.Contains(strings.ToUpper(own.Text), "MEMORY") {
			continue
		}
		if a != nil && strings.HasPrefix(strings.ToUpper(a.Text), "FORCE") && !strings.HasSuffix(a.Text, ":1") {
			p.Report(a.Span, "jobs in %s share processors, and nothing keeps their memory within the node", r.Name).
				Note("write SelectTypeParameters=CR_Core_Memory, or CR_CPU_Memory")
			return
		}
	}
}

func idlePreemption(p *rule.Pass) {
	list := p.Records["PartitionName"]
	if !strings.EqualFold(p.Text("PreemptType"), "preempt/partition_prio") || len(list) == 0 ||
		p.Facts.Partial {
		return
	}
	tiers := tiersOf(p)
	for _, r := range list {
		if tiers.of(r) != tiers.of(list[0]) {
			return
		}
	}
	d := p.Report(p.At("PreemptType"), "all partitions have the tier %d, so nothing is ever preempted", tiers.of(list[0]))
	if p.Flag("PreemptMode", "GANG") && oversubscribed(p) {
		d.Severity = diag.Info // jobs take turns on the processors, which may be all that is meant
	}
	d.Note("give the partition whose jobs preempt a higher PriorityTier, or write %s", noPreemption(p))
}

// noPreemption is what switches it off; time slices may stay.
func noPreemption(p *rule.Pass) string {
	switch {
	case p.Flag("PreemptMode", "GANG"):
		return "PreemptType=preempt/none and PreemptMode=GANG"
	case p.IsSet("PreemptMode"):
		return "PreemptType=preempt/none and PreemptMode=OFF"
	}
	return "PreemptType=preempt/none"
}

// preemptMode follows the test that slurmctld makes at its start; GANG may go with any mode.
func preemptMode(p *rule.Pass) {
	if !p.IsSet("PreemptType") && !p.IsSet("PreemptMode") ||
		slices.Contains(p.Facts.Refused, "PreemptType") ||
		slices.Contains(p.Facts.Refused, "PreemptMode") {
		return
	}
	none := p.Text("PreemptType") == "" || strings.EqualFold(p.Text("PreemptType"), "preempt/none")
	var modes []string
	gang := false
	for _, word := range strings.Split(strings.ToUpper(p.Text("PreemptMode")), ",") {
		switch word = strings.TrimSpace(word); word {
		case "GANG":
			gang = true
		case "", "OFF", "WITHIN":
		default:
			modes = append(modes, word)
		}
	}
	at := p.At("PreemptMode")
	if at.IsZero() {
		at = p.At("PreemptType")
	}
	switch {
	case none && len(modes) > 0:
		p.Report(at, "PreemptMode=%s needs a PreemptType", modes[0]).
			Note("write PreemptType=preempt/qos or preempt/partition_prio, or PreemptMode=OFF")
	case !none && len(modes) == 0:
		d := p.Report(at, "%s needs a PreemptMode other than OFF", p.Text("PreemptType"))
		if !p.IsSet("PreemptMode") {
			d.Note("OFF is the default")
		}
		d.Note("write PreemptMode=REQUEUE, CANCEL or SUSPEND,GANG")
	case !none && strings.Join(modes, ",") == "SUSPEND" && !gang:
		p.Report(at, "PreemptMode=SUSPEND needs GANG").
			Note("gang scheduling resumes suspended jobs; write PreemptMode=SUSPEND,GANG")
	}
}

func impossibleJobsWait(p *rule.Pass) {
	if !p.IsSet("EnforcePartLimits") && !p.All || p.Enforced == nil ||
		p.Enforced.PartitionLimits != "NO" {
		return
	}
	at := p.At("EnforcePartLimits")
	if at.IsZero() {
		at = p.Whole()
	}
	p.Report(at, "a job that no partition can run is taken and waits for ever").
		Note("write EnforcePartLimits=ALL, or ANY for jobs that name several partitions")
}

func selectDefault(p *rule.Pass) {
	if !p.Since("23.11") && !p.IsSet("SelectType") && !p.Facts.Partial && p.Global != nil {
		p.Report(p.Whole(), "SelectType is not set: in %s that is select/linear, from 23.11 on select/cons_tres",
			p.Version).
			Note("write which is meant")
	}
}

func priorityDefault(p *rule.Pass) {
	if !p.Since("23.11") && !p.IsSet("PriorityType") && !p.Facts.Partial && p.Global != nil {
		p.Report(p.Whole(), "PriorityType is not set: in %s that is priority/basic, from 23.11 on "+
			"priority/multifactor", p.Version).
			Note("write which is meant")
	}
}

func fairTreeDefault(p *rule.Pass) {
	if p.Multifactor() && !p.Since("19.05") && p.Since("14.11") && p.Number("PriorityWeightFairshare") > 0 &&
		!p.Flag("PriorityFlags", "FAIR_TREE") {
		p.Report(p.At("PriorityWeightFairshare"),
			"fairshare is classic in %s; from 19.05 on it is Fair Tree, unless NO_FAIR_TREE is set", p.Version).
			Note("nothing to do before the upgrade: up to 18.08 NO_FAIR_TREE would switch Fair Tree on")
	}
}

// securityRules are the rules about who may act as another user, and who may read what.
var securityRules = []rule.Rule{
	{Code: "slurm-shared-user", Check: sharedUser},
	{Code: "slurm-auth-none", Check: authNone},
	{Code: "slurm-password-readable", Check: readablePasswords},
}

func sharedUser(p *rule.Pass) {
	user := strings.ToLower(p.Text("SlurmUser"))
	why := map[string]string{
		"munge":  "what breaks into slurmctld has the key of munge, and may be any user",
		"nobody": "other services run as nobody too, and may write what slurmctld keeps",
		"daemon": "other services run as daemon too, and may write what slurmctld keeps",
	}[user]
	if p.IsSet("SlurmUser") && why != "" {
		p.Report(p.At("SlurmUser"), "slurmctld runs as %s, which is another service's user", user).
			Note("%s", why).Note("make a user of its own, and write SlurmUser=slurm")
	}
}

func authNone(p *rule.Pass) {
	if p.IsSet("AuthType") && strings.EqualFold(p.Text("AuthType"), "auth/none") {
		p.Report(p.At("AuthType"), "nothing proves who a request is from: any user may act as root").
			Note("write AuthType=auth/munge, or auth/slurm from 23.11 on")
	}
}

// readablePasswords takes a path for the socket of munge, and a text in brackets or of one kind of sign for a template.
func readablePasswords(p *rule.Pass) {
	for _, name := range []string{"AccountingStoragePass", "JobCompPass", "DefaultStoragePass"} {
		text := strings.Trim(p.Text(name), `"'`)
		if !p.IsSet(name) || text == "" || strings.HasPrefix(text, "/") || strings.ContainsAny(text, "<>{}$%@") ||
			strings.Trim(text, text[:1]) == "" ||
			slices.Contains([]string{"none", "null", "(null)"}, strings.ToLower(text)) {
			continue
		}
		d := p.Report(p.At(name), "%s is in a file that every user reads", name)
		if name == "JobCompPass" {
			d.Note("slurm.conf is the same on all nodes and for all commands; let slurmdbd keep the records of jobs, " +
				"and remove it")
		} else {
			d.Note("slurmdbd keeps the password of the database in slurmdbd.conf; remove it, or write the path of " +
				"munge's socket")
		}
	}
}
