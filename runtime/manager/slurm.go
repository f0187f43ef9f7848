package manager

import (
	"bytes"
	"fmt"
	"strings"
)

// SlurmConfig is the command that tells version, time and the name of the cluster.
var SlurmConfig = Command{Argv: []string{"scontrol", "show", "config"}, File: "scontrol_config.txt",
	Gives: "the version and the time", Needed: true, Whole: wholeOf("SLURM_VERSION"), hide: hidePasswords}

// SlurmEnvironment makes Slurm's commands print what can be read: times in UTC and in the standard
// form, numbers with a point, and lists of array tasks in full.
var SlurmEnvironment = []string{"TZ=UTC", "LC_ALL=C", "SLURM_TIME_FORMAT=standard", "SLURM_BITSTR_LEN=0"}

// sprioFormat has all factors, weighted and as they are (sprio's -o).
const sprioFormat = "%.30i|%.30r|%.30u|%.20Y|%.20A|%.20a|%.20B|%.20b|%.20F|%.20f|%.20J|%.20j|%.20P|%.20p|%.20Q|" +
	"%.20q|%.20S|%.20N|%.500T|%.500t"

// squeueFields are what squeue's -O prints of a job: all that ranks it. Names and comments are not among
// them: users write them, and squeue prints a line break in one as it is, so that a name could pass for a
// row with a job of its own.
var squeueFields = []string{
	"JobID", "JobArrayID", "ArrayJobID", "ArrayTaskID", "UserName", "GroupName", "QOS", "Partition", "State", "Reason",
	"PriorityLong", "Nice",
	"SubmitTime", "EligibleTime", "AccrueTime", "StartTime", "EndTime", "Deadline", "LastSchedEval", "TimeLimit",
	"MinTime", "NumTasks", "cpus-per-task", "NumCPUs",
	"NumNodes", "NTPerNode", "NTPerCore", "Threads", "MinMemory", "MinTmpDisk", "tres-alloc", "tres-per-job",
	"tres-per-node", "tres-per-task", "Feature", "Licenses", "Reservation",
	"ReqNodes", "NodeList", "OverSubscribe", "RestartCnt", "Dependency",
}

// squeueAccount is the last field. Where accounts are not enforced it is free text too (seen with 22.05). It is
// narrower than there are fields, so that it cannot hold what would pass for a row, whatever it says.
var squeueAccount = fmt.Sprintf("Account:%d|", SqueueAccountWidth)

// SqueueAccountWidth is how much of an account squeue prints.
const SqueueAccountWidth = 40

// squeue asks for fields of all jobs, separated by |, which ends each row too; a field with an ending of its own
// and without a width is printed in full. Without --array-unique the tasks of an array that have records of their
// own, after an update for instance, are printed as one with the rest; with it each record is a row, and the
// tasks without one are one row, however many they are.
func squeue(fields string, more ...string) []string {
	return append([]string{"squeue", "-a", "--array-unique", "-S", "i", "-O", fields}, more...)
}

func squeueFormat(fields ...string) string { return strings.Join(fields, ":|,") + ":|" }

// slurmList lists the record of each job, the last one first: of a list and a table that both lack their ends
// one still shows that the other does.
func slurmList(of listing) Command {
	argv := []string{"squeue", "-a", "--array-unique", "-h", "-S", "-i", "-O", "JobID:|"}
	if of == every {
		argv = append(argv, "-t", "all")
	}
	return Command{Argv: argv, Gives: "a list of jobs that shows whether one is missing", Whole: wholeList, jobs: lineJobs,
		role: of}
}

// Slurm reads with Slurm's own commands. Those that show priorities are next to each other, because a pass
// between two of them makes numbers differ.
var Slurm = Reading{
	Kind: "slurm", Program: "scontrol", Environment: SlurmEnvironment,
	Forms: []Form{
		{"squeue", "a table with all that ranks a job: fast, and small", Command{
			Argv: squeue(squeueFormat(squeueFields...) + "," + squeueAccount), File: "squeue.psv", Gives: "the jobs",
			Needed: true, Whole: wholeTable, jobs: tableJobs}, slurmList(unfinished)},
		{"json", "squeue --json: names, comments and excluded nodes too", Command{
			Argv: []string{"squeue", "-a", "--json"}, File: "squeue.json", Gives: "the jobs", Needed: true,
			Whole: wholeJSON, jobs: slurmJSONJobs, hide: hidePrivateJSON}, slurmList(unfinished)},
		{"scontrol", "scontrol show job: the processors and the memory on each node too, for plans; refused where a name " +
			"with a line break passes for a job", Command{
			Argv: []string{"scontrol", "-a", "-o", "-d", "show", "job"}, File: "scontrol_job.txt",
			Gives: "the jobs with their priorities and reasons", Needed: true, Whole: wholeLines,
			jobs: recordJobs, hide: hideRecords}, slurmList(every)},
	},
	commands: func(around []Command) []Command {
		list, jobs, again := around[0], around[1], around[2]
		return []Command{
			SlurmConfig,
			{Argv: []string{"sacctmgr", "show", "qos", "-P"}, File: "sacctmgr_qos.psv", Gives: "the QOS", Whole: wholeHeaded},
			{Argv: []string{"scontrol", "-a", "-o", "show", "partition"}, File: "scontrol_partition.txt",
				Gives: "the partitions", Needed: true, Whole: wholeLines},
			{Argv: []string{"scontrol", "-a", "-o", "show", "node"}, File: "scontrol_node.txt", Gives: "the nodes",
				Needed: true, Whole: wholeLines, hide: hideRecords},
			{Argv: []string{"scontrol", "-o", "show", "reservation"},
				File: "scontrol_reservation.txt", Gives: "the reservations",
				Whole: wholeOf("ReservationName=", "No reservations"),
				hide:  hideRecords},
			{Argv: []string{"scontrol", "-o", "show", "license"}, File: "scontrol_license.txt", Gives: "the licences",
				Whole: wholeOf("LicenseName=", "No licenses")},
			{Argv: []string{"sdiag"}, File: "sdiag.txt", Gives: "the time, to the second", Whole: wholeOf("sdiag output at")},
			list,
			{Argv: []string{"sprio", "-o", sprioFormat}, File: "sprio.psv", Gives: "the factors of each priority",
				Whole: wholeHeaded},
			jobs,
			again,
			{Argv: []string{"sshare", "-a", "-l", "-m", "-P"}, File: "sshare.psv", Gives: "fairshare", Whole: wholeHeaded},
			{Argv: []string{"scontrol", "-o", "show", "assoc_mgr"}, File: "assoc_mgr.txt", Gives: "usage and the use of limits",
				Whole: wholeOf("Current Association Manager state")},
		}
	},
}

// SlurmDump is the command that writes the accounts of a cluster, which are policy, to a file.
func SlurmDump(cluster, file string) []string {
	return []string{"sacctmgr", "dump", cluster, "file=" + file}
}

// SlurmCluster finds the name of the cluster in what SlurmConfig printed. One that cannot be the name of
// a cluster is not taken: it is about to be an argument.
func SlurmCluster(config []byte) (string, bool) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	name := slurmSetting(config, "ClusterName")
	if name == "" || strings.Trim(name, letters+"_-.") != "" || !strings.Contains(letters, name[:1]) {
		return "", false
	}
	return name, true
}

// SlurmVersion finds the version, as 22.05.8.
func SlurmVersion(config []byte) string { return slurmSetting(config, "SLURM_VERSION") }

// SlurmConfFile finds the name of the slurm.conf that the controller reads.
func SlurmConfFile(config []byte) string { return slurmSetting(config, "SLURM_CONF") }

// SlurmListsAll reports by what SlurmConfig printed that every job has an association, and that all of them are shown
// to whoever asks.
func SlurmListsAll(config []byte) bool {
	hidden := slurmSetting(config, "PrivateData")
	return strings.Contains(slurmSetting(config, "AccountingStorageEnforce"), "associations") &&
		(hidden == "" || hidden == "none")
}

func slurmSetting(config []byte, name string) string {
	for line := range strings.Lines(string(config)) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// SlurmDumpWhole tells a dump from the beginning of one: it names the cluster, and its last line ends. A
// dump that ends between two lines cannot be recognised.
func SlurmDumpWhole(text []byte) bool {
	return bytes.Contains(append([]byte{'\n'}, text...), []byte("\nCluster - ")) && wholeLines(text) == nil
}
