package program

import "github.com/fairway-sched/fairway/lang/source"

// Reservation is a policy file's own: a maintenance window, or a standing reservation that comes again.
type Reservation struct {
	Name     string
	Nodes    []string // all if there are neither nodes nor features
	Features []string // nodes with all of these
	Licenses string

	ProcsPerNode int64 // 0 is whole nodes

	// Once, in epoch seconds; End 0 is never. Or again and again: on days of the week (Sunday is 0), between
	// two times of the day in seconds; To may be on the day after.
	Start, End int64
	Days       []int64 // nil for one that comes once
	From, To   int64

	Users, Groups, Accounts, QOS, Classes []string // whoever is on one of the lists may use it

	Maintenance bool // no job may, and jobs that run then are not in its way
	Span        source.Span
}
