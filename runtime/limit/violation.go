package limit

import "slices"

// Bound says which of a limit's two numbers is asked for.
type Bound uint8

// Soft limits yield when resources would idle, hard ones never.
const (
	Soft Bound = iota
	Hard
)

func (b Bound) String() string { return [...]string{"soft", "hard"}[b] }

// Violation is the limit that a job does not pass.
type Violation struct {
	Limit   int      // index into the program's limits; an override's if one is in force
	Object  string   // the credential whose use it is: user, group …; "" for the whole policy
	Name    string   // its name
	Per     []string // all credentials the count is kept for, Object first
	Names   []string // their names
	Counts  string   // what is counted
	Phase   string   // submit, idle, active, job
	Bound   Bound
	Value   int64 // the limit's number
	InUse   int64 // what jobs of the credential use already
	Request int64 // what this job would add

	slot *slot // where the gate has the counter
}

// Kept is a violation to keep, without the counter.
func (v Violation) Kept() *Violation {
	v.slot = nil
	return &v
}

// Same compares what a job violates now with what it violated of the same limits before.
func (v *Violation) Same(now *Violation) bool {
	return v.Limit == now.Limit && v.Object == now.Object && v.Name == now.Name && v.Counts == now.Counts &&
		v.Phase == now.Phase && v.Bound == now.Bound && v.Value == now.Value && v.InUse == now.InUse &&
		v.Request == now.Request && slices.Equal(v.Per, now.Per) && slices.Equal(v.Names, now.Names)
}

// Refusal is what cannot be found out again of a violation: a few words of memory for each of the
// jobs that a walk through a long queue does not take. The rest follows from the job.
type Refusal struct {
	slot  *slot
	inUse int64
	limit int32
	bound Bound
}

// Refusal is the part of a violation to keep.
func (v *Violation) Refusal() Refusal { return Refusal{v.slot, v.InUse, int32(v.Limit), v.Bound} }

// Violation is the violation of a job that a refusal was kept of.
func (g *Gate) Violation(job int, r Refusal) Violation {
	v := g.violation(r.slot, job, r.limit, r.bound)
	v.InUse = r.inUse
	return v
}

// Refusals remember, for each of the two walks, for which limit it did not take a job: the counts
// that a limit was asked with are gone when the reasons are written.
type Refusals struct {
	jobs int
	of   [2][]Refusal // by bound and job; empty for a job that was not refused for a limit
}

// Begin forgets what a walk refused before; the queue has so many jobs.
func (r *Refusals) Begin(b Bound, jobs int) { r.jobs, r.of[b] = jobs, nil }

// Add remembers the limit of a job.
func (r *Refusals) Add(b Bound, job int32, v *Violation) {
	if r.of[b] == nil { // most walks refuse none, or many
		r.of[b] = make([]Refusal, r.jobs)
	}
	r.of[b][job] = v.Refusal()
}

// Of is the limit that a walk did not take a job for; false if there is none.
func (r *Refusals) Of(g *Gate, b Bound, job int32) (Violation, bool) {
	if r.of[b] == nil || r.of[b][job].slot == nil {
		return Violation{}, false
	}
	return g.Violation(int(job), r.of[b][job]), true
}

// Limit is Of, kept.
func (r *Refusals) Limit(g *Gate, b Bound, job int32) *Violation {
	if v, ok := r.Of(g, b, job); ok {
		return v.Kept()
	}
	return nil
}
