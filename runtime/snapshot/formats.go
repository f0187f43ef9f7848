package snapshot

// formats is the one list of what can be read, most exact first: within one
// directory, an earlier format's cells win over a later one's, and its rows
// come first.
var formats = []format{
	// Fairway's own JSON, an object with format_version
	{"native-json", fromFairway, recognizeNativeJSON, readNativeJSON},
	// one JSON object per job and line
	{"native-jsonl", fromFairway, recognizeNativeLines, readNativeLines},
	// comma-separated table of jobs whose header names columns
	{"native-csv", fromFairway, recognizeCSV, readCSV},
	// now.txt with an epoch
	{"now", fromFairway, recognizeNow, readNow},
	// array of jobs with wclimit and tasks
	{"maui-jobs", fromMaui, recognizeMauiJobs, readMauiJobs},
	// array of nodes with classes and avail_procs
	{"maui-nodes", fromMaui, recognizeMauiNodes, readMauiNodes},
	// Maui fairshare usage file FS.<epoch>
	{"maui-fairshare", fromMaui, recognizeFairshare, readFairshare},
	// scontrol show job
	{"slurm-scontrol-job", fromSlurm, recognizeScontrolJob, readScontrolJob},
	// squeue --json, scontrol show job --json, slurmrestd's jobs
	{"slurm-jobs-json", fromSlurm, recognizeSlurmJSON("jobs", "job_state"), readSlurmJSON},
	// one job of slurmrestd
	{"slurm-job-json", fromSlurm, recognizeJobJSON, readJobJSON},
	// squeue -o or -O with | between the columns and a header
	{"slurm-squeue", fromSlurm, recognizeSqueue, readSqueue},
	// scontrol show node
	{"slurm-scontrol-node", fromSlurm, slurmNode.recognizeScontrol, slurmNode.scontrol},
	// scontrol show node --json, slurmrestd's nodes
	{"slurm-nodes-json", fromSlurm, recognizeSlurmJSON("nodes", "name"), readSlurmJSON},
	// scontrol show reservation
	{"slurm-scontrol-reservation", fromSlurm, slurmReservation.recognizeScontrol, slurmReservation.scontrol},
	// scontrol show reservation --json, slurmrestd's reservations
	{"slurm-reservations-json", fromSlurm, recognizeReservationsJSON, readSlurmJSON},
	// scontrol show license
	{"slurm-scontrol-license", fromSlurm, slurmLicense.recognizeScontrol, slurmLicense.scontrol},
	// scontrol show license --json, slurmrestd's licenses
	{"slurm-licenses-json", fromSlurm, recognizeLicensesJSON, readSlurmJSON},
	// scontrol show partition
	{"slurm-scontrol-partition", fromSlurm, slurmPartition.recognizeScontrol, slurmPartition.scontrol},
	// scontrol show partition --json, slurmrestd's partitions
	{"slurm-partitions-json", fromSlurm, recognizeSlurmJSON("partitions", "name"), readSlurmJSON},
	// sinfo --json
	{"slurm-sinfo-json", fromSlurm, recognizeSlurmJSON("sinfo", "partition"), readSlurmJSON},
	// scontrol show assoc_mgr
	{"slurm-assoc-mgr", fromSlurm, recognizeAssocMgr, readAssocMgr},
	// sacctmgr show qos -P
	{"slurm-sacctmgr-qos", fromSlurm, recognizeSacctmgrQOS, readSacctmgrQOS},
	// sacctmgr show qos --json, slurmrestd's qos
	{"slurm-qos-json", fromSlurm, recognizeQOSJSON, readSlurmJSON},
	// sacctmgr show assoc -P
	{"slurm-sacctmgr-assoc", fromSlurm, recognizeSacctmgrAssociations, readSacctmgrAssociations},
	// sacctmgr show assoc --json, slurmrestd's associations
	{"slurm-associations-json", fromSlurm, recognizeSlurmJSON("associations", "account"), readSlurmJSON},
	// sshare -P with the column Partition
	{"slurm-sshare-partitions", fromSlurm, recognizeSsharePartitions, readSshare},
	// sshare, best with -P
	{"slurm-sshare", fromSlurm, recognizeSshare, readSshare},
	// sshare --json
	{"slurm-shares-json", fromSlurm, recognizeSharesJSON, readSlurmJSON},
	// sprio -l, -n or -o
	{"slurm-sprio", fromSlurm, recognizeSprio, readSprio},
	// sacct -P
	{"slurm-accounting", fromSlurm, recognizeSacct, readSacct},
	// sacct --json, slurmrestd's accounting jobs
	{"slurm-accounting-json", fromSlurm, recognizeAccountingJSON, readAccountingJSON},
	// date_before.txt with an epoch
	{"slurm-date", fromSlurm, recognizeDate, readDate},
	// sdiag, for the time
	{"slurm-sdiag", fromSlurm, recognizeSdiag, readSdiag},
	// scontrol show config, for time and version
	{"slurm-scontrol-config", fromSlurm, recognizeScontrolConfig, readScontrolConfig},
	// outputs of Slurm without jobs, nodes or credentials
	{"slurm-other", fromSlurm, recognizeSlurmOther, readSlurmOther},
	// qstat -f -F json
	{"pbs-qstat-json", fromPBS, recognizeQstatJSON, readQstatJSON},
	// qstat -x of TORQUE
	{"pbs-qstat-xml", fromPBS, recognizeQstatXML, readQstatXML},
	// qstat -f, best with -w
	{"pbs-qstat", fromPBS, recognizeQstat, readQstat},
	// pbsnodes -a
	{"pbs-nodes", fromPBS, recognizePBSNodes, readPBSNodes},
	// PBS's accounting log, server_priv/accounting/YYYYMMDD
	{"pbs-accounting", fromPBS, recognizePBSAccounting, readPBSHistory},
	// Standard Workload Format trace
	{"swf", fromTraces, recognizeSWF, readSWF},
	// job list of the pyss simulator
	{"pyss", fromTraces, recognizePyss, readPyss},
}

// recognise finds the format of a file, or nil.
func recognise(h *head) *format { return bestFormat(formats, h) }

func bestFormat(list []format, h *head) *format {
	var best *format
	bestScore := foreign
	for i := range list {
		if score := list[i].recognize(h); score > bestScore {
			best, bestScore = &list[i], score
		}
	}
	return best
}
