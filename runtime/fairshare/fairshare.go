// Package fairshare computes what credentials have used against what they should
// get.
//
// In: a program's fairshare model, and usage as the snapshot has it. Out: per credential the
// columns that priorities read, the caps that keep jobs from starting, and the usage windows
// as they grow from one iteration to the next. Called by the engine, by what keeps state
// between runs, and by the views.
package fairshare

import "github.com/fairway-sched/fairway/runtime/snapshot"

// The credentials that have fairshare, in the order in which Maui tests their caps
// (MFSCheckCap). Each is the index of its object in Objects and of its name in Names.
const (
	User = iota
	Group
	Account
	Partition
	QOS
	objects
)

// Objects names the credentials as the schema does.
var Objects = [objects]string{"user", "group", "account", "partition", "qos"}

// Names is who a job is: a name for each of Objects, "" for none.
type Names [objects]string

// Cluster is what the machine has in total, nodes that are down included.
type Cluster struct{ Procs, MemMB, SwapMB, DiskMB float64 }

// Task is what one task of a job asks for.
type Task struct{ Procs, MemMB, SwapMB, DiskMB float64 }

// ProcessorEquivalents are the processors that a job is worth: tasks times the largest share that a
// task has of any of the cluster's resources, times the cluster's processors. What the job does
// not ask for or the cluster does not have is left out (Maui manual 3.2 and 5.1.2).
func (c Cluster) ProcessorEquivalents(tasks float64, t Task) float64 {
	if c.Procs <= 0 {
		return 0
	}
	share := 0.0
	for _, of := range [][2]float64{{t.Procs, c.Procs}, {t.MemMB, c.MemMB}, {t.SwapMB, c.SwapMB}, {t.DiskMB, c.DiskMB}} {
		if of[1] > 0 {
			share = max(share, of[0]/of[1])
		}
	}
	return tasks * share * c.Procs
}

// Violation is a fairshare cap that a job would exceed.
type Violation struct {
	Target  int     // index into program.Windows.Targets
	Object  string  // user, group, account, partition, qos
	Name    string  // its name
	Value   float64 // the cap: proc-seconds, or percent for a relative cap
	Usage   float64 // decayed usage of the credential, in the windows' unit
	Request float64 // what the job would add, in the same unit
	Percent float64 // usage and request as a share of all usage; relative caps only
}

// WithPassed counts the lines of usage files that Maui ignores, as its manual has them;
// what a line that Maui reads says stays. Counted says how many lines that were.
func WithPassed(windows []snapshot.UsageWindow) (out []snapshot.UsageWindow, counted int) {
	out = Clone(windows)
	for i := range out {
		w := &out[i]
		if w.Total == 0 && w.Passed.Total != 0 {
			w.Total = w.Passed.Total
			counted++
		}
		for object, names := range w.Passed.Usage {
			if w.Usage[object] == nil {
				w.Usage[object] = map[string]float64{}
			}
			for name, amount := range names {
				if _, stated := w.Usage[object][name]; !stated {
					w.Usage[object][name] = amount
					counted++
				}
			}
		}
	}
	return out, counted
}
