package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/program"
)

// Stop is the first of Slurm's limits that a job does not pass, with the comparison that failed.
type Stop struct {
	Limit  *program.Limit // its Span is zero where a snapshot recorded it
	Level  string         // partition QOS, QOS, association; "account above" for an association up the tree
	Object string         // qos or association
	Name   string         // its name: normal, physics/amy
	Who    string         // the user or account that a limit of a QOS counts for; "" for all
	Kind   string         // Slurm's name: GrpTRES
	TRES   string         // the resource; "" for limits on jobs and time
	Test   Test
	Value  int64  // the limit, times LimitFactor where that counts
	InUse  int64  // what running jobs have, or what was used up in minutes
	Runs   int64  // safe limits: minutes that running jobs may still use
	Asks   int64  // what the job adds
	Reason string // Slurm's word

	holder int32
}

// Test is the comparison that failed.
type Test uint8

// The tests: Full, no room for one more; Over, together more than the limit; UsedUp, the limit is
// used up already; Unsafe, it would be before the job ends; Above, the job alone is more; Below,
// the job is less than it must be.
const (
	Full Test = iota
	Over
	UsedUp
	Unsafe
	Above
	Below
)

func (t Test) String() string {
	return [...]string{"full", "over", "used_up", "unsafe", "above", "below"}[t]
}

// WithNodes reports a limit that is asked once it is known which nodes a job would get.
func (s *Stop) WithNodes() bool {
	k, ok := kindOf(s.Kind)
	return ok && k.withNodes()
}

// Whose names what the limit is set on and the user or account it counts for: association physics/amy, QOS normal, for
// user amy.
func (s *Stop) Whose() string {
	text := strings.TrimSuffix(s.Level, " above") + " " + s.Name
	if s.Who != "" {
		text += ", for " + s.Who
	}
	return text
}
