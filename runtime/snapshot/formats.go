package snapshot

// A format is one kind of input. Its reader fills the tables of the input it is
// given; it returns an error only where the file is broken off or broken for good.
type format struct {
	name      string // stands in Source.Format
	origin    *origin
	recognize func(*head) int
	read      func(*input) error
}

// origin is where formats come from, and what of it can be read in few words.
type origin struct{ name, accepts string }

var (
	fromFairway = &origin{"Fairway's own", "JSON with format_version, JSON lines with a job each, CSV with a header of columns, now.txt"}
	fromSlurm   = &origin{"Slurm", "squeue, sinfo, sacct, sshare, sprio, sdiag, sacctmgr show qos, assoc, scontrol show job, node, partition, reservation, license, assoc_mgr, config; text with -P, or -o and |; --json; slurmrestd"}
	fromMaui    = &origin{"Maui", "JSON arrays of jobs or nodes, fairshare files FS.<epoch>"}
	fromPBS     = &origin{"PBS", "qstat -f, best with -w or TORQUE's -x, qstat -f -F json, pbsnodes -a, accounting logs"}
	fromTraces  = &origin{"traces", "Standard Workload Format (.swf), job lists of pyss"}
)

// origins in the order in which they are named.
var origins = []*origin{fromFairway, fromSlurm, fromMaui, fromPBS, fromTraces}

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
	{"native-json", fromFairway, recognizeNativeJSON, readNativeJSON},                                    // Fairway's own JSON, an object with format_version
	{"native-jsonl", fromFairway, recognizeNativeLines, readNativeLines},                                 // one JSON object per job and line
	{"native-csv", fromFairway, recognizeCSV, readCSV},                                                   // comma-separated table of jobs whose header names columns
	{"now", fromFairway, recognizeNow, readNow},                                                          // now.txt with an epoch
	{"maui-jobs", fromMaui, recognizeMauiJobs, readMauiJobs},                                             // array of jobs with wclimit and tasks
	{"maui-nodes", fromMaui, recognizeMauiNodes, readMauiNodes},                                          // array of nodes with classes and avail_procs
	{"maui-fairshare", fromMaui, recognizeFairshare, readFairshare},                                      // Maui fairshare usage file FS.<epoch>
	{"slurm-scontrol-job", fromSlurm, recognizeScontrolJob, readScontrolJob},                             // scontrol show job
	{"slurm-jobs-json", fromSlurm, recognizeSlurmJSON("jobs", "job_state"), readSlurmJSON},               // squeue --json, scontrol show job --json, slurmrestd's jobs
	{"slurm-job-json", fromSlurm, recognizeJobJSON, readJobJSON},                                         // one job of slurmrestd
	{"slurm-squeue", fromSlurm, recognizeSqueue, readSqueue},                                             // squeue -o or -O with | between the columns and a header
	{"slurm-scontrol-node", fromSlurm, recognizeScontrolNode, readScontrolNode},                          // scontrol show node
	{"slurm-nodes-json", fromSlurm, recognizeSlurmJSON("nodes", "name"), readSlurmJSON},                  // scontrol show node --json, slurmrestd's nodes
	{"slurm-scontrol-reservation", fromSlurm, recognizeScontrolReservation, readScontrolReservation},     // scontrol show reservation
	{"slurm-reservations-json", fromSlurm, recognizeReservationsJSON, readSlurmJSON},                     // scontrol show reservation --json, slurmrestd's reservations
	{"slurm-scontrol-license", fromSlurm, recognizeScontrolLicense, readScontrolLicense},                 // scontrol show license
	{"slurm-licenses-json", fromSlurm, recognizeLicensesJSON, readSlurmJSON},                             // scontrol show license --json, slurmrestd's licenses
	{"slurm-scontrol-partition", fromSlurm, recognizeScontrolPartition, readScontrolPartition},           // scontrol show partition
	{"slurm-partitions-json", fromSlurm, recognizeSlurmJSON("partitions", "name"), readSlurmJSON},        // scontrol show partition --json, slurmrestd's partitions
	{"slurm-sinfo-json", fromSlurm, recognizeSlurmJSON("sinfo", "partition"), readSlurmJSON},             // sinfo --json
	{"slurm-assoc-mgr", fromSlurm, recognizeAssocMgr, readAssocMgr},                                      // scontrol show assoc_mgr
	{"slurm-sacctmgr-qos", fromSlurm, recognizeSacctmgrQOS, readSacctmgrQOS},                             // sacctmgr show qos -P
	{"slurm-qos-json", fromSlurm, recognizeQOSJSON, readSlurmJSON},                                       // sacctmgr show qos --json, slurmrestd's qos
	{"slurm-sacctmgr-assoc", fromSlurm, recognizeSacctmgrAssociations, readSacctmgrAssociations},         // sacctmgr show assoc -P
	{"slurm-associations-json", fromSlurm, recognizeSlurmJSON("associations", "account"), readSlurmJSON}, // sacctmgr show assoc --json, slurmrestd's associations
	{"slurm-sshare-partitions", fromSlurm, recognizeSsharePartitions, readSshare},                        // sshare -P with the column Partition
	{"slurm-sshare", fromSlurm, recognizeSshare, readSshare},                                             // sshare, best with -P
	{"slurm-shares-json", fromSlurm, recognizeSharesJSON, readSlurmJSON},                                 // sshare --json
	{"slurm-sprio", fromSlurm, recognizeSprio, readSprio},                                                // sprio -l, -n or -o
	{"slurm-accounting", fromSlurm, recognizeSacct, readSacct},                                           // sacct -P
	{"slurm-accounting-json", fromSlurm, recognizeAccountingJSON, readAccountingJSON},                    // sacct --json, slurmrestd's accounting jobs
	{"slurm-date", fromSlurm, recognizeDate, readDate},                                                   // date_before.txt with an epoch
	{"slurm-sdiag", fromSlurm, recognizeSdiag, readSdiag},                                                // sdiag, for the time
	{"slurm-scontrol-config", fromSlurm, recognizeScontrolConfig, readScontrolConfig},                    // scontrol show config, for time and version
	{"slurm-other", fromSlurm, recognizeSlurmOther, readSlurmOther},                                      // outputs of Slurm without jobs, nodes or credentials
	{"pbs-qstat-json", fromPBS, recognizeQstatJSON, readQstatJSON},                                       // qstat -f -F json
	{"pbs-qstat-xml", fromPBS, recognizeQstatXML, readQstatXML},                                          // qstat -x of TORQUE
	{"pbs-qstat", fromPBS, recognizeQstat, readQstat},                                                    // qstat -f, best with -w
	{"pbs-nodes", fromPBS, recognizePBSNodes, readPBSNodes},                                              // pbsnodes -a
	{"pbs-accounting", fromPBS, recognizePBSAccounting, readPBSHistory},                                  // PBS's accounting log, server_priv/accounting/YYYYMMDD
	{"swf", fromTraces, recognizeSWF, readSWF},                                                           // Standard Workload Format trace
	{"pyss", fromTraces, recognizePyss, readPyss},                                                        // job list of the pyss simulator
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
