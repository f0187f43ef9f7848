package snapshot

// A format is one kind of input. Its reader fills the tables of the input it is
// given; it returns an error only where the file is broken off or broken for good.
type format struct {
	name      string // stands in Source.Format
	accepts   string // for people: what the format is
	recognize func(*head) int
	read      func(*input) error
}

// Scores that recognize returns; the highest wins, the earlier format on a tie.
const (
	foreign   = 0
	plausible = 1 // fits, but others may fit better
	likely    = 2 // has the fields of this format
	certain   = 3 // says so itself
)

// formats is the one list of what can be read, most exact first: within one
// directory, an earlier format's cells win over a later one's, and its rows
// come first.
var formats = []format{
	{"native-json", "Fairway's own JSON, an object with format_version", recognizeNativeJSON, readNativeJSON},
	{"native-jsonl", "one JSON object per job and line", recognizeNativeLines, readNativeLines},
	{"native-csv", "comma-separated table of jobs whose header names columns", recognizeCSV, readCSV},
	{"now", "now.txt with an epoch", recognizeNow, readNow},
	{"maui-jobs", "Maui case: array of jobs with wclimit and tasks", recognizeMauiJobs, readMauiJobs},
	{"maui-nodes", "Maui case: array of nodes with classes and avail_procs", recognizeMauiNodes, readMauiNodes},
	{"maui-fairshare", "Maui fairshare usage file FS.<epoch>", recognizeFairshare, readFairshare},
	{"slurm-scontrol-job", "scontrol show job", recognizeScontrolJob, readScontrolJob},
	{"slurm-jobs-json", "squeue --json, scontrol show job --json, slurmrestd's jobs", recognizeSlurmJSON("jobs", "job_state"), readSlurmJSON},
	{"slurm-job-json", "one job of slurmrestd", recognizeJobJSON, readJobJSON},
	{"slurm-squeue", "squeue -o or -O with | between the columns and a header", recognizeSqueue, readSqueue},
	{"slurm-scontrol-node", "scontrol show node", recognizeScontrolNode, readScontrolNode},
	{"slurm-nodes-json", "scontrol show node --json, slurmrestd's nodes", recognizeSlurmJSON("nodes", "name"), readSlurmJSON},
	{"slurm-scontrol-partition", "scontrol show partition", recognizeScontrolPartition, readScontrolPartition},
	{"slurm-partitions-json", "scontrol show partition --json, slurmrestd's partitions", recognizeSlurmJSON("partitions", "name"), readSlurmJSON},
	{"slurm-sinfo-json", "sinfo --json", recognizeSlurmJSON("sinfo", "partition"), readSlurmJSON},
	{"slurm-assoc-mgr", "scontrol show assoc_mgr", recognizeAssocMgr, readAssocMgr},
	{"slurm-sacctmgr-qos", "sacctmgr show qos -P", recognizeSacctmgrQOS, readSacctmgrQOS},
	{"slurm-qos-json", "sacctmgr show qos --json, slurmrestd's qos", recognizeQOSJSON, readSlurmJSON},
	{"slurm-sacctmgr-assoc", "sacctmgr show assoc -P", recognizeSacctmgrAssociations, readSacctmgrAssociations},
	{"slurm-associations-json", "sacctmgr show assoc --json, slurmrestd's associations", recognizeSlurmJSON("associations", "account"), readSlurmJSON},
	{"slurm-sshare-partitions", "sshare -P with the column Partition", recognizeSsharePartitions, readSshare},
	{"slurm-sshare", "sshare, best with -P", recognizeSshare, readSshare},
	{"slurm-shares-json", "sshare --json", recognizeSharesJSON, readSlurmJSON},
	{"slurm-sprio", "sprio -l, -n or -o", recognizeSprio, readSprio},
	{"slurm-accounting", "sacct -P", recognizeSacct, readSacct},
	{"slurm-accounting-json", "sacct --json, slurmrestd's accounting jobs", recognizeAccountingJSON, readAccountingJSON},
	{"slurm-date", "date_before.txt with an epoch", recognizeDate, readDate},
	{"slurm-sdiag", "sdiag, for the time", recognizeSdiag, readSdiag},
	{"slurm-scontrol-config", "scontrol show config, for time and version", recognizeScontrolConfig, readScontrolConfig},
	{"slurm-other", "outputs of Slurm without jobs, nodes or credentials", recognizeSlurmOther, readSlurmOther},
	{"pbs-qstat-json", "qstat -f -F json", recognizeQstatJSON, readQstatJSON},
	{"pbs-qstat", "qstat -f", recognizeQstat, readQstat},
	{"pbs-nodes", "pbsnodes -a", recognizePBSNodes, readPBSNodes},
	{"swf", "Standard Workload Format trace", recognizeSWF, readSWF},
	{"pyss", "job list of the pyss simulator", recognizePyss, readPyss},
}

// recognise finds the format of a file, or nil.
func recognise(h *head) *format {
	var best *format
	bestScore := foreign
	for i := range formats {
		if score := formats[i].recognize(h); score > bestScore {
			best, bestScore = &formats[i], score
		}
	}
	return best
}
