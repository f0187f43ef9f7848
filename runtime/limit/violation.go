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
