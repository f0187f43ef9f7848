// Package limit counts what jobs use against a policy's throttles and says which
// limit a job would violate.
//
// In: the limits of a program and the amounts of the jobs. Out: a Gate that a
// scheduler's own queue walk asks job by job. Called by the engine.
package limit

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
	Limit   int    // index into the program's limits
	Object  string // the credential whose use it is: user, group …; "" for the whole policy
	Name    string // its name
	Bound   Bound
	Value   int64 // the limit's number
	InUse   int64 // what jobs of the credential use already
	Request int64 // what this job would add
}
