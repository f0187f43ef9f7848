package engine

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents the findings of a run.
var Codes = []diag.CodeDoc{
	{Code: "column-not-available", Severity: diag.Error,
		What: "The policy reads a column that no input of the snapshot has.", Why: "A made-up value would rank the queue wrongly.",
		Example: "PriorityWeightFairshare without sshare output in the snapshot", Instead: "Add the missing file with --snapshot, or leave the component out: --without."},
	{Code: "expression-failed", Severity: diag.Warning,
		What: "An expression failed for some jobs: overflow, division by zero, an unknown value.", Why: "These jobs have no priority and no rank.",
		Example: `factor = "1.0 / double(100 / job.nodes)" with a job of 0 nodes`, Instead: "Guard the operation with a condition."},
	{Code: "fairshare-lines-counted", Severity: diag.Info,
		What: "Lines of usage files count that Maui passes over.", Why: "The policy follows the manual in the point usage_file_words.",
		Example: "deviations = [\"usage_file_words\"] and a file with a line User amy 100.0", Instead: "Nothing, if that is meant."},
	{Code: "fairshare-no-usage", Severity: diag.Warning,
		What: "A policy shares by usage, and there is none.", Why: "Every fairshare factor is 0.",
		Example: "FSPOLICY DEDICATEDPS and a snapshot without FS files", Instead: "Add Maui's FS.<epoch> files to the snapshot."},
	{Code: "fairshare-other-interval", Severity: diag.Warning,
		What: "The state has usage windows of another length than the policy.", Why: "They cannot be told apart or added, so they do not count.",
		Example: "FSINTERVAL changed between two runs with --state", Instead: "Add usage files of the new length to the snapshot, or go on without history."},
	{Code: "fairshare-state-wins", Severity: diag.Info,
		What: "The snapshot has usage files, and the state has the windows too.", Why: "The state's are newer; Maui too reads files only when it starts.",
		Example: "--state beside a snapshot with FS files", Instead: "Nothing; begin with a new state to read the files."},
	{Code: "fairshare-window-misfit", Severity: diag.Warning,
		What: "Usage files begin where no window of the policy does.", Why: "They do not count.",
		Example: "FSINTERVAL 12:00:00 and files of 6 hours", Instead: "Set the interval that the files were written with."},
	{Code: "left-out", Severity: diag.Info,
		What: "A part of the policy was left out with --without.", Why: "The ranking is not the real scheduler's."},
	{Code: "partition-not-configured", Severity: diag.Warning,
		What: "Jobs are in a partition that the slurm.conf does not define.", Why: "Its factor and its totals are then Slurm's defaults; the configuration may be another cluster's.",
		Example: "a squeue of partition gpu with a slurm.conf without PartitionName=gpu", Instead: "Give the configuration of the cluster that the snapshot is from."},
	{Code: "priority-not-a-number", Severity: diag.Warning,
		What: "The priority of some jobs is NaN: 0 times infinity, infinity minus infinity, 0.0 / 0.0.", Why: "These jobs have no priority and no rank.",
		Example: `factor = "job.queue_minutes / double(job.gpus)" with a job of 0 minutes and no GPU`, Instead: "Guard the division, or bound the factor with clamp before it is weighed."},
	{Code: "not-vectorized", Severity: diag.Info,
		What: "An expression has no kernel and is evaluated value by value.", Why: "It is right but slower.",
		Example: `factor = "job.name.size() > 3 ? 1.0 : 0.0"`, Instead: "Nothing, unless the queue is large."},
}
