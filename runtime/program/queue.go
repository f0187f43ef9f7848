package program

import (
	"fmt"
	"strings"
)

// Queue is how Maui walks its queue and runs its clock; nil for policies of other families.
// The walk itself is Go (runtime/family/maui), these are the site's choices for it.
type Queue struct {
	Accrual        string // when a rejected job's queue time begins anew: one of the Accrual words
	RejectNegative bool   // a job of negative priority may not start
	SubmitTime     bool   // a job that was never eligible has waited since submission, whatever reset its clock
	IgnoreState    bool   // with SubmitTime: so has every other job, as the manual says
	Run            RunPriority

	KeepsReservations bool // reserved jobs stay reserved from one iteration to the next (RESERVATIONPOLICY HIGHEST)
}

// The values of JOBPRIOACCRUALPOLICY.
const (
	AccrualAlways = "always" // never
	AccrualQueue  = "queue"  // when a limit keeps it out of the eligible jobs
	AccrualFull   = "full"   // whenever it may not start, for any reason but resources
)

// RunPriority is what a running job's use adds to its priority, by which jobs are chosen for
// preemption. Caps are bounds on the raw value; 0 or less is none.
type RunPriority struct {
	Weight, Cap                           float64 // USAGEWEIGHT, USAGECAP
	Consumed, Remaining, Percent          float64 // weights of the three parts
	ExecutionTime                         float64 // USAGEEXECUTIONTIMEWEIGHT, which weighs nothing and is printed
	ConsumedCap, RemainingCap, PercentCap float64
}

// String is the golden form, without what is off: queue accrual=queue reject_negative.
func (q *Queue) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "queue accrual=%s", q.Accrual)
	for _, flag := range []struct {
		name string
		on   bool
	}{{"reject_negative", q.RejectNegative}, {"submit_time", q.SubmitTime}, {"ignore_state", q.IgnoreState},
		{"keeps_reservations", q.KeepsReservations}} {
		if flag.on {
			b.WriteString(" " + flag.name)
		}
	}
	if r := q.Run; r.Weight != 0 && (r.Consumed != 0 || r.Remaining != 0 || r.Percent != 0) {
		fmt.Fprintf(&b, " run_weight=%v cap=%v consumed=%v/%v remaining=%v/%v percent=%v/%v",
			r.Weight, r.Cap, r.Consumed, r.ConsumedCap, r.Remaining, r.RemainingCap, r.Percent, r.PercentCap)
	}
	return b.String()
}
