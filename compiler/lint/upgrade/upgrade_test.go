package upgrade_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lint/upgrade"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

const (
	oldHead   = "ClusterName=c\nControlMachine=h\n"
	oldShares = oldHead + "PriorityType=priority/multifactor\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightFairshare=2000\n"
	oldTail   = "NodeName=n[1-4] CPUs=4\nPartitionName=a Nodes=n[1-4] Default=YES MaxTime=60\n"
)

// upgrades are configurations that one version or another reads otherwise.
var upgrades = []string{
	oldHead + oldTail,
	oldShares + oldTail,
	oldShares + "PriorityWeightAge=1000\nSelectType=select/cons_res\n" + oldTail,
	oldShares + "PriorityWeightAge=1000\nPriorityFlags=ACCRUE_ALWAYS\nSelectType=select/linear\n" + oldTail,
	oldShares + "PriorityFlags=FAIR_TREE\n" + oldTail,
	oldShares + "PriorityFlags=NO_FAIR_TREE\n" + oldTail,
	oldShares + "PriorityFlags=DEPTH_OBLIVIOUS\n" + oldTail,
	oldShares + "PriorityFlags=FAIR_TREE,DEPTH_OBLIVIOUS\n" + oldTail,
	oldShares + "PriorityFlags=TICKET_BASED\n" + oldTail,
	oldShares + "PriorityWeightQOS=1000\nPriorityWeightPartition=1000\nPriorityWeightJobSize=1000\nPriorityFlags=NO_NORMAL_ALL,SMALL_RELATIVE_TO_TIME\n" + oldTail,
	oldShares + "PriorityFlags=CALCULATE_RUNNING,INCR_ONLY,MAX_TRES\n" + oldTail,
	oldShares + "AccountingStorageEnforce=limits\nSchedulerParameters=bf_window=2880,default_queue_depth=50\n" + oldTail,
	oldHead + "PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=1000\n" + oldTail,
	oldHead + "SelectType=select/cons_tres\nGresTypes=gpu\nAccountingStorageTRES=gres/gpu\n" + oldTail,
	oldHead + "SchedulerType=sched/builtin\n" + oldTail,
}

// said is, for each difference that a version makes, what a finding must say of it, or why none does.
var said = []struct{ difference, finding, none string }{
	{difference: "^version$", none: "it is what was asked for"},
	{difference: "^Fair Tree$|^fairshare model$|^fairshare dampening_factor$",
		finding: "fairshare becomes|PriorityType is not set|TICKET_BASED|FAIR_TREE|DEPTH_OBLIVIOUS|CALCULATE_RUNNING"},
	{difference: "^fairshare (billing|calculate_running|incr_only)$",
		finding: "TICKET_BASED has|INCR_ONLY has|CALCULATE_RUNNING has|MAX_TRES has"},
	{difference: "^memory is shared out$", finding: "memory is shared out"},
	{difference: "^cores are shared out$", finding: "whole cores"},
	{difference: "^PriorityType$|^order$|^nice$|^override |^finish",
		finding: "PriorityType is not set|INCR_ONLY|CALCULATE_RUNNING"},
	{difference: "^SelectType$|^whole nodes", finding: "SelectType is not set"},
	{difference: "^(age|fairshare|qos|jobsize|partition|assoc)(, factor)?$",
		finding: "age counts|PriorityType is not set|NO_NORMAL|ACCRUE_ALWAYS|SMALL_RELATIVE|PriorityWeight(Age|Fairshare) " +
			"has no effect"},
	{difference: "^bf_", finding: "bf_"},
	{difference: "^site$", none: "a job of the older version has no site factor"},
	{difference: "^AccountingStorageTRES |^fairshare tres$", none: "more is tracked, but nothing weighs it"},
	{difference: "^FairShareDampeningFactor$", none: "1 dampens nothing, as where there is no such parameter"},
}

// TestUpgradeSaysAll: whatever diff finds in one file as two versions read it, lint --upgrade-to speaks of.
func TestUpgradeSaysAll(t *testing.T) {
	for _, text := range upgrades {
		var before *compiled
		for _, version := range slurmconf.Versions[8:] { // from 14.11 on; the versions before had other planners
			after := compileAs(text, version)
			if after.policy == nil {
				before = nil
				continue
			}
			if before != nil {
				checkSaid(t, text, before, after)
			}
			before = after
		}
		old, now := compileAs(text, "14.11"), compileAs(text, "23.02")
		if old.policy != nil && now.policy != nil {
			checkSaid(t, text, old, now)
		}
	}
}

type compiled struct {
	policy *ir.Policy // nil if the version refuses the file
	linted upgrade.Version
}

func compileAs(text, version string) *compiled {
	in := compiler.Input{Lang: lower.Slurm, Files: []*source.File{source.NewFile("slurm.conf", []byte(text))},
		Options: lower.Options{Version: version}}
	_, out, _ := compiler.Dump(in, "fold")
	l := compiler.Lint(in, lint.Options{})
	c := &compiled{linted: upgrade.Version{Policy: l.Policy, Findings: l.Diags}}
	if !out.Diags.HasErrors() {
		c.policy = out.Policy
	}
	return c
}

func checkSaid(t *testing.T, text string, before, after *compiled) {
	t.Helper()
	found := messages(upgrade.Findings(before.linted, after.linted))
	for _, d := range diff.Policies(before.policy, after.policy).Differences {
		if d.Group == diff.Other || d.Kind == diff.Renamed {
			continue
		}
		ok, known := false, false
		for _, s := range said {
			if regexp.MustCompile(s.difference).MatchString(d.Name) {
				known = true
				ok = ok || s.none != "" || regexp.MustCompile(s.finding).MatchString(found)
			}
		}
		if d.Name == "Fair Tree" && len(before.policy.Fairshare)+len(after.policy.Fairshare) == 0 {
			continue // shares move nothing before nor after
		}
		if strings.HasPrefix(d.Name, "bf_") && before.policy.SlurmPlan.Builtin && after.policy.SlurmPlan.Builtin {
			continue // they are not read
		}
		if !known || !ok {
			t.Errorf("%s to %s: diff says %s %s, lint says\n%sof\n%s", before.policy.Version, after.policy.Version, d.Name,
				d.Kind, found, text)
		}
	}
}

// TestUpgrade: what the older version takes for something else, or ignores, is reported where it changes.
func TestUpgrade(t *testing.T) {
	for _, c := range []struct{ text, from, to, want string }{
		{upgrades[5], "18.08", "19.05", "in 19.05 fairshare becomes the classic algorithm"},
		{upgrades[1], "18.08", "19.05", "in 19.05 fairshare becomes Fair Tree"},
		{upgrades[9], "18.08", "19.05", "NO_NORMAL_ALL has its effect in 19.05"},
		{upgrades[2], "23.02", "23.11", "memory is shared out"},
		{upgrades[2], "23.02", "23.11", "jobs are given whole cores"},
		// which says what is shared out
		{"ClusterName=c\nSelectType=select/cons_res\nSelectTypeParameters=CR_Core\n", "23.02", "23.11", ""},
		{"ClusterName=c\nSelectTypeParameters=CR_Core\n", "23.02", "23.11", ""},
		{oldHead + "Prolog=/a\nProlog=/b\n", "23.11", "24.05", "the scripts of both Prolog lines run"},
		{oldHead + "Prolog=/a\nProlog=/b\n", "24.05", "25.05", ""},
		{oldHead + "Prolog=/a\nProlog=/b\n", "20.11", "21.08", ""},
		{oldHead + "Prolog=/a\nEpilog=/b\n", "23.11", "24.05", ""},
		{upgrades[4], "18.08", "19.05", ""},
		{upgrades[3], "17.11", "18.08", ""},
	} {
		list := upgrade.Findings(compileAs(c.text, c.from).linted, compileAs(c.text, c.to).linted)
		var said []string
		for _, d := range list {
			if d.Code == "upgrade-behaviour" {
				said = append(said, d.Message)
			}
		}
		if got := strings.Join(said, "\n"); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("from %s to %s: %q, want %q of\n%s", c.from, c.to, got, c.want, c.text)
		}
	}
}

// TestUpgradeWorse: what the older version only warns of and the newer refuses is reported.
func TestUpgradeWorse(t *testing.T) {
	const twice = oldHead + "NodeName=n[1-4] CPUs=4\nPartitionName=a Nodes=n[1-4]\nPartitionName=a Nodes=n1\n"
	for _, c := range []struct {
		from, to string
		want     bool
	}{{"18.08", "22.05", true}, {"17.11", "18.08", false}, {"22.05", "23.11", false}} {
		list := upgrade.Findings(compileAs(twice, c.from).linted, compileAs(twice, c.to).linted)
		if got := strings.Contains(messages(list), "slurm-duplicate-partition"); got != c.want {
			t.Errorf("%s to %s: %v, want %v:\n%s", c.from, c.to, got, c.want, messages(list))
		}
	}
}

func messages(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.Code + ": " + d.Message + "\n")
	}
	return b.String()
}
