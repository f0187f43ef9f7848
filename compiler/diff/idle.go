package diff

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// backfillOnly are the fields of ir.SlurmPlan that only the backfill scheduler reads.
var backfillOnly = []string{"CycleSeconds", "WindowSeconds", "ResolutionSeconds", "LinearSeconds", "Licenses",
	"RunningReserve",
	"OneReservation", "Tests", "TableSize", "Starts", "ArrayReservations", "PerPartition", "PerUser",
	"PerUserPartition", "PerAssociation", "PartitionReserve", "MinAgeSeconds", "MinPriority"}

// idle says why what a field stands for has no effect in either policy; "" if it may have one. A setting that one
// policy alone makes no use of has: the two differ in what they do.
func (c *comparison) idle(f field) string {
	if a, b := c.before.SlurmPlan, c.after.SlurmPlan; slices.Contains(backfillOnly, f.name) && a != nil && b != nil &&
		!a.Backfill && !b.Backfill {
		return "neither policy runs backfill"
	}
	return c.unweighed(f.param)
}

// unweighed is idle of a parameter: priority/basic is first come, first served, and reads no Priority parameter and
// no flag of PriorityFlags but its own type.
func (c *comparison) unweighed(param string) string {
	own := strings.HasPrefix(param, "Priority") && param != "PriorityType" || param == "FairShareDampeningFactor"
	if own && basic(c.before) && basic(c.after) {
		return "PriorityType=priority/basic does not read it"
	}
	return ""
}

func basic(p *ir.Policy) bool {
	v := param(p, "PriorityType")
	return familyOf(p).basic != "" && v != nil && strings.EqualFold(v.Value.Str, familyOf(p).basic)
}

// asleep moves an item to those without effect if there is a reason.
func (i *item) asleep(why string) {
	if why != "" && i.group != Other {
		i.group, i.why = Other, why
	}
}
