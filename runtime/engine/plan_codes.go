package engine

import "github.com/fairway-sched/fairway/lang/diag"

// PlanCodes documents the findings of a plan.
var PlanCodes = []diag.CodeDoc{
	{Code: "plan-array-cut", Severity: diag.Info,
		What: "An array has more waiting tasks than are planned.", Why: "The first 10000 tasks of an array are planned; a plan of all would take long and say little more.",
		Example: "sbatch --array=1-20000", Instead: "Nothing; the others start later still."},
	{Code: "plan-licenses-unknown", Severity: diag.Info,
		What: "Jobs ask for licences of which no input says how many there are.", Why: "They are planned as if there were enough.",
		Example: "squeue with a job of --licenses=matlab:2, and no scontrol show license", Instead: "Add the output of scontrol show license, or state Licenses= in slurm.conf."},
	{Code: "plan-place-unknown", Severity: diag.Warning,
		What: "No input says on which nodes some running jobs are.", Why: "They are planned as if they were where they fit.",
		Example: "squeue -o without a column of nodes", Instead: "Take squeue --json or scontrol show job."},
	{Code: "plan-setting-left-out", Severity: diag.Warning,
		What: "A setting of the policy does not count in plans.", Why: "Where it decides, the scheduler starts other jobs or takes other nodes.",
		Example: "SRCFG[test] IDLETIME=0:10:00", Instead: "Nothing; it is read, kept and shown as before."},
	{Code: "plan-split-unknown", Severity: diag.Warning,
		What: "No input says how many processors some running jobs have on each of their nodes.", Why: "They are planned as if spread evenly; another split leaves room elsewhere.",
		Example: "squeue with 40 processors on n[1-3], whose nodes are shared", Instead: "Take squeue --json or scontrol -d show job."},
}
