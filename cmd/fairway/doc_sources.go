package main

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint"
)

// sources say where what a code is about is described, by the beginning of the code; the longest that fits counts.
// Rules with a number have their own.
var sources = []struct{ code, source string }{
	{"maui-", "Maui administrator's guide, appendix F"},
	{"maui-bad-time", "MUTime.c, MUTimeFromString; appendix F"},
	{"maui-include-", "MConfig.c, #INCLUDE"},
	{"maui-more-findings", "fairway check --help"},
	{"maui-too-large", "fairway check --help"},
	{"maui-private-file", "Maui administrator's guide, CLIENTCFG"},
	{"maui-not-modelled", "stdlib/DEVIATIONS.md, manual_parameters"},
	{"maui-template", "fairway check --help"},
	{"maui-partition-number", "Maui administrator's guide, 7.2 partitions"},

	{"slurm-", "slurm.conf(5)"},
	{"slurm-gres", "slurm.conf(5), Gres; gres.conf(5)"},
	{"slurm-hostlist", "slurm.conf(5), NodeName; scontrol(1), show hostlist"},
	{"slurm-include-", "slurm.conf(5), include"},
	{"slurm-no-partition", "slurm.conf(5), PartitionName"},
	{"slurm-node-addresses", "slurm.conf(5), NodeAddr and NodeHostname"},
	{"slurm-node-state", "slurm.conf(5), State of nodes"},
	{"slurm-plugin", "slurm.conf(5), PriorityType, SchedulerType, SelectType, PreemptType, AccountingStorageType"},
	{"slurm-required-key", "slurm.conf(5), ClusterName and SlurmctldHost"},
	{"slurm-tres-weights", "slurm.conf(5), PriorityWeightTRES and TRESBillingWeights"},
	{"slurm-more-findings", "fairway check --help"},
	{"slurm-too-large", "fairway check --help"},
	{"slurm-template", "fairway check --help"},
	{"slurm-unknown-version", "fairway check --help"},
	{"slurm-accrue-estimated", "slurm.conf(5), PriorityFlags=ACCRUE_ALWAYS; scontrol(1), AccrueTime"},
	{"slurm-several-qos", "sbatch(1), --qos"},
	{"slurm-accounts-above-unknown", "slurm.conf(5), AllowAccounts"},
	{"slurm-groups-unknown", "slurm.conf(5), AllowGroups"},
	{"slurm-preempt-unknown", "slurm.conf(5), PreemptType; sacctmgr(1), Preempt"},
	{"slurm-partition-priorities-unknown", "slurm.conf(5), PriorityJobFactor and PriorityTier"},
	{"slurm-partition-state-inferred", "slurm.conf(5), State of partitions; squeue(1), job reasons"},
	{"slurm-limit", "sacctmgr(1), limits of associations and QOS"},

	{"sacctmgr-", "sacctmgr(1), flat file dump and load"},
	{"sacctmgr-tres", "sacctmgr(1), TRES limits"},
	{"sacctmgr-typed-tres", "sacctmgr(1), TRES limits; slurm.conf(5), AccountingStorageTRES"},
	{"sacctmgr-qos-flag", "sacctmgr(1), Flags of QOS"},
	{"sacctmgr-more-findings", "fairway check --help"},
	{"sacctmgr-too-large", "fairway check --help"},

	{"policy-", "lang/LANGUAGE.md"},
	{"policy-run-contradiction", "lang/LANGUAGE.md, run"},
	{"run-", "lang/LANGUAGE.md, run; fairway help push"},
	{"policy-for-each", "lang/LANGUAGE.md, for_each"},
	{"policy-local-cycle", "lang/LANGUAGE.md, locals"},
	{"policy-needs-override", "lang/LANGUAGE.md, policy"},
	{"policy-overrides-nothing", "lang/LANGUAGE.md, policy"},
	{"policy-unknown-function", "lang/FUNCTIONS.md"},

	{"cel-", "lang/FUNCTIONS.md; the CEL language definition"},
	{"cel-unknown-column", "lang/COLUMNS.md"},
	{"cel-unknown-tres", "lang/COLUMNS.md, tres"},
	{"cel-tres-not-constant", "lang/COLUMNS.md, tres"},
	{"cel-object-as-value", "lang/COLUMNS.md"},
	{"cel-unknown-param", "lang/LANGUAGE.md, param"},
	{"cel-param-without-value", "lang/LANGUAGE.md, param"},
	{"cel-unknown-define", "lang/LANGUAGE.md, define"},
	{"cel-long-define", "lang/LANGUAGE.md, define"},
	{"cel-unknown-deviation", "stdlib/DEVIATIONS.md"},
	{"constant-expression-fails", "the CEL language definition, runtime errors"},

	{"base-conflict", "lang/LANGUAGE.md, policy"},
	{"record-", "lang/LANGUAGE.md, record"},
	{"plan-not-modelled", "fairway plan --help"},
	{"limit-", "lang/LANGUAGE.md, limit"},
	{"limit-in-tree", "lang/LANGUAGE.md, association"},
	{"limit-account-circle", "sacctmgr(1), Parent of accounts"},
	{"limit-amount-unknown", "lang/LANGUAGE.md, limit; lang/COLUMNS.md"},
	{"limit-usage-unknown", "scontrol(1), show assoc_mgr"},
	{"billing-weights", "slurm.conf(5), TRESBillingWeights"},
	{"fairshare-", "lang/LANGUAGE.md, fairshare"},
	{"fairshare-shares", "lang/LANGUAGE.md, association; sacctmgr(1), Fairshare"},
	{"fairshare-ticket-based", "slurm.conf(5), PriorityFlags=TICKET_BASED"},
	{"fairshare-secondary-groups", "Maui administrator's guide, 6.3 fairshare"},
	{"fairshare-differs", "sshare(1)"},
	{"fairshare-recorded", "sshare(1)"},
	{"fairshare-tree-incomplete", "sshare(1), -a"},
	{"fairshare-usage-missing", "sshare(1), -a; scontrol(1), show assoc_mgr"},
	{"fairshare-billing-", "slurm.conf(5), TRESBillingWeights"},
	{"fairshare-maximum-of-totals", "slurm.conf(5), PriorityFlags=MAX_TRES"},
	{"fairshare-pass-behind", "slurm.conf(5), PriorityCalcPeriod"},
	{"fairshare-reset", "slurm.conf(5), PriorityUsageResetPeriod"},
	{"fairshare-state-wins", "fairway eval --help, --state"},
	{"fairshare-gap", "Maui administrator's guide, 6.3 fairshare; FSINTERVAL and FSDEPTH"},
	{"fairshare-lines-counted", "MFS.c, MFSLoadDataFile"},
	{"fairshare-no-usage", "Maui administrator's guide, 6.3 fairshare"},
	{"fairshare-other-interval", "Maui administrator's guide, 6.3 fairshare; FSINTERVAL"},
	{"fairshare-window-misfit", "Maui administrator's guide, 6.3 fairshare; FSINTERVAL"},
	{"fairshare-jobs-gone", "fairway eval --help, --state"},
	{"fairshare-amount-unknown", "Maui administrator's guide, FSPOLICY"},
	{"deviation-matters", "stdlib/DEVIATIONS.md"},
	{"unknown-deviation", "stdlib/DEVIATIONS.md"},
	{"mixed-families", "lang/LANGUAGE.md, policy"},
	{"needs-override", "lang/LANGUAGE.md, policy"},
	{"param-", "lang/LANGUAGE.md, param; stdlib/PARAMETERS.md"},
	{"unknown-param", "stdlib/PARAMETERS.md"},
	{"no-policy", "lang/LANGUAGE.md, policy"},
	{"several-policies", "lang/LANGUAGE.md, policy"},
	{"two-main-files", "fairway --help, POLICY"},
	{"unknown-base", "lang/LANGUAGE.md, policy"},
	{"unknown-component", "fairway eval --help, --without"},
	{"unknown-language", "fairway --help, POLICY"},
	{"unknown-slurm-version", "fairway eval --help, --slurm-version"},
	{"file-without-settings", "fairway --help, POLICY"},
	{"snapshot-version", "fairway eval --help, --slurm-version"},
	{"reservation-", "lang/LANGUAGE.md, reservation"},
	{"reservations-not-kept", "fairway eval --help, --state"},
	{"term-without-factor", "lang/LANGUAGE.md, component/term"},

	{"backfill-", "lang/LANGUAGE.md, backfill"},
	{"empty-policy", "lang/LANGUAGE.md, policy"},
	{"define-", "lang/LANGUAGE.md, define"},
	{"attribute-unread", "lang/LANGUAGE.md, partition"},
	{"unsupported-fairshare", "lang/LANGUAGE.md, fairshare"},
	{"convert-", "fairway convert --help"},
	{"codegen-", "runtime/program, the contract between compiler and engine"},
	{"codegen-missing-", "lang/LANGUAGE.md, component/term"},
	{"codegen-unknown-function", "lang/FUNCTIONS.md"},

	{"snapshot-", "lang/COLUMNS.md; fairway snapshot --help"},
	{"snapshot-trace-fields", "the Standard Workload Format, version 2.2"},
	{"snapshot-nothing-arrived", "fairway eval --help, --now"},
	{"snapshot-trace-moment", "fairway snapshot info --help"},
	{"snapshot-not-yet-arrived", "fairway eval --help, --now"},
	{"snapshot-capture-damaged", "fairway snapshot capture --help"},
	{"snapshot-fairshare-", "MFS.c, MFSLoadDataFile"},
	{"snapshot-window-twice", "MFS.c, MFSLoadDataFile"},
	{"snapshot-log-timezone", "PBS administrator's guide, accounting logs"},
	{"snapshot-start-without-run", "PBS administrator's guide, accounting logs"},
	{"snapshot-record-column", "sacct(1), --format"},
	{"snapshot-no-job-records", "sacct(1)"},
	{"snapshot-accounting-left-out", "sacct(1); squeue(1)"},
	{"snapshot-direct-priority", "scontrol(1), Priority; sprio(1)"},
	{"snapshot-answer-with-errors", "squeue(1), --json"},
	{"snapshot-nothing-used", "sshare(1)"},
	{"snapshot-qos-flag", "sacctmgr(1), Flags of QOS"},
	{"snapshot-partition-not-stated", "scontrol(1), show partition"},
	{"snapshot-reservation-ends-first", "scontrol(1), show reservation"},
	{"snapshot-bad-licenses", "scontrol(1), show licenses"},
	{"snapshot-unknown-state", "squeue(1), job state codes"},

	{"column-not-available", "lang/COLUMNS.md"},
	{"expression-failed", "the CEL language definition, runtime errors"},
	{"left-out", "fairway eval --help, --without"},
	{"partition-", "slurm.conf(5), PartitionName"},
	{"priority-infinite", "lang/LANGUAGE.md, finish"},
	{"priority-not-a-number", "lang/LANGUAGE.md, finish"},
	{"not-vectorized", "lang/FUNCTIONS.md"},
	{"state-", "fairway eval --help, --state"},
	{"system-priority-range", "Maui administrator's guide, setspri"},
	{"plan-", "fairway plan --help"},
	{"plan-array-", "sbatch(1), --array"},
	{"plan-features-unreadable", "sbatch(1), --constraint"},
	{"plan-license", "sbatch(1), --licenses; scontrol(1), show licenses"},
	{"tree-", "sacctmgr(1), associations; slurm.conf(5), PriorityFlags"},
	{"push-plan-", "fairway push --help"},
	{"usage-", "fairway usage --help"},
	{"explain-unknown-job", "fairway explain --help"},
	{"view-", "fairway eval --help, --view"},
}

// sourcesOf says where what a code is about is described.
func sourcesOf(code string) []string {
	if own := lint.Sources(code); len(own) > 0 {
		return own
	}
	best := -1
	for i, s := range sources {
		if strings.HasPrefix(code, s.code) && (best < 0 || len(s.code) > len(sources[best].code)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return []string{sources[best].source}
}
