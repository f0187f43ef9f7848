package limit

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what making a gate reports.
var Codes = []diag.CodeDoc{
	{Code: "limit-amount-unknown", Severity: diag.Warning,
		What: "A limit counts something that some jobs do not state.", Why: "Those jobs count as 0, so more jobs may seem to fit than do.",
		Example: "a limit on walltime, and jobs without a time limit", Instead: "Add an input that states it, or leave the limits out: --without limits."},
}
