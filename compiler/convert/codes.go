package convert

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what converting reports.
var Codes = []diag.CodeDoc{
	{Code: "convert-same-language", Severity: diag.Error,
		What: "A file to convert is in the language asked for.", Why: "There is nothing to convert.",
		Example: "fairway convert site.fairway.hcl --to hcl", Instead: "Give the scheduler's files alone."},
	{Code: "convert-left-out", Severity: diag.Info,
		What:    "A setting is left out of the conversion because the scheduler passes over it, or because Fairway computes nothing from it.",
		Why:     "The one has no meaning that could be kept; the other decides nothing of priorities, limits and plans, and a note says where jobs depend on it all the same.",
		Example: "QUEUETIMEWIEGHT 10", Instead: "Nothing, or correct the setting first; set the other scheduler up for what the note says."},
	{Code: "convert-not-text", Severity: diag.Error,
		What: "A value has bytes that are no text.", Why: "HCL is text in UTF-8.", Example: "a name in Latin-1", Instead: "Write the value in UTF-8."},
	{Code: "convert-choice", Severity: diag.Info,
		What: "A policy states its version of Slurm, or points in which the manual is followed.", Why: "No file of a scheduler states them.",
		Example: `version = "22.05"`, Instead: "Read the result with the flags that the note names."},
	{Code: "convert-not-said", Severity: diag.Warning,
		What: "The language of the result has no words for something, so that it means something else there.", Why: "The written files are read again and compared with the policy; this is what differs.",
		Example: "a hold of a policy file, written to maui.cfg", Instead: "Nothing, if it can be done without; else keep the policy file beside."},
	{Code: "convert-incomplete", Severity: diag.Warning,
		What: "The scheduler would refuse to start with the file that was written.", Why: "A policy file need not name what a scheduler needs, such as its host.",
		Example: "a policy without ClusterName, written to slurm.conf", Instead: "Add what is missing."},
	{Code: "convert-approximated", Severity: diag.Info,
		What: "The language of the result says something in another way, which is not quite the same.", Why: "The note says in what it can differ.",
		Example: `backfill { algorithm = "bestfit" }, written to maui.cfg`, Instead: "Look at the counter-example, if there is one."},
	{Code: "convert-counter-example", Severity: diag.Warning,
		What: "Jobs that the policy and what it became treat differently.", Why: "It shows what the differences that are listed come to.",
		Example: "two jobs, the one first under Maui's policy and the other under Slurm's", Instead: "Judge whether it matters; --seed looks for another one."},
	{Code: "convert-no-example", Severity: diag.Info,
		What: "The search found no jobs that both policies treat differently, or none that both accept, or could not evaluate any.", Why: "It looks at generated queues alone, and there only at jobs that both policies accept, so that it proves nothing.",
		Example: "a setting that only matters for jobs with a reservation", Instead: "Look longer with --tries, or compare on your queue: fairway diff OLD NEW --snapshot."},
	{Code: "convert-refused", Severity: diag.Error,
		What: "What a policy would become cannot be read, or means something else.", Why: "The result is compiled and compared before it is written.",
		Example: "a quoted value with a carriage return inside", Instead: "Change the value that the note shows, or keep the file."},
}
