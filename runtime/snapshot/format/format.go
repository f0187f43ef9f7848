// Package format is what all formats of a snapshot share: the input that one reads, the records that it fills, the
// rules
// for their values, and the Snapshot that comes out.
//
// Each folder below reads one family of formats, and none knows another; package snapshot lists them, recognises files
// by content and merges what they say.
package format

// A format is one kind of input. Its reader fills the tables of the input it is
// given; it returns an error only where the file is broken off or broken for good.
type Format struct {
	Name      string // is in Source.Format
	Origin    *Origin
	Recognize func(*Head) int
	Read      func(*Input) error
}

// Origin is where formats come from, and what of it can be read in few words.
type Origin struct{ Name, Accepts string }

var (
	FromFairway = &Origin{"Fairway's own",
		"JSON with format_version, JSON lines with a job each, CSV with a header of columns, " +
			"now.txt"}
	FromSlurm = &Origin{"Slurm", "squeue, sinfo, sacct, sshare, sprio, sdiag, sacctmgr show qos, assoc, " +
		"scontrol show job, node, partition, reservation, license, assoc_mgr, config; " +
		"text with -P, or -o and |; --json; slurmrestd"}
	FromMaui   = &Origin{"Maui", "JSON arrays of jobs or nodes, traces of a workload or of resources, fairshare files FS.<epoch>"}
	FromPBS    = &Origin{"PBS", "qstat -f, best with -w or TORQUE's -x, qstat -f -F json, pbsnodes -a, accounting logs"}
	FromTraces = &Origin{"traces", "Standard Workload Format (.swf), job lists of pyss, tables of submissions"}
)

// Origins in the order in which they are named.
var Origins = []*Origin{FromFairway, FromSlurm, FromMaui, FromPBS, FromTraces}

// Scores that recognize returns; the highest wins, the earlier format on a tie.
const (
	Foreign   = 0
	Plausible = 1 // fits, but others may fit better
	Likely    = 2 // has the fields of this format
	Certain   = 3 // says so itself
)
