package checkpoint

import (
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// FitsInterval refuses a state whose fairshare windows have another length than the policy's, since
// going on would drop them. A policy without windows, which has 0 seconds, hands them on.
func (c *Checkpoint) FitsInterval(f *source.File, seconds int64) diag.List {
	if seconds == 0 || c.IntervalSeconds == 0 || c.IntervalSeconds == seconds {
		return nil
	}
	r := &reader{file: f}
	r.report("state-interval", r.placeOf("interval_seconds"),
		"the state's fairshare windows are %s long, those of the policy %s",
		time.Duration(c.IntervalSeconds)*time.Second, time.Duration(seconds)*time.Second).
		Note("windows of another length mean something else, and going on would drop what they hold").
		Note("set FSINTERVAL as it was, or begin a state of its own for this policy with another file")
	return r.diags
}
