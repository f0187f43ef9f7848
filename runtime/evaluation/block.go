package evaluation

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/limit"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Block is why a job may not start, in parts; Result.Reason has the real
// scheduler's words for it.
type Block struct {
	Kind    string               // one of the Block words
	Text    string               // the real scheduler's words, "" where it says nothing
	Limit   *limit.Violation     // for BlockLimit
	Cap     *fairshare.Violation // for BlockCap
	Slurm   *slurmlimit.Stop     // for BlockLimit of one of Slurm's own limits
	Hold    int                  // for BlockPolicy: index into the program's holds
	Refusal *Refusal             // for BlockPartition, BlockAccess and BlockSubmission
	Nodes   string               // for BlockNodes and BlockClass: the partition of nodes
	Also    []*Block             // what would block the job besides, in the order in which Maui lists it
}

// Refusal is what a job asks for and does not get, and what says so.
type Refusal struct {
	Name   string // the partition, or the association whose list of QOS it is
	Text   string
	Column schema.ColumnID    // the setting that decides; "" where there is none
	From   string             // what set it where no policy did
	Hold   *program.EntryHold // what of the policy refuses; nil where that is no hold
	Row    int                // of Hold: the entry
}

// Says is what a refusal is for.
func (r *Result) Says(p *Refusal) string {
	if p.Hold == nil {
		return p.Text
	}
	return p.Hold.Text.Fill(func(id schema.ColumnID) schema.Value { return r.Value(id, p.Row) })
}

// The kinds of blocks.
const (
	BlockHold       = "hold"           // held by a person
	BlockPolicy     = "policy"         // held by a rule of the policy
	BlockLimit      = "limit"          // over a throttle
	BlockSize       = "job_limit"      // set aside as soon as it was seen: larger than its class or the system allows
	BlockCap        = "fairshare_cap"  // over a fairshare cap
	BlockPriority   = "priority"       // negative, which may not start
	BlockDependency = "dependency"     // another job comes first
	BlockBegin      = "begin_time"     // not to start yet
	BlockResources  = "resources"      // larger than the machine
	BlockNodes      = "node_partition" // not allowed in a partition of nodes
	BlockClass      = "class"          // no node of a partition offers its class
	BlockFailed     = "no_priority"    // an expression failed, so its place is unknown

	// Of Slurm alone.
	BlockPartition   = "partition"   // none of its partitions takes the job
	BlockReservation = "reservation" // its reservation has not begun
	BlockArray       = "array"       // as many tasks of its array run as may
	BlockAccess      = "access"      // no valid association or QOS
	BlockSubmission  = "submission"  // it would not even be accepted
)

// SaysAll reports a block whose own words say all that there is to know: a hold, or that a job has no priority.
func (b *Block) SaysAll() bool {
	return b.Kind == BlockHold || b.Kind == BlockFailed || b.Kind == BlockPolicy && b.Refusal == nil
}

// Chained makes one block of several: the first, and what would block the job besides.
func Chained(list []*Block) *Block {
	first := list[0]
	first.Also = append(first.Also, list[1:]...)
	return first
}

// Bar notes what keeps a job of several rows from starting by one of them.
func (r *Result) Bar(row int, b *Block) {
	if r.Barred == nil {
		r.Barred = map[int32]*Block{}
	}
	r.Barred[int32(row)] = b
}

// Blocked notes why a job may not start. A limit's own word comes first, then its name.
func (r *Result) Blocked(job int, b *Block) {
	r.State[job], r.Why[job] = Blocked, b
	if b.Limit != nil && b.Text == "" {
		l := &r.Program.Limits[b.Limit.Limit]
		if b.Text = l.Reason; b.Text == "" {
			b.Text = l.Name
		}
	}
	if b.Cap != nil && b.Text == "" {
		b.Text = "fairshare_cap"
	}
	r.Reason[job] = b.Text
}
