package check

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what this pass reports.
var Codes = []diag.CodeDoc{
	{Code: "empty-policy", Severity: diag.Error,
		What: "The policy has no component.", Why: "Every job would get the same priority.",
		Example: `policy "p" {}`, Instead: `Write use = "maui" or use = "slurm", or a component block.`},
	{Code: "unsupported-fairshare", Severity: diag.Error,
		What:    "A term with a weight needs decayed usage, which this version does not compute.",
		Why:     "Leaving it out silently would rank the queue differently from the real scheduler.",
		Example: "FSPOLICY DEDICATEDPS with FSUSERWEIGHT 10", Instead: "Rank without it knowingly: --without fairshare."},
	{Code: "unsupported-limits", Severity: diag.Error,
		What:    "A policy for Slurm sets limits, which this version does not apply.",
		Why:     "Jobs that the real scheduler blocks would be shown as eligible.",
		Example: "AccountingStorageEnforce=limits with MaxJobs in a sacctmgr dump", Instead: "Rank without them knowingly: --without limits."},
}
