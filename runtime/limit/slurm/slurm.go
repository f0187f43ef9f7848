package slurm

import (
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Options are what Slurm's limits are asked with.
type Options struct {
	Now     int64
	Version int      // 2205 for 22.05
	Safe    bool     // AccountingStorageEnforce=safe
	TRES    []string // in the order in which limits on them are asked

	// RunMinutes says whether a QOS's limits on the running minutes of a user or account count,
	// which slurmctld stored long before it asked them.
	RunMinutes bool

	Limits  []program.Limit   // of associations and QOS, with Kind set
	Parents map[string]string // association → the one above it; "" or missing for the root
	QOS     map[string]*QOS   // by name; nil for one without anything special
	Used    func(object, name string) (Used, bool)
	Full    func(host string) bool // nodes without free processors; nil where no input says

	// Jobs holds the jobs; of each row of the queue, a job in a partition, there is a job, the
	// partition's QOS and the minutes that the job may run there.
	Jobs      *column.Table
	RowJob    []int32
	JobRow    []int32
	Partition []string // per row: the partition's QOS, "" for none
	RowQOS    []string // per row: the job's QOS; nil where each has that of its job
	// Alone says, per row, that a job shares its nodes with no other job; nil where each shares them.
	Alone []bool
	// WholeProcs are, per row, the processors of the nodes that a waiting job takes whole, at least; 0 where it takes
	// none. Limits that are asked with nodes count these.
	WholeProcs []int64
	// per row: UnlimitedMinutes for no bound, −1 where the job states none of its own and the partition has none
	Minutes []int64
}

// UnlimitedMinutes stand for a job without time limit (INFINITE).
const UnlimitedMinutes int64 = 0xffffffff

// Used is what the jobs of an association or a QOS have used up, decayed.
type Used struct {
	WallSeconds float64
	TRESMinutes func(tres string) float64
}

// QOS is what a QOS says besides its limits.
type QOS struct {
	Overrides    bool // OverPartQOS: it comes before the partition's
	Deny         bool // DenyOnLimit
	UsageFactor  float64
	FactorSafe   bool    // UsageFactorSafe: need is counted times the usage factor
	LimitFactor  float64 // 0: none
	RelativeTRES func(tres string) float64
}

// Slurm holds the counters of Slurm's associations and QOS and asks their limits. It decides
// neither who is asked nor in which order. Explanations aside, no method allocates but where
// it finds that a job does not pass.
type Limits struct {
	o      Options
	tres   []string // those that limits are on
	nodeAt int      // which of them are nodes, −1 if none
	procAt int      // and which processors

	holders      []holder
	associations map[string]int32
	qos          map[string]int32
	limits       []program.Limit
	// of all holders: jobs, submitted, accruing, then in use, reserved seconds and used minutes for each TRES
	counts []int64
	hosts  []map[string]int32 // per holder: how many of its jobs each node has
	full   map[string]bool    // nodes that no other job can have a part of
	open   []int64            // per holder: those of its nodes that are not full; −1 until somebody asks

	chains   map[int32][]level // by association: itself and those above it
	jobs     []job
	requests []int64 // per job and TRES
	entries  []entry
	apart    bool   // a job gets none of the nodes that its groups have
	exact    bool   // the hosts of the job asked about are those that it would get
	procs    bool   // so are its processors
	hidden   []bool // scratch, per kind and TRES: a QOS has set it
}

// holder is an association, a QOS, or a user or account within a QOS: something with counters.
type holder struct {
	object, name string
	who          string // of a holder within a QOS
	above        int32  // of an association; −1 for none
	rules        []rule // in the order in which they are asked
	submit       []rule // in the order in which they are asked at submission
	wallMinutes  int64  // used up
	usageKnown   bool
	q            *QOS
}

// rule is one number that bounds something.
type rule struct {
	kind  limitKind
	tres  int32 // in Slurm.tres; −1 for limits on jobs and time
	limit int32 // index into Slurm.limits
	value int64
}

// level is a step of an association's way up: its counters and the rules asked there.
type level struct {
	holder int32
	rules  []rule
	submit []rule
}

// job is what counting needs to know of a job.
type job struct {
	tasks   int64 // jobs that it counts as at submission
	left    int64 // seconds that it may still run, if it does
	factor  float64
	noUsage bool // its usage factor is 0: what was used does not count against it
	hosts   []string
}

// entry is a row of the queue.
type entry struct {
	association int32
	qos         [2]qosUse // in the order in which they are asked
	strict      bool      // at submission it is rejected for what it would otherwise wait for
	minutes     int64
	stated      bool // the minutes are the job's own
	partition   bool // the first QOS is the partition's
	factor      float64
}

// qosUse is a QOS with the counters of the job's user and account in it; −1 for none.
type qosUse struct{ qos, user, account int32 }

// Counters of a holder, before those of TRES.
const (
	atJobs = iota
	atSubmitted
	atAccruing
	perHolder
)

// New makes the counters, all at zero. The findings say what of the limits cannot be counted.
func New(o Options) (*Limits, diag.List) {
	b := &builder{Limits: &Limits{o: o, nodeAt: -1, limits: o.Limits, associations: map[string]int32{},
		qos: map[string]int32{}, chains: map[int32][]level{}}}
	b.build()
	return b.Limits, b.diags
}

func (s *Limits) width() int { return perHolder + 3*len(s.tres) }

// counter is one of a holder's own counters.
func (s *Limits) counter(h int32, at int) *int64 { return &s.counts[int(h)*s.width()+at] }

// inUse, reserved and used are what running jobs have of a TRES, the seconds times TRES that they
// may still use, and the minutes times TRES that were used up.
func (s *Limits) inUse(h, tres int32) *int64    { return s.counter(h, perHolder+int(tres)) }
func (s *Limits) reserved(h, tres int32) *int64 { return s.counter(h, perHolder+len(s.tres)+int(tres)) }
func (s *Limits) used(h, tres int32) *int64     { return s.counter(h, perHolder+2*len(s.tres)+int(tres)) }

// asks is what a row's job would have once nodes are chosen, as far as that is known.
func (s *Limits) asks(row int, tres int32) int64 {
	n := s.request(int(s.o.RowJob[row]), tres)
	if int(tres) == s.procAt && !s.procs && s.o.WholeProcs != nil {
		return max(n, s.o.WholeProcs[row])
	}
	return n
}

func (s *Limits) request(job int, tres int32) int64 { return s.requests[job*len(s.tres)+int(tres)] }
