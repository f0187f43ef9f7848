package program

// Queue is how Maui walks its queue and runs its clock; nil for policies of other families.
// The walk itself is Go (runtime/engine), these are the site's choices for it.
type Queue struct {
	Accrual        string // when a rejected job's queue time begins anew: one of the Accrual words
	RejectNegative bool   // a job of negative priority may not start
	SubmitTime     bool   // a job that was never eligible has waited since submission, whatever reset its clock
	IgnoreState    bool   // with SubmitTime: so has every other job, as the manual says
	Run            RunPriority
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
	ConsumedCap, RemainingCap, PercentCap float64
}
