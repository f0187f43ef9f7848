package ir

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Reservation is a policy file's own reservation, as the program has it.
type Reservation struct {
	Name     string
	Nodes    []string // by name; all if there are neither nodes nor features
	Features []string
	Licenses string

	ProcsPerNode int64 // 0 is whole nodes

	Start, End int64   // epoch seconds; 0 is open
	Days       []int64 // of the week, Sunday is 0; nil for one that comes once
	From, To   int64   // seconds of the day

	Users, Groups, Accounts, QOS, Classes []string

	Maintenance bool
	Span        source.Span
}

// String is the golden form, without what is not set.
func (r *Reservation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "reservation %s", r.Name)
	for _, list := range []struct {
		name  string
		names []string
	}{{"nodes", r.Nodes}, {"features", r.Features}, {"users", r.Users}, {"groups", r.Groups}, {"accounts", r.Accounts},
		{"qos", r.QOS}, {"classes", r.Classes}} {
		if len(list.names) > 0 {
			fmt.Fprintf(&b, " %s=%s", list.name, strings.Join(list.names, ","))
		}
	}
	if r.Licenses != "" {
		fmt.Fprintf(&b, " licenses=%s", r.Licenses)
	}
	if r.ProcsPerNode > 0 {
		fmt.Fprintf(&b, " procs_per_node=%d", r.ProcsPerNode)
	}
	fmt.Fprintf(&b, " start=%d end=%d", r.Start, r.End)
	if len(r.Days) > 0 {
		fmt.Fprintf(&b, " days=%v from=%d to=%d", r.Days, r.From, r.To)
	}
	if r.Maintenance {
		b.WriteString(" maintenance")
	}
	return b.String() + at(r.Span)
}
