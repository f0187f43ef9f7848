package checkpoint

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what reading a state file may report.
var Codes = []diag.CodeDoc{
	{Code: "state-torn", Severity: diag.Error,
		What: "The state file ends too early or is no JSON.", Why: "Going on with half a state would rank the queue wrongly; the file is left as it is.",
		Instead: "Restore it from a backup, or delete it and start anew: every job's queue time then counts from its submission.", Case: "a state file copied while the disk was full"},
	{Code: "state-foreign", Severity: diag.Error,
		What: "The file is no state file of Fairway.", Why: "It would be overwritten.",
		Instead: "Name another file with --state; one that does not exist yet is made.", Case: "--state maui.cfg"},
	{Code: "state-version", Severity: diag.Error,
		What: "The state file was written in another version of its format.", Why: "Its fields may mean something else.",
		Instead: "Use the version of Fairway that wrote it, or start anew with another file.", Case: "a state file of a later Fairway"},
	{Code: "state-value", Severity: diag.Error,
		What: "A value in the state file is not possible, such as a negative duration or a job that stands in it twice.", Why: "The file was changed by hand or damaged.",
		Instead: "Correct the value, or delete the file and start anew.", Case: "a job that stands in the file twice"},
	{Code: "state-family", Severity: diag.Error,
		What: "The state file is of another scheduler's policy.", Why: "Queue times of one scheduler mean nothing to another.",
		Instead: "Keep one state file for each policy.", Case: "--state maui.state with a slurm.conf"},
	{Code: "state-interval", Severity: diag.Error,
		What: "The fairshare windows of the state have another length than the policy's.", Why: "They cannot be told apart or added, and going on would drop them; the file is left as it is.",
		Example: "FSINTERVAL changed between two evaluations with --state", Instead: "Set FSINTERVAL as it was, or begin a new state file."},
	{Code: "state-future", Severity: diag.Error,
		What: "The state is of a later time than the snapshot.", Why: "Time does not run backwards: usage would be counted twice.",
		Instead: "Give the newer snapshot, or the state file that belongs to this one.", Case: "the snapshot of yesterday, with the state file of today"},
}
