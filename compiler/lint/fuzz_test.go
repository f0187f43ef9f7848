package lint_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// FuzzDecisions: no text of a site's decisions breaks their readers; a baseline that can be read is
// written as it was read; and comments take out findings, or add their own, but lose none.
func FuzzDecisions(f *testing.F) {
	f.Add("maui-octal off\n# why\nmaui-* = info",
		`{"format_version":1,"findings":[{"code":"maui-octal","file":"maui.cfg","text":"MEMWEIGHT 010","count":1}]}`,
		"# fairway:ignore maui-octal until=2027-01-01 why\nMEMWEIGHT 010\n")
	f.Add("[ off", "{}", "x # fairway:ignore-file M016 why # fairway:ignore\r\n// fairway:ignore ,, x")
	f.Fuzz(func(t *testing.T, severities, baseline, text string) {
		var list diag.List
		file := source.NewFile("maui.cfg", []byte(text))
		list.Warnf("maui-octal", file.Span(len(text)/2, len(text)), "octal")
		if s, err := lint.ReadSeverities(bytes.NewReader([]byte(severities))); err == nil {
			s.Apply(list)
		}
		if b, err := lint.ReadBaseline(bytes.NewReader([]byte(baseline))); err == nil {
			var first, second bytes.Buffer
			if err := b.Write(&first); err != nil {
				t.Fatal(err)
			}
			again, err := lint.ReadBaseline(bytes.NewReader(first.Bytes()))
			if err != nil || again.Write(&second) != nil || first.String() != second.String() {
				t.Fatalf("%q is read as\n%s and then as\n%s (%v)", baseline, first.String(), second.String(), err)
			}
			b.Filter(list, nil)
		}
		kept := lint.Ignore(list, []*source.File{file}, nil, time.Unix(1800000000, 0))
		if len(kept) == 0 && !bytes.Contains([]byte(text), []byte("fairway:ignore")) {
			t.Fatalf("%q silences a finding", text)
		}
	})
}

// FuzzLint: whatever a file holds, lint ends, and each finding has a message in the house's style.
func FuzzLint(f *testing.F) {
	for _, c := range []struct{ text, lang string }{
		{"FSPOLICY DEDICATEDPS%\nFSUSERWEIGHT 5\nUSERCFG[x] FSTARGET=40^ MAXJOB=4,2 MAXIPROC=1 QDEF=y\nQOSCFG[z] " +
			"OMAXJOB=9 QTTARGET=5 QFLAGS=PREEMPTEE\n", "maui"},
		{"SRCFG[a] DEPTH=1 PERIOD=DAY DAYS=Mon,Fri HOSTLIST=n[0-13] TASKCOUNT=3\nRESERVATIONDEPTH[7] " +
			"3\nRESERVATIONQOSLIST[0] q\nBFCHUNKSIZE 3\nNODESETDELAY 1\n", "maui"},
		{"NodeName=n[1-4] CPUs=4 Gres=gpu:2 RealMemory=9000\nPartitionName=a Nodes=n[1-3] MaxTime=9-0 DefaultTime=99-0 " +
			"PriorityTier=3 TRESBillingWeights=Mem=0.25 QOS=x\nPartitionName=b Nodes=n[2-4] OverSubscribe=FORCE State=DRAIN\n",
			"slurm"},
		{"PriorityFlags=NO_NORMAL_ALL,INCR_ONLY\nPriorityWeightTRES=Mem=99999999\nPriorityWeightQOS=5\nSchedulerParameters=bf_interval=-1,bf_max_job_user=9999,bf_max_job_assoc=1,bf_min_prio_reserve=9,max_rpc_cnt=999\nPreemptType=preempt/qos\n", "slurm"},
		{"QOS - 'x':MaxWallDurationPerJob=9999:UsageThreshold=0.5:UsageFactor=0\nCluster - 'c':GrpTRESMins=cpu=5\nParent " +
			"- 'root'\nAccount - 'a':Fairshare=parent\nParent - 'a'\nAccount - 'b':Fairshare=0\nParent - 'b'\nUser - 'u'\n",
			"sacctmgr"},
		{"policy \"p\" {\n  param \"W\" { default = 5 }\n  component \"c\" {\n    term \"t\" { factor = " +
			"\"job.queue_minutes + double(job.walltime_seconds)\" }\n  }\n  hold \"h\" { when = \"job.procs > 4\" }\n  hold " +
			"\"i\" { when = \"job.procs > 5\" }\n}\n", "hcl"},
	} {
		f.Add(c.text, c.lang)
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		switch lang {
		case "maui", "slurm", "sacctmgr", "hcl":
		default:
			lang = ""
		}
		in := compiler.Input{Lang: lower.Lang(lang), Files: []*source.File{source.NewFile("fuzzed", []byte(text))}}
		found := compiler.Lint(in, lint.Options{All: true})
		for _, d := range found.Diags {
			if d.Code == "" || d.Message == "" || strings.HasSuffix(d.Message, ".") {
				t.Errorf("%s: %q", d.Code, d.Message)
			}
		}
		if fixed := compiler.Fix(in, found, lint.Options{}, nil).Files; len(fixed) > 0 {
			in.Files = []*source.File{source.NewFile("fuzzed", fixed[0].Text)}
			if after := compiler.Lint(in, lint.Options{}); after.Policy == nil ||
				after.Policy.Meaning() != found.Policy.Meaning() {
				t.Errorf("the fix changes what it means:\n%q\n%q", text, fixed[0].Text)
			}
		}
	})
}
