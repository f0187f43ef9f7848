package program

import (
	"fmt"
	"strings"
)

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
