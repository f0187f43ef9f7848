package slurmconf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
)

// TestIgnoredText: what Slurm passes over or takes for something else, as
// "code word", the word being what the caret stands below; " → fix" where one is offered.
func TestIgnoredText(t *testing.T) {
	const database = "AccountingStorageType=accounting_storage/slurmdbd\n"
	for _, c := range []struct{ name, version, text, want string }{
		{"flags of the version", "22.05", "PriorityFlags=accrue_always,MAX_TRES,NO_FAIR_TREE,DEPTH_OBLIVIOUS,NO_NORMAL_ALL\n", ""},
		{"unknown flag", "", "PriorityFlags=ACRUE_ALWAYS\n", "slurm-unknown-word ACRUE_ALWAYS → ACCRUE_ALWAYS"},
		{"the second of a quoted list", "", "PriorityFlags=\"MAX_TRES, FASTER\"\n", "slurm-unknown-word FASTER"},
		{"on a continued line", "", "PriorityFlags=MAX_TRES,\\\nFASTER,\\\nINCR_ONLY\n", "slurm-unknown-word FASTER"},
		{"within a longer word", "", "PriorityFlags=MAX_TRESS\n", "slurm-word-works-as MAX_TRESS → MAX_TRES"},
		{"with letters before it", "", "PriorityFlags=xACCRUE_ALWAYS\n", "slurm-word-works-as xACCRUE_ALWAYS → ACCRUE_ALWAYS"},
		{"the longest word counts", "", "PriorityFlags=MAX_TRES_GRESS\n", "slurm-word-works-as MAX_TRES_GRESS → MAX_TRES_GRES"},
		{"switched off in vain", "", "PriorityFlags=MAX_TRES=no\n", "slurm-word-works-as MAX_TRES=no"},
		{"negated in vain", "", "PriorityFlags=NO_MAX_TRES\n", "slurm-word-works-as NO_MAX_TRES"},
		{"NO_FAIR_TREE turns it on", "18.08", "PriorityFlags=NO_FAIR_TREE\n", "slurm-word-reversed NO_FAIR_TREE"},
		{"NO_FAIR_TREE before there was one", "14.03", "PriorityFlags=NO_FAIR_TREE\n", "slurm-word-other-version NO_FAIR_TREE"},
		{"FAIR_TREE is the default", "", "PriorityFlags=FAIR_TREE\n", ""},
		{"MAX_TRES_GRES is MAX_TRES", "24.11", "PriorityFlags=MAX_TRES_GRES\n", "slurm-word-works-as MAX_TRES_GRES"},
		{"MAX_TRES_GRES", "25.05", "PriorityFlags=MAX_TRES_GRES\n", ""},
		{"gone", "15.08", "PriorityFlags=TICKET_BASED\n", "slurm-word-other-version TICKET_BASED"},
		{"not yet", "16.05", "PriorityFlags=INCR_ONLY\n", "slurm-word-other-version INCR_ONLY"},
		{"never released", "", "PriorityFlags=LEVEL_BASED\n", "slurm-word-other-version LEVEL_BASED → FAIR_TREE"},

		{"tokens of the version", "", "SchedulerParameters=bf_window=1440,bf_continue,defer,defer_batch,bf_interval=-1,bf_hetjob_prio=avg,max_rpc_count=5,delay_boot=10:00\n", ""},
		{"unknown token", "", "SchedulerParameters=bf_contine,bf_window=10\n", "slurm-unknown-word bf_contine → bf_continue"},
		{"unknown token with a value", "", "SchedulerParameters=bf_windw=10\n", "slurm-unknown-word bf_windw → bf_window"},
		{"of another list", "", "SchedulerParameters=rl_enable\n", "slurm-unknown-word rl_enable"},
		{"equals sign alone", "", "SchedulerParameters=defer,=5\n", "slurm-unknown-word =5"},
		{"two equals signs", "", "SchedulerParameters==bf_window=10\n", "slurm-word-works-as =bf_window=10 → bf_window=10"},
		{"token with letters behind it", "", "SchedulerParameters=bf_continued\n", "slurm-word-works-as bf_continued → bf_continue"},
		{"a newer token holds an older", "22.05", "SchedulerParameters=defer_batch\n", "slurm-word-works-as defer_batch"},
		{"a newer token", "21.08", "SchedulerParameters=bf_licenses\n", "slurm-word-other-version bf_licenses"},
		{"a token that went", "", "SchedulerParameters=kill_invalid_depend\n", "slurm-word-other-version kill_invalid_depend"},
		{"interval was backfill's", "2.5", "SchedulerParameters=interval=10\n", ""},
		{"interval is builtin's", "", "SchedulerParameters=interval=10\n", "slurm-word-other-version interval=10"},
		{"interval of builtin", "", "SchedulerType=sched/builtin\nSchedulerParameters=interval=10\n", ""},
		{"interval found in bf_interval", "", "SchedulerType=sched/builtin\nSchedulerParameters=bf_interval=30,interval=10\n", "slurm-word-repeated interval=10"},
		{"max_job_bf", "", "SchedulerParameters=defer,max_job_bf=5\n", "slurm-fatal-setting max_job_bf=5"},
		{"switch off", "", "SchedulerParameters=defer,bf_continue=no\n", "slurm-word-switch bf_continue=no"},
		{"switch on", "", "SchedulerParameters=bf_continue=yes\n", ""},
		{"no number", "", "SchedulerParameters=bf_window=many\n", "slurm-word-value bf_window=many"},
		{"half a number", "", "SchedulerParameters=bf_window=7-0\n", "slurm-word-value bf_window=7-0"},
		{"no value", "", "SchedulerParameters=bf_window\n", "slurm-word-value bf_window"},
		{"blank before the number", "", "SchedulerParameters=\"bf_window= 10 defer\"\n", ""},
		{"no word of its", "", "SchedulerParameters=bf_hetjob_prio=mx\n", "slurm-word-value bf_hetjob_prio=mx"},
		{"no time", "", "SchedulerParameters=delay_boot=1h\n", "slurm-word-value delay_boot=1h"},
		{"too much", "", "SchedulerParameters=defer,bf_window=50000\n", "slurm-word-bounds bf_window=50000"},
		{"too little", "", "SchedulerParameters=sched_interval=-2\n", "slurm-word-bounds sched_interval=-2"},
		{"half the message timeout", "", "SchedulerParameters=max_sched_time=6\n", "slurm-word-bounds max_sched_time=6"},
		{"half a longer message timeout", "", "MessageTimeout=20\nSchedulerParameters=max_sched_time=6\n", ""},
		{"a bound that is another option is only logged", "", "SchedulerParameters=bf_max_job_user=1000\n", ""},
		{"fatal bound", "", "SchedulerParameters=max_script_size=600000000\n", "slurm-fatal-setting max_script_size=600000000"},
		{"that bound before it was one", "20.11", "SchedulerParameters=max_script_size=600000000\n", "slurm-word-bounds max_script_size=600000000"},
		{"twice", "", "SchedulerParameters=bf_window=10,defer,bf_window=20\n", "slurm-word-repeated bf_window=20"},

		{"enforce, each word", "", "AccountingStorageEnforce=limit,qos,sav\n", "slurm-enforce limit → limits; slurm-enforce sav"},
		{"enforce by number", "", "AccountingStorageEnforce=1,Limits\n", ""},

		{"plugin misspelt", "", "PriorityType=priority/multifactr\n", "slurm-plugin priority/multifactr → priority/multifactor"},
		{"plugin without its kind", "", "SelectType=Cons_tres\n", "slurm-plugin Cons_tres → select/cons_tres"},
		{"plugin in capitals", "", "SchedulerType=sched/Backfill\n", "slurm-plugin sched/Backfill → sched/backfill"},
		{"plugin that went", "23.11", "SelectType=select/cons_res\n", "slurm-plugin select/cons_res → select/cons_tres"},
		{"plugin that was", "23.02", "SelectType=select/cons_res\n", ""},
		{"plugin to come", "18.08", "SelectType=select/cons_tres\n", "slurm-plugin select/cons_tres"},
		{"plugin without successor", "", "PreemptType=preempt/job_prio\n", "slurm-plugin preempt/job_prio"},
		{"words, no plugins", "", "PreemptType=preempt/none\nAccountingStorageType=none\n", ""},
		{"word, but then it was a plugin", "22.05", "AccountingStorageType=none\n", "slurm-plugin none → accounting_storage/none"},
		{"database without its daemon", "", "AccountingStorageType=mysql\n", "slurm-fatal-setting mysql → accounting_storage/slurmdbd"},
		{"database without its daemon, of old", "16.05", "PriorityType=priority/multifactor\nAccountingStorageType=accounting_storage/mysql\nPriorityWeightFairshare=1\n", ""},

		{"age and fairshare without database", "", "PriorityWeightAge=1\nPriorityWeightFairshare=2\nPriorityWeightQOS=3\n", "slurm-weight-ignored 1; slurm-weight-ignored 2"},
		{"no accounting", "", "PriorityWeightAge=1\nAccountingStorageType=accounting_storage/none\n", "slurm-weight-ignored 1"},
		{"age before 20.02", "19.05", "PriorityWeightAge=1\nPriorityType=priority/multifactor\n", ""},
		{"fairshare before 20.02", "19.05", "PriorityWeightFairshare=1\nPriorityType=priority/multifactor\n", "slurm-weight-ignored 1"},
		{"with the database", "", database + "PriorityWeightAge=1\nPriorityWeightFairshare=2\n", ""},
		{"weights of 0", "", "PriorityWeightAge=0\nPriorityWeightFairshare=0\n", ""},
		{"what an unread file holds is not known", "", "Include nowhere.conf\nPriorityWeightAge=1\n", "slurm-include-unavailable nowhere.conf"},
		{"basic has no weights", "", "PriorityType=priority/basic\nPriorityWeightQOS=3\nPriorityWeightAge=4\n", "slurm-weight-ignored 3"},
		{"basic by default", "22.05", "PriorityWeightQOS=3\n", "slurm-weight-ignored 3"},
		{"sum of weights", "", database + "PriorityWeightAge=4294967295\nPriorityWeightQOS=1\n", "slurm-weight-sum 4294967295"},
		{"sum of weights at the bound", "", database + "PriorityWeightAge=4294967294\nPriorityWeightQOS=1\n", ""},
		{"billing", "", "PriorityWeightTRES=CPU=1,Billing=5\n", "slurm-billing-weight Billing"},
		{"TRES not tracked", "", "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageTRES=gres/gpu\nPriorityWeightTRES=\"CPU=1, gres/gpus=2\"\n", "slurm-unknown-tres gres/gpus → gres/gpu"},
		{"TRES of a DEFAULT, once", "", "PartitionName=DEFAULT TRESBillingWeights=gres/x=1\nPartitionName=a\nPartitionName=b\n", "slurm-unknown-tres gres/x"},
		{"no decay and no reset starts", "", "PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=NONE\n", ""},

		{"another concept is no correction", "", "AcctGatherEnergyFreq=30\n", "slurm-unknown-key AcctGatherEnergyFreq"},
		{"two fields of time", "", "PartitionName=a MaxTime=24:00\n", "slurm-time-minutes-seconds 24:00"},
		{"two defaults", "", "PartitionName=a Default=YES\nPartitionName=b Default=NO\nPartitionName=c Default=YES\n", "slurm-two-defaults YES"},
		{"every partition by DEFAULT", "", "PartitionName=DEFAULT Default=YES\nPartitionName=a\nPartitionName=b\nPartitionName=c\n", "slurm-two-defaults YES"},
		{"partition state", "", "PartitionName=a State=DWON\n", "slurm-value DWON → DOWN"},
		{"node states", "", "NodeName=a State=drained\nNodeName=b State=Cloud\nNodeName=c State=FUTURE\nNodeName=d State=FAILING\nNodeName=e State=IDLE\nNodeName=f State=EXTERNAL\n", ""},
		{"no node state", "", "NodeName=a State=BUSY\n", "slurm-node-state BUSY"},
		{"node state of a DEFAULT, once", "", "NodeName=DEFAULT State=DRIAN\nNodeName=a\nNodeName=b\n", "slurm-node-state DRIAN → DRAIN"},
		{"node state to come", "24.11", "NodeName=f State=EXTERNAL\n", "slurm-node-state EXTERNAL"},
		{"down nodes", "", "NodeName=a\nDownNodes=a State=DWON\n", "slurm-node-state DWON → DOWN"},
		{"broken node names", "", "NodeName=n[1-10\nPartitionName=a Nodes=n[1-10]\nPartitionName=b Nodes=n1\n", "slurm-hostlist [1-10"},
		{"nodes beside a node defined twice", "", "NodeName=n[1-2]\nNodeName=n[2-4]\nPartitionName=a Nodes=n[3-4]\n", "slurm-duplicate-node n[2-4]"},
	} {
		first := head
		if c.version != "" && before(c.version, "18.08") {
			first = "ClusterName=C1\nControlMachine=h\n"
		}
		_, ds := evaluateText(t, first+c.text, Options{Version: c.version})
		var found []string
		for _, d := range sorted(ds) {
			text := d.Code + " " + strings.ReplaceAll(d.Span.Text(), "\\\n", "")
			if d.Fix != nil {
				text += " → " + d.Fix.NewText
			}
			found = append(found, text)
		}
		if got := strings.Join(found, "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestFixesMend: typing what a finding of these lists suggests leaves no finding.
func TestFixesMend(t *testing.T) {
	for _, text := range []string{
		"PriorityFlags=MAX_TRES,\\\n  \"ACRUE_ALWAYS\n", "PriorityFlags=\"ACRUE_ALWAYS, MAX_TRESS\"\n", "PriorityFlags=INCR_ONLY,\\\nACRUE_ALWAYS,\\\nMAX_TRES\n",
		"SchedulerParameters==bf_window=10\n", "SchedulerParameters=defer,bf_windw=10\n", "AccountingStorageEnforce=\"qos, limit\"\n", "SelectType=cons_tres\n",
	} {
		text = head + text
		for range 5 {
			_, ds := evaluateText(t, text, Options{})
			i := slices.IndexFunc(ds, func(d *diag.Diagnostic) bool { return d.Fix != nil })
			if i < 0 {
				if len(ds) > 0 && !strings.Contains(text, "\\\n  \"") { // the quote is a finding without a fix
					t.Errorf("%q leaves %v", text, codes(ds))
				}
				break
			}
			fix := ds[i].Fix
			text = text[:fix.Span.Start] + fix.NewText + text[fix.Span.End:]
		}
	}
}

// Names and numbers agree.
func TestPlurals(t *testing.T) {
	for text, want := range map[string]string{
		"PartitionName=a MaxTime=1:00\n":      "MaxTime=1:00 means 1 minute",
		"PartitionName=a MaxTime=1:30\n":      "MaxTime=1:30 means 2 minutes",
		"NodeName=n1\nDownNodes=n2\n":         "DownNodes names a node that is not defined: n2",
		"NodeName=n1\nDownNodes=n[2-3]\n":     "DownNodes names 2 nodes that are not defined, the first is n2",
		"NodeName=n[1-4] NodeAddr=a[1-3]\n":   "NodeAddr has 3 names for 4 nodes",
		"NodeName=n1 NodeHostname=a[1-3]\n":   "NodeHostname has 3 names for 1 node",
		"SchedulerParameters=bf_window=x\n":   "bf_window=x counts as 0",
		"SchedulerParameters=bf_max_time=0\n": "bf_max_time=0 counts as bf_interval, the default",
	} {
		_, ds := evaluateText(t, head+text, Options{})
		if len(ds) != 1 || ds[0].Message != want {
			t.Errorf("%s: %s", text, fmt.Sprint(codes(ds)))
		}
	}
}

// Of several default partitions the last one has the mark.
func TestLastDefaultCounts(t *testing.T) {
	cfg, _ := evaluateText(t, head+"PartitionName=a Default=YES\nPartitionName=b Default=YES\nPartitionName=c\n", Options{})
	if p := cfg.Partitions; p[0].Default || !p[1].Default || p[2].Default {
		t.Errorf("%v %v %v", p[0].Default, p[1].Default, p[2].Default)
	}
}
