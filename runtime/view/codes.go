package view

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents every diagnostic of this package.
var Codes = []diag.CodeDoc{
	{
		Code: "explain-unknown-job", Severity: diag.Error,
		What:    "the job to explain is not in the snapshot",
		Why:     "only jobs that were evaluated can be explained",
		Instead: "an id as the resource manager prints it; array tasks as 12_3", Case: "fairway explain slurm.conf --snapshot squeue.json 4242, where the queue has no job 4242",
	},
	{
		Code: "plan-unknown-job", Severity: diag.Error,
		What:    "the job to show is not in the plan",
		Why:     "only jobs that run or wait are planned",
		Example: "plan slurm.conf -s squeue.json --job 99999",
		Instead: "an id as the resource manager prints it; the id of an array shows all its tasks",
	},
	{
		Code: "view-needs-terms", Severity: diag.Error,
		What:    "the view shows terms and the result was made without them",
		Why:     "a fused program computes priorities only",
		Instead: "evaluate with terms kept, or choose a format without them", Case: "a view of factors over a result with priorities alone",
	},
	{
		Code: "view-needs-tree", Severity: diag.Error,
		What:    "the view shows an account tree and the result has none",
		Why:     "there are no shares to show, or nobody says what was used",
		Example: "eval slurm.conf --snapshot squeue.json --view sshare",
		Instead: "a snapshot with the output of sshare or scontrol show assoc_mgr",
	},
	{
		Code: "view-needs-windows", Severity: diag.Error,
		What:    "the view shows fairshare windows and the policy has none",
		Why:     "there is no usage to show",
		Example: "eval slurm.conf --view diagnose-f",
		Instead: "the native view",
	},
	{
		Code: "view-other-family", Severity: diag.Error,
		What:    "a scheduler's own view is asked for a policy of another scheduler",
		Why:     "its columns are that scheduler's components and would all be empty",
		Example: "eval maui.cfg --view sprio",
		Instead: "the native view, or the view of the policy's scheduler",
	},
	{
		Code: "view-unknown", Severity: diag.Error,
		What:    "no view or format has the name",
		Why:     "nothing can be printed",
		Example: "eval --view spiro",
		Instead: "one of the names in the note",
	},
}
