package program

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Plan is how jobs are placed on nodes and around each other.
type Plan struct {
	Native *NativePlan // for the native planner: the policy's own, or what a scheduler's settings come to
	Maui   *MauiPlan   // nil for other families
	Slurm  *SlurmPlan  // nil for other families

	Licenses     map[string]int64 // those that the policy configures; nil if it does not say
	Reservations []Reservation    // of the policy's own files
	NodeRecords  []NodeRecord     // of slurm.conf's nodes
	Partition    string           // of jobs that name none
	Switches     []Switch         // of the topology.conf beside it
}

// Unlimited is a reservation depth without a bound: conservative backfill.
const Unlimited = -1

// NativePlan are the choices of a policy's own backfill block.
type NativePlan struct {
	Algorithm         string // firstfit, bestfit, greedy, preempt or none
	Metric            string // procs, nodes, proc_seconds or seconds
	ReservationDepth  int64  // jobs that get a reservation: 0 none, 1 EASY, Unlimited conservative
	WindowSeconds     int64  // how far ahead jobs are planned; 0 is any time
	ResolutionSeconds int64  // starts and ends of reservations are rounded to this; 0 is exact
	Combinations      int64  // of jobs that greedy tries; 0 is a number that is not set
	NodeAccess        string // who shares a node: shared, single_user or single_job
}

// Why a job has no priority although every expression gave it a number. Every evaluator uses these words.
const (
	ValueInfinite = "the value is infinite"
	ValueNaN      = "the value is not a number (NaN)"
	ScoreInfinite = "the score is infinite"
	ScoreNaN      = "the score is not a number (NaN)"
	PriorityLarge = "the priority does not fit into 64 bits"
	PriorityNaN   = "the priority is not a number (NaN)"
)

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

// print is the golden form; the native settings are shown where they are what plans.
func (p *Plan) print(b *strings.Builder, family string) {
	switch {
	case p.Native != nil && family == "":
		fmt.Fprintf(b, "plan %s\n", p.Native)
	case p.Slurm != nil:
		fmt.Fprintf(b, "plan %s\n", p.Slurm)
	case len(p.Reservations)+len(p.NodeRecords) > 0:
		b.WriteString("plan of the scheduler\n")
	}
	for i := range p.Reservations {
		fmt.Fprintf(b, "  %s\n", &p.Reservations[i])
	}
	for _, s := range p.Switches {
		fmt.Fprintf(b, "  switch %s nodes=%s switches=%s\n", s.Name, s.Nodes, s.Switches)
	}
	if p.Partition != "" {
		fmt.Fprintf(b, "  default partition %s\n", p.Partition)
	}
	for i := range p.NodeRecords {
		fmt.Fprintf(b, "  %s\n", &p.NodeRecords[i])
	}
}

// String is the golden form: native firstfit metric=procs depth=1 access=shared.
func (n *NativePlan) String() string {
	depth := fmt.Sprint(n.ReservationDepth)
	if n.ReservationDepth == Unlimited {
		depth = "unlimited"
	}
	text := fmt.Sprintf("native %s metric=%s depth=%s access=%s", n.Algorithm, n.Metric, depth, n.NodeAccess)
	if n.Combinations > 0 {
		text += fmt.Sprintf(" combinations=%d", n.Combinations)
	}
	if n.WindowSeconds > 0 {
		text += fmt.Sprintf(" window=%d", n.WindowSeconds)
	}
	if n.ResolutionSeconds > 0 {
		text += fmt.Sprintf(" resolution=%d", n.ResolutionSeconds)
	}
	return text
}

// String is the golden form: the name, what is kept, and when.
func (r *Reservation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "reservation %s nodes=%d features=%s start=%d end=%d", r.Name, len(r.Nodes),
		strings.Join(r.Features, ","), r.Start, r.End)
	if len(r.Days) > 0 {
		fmt.Fprintf(&b, " days=%v from=%d to=%d", r.Days, r.From, r.To)
	}
	for _, list := range []struct {
		name  string
		names []string
	}{{"users", r.Users}, {"groups", r.Groups}, {"accounts", r.Accounts}, {"qos", r.QOS}, {"classes", r.Classes}} {
		if len(list.names) > 0 {
			fmt.Fprintf(&b, " %s=%s", list.name, strings.Join(list.names, ","))
		}
	}
	if r.Maintenance {
		b.WriteString(" maintenance")
	}
	return b.String()
}
