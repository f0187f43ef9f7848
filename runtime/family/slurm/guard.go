package slurm

import (
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
)

// guard is what slurmctld asks before a job may start: the partitions of its rows and the
// limits of its associations and QOS.
type guard struct {
	result     *evaluation.Result
	rules      *program.Slurm
	version    int
	values     *evaluation.Values
	partitions []partition        // by entry of the dictionary of the rows' partitions
	codes      []uint32           // per row: its entry; nil where rows have no partition
	limits     *slurmlimit.Limits // nil where none count
	whole      *wholeNodes
	rows       []int             // scratch: those of the job asked about
	nodes      []map[string]bool // of each partition, none where the snapshot does not say; nil until somebody asks

	above    map[string]string      // association → the one above; nil until somebody asks
	allowed  map[string]allowed     // association → the QOS it may use, once asked
	qosNames map[string]source.Span // the QOS that anybody knows; nil until somebody asks
}

// of is the guard of the same queue and models in another evaluation, whose counters are its own.
func (g *guard) of(r *evaluation.Result) *guard {
	out := *g
	out.result, out.rules, out.rows = r, r.Program.Slurm, nil
	if g.whole != nil {
		out.whole = &wholeNodes{&out, g.whole.sizes}
	}
	if g.limits != nil {
		out.limits = g.limits.Clone()
		r.SlurmLimits = out.limits
	}
	return &out
}

// submitting is the state of a job that is asked about as if it were submitted now.
const submitting = "submitting"

// partition is what a partition refuses. Numbers are −1 where there is no limit.
type partition struct {
	name                             string
	known                            bool
	state, qos                       string
	stateFrom                        string // what set it, where the policy did not
	inferred                         int    // jobs whose reasons did
	maxSeconds, defaultSeconds       int64
	nodesMin, nodesMax, procsPerNode int64
	accounts, groups                 []string // the accounts that it names, and the groups that it takes
	whole                            bool     // jobs have their nodes for themselves
}

// allowed is the list of QOS that an association may use, and the association that sets it; set is
// false where no input lists any.
type allowed struct {
	list []string
	at   string
	set  bool
}

// wholeNodes are how many processors the jobs get that share their nodes with no other job: all of the nodes that are
// chosen. Limits that are asked once nodes are chosen count these, and not what the job asks for (slurm.md §11.2;
// recorded: limit-exclusive-grp). Which nodes a job would get is not known before, only what it gets at least and
// at most; where all nodes are alike the two are the same.
type wholeNodes struct {
	guard *guard
	sizes map[string]nodeSizes // by partition
}

// nodeSizes are the processors of a partition's first n nodes together, by n: of the largest ones and of the smallest.
type nodeSizes struct{ largest, smallest []int64 }
