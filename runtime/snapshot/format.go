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
	fromFairway = &origin{"Fairway's own", "JSON with format_version, JSON lines with a job each, CSV with a header of columns, " +
		"now.txt"}
	fromSlurm = &origin{"Slurm", "squeue, sinfo, sacct, sshare, sprio, sdiag, sacctmgr show qos, assoc, " +
		"scontrol show job, node, partition, reservation, license, assoc_mgr, config; " +
		"text with -P, or -o and |; --json; slurmrestd"}
	fromMaui   = &origin{"Maui", "JSON arrays of jobs or nodes, fairshare files FS.<epoch>"}
	fromPBS    = &origin{"PBS", "qstat -f, best with -w or TORQUE's -x, qstat -f -F json, pbsnodes -a, accounting logs"}
	fromTraces = &origin{"traces", "Standard Workload Format (.swf), job lists of pyss"}
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
