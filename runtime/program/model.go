package program

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
)

// Windows is Maui's fairshare: usage in windows of fixed length, older ones decayed.
type Windows struct {
	Usage           string // what counts as usage: dedicated_proc_seconds, dedicated_pe_seconds, utilized_proc_seconds
	Ratio           bool   // factors are 1 − usage/target instead of target − usage
	IntervalSeconds int64  // length of a window; windows begin at multiples of it since the epoch
	Depth           int    // how many windows count, the current one included
	Decay           float64
	Targets         []Target
	Span            source.Span
}

// Usage is what the policy says was used at some time before now.
type Usage struct {
	Name  string
	At    int64   // epoch seconds
	Total float64 // of all, for windows
	Used  []Used
	Span  source.Span
}

// Used is what one credential used.
type Used struct {
	Object string // user, group, account, qos, partition; association of a tree
	Name   string // of an association as its key has it
	Amount float64
	Span   source.Span
}

// Named is the kind of credential of windows that names most of the usage, and how much.
func (u *Usage) Named() (object string, sum float64) {
	sums := map[string]float64{}
	for _, x := range u.Used {
		if x.Object != "association" {
			sums[x.Object] += x.Amount
		}
	}
	for _, x := range u.Used {
		if sums[x.Object] > sum {
			object, sum = x.Object, sums[x.Object]
		}
	}
	return object, sum
}

func (u *Usage) String() string { return "usage " + u.Name + " " + u.Amounts() }

// Amounts is all of it but the name.
func (u *Usage) Amounts() string {
	var b strings.Builder
	fmt.Fprintf(&b, "at %s", time.Unix(u.At, 0).UTC().Format(time.RFC3339))
	if u.Total != 0 {
		fmt.Fprintf(&b, " total %v", u.Total)
	}
	for _, x := range u.Used {
		fmt.Fprintf(&b, " %s %s %v", x.Object, x.Name, x.Amount)
	}
	return b.String()
}

// Target is one credential's share of the machine.
type Target struct {
	Object string // user, group, account, qos, partition
	Name   string
	Others bool    // for every name of the object without a target of its own
	Kind   string  // target, floor, ceiling, cap (proc-seconds), relative_cap (percent)
	Value  float64 // percent of all usage; proc-seconds for a cap
	Source string  // what set it, as the site knows it: USERCFG[amy] FSTARGET
	Span   source.Span
}

// Caps reports whether the target keeps jobs from starting, rather than moving priorities.
func (t *Target) Caps() bool { return t.Kind == "cap" || t.Kind == "relative_cap" }

// Counting is how a scheduler counts what limits bound, and which of them it asks.
type Counting struct {
	Wraps     bool // in C ints: a sum beyond 2^31 is a negative one
	Asked     bool // the nodes that jobs asked for, not those that they have
	Suspended bool // a suspended job uses nothing of proc-seconds and walltime any more
	SoftFirst bool // soft bounds are of a first pass: a job over one alone starts in the second
	OneEach   bool // of limits on one count of a credential one is asked, whatever their names, in a fixed order
	AtLoad    bool // limits of credentials, and on walltime, on the size of a job hold it when it is loaded
}

// NoLimit stands for a bound that was not set or was lifted on purpose.
const NoLimit int64 = math.MaxInt64

// Limit is one throttle: at most Soft or Hard of what it counts, for each
// combination of the credentials in Per.
type Limit struct {
	Name    string   // as the site wrote it: MAXJOB, idle_jobs
	Kind    string   // Slurm's name of a limit that slurmctld applies: GrpTRES, MaxJobsPU …; "" for all others
	Object  string   // credential it is written on: user, group, account, qos, partition; "" for the whole policy
	Row     string   // its name
	Others  bool     // it holds for every name of the object without a limit of its own on the same count
	Counts  string   // jobs, procs, nodes, proc_seconds, processor_equivalents, walltime, memory, gpus, or a TRES
	Per     []string // objects whose names the count is kept for, Object first, such as [partition user]
	Cross   []string // names of the further objects of Per that it holds for; "" or missing: any
	Phase   string   // submit, idle, active, job
	Soft    int64    // NoLimit: none
	Hard    int64    // NoLimit: none
	AtLeast bool     // the bounds are the least that a job must have
	When    Reg      // rows it concerns; NoReg: all
	Reason  string   // the site's word for it, "" for the scheduler's
	Source  string   // what set it: USERCFG[amy] MAXJOB
	Span    source.Span

	// Override: it replaces what the job's credentials say of the same count and phase, also
	// where they say nothing.
	Override bool
	Reach    []string // of an override: only limits written on these; nil: on any credential
	Existing bool     // of an override: only where there is a limit to replace
}
