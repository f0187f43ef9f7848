package engine

import "github.com/fairway-sched/fairway/lang/diag"

// PlanCodes documents the findings of a plan.
var PlanCodes = []diag.CodeDoc{
	{Code: "plan-array-cut", Severity: diag.Info,
		What: "An array has more waiting tasks than are planned.", Why: "The first 10000 tasks of an array are planned; a plan of all would take long and say little more.",
		Example: "sbatch --array=1-20000", Instead: "Nothing; the others start later still."},
	{Code: "plan-features-unreadable", Severity: diag.Warning,
		What: "A job's constraint on features cannot be read.", Why: "It is planned as if it asked for all features that it names on each of its nodes.",
		Example: `"feature_expression": "[a&"`, Instead: `As sbatch has it: "a&b", "[a*2&b*1]", "[rack1|rack2]".`},
	{Code: "plan-licenses-unknown", Severity: diag.Info,
		What: "Jobs ask for licences of which no input says how many there are.", Why: "They are planned as if there were enough.",
		Example: "squeue with a job of --licenses=matlab:2, and no scontrol show license", Instead: "Add the output of scontrol show license, or state Licenses= in slurm.conf."},
	{Code: "plan-node-overcommitted", Severity: diag.Warning,
		What: "Running jobs have more processors of a node than it has.", Why: "One of the numbers is wrong, and a plan on it is too: the jobs and the nodes may have been recorded at different times.",
		Example: "two running jobs of 8 processors with allocated_hosts n1, and n1 with procs 8", Instead: "Record jobs and nodes together, or mend where the jobs run."},
	{Code: "plan-place-unknown", Severity: diag.Warning,
		What: "No input says on which nodes some running jobs are.", Why: "They are planned as if they were where they fit.",
		Example: "squeue -o without a column of nodes", Instead: "Take squeue --json or scontrol show job."},
	{Code: "plan-setting-left-out", Severity: diag.Warning,
		What: "A setting of the policy does not count in plans.", Why: "Where it decides, the scheduler starts other jobs or takes other nodes.",
		Example: "SRCFG[test] IDLETIME=0:10:00", Instead: "Nothing; it is read, kept and shown as before."},
	{Code: "plan-suspended", Severity: diag.Warning,
		What: "Jobs are suspended.", Why: "Nothing says when they are resumed; a plan of Maui's policies gives their nodes to others, as Maui does, and has no time for them.",
		Example: "a job of the state suspended, with a maui.cfg", Instead: "Nothing; once they run again, a new plan has them where they are."},
	{Code: "plan-walltime-unknown", Severity: diag.Warning,
		What: "No input says how long jobs may take.", Why: "A job without a time limit is planned to take a year, or as long as it took where a trace says so, and all behind it wait as long.",
		Example: `{"format_version": 1, "jobs": [{"id": "1", "procs": 4}]}`, Instead: "State walltime_seconds of the jobs or a default of their partition; walltime_unlimited says that a job has no limit."},
	{Code: "plan-split-unknown", Severity: diag.Warning,
		What: "No input says how many processors some running jobs have on each of their nodes.", Why: "They are planned as if spread evenly; another split leaves room elsewhere.",
		Example: "squeue with 40 processors on n[1-3], whose nodes are shared", Instead: "Take squeue --json or scontrol -d show job."},
}
