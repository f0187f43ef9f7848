package manager

import "strings"

// SlurmConfig is the command that tells version, time and the name of the cluster.
var SlurmConfig = Command{Argv: []string{"scontrol", "show", "config"}, File: "scontrol_config.txt", Gives: "the version and the time", Needed: true}

// SlurmEnvironment makes Slurm's commands print what can be read: times in UTC and in the standard
// form, numbers with a point, and lists of array tasks in full.
var SlurmEnvironment = []string{"TZ=UTC", "LC_ALL=C", "SLURM_TIME_FORMAT=standard", "SLURM_BITSTR_LEN=0"}

// sprioFormat has all factors, weighted and as they are (sprio's -o).
const sprioFormat = "%.30i|%.30r|%.30u|%.20Y|%.20A|%.20a|%.20B|%.20b|%.20F|%.20f|%.20J|%.20j|%.20P|%.20p|%.20Q|%.20q|%.20S|%.20N|%.500T|%.500t"

// SlurmCapture are the commands of a snapshot. Those that show priorities are next to each other, because
// a pass between two of them makes numbers differ.
var SlurmCapture = []Command{
	SlurmConfig,
	{[]string{"sacctmgr", "show", "qos", "-P"}, "sacctmgr_qos.psv", "the QOS", false},
	{[]string{"scontrol", "-o", "show", "partition"}, "scontrol_partition.txt", "the partitions", true},
	{[]string{"scontrol", "-o", "show", "node"}, "scontrol_node.txt", "the nodes", true},
	{[]string{"sdiag"}, "sdiag.txt", "the time, to the second", false},
	{[]string{"sprio", "-o", sprioFormat}, "sprio.psv", "the factors of each priority", false},
	{[]string{"scontrol", "-o", "-d", "show", "job"}, "scontrol_job.txt", "the jobs with their priorities and reasons", true},
	{[]string{"sshare", "-a", "-l", "-m", "-P"}, "sshare.psv", "fairshare", false},
	{[]string{"scontrol", "-o", "show", "assoc_mgr"}, "assoc_mgr.txt", "usage and the use of limits", false},
}

// SlurmDump is the command that writes the accounts of a cluster, which are policy, to a file.
func SlurmDump(cluster, file string) []string {
	return []string{"sacctmgr", "dump", cluster, "file=" + file}
}

// SlurmCluster finds the name of the cluster in what SlurmConfig printed.
func SlurmCluster(config []byte) (string, bool) {
	for line := range strings.Lines(string(config)) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "ClusterName" {
			value = strings.TrimSpace(value)
			return value, value != ""
		}
	}
	return "", false
}
