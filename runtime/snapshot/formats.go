package snapshot

import (
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/maui"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/pbs"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/trace"
)

// formats is the one list of what can be read, most exact first: within one
// directory, an earlier format's cells win over a later one's, and its rows
// come first.
var formats = []format.Format{
	// Fairway's own JSON, an object with format_version
	known("native-json", format.FromFairway, native.RecognizeJSON, native.ReadJSON),
	// one JSON object per job and line
	known("native-jsonl", format.FromFairway, native.RecognizeLines, native.ReadLines),
	// comma-separated table of jobs whose header names columns
	known("native-csv", format.FromFairway, native.RecognizeCSV, native.ReadCSV),
	// now.txt with an epoch
	known("now", format.FromFairway, recognizeNow, readNow),
	// array of jobs with wclimit and tasks
	known("maui-jobs", format.FromMaui, maui.RecognizeJobs, maui.ReadJobs),
	// array of nodes with classes and avail_procs
	known("maui-nodes", format.FromMaui, maui.RecognizeNodes, maui.ReadNodes),
	// Maui's trace of a workload, as its simulation reads it
	known("maui-trace", format.FromMaui, maui.RecognizeTrace, maui.ReadTrace),
	// Maui's trace of resources
	known("maui-resources", format.FromMaui, maui.RecognizeResources, maui.ReadResources),
	// Maui fairshare usage file FS.<epoch>
	known("maui-fairshare", format.FromMaui, maui.RecognizeFairshare, maui.ReadFairshare),
	// scontrol show job
	known("slurm-scontrol-job", format.FromSlurm, slurm.RecognizeScontrolJob, slurm.ReadScontrolJob),
	// squeue --json, scontrol show job --json, slurmrestd's jobs
	known("slurm-jobs-json", format.FromSlurm, slurm.RecognizeJSON("jobs", "job_state"), slurm.ReadJSON),
	// one job of slurmrestd
	known("slurm-job-json", format.FromSlurm, slurm.RecognizeJobJSON, slurm.ReadJobJSON),
	// squeue -o or -O with | between the columns and a header
	known("slurm-squeue", format.FromSlurm, slurm.RecognizeSqueue, slurm.ReadSqueue),
	// scontrol show node
	known("slurm-scontrol-node", format.FromSlurm, slurm.Node.RecognizeScontrol, slurm.Node.Scontrol),
	// scontrol show node --json, slurmrestd's nodes
	known("slurm-nodes-json", format.FromSlurm, slurm.RecognizeJSON("nodes", "name"), slurm.ReadJSON),
	// scontrol show topology, topology.conf
	known("slurm-topology", format.FromSlurm, slurm.RecognizeTopology, slurm.ReadTopology),
	// scontrol show reservation
	known("slurm-scontrol-reservation", format.FromSlurm, slurm.Reservation.RecognizeScontrol,
		slurm.Reservation.Scontrol),
	// scontrol show reservation --json, slurmrestd's reservations
	known("slurm-reservations-json", format.FromSlurm, slurm.RecognizeReservationsJSON, slurm.ReadJSON),
	// scontrol show license
	known("slurm-scontrol-license", format.FromSlurm, slurm.License.RecognizeScontrol, slurm.License.Scontrol),
	// scontrol show license --json, slurmrestd's licenses
	known("slurm-licenses-json", format.FromSlurm, slurm.RecognizeLicensesJSON, slurm.ReadJSON),
	// scontrol show partition
	known("slurm-scontrol-partition", format.FromSlurm, slurm.Partition.RecognizeScontrol, slurm.Partition.Scontrol),
	// scontrol show partition --json, slurmrestd's partitions
	known("slurm-partitions-json", format.FromSlurm, slurm.RecognizeJSON("partitions", "name"), slurm.ReadJSON),
	// sinfo --json
	known("slurm-sinfo-json", format.FromSlurm, slurm.RecognizeJSON("sinfo", "partition"), slurm.ReadJSON),
	// scontrol show assoc_mgr
	known("slurm-assoc-mgr", format.FromSlurm, slurm.RecognizeAssocMgr, slurm.ReadAssocMgr),
	// sacctmgr show qos -P
	known("slurm-sacctmgr-qos", format.FromSlurm, slurm.RecognizeSacctmgrQOS, slurm.ReadSacctmgrQOS),
	// sacctmgr show qos --json, slurmrestd's qos
	known("slurm-qos-json", format.FromSlurm, slurm.RecognizeQOSJSON, slurm.ReadJSON),
	// sacctmgr show assoc -P
	known("slurm-sacctmgr-assoc", format.FromSlurm, slurm.RecognizeSacctmgrAssociations,
		slurm.ReadSacctmgrAssociations),
	// sacctmgr show assoc --json, slurmrestd's associations
	known("slurm-associations-json", format.FromSlurm, slurm.RecognizeJSON("associations", "account"), slurm.ReadJSON),
	// sshare -P with the column Partition
	known("slurm-sshare-partitions", format.FromSlurm, slurm.RecognizeSsharePartitions, slurm.ReadSshare),
	// sshare, best with -P
	known("slurm-sshare", format.FromSlurm, slurm.RecognizeSshare, slurm.ReadSshare),
	// sshare --json
	known("slurm-shares-json", format.FromSlurm, slurm.RecognizeSharesJSON, slurm.ReadJSON),
	// sprio -l, -n or -o
	known("slurm-sprio", format.FromSlurm, slurm.RecognizeSprio, slurm.ReadSprio),
	// sacct -P
	known("slurm-accounting", format.FromSlurm, slurm.RecognizeSacct, slurm.ReadSacct),
	// sacct --json, slurmrestd's accounting jobs
	known("slurm-accounting-json", format.FromSlurm, slurm.RecognizeAccountingJSON, slurm.ReadAccountingJSON),
	// date_before.txt with an epoch
	known("slurm-date", format.FromSlurm, slurm.RecognizeDate, slurm.ReadDate),
	// sdiag, for the time
	known("slurm-sdiag", format.FromSlurm, slurm.RecognizeSdiag, slurm.ReadSdiag),
	// scontrol show config, for time and version
	known("slurm-scontrol-config", format.FromSlurm, slurm.RecognizeScontrolConfig, slurm.ReadScontrolConfig),
	// outputs of Slurm without jobs, nodes or credentials
	known("slurm-other", format.FromSlurm, slurm.RecognizeOther, slurm.ReadOther),
	// qstat -f -F json
	known("pbs-qstat-json", format.FromPBS, pbs.RecognizeQstatJSON, pbs.ReadQstatJSON),
	// qstat -x of TORQUE
	known("pbs-qstat-xml", format.FromPBS, pbs.RecognizeQstatXML, pbs.ReadQstatXML),
	// qstat -f, best with -w
	known("pbs-qstat", format.FromPBS, pbs.RecognizeQstat, pbs.ReadQstat),
	// pbsnodes -a
	known("pbs-nodes", format.FromPBS, pbs.RecognizeNodes, pbs.ReadNodes),
	// PBS's accounting log, server_priv/accounting/YYYYMMDD
	known("pbs-accounting", format.FromPBS, pbs.RecognizeAccounting, pbs.ReadHistory),
	// Standard Workload Format trace
	known("swf", format.FromTraces, trace.RecognizeSWF, trace.ReadSWF),
	// job list of the pyss simulator
	known("pyss", format.FromTraces, trace.RecognizePyss, trace.ReadPyss),
	// table of sbatch's submissions with the run times of their jobs
	known("submissions", format.FromTraces, trace.RecognizeSubmissions, trace.ReadSubmissions),
	// table of nodes with name, cpus and memory_mb
	known("machine", format.FromTraces, trace.RecognizeMachine, trace.ReadMachine),
}

func known(name string, origin *format.Origin, recognize func(*format.Head) int,
	read func(*format.Input) error) format.Format {
	return format.Format{Name: name, Origin: origin, Recognize: recognize, Read: read}
}

// Knows reports a text that is in a format which can be read.
func Knows(name string, text []byte) bool { return recognise(format.NewHead(name, text)) != nil }

// recognise finds the format of a file, or nil.
func recognise(h *format.Head) *format.Format { return bestFormat(formats, h) }

func bestFormat(list []format.Format, h *format.Head) *format.Format {
	var best *format.Format
	bestScore := format.Foreign
	for i := range list {
		if score := list[i].Recognize(h); score > bestScore {
			best, bestScore = &list[i], score
		}
	}
	return best
}
