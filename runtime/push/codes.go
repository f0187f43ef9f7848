package push

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what reading a plan may report.
var Codes = []diag.CodeDoc{
	{Code: "push-plan-torn", Severity: diag.Error,
		What: "The plan file ends too early or is no JSON.", Why: "Half a plan would change half of the queue.",
		Instead: "Make the plan anew with push --out.", Case: "a plan copied while the disk was full"},
	{Code: "push-plan-foreign", Severity: diag.Error,
		What: "The file given to push --apply is no plan.", Why: "Only plans that push --out wrote are carried out.",
		Instead: "Name the file that push --out wrote.", Case: "push --apply queue.json"},
	{Code: "push-plan-version", Severity: diag.Error,
		What: "The plan was written in another version of its format.", Why: "Its fields may mean something else.",
		Instead: "Make the plan anew with this version of Fairway.", Case: "a plan of a later Fairway"},
	{Code: "push-plan-changed", Severity: diag.Error,
		What: "The plan's own sha256 is not that of what it says.", Why: "Somebody changed a value after push wrote the plan, and nobody has looked at that.",
		Instead: "Make the plan anew with push --out.", Case: "a priority in the plan that was changed by hand"},
	{Code: "push-plan-value", Severity: diag.Error,
		What: "A value in the plan is not possible, such as a job that changes twice.", Why: "The file was changed by hand or damaged.",
		Instead: "Make the plan anew with push --out.", Case: "a job that stands in the plan twice"},
}
