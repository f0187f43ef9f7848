package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestFix: whatever lines a file has, the fixed text means the same, and fixing it once more changes
// nothing.
func TestFix(t *testing.T) {
	lines := []string{"ClusterName=c", "PriorityWeightAge=0100", "PriorityWeightAge=5", "GetEnvTimeout=1",
		"PriorityWeightQOS+=0x10", "SchedulerParameters=bf_windw=60,xbf_continue",
		"NodeName=n1 Procs=4", "NodeName=n2 CPUs=4 Procs=2", "PartitionName=a Nodes=n1 Shared=YES",
		"PartitionName=DEFAULT Shared=NO MaxTime=0100", "PartitionName=b Priority=5", "  Include x.conf",
		"PriorityFlags=xMAX_TRES", "# a comment", "PriorityMaxAge=7-0 # behind", "PriortyType=x", "MailProg='x'"}
	draws.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 8).Draw(r, "lines"), "\n") + "\n"
		in := compiler.Input{Lang: lower.Slurm, Files: []*source.File{source.NewFile("slurm.conf", []byte(text))}}
		before := compiler.Lint(in, lint.Options{})
		fixed := compiler.Fix(in, before, lint.Options{}, nil).Files
		if len(fixed) == 0 {
			return
		}
		in.Files = []*source.File{source.NewFile("slurm.conf", fixed[0].Text)}
		after := compiler.Lint(in, lint.Options{})
		if after.Policy.Meaning() != before.Policy.Meaning() {
			r.Fatalf("%q\nbecomes\n%q, which means something else", text, fixed[0].Text)
		}
		if len(after.Diags) >= len(before.Diags) {
			r.Fatalf("%q\nbecomes\n%q with as many findings", text, fixed[0].Text)
		}
		if again := compiler.Fix(in, after, lint.Options{}, nil).Files; len(again) > 0 {
			r.Fatalf("%q\nbecomes\n%q and then\n%q", text, fixed[0].Text, again[0].Text)
		}
	})
}

// TestFixAllBringsNoMistake: the other fixes may change the meaning, and leave fewer mistakes; once more changes
// nothing.
func TestFixAllBringsNoMistake(t *testing.T) {
	lines := []string{"ClusterName=c", "SlurmctldHost=h", "PriorityWeightAge=0100",
		"SchedulerParameters=bf_windw=60,bf_continu", "NodeName=n1 Procs=4 CPUs=2",
		"PartitionName=a Nodes=nl Shared=YES", "PartitionName=b Nodes=n1 RealMemory=4 MaxTme=5",
		"PriorityFlags=ACCRUE_ALLWAYS", "PriortyType=priority/multfactor",
		"SelectType=cons_tres", "DefMemPerCPU=4G", "PreemptMode=suspnd,gang", "TaskPlugin=task/afinity", "AuthType=munge",
		"ReconfigFlags=KeepPartInf"}
	mistakes := func(l *compiler.Linted) (n int) {
		for _, d := range l.Diags {
			if d.Severity != diag.Info {
				n++
			}
		}
		return n
	}
	changed := 0
	draws.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 8).Draw(r, "lines"), "\n") + "\n"
		in := compiler.Input{Lang: lower.Slurm, Files: []*source.File{source.NewFile("slurm.conf", []byte(text))}}
		before := compiler.Lint(in, lint.Options{})
		fixed := compiler.FixAll(in, before, lint.Options{}, nil).Files
		if len(fixed) == 0 {
			return
		}
		changed++
		in.Files = []*source.File{source.NewFile("slurm.conf", fixed[0].Text)}
		after := compiler.Lint(in, lint.Options{})
		if mistakes(after) >= mistakes(before) && len(after.Diags) >= len(before.Diags) {
			r.Fatalf("%q\nbecomes\n%q with as many findings", text, fixed[0].Text)
		}
		if again := compiler.FixAll(in, after, lint.Options{}, nil).Files; len(again) > 0 {
			r.Fatalf("%q\nbecomes\n%q and then\n%q", text, fixed[0].Text, again[0].Text)
		}
	})
	if changed == 0 {
		t.Error("nothing was changed")
	}
}

// TestFixMany: more findings than are reported of a file are mended too, round by round.
func TestFixMany(t *testing.T) {
	text := "ClusterName=c\nSlurmctldHost=h\n"
	for i := range 2000 {
		text += fmt.Sprintf("NodeName=n%d CPUs=010\n", i)
	}
	in := compiler.Input{Lang: lower.Slurm, Files: []*source.File{source.NewFile("slurm.conf", []byte(text))}}
	fixed := compiler.Fix(in, compiler.Lint(in, lint.Options{}), lint.Options{}, nil)
	if len(fixed.Files) != 1 || fixed.Files[0].Edits != 2000 || fixed.Left != 0 ||
		strings.Contains(string(fixed.Files[0].Text), "CPUs=010") {
		t.Errorf("%d files, %d left", len(fixed.Files), fixed.Left)
	}
}

// TestSettingsOnly: the policy that lint makes without the formula means what the whole one does, as
// far as it goes.
func TestSettingsOnly(t *testing.T) {
	for _, text := range []string{"SERVERHOST h\nFSPOLICY DEDICATEDPS\nFSUSERWEIGHT 10\nUSERCFG[amy] FSTARGET=5 " +
		"MAXJOB=4 PRIORITY=3\nQUEUETIMEWEIGHT[fast] 3\nBACKFILLPOLICY BESTFIT\n",
		"ClusterName=c\nSlurmctldHost=h\nPriorityType=priority/multifactor\nPriorityWeightAge=10\nAccountingStorageEnforce=limits\n" +
			"NodeName=n[1-4] CPUs=8 Gres=gpu:2\nPartitionName=a Nodes=n[1-4] TRESBillingWeights=CPU=1 MaxTime=60 " +
			"PriorityTier=5\n"} {
		in := compiler.Input{Files: []*source.File{source.NewFile("policy", []byte(text))}}
		_, whole, err := compiler.Dump(in, "fold")
		if err != nil {
			t.Fatal(err)
		}
		light := compiler.Lint(in, lint.Options{}).Policy
		p := *whole.Policy
		p.Components, p.Finish, p.Deviations = light.Components, light.Finish, light.Deviations
		if p.Meaning() != light.Meaning() {
			t.Errorf("whole:\n%s\nwithout the formula:\n%s", p.Meaning(), light.Meaning())
		}
	}
}
