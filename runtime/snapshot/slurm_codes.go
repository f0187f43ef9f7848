package snapshot

import "github.com/fairway-sched/fairway/lang/diag"

var slurmCodes = []diag.CodeDoc{
	{Code: "snapshot-accounting-left-out", Severity: diag.Info,
		What:    "Jobs from sacct stand beside jobs from squeue or scontrol.",
		Why:     "Accounting keeps finished jobs and was asked at another moment; mixed in, it would put jobs into the queue that have left it.",
		Example: "sacct.psv beside scontrol_job.txt",
		Instead: "Nothing, or give the accounting file alone."},
	{Code: "snapshot-direct-priority", Severity: diag.Info,
		What:    "sprio shows a job without factors whose priority is not what site factor and nice give.",
		Why:     "An operator set its priority by hand; Slurm computes it no more, and no output says so in words.",
		Example: "scontrol update JobId=22 Priority=777",
		Instead: "Nothing; the job keeps the recorded priority."},
	{Code: "snapshot-answer-with-errors", Severity: diag.Warning,
		What:    "Slurm's answer carries errors.",
		Why:     "Records may be missing, and a queue read in half gives wrong ranks.",
		Example: `{"jobs": [], "errors": [{"error": "Socket timed out"}], "meta": {}}`,
		Instead: "Ask for the answer again."},
	{Code: "snapshot-nothing-used", Severity: diag.Info,
		What:    "A file of Slurm's holds nothing that a snapshot has a place for.",
		Why:     "It is recognised, so that it is not taken for broken, and left out.",
		Example: "sacctmgr show tres -P",
		Instead: "Nothing."},
	{Code: "snapshot-partition-not-stated", Severity: diag.Warning,
		What:    "sshare prints several associations of one account and user without their partitions.",
		Why:     "Each has its own fairshare factor, and a job's factor would be taken from the wrong one.",
		Example: "sshare -a -P on a cluster with associations by partition",
		Instead: "sshare -a -P -o Account,User,Partition,RawShares,RawUsage,FairShare,LevelFS"},
}
