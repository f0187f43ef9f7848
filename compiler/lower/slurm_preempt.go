package lower

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// requeueSeconds is how long slurmctld makes a requeued job wait beyond its delay (begin_time of job_requeue).
const requeueSeconds = 1

// slurmPreemption reads how jobs are preempted. Until 22.05 the words that tune it are in SchedulerParameters, which
// later versions read as well (slurm.conf.5, PreemptParameters).
func (l *lowering) slurmPreemption(out *ir.SlurmPlan) {
	if by, _, _ := preemption(l.text("PreemptType"), l.text("PreemptMode")); by == "" {
		return
	}
	out.PreemptMode = preemptMode(l.text("PreemptMode"))
	out.ExemptSeconds, out.MessageSeconds = l.number("PreemptExemptTime"), l.number("MessageTimeout")
	out.PreemptReorders = max(0, l.out.Option("preempt_reorder_count").Number())
	out.PreemptStrict, out.PreemptYoungest = l.out.Option("preempt_strict_order").On(),
		l.out.Option("preempt_youngest_first").On()
	out.RequeueSeconds = requeueSeconds + 120
	if delay := l.out.Option("requeue_delay"); delay.Value.Known() {
		out.RequeueSeconds = requeueSeconds + delay.Number()
	}
	words := l.text("PreemptParameters")
	out.PreemptStrict = out.PreemptStrict || slurmconf.HasFlag(words, "strict_order")
	out.PreemptYoungest = out.PreemptYoungest || slurmconf.HasFlag(words, "youngest_first")
	for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, value, _ := strings.Cut(strings.ToLower(word), "=")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil || n < 0:
		case name == "reorder_count":
			out.PreemptReorders = n
		case name == "min_exempt_priority":
			out.ExemptPriority = n
		}
	}
}

// preemptMode is the way in which jobs are preempted: GANG, WITHIN and PRIORITY are flags beside it. With GANG alone
// nothing is.
func preemptMode(text string) string {
	for _, mode := range []string{"off", "cancel", "requeue", "suspend"} {
		if slurmconf.HasFlag(text, mode) {
			return mode
		}
	}
	return "off"
}
