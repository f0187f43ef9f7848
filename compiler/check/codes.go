package check

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what this pass reports.
var Codes = []diag.CodeDoc{
	{Code: "backfill-not-used", Severity: diag.Warning,
		What: "A backfill block sets something that planning does not look at.", Why: "The native planner has fewer settings than the schedulers, whose policies are planned by their own parameters.",
		Example: `backfill { chunk_size = 64 }`, Instead: "Remove it, or write the scheduler's parameter."},
	{Code: "backfill-number", Severity: diag.Error,
		What: "A depth or a time of planning is negative.", Why: "It would mean nothing.",
		Example: `backfill { reservation_depth = -1 }`, Instead: `Write a number from 0, or "unlimited".`},
	{Code: "empty-policy", Severity: diag.Error,
		What: "The policy has no component.", Why: "Every job would get the same priority.",
		Example: `policy "p" {}`, Instead: `Write use = "maui" or use = "slurm", or a component block.`},
	{Code: "fairshare-decay", Severity: diag.Error,
		What: "The decay of fairshare windows is no number that could weigh them; outside 0 to 1 it is a warning.", Why: "Usage would have no meaning.",
		Example: `fairshare "windows" { decay = -1 }`, Instead: "Write a number above 0, at most 1."},
	{Code: "fairshare-depth", Severity: diag.Error,
		What: "The number of fairshare windows is not one that could be kept.", Why: "Without a window there is no usage.",
		Example: `fairshare "windows" { depth = 0 }`, Instead: "Write a number from 1 on; Maui has room for 23."},
	{Code: "fairshare-interval", Severity: diag.Error,
		What: "Fairshare windows have no length.", Why: "Usage could not be put into any.",
		Example: "FSINTERVAL 0", Instead: "Write how long a window is, such as 12:00:00."},
	{Code: "fairshare-target-unused", Severity: diag.Warning,
		What: "Credentials have fairshare targets, but the policy has no fairshare model.", Why: "The targets have no effect.",
		Example: `account "a" { fairshare { target = 25 } }`, Instead: `Add fairshare "windows" { … } to the policy.`},
	{Code: "fairshare-without-model", Severity: diag.Error,
		What: "The policy reads what a credential used or should get, but has no fairshare windows.", Why: "There is no number to take.",
		Example: `factor = "user.fairshare_delta"`, Instead: `Add fairshare "windows" { … } to the policy, or leave the component out: --without.`},
	{Code: "limits-not-enforced", Severity: diag.Warning,
		What:    "A policy for Slurm sets limits of associations or QOS, but AccountingStorageEnforce does not name them.",
		Why:     "slurmctld would pass over them, and so does the evaluation.",
		Example: `qos "normal" { limit "MaxJobsPU" { hard = 4 } }`, Instead: `Add limits to AccountingStorageEnforce.`},
	{Code: "unsupported-fairshare", Severity: diag.Error,
		What:    "A fairshare model is asked for that is not computed.",
		Why:     "Leaving it out silently would rank the queue differently.",
		Example: `fairshare "lottery" { half_life = "7d" }`, Instead: "Write windows, fair_tree, classic or depth_oblivious."},
}
