package limit

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what making a gate reports.
var Codes = []diag.CodeDoc{
	{Code: "limit-account-circle", Severity: diag.Warning,
		What: "Accounts stand above themselves.", Why: "Limits of accounts hold for all below them, and here nothing is on top.",
		Example: `association "a" { parent = "b" } and association "b" { parent = "a" }`, Instead: "Correct the parents."},
	{Code: "limit-amount-unknown", Severity: diag.Warning,
		What: "A limit counts something that some jobs do not state.", Why: "Those jobs count as 0, so more jobs may seem to fit than do.",
		Example: "a limit on walltime, and jobs without a time limit", Instead: "Add an input that states it, or leave the limits out: --without limits."},
	{Code: "limit-usage-unknown", Severity: diag.Warning,
		What: "A limit bounds what jobs have used up, and no input states that.", Why: "It counts as nothing, so jobs that the real scheduler stops seem to pass.",
		Example: "GrpTRESMins=cpu=1000 in a dump, and no output of sshare", Instead: "Add the output of scontrol show assoc_mgr or sshare to the snapshot."},
}
