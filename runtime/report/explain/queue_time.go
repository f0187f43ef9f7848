package explain

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// queueTime says how Maui counts a waiting job's queue time.
type queueTime struct {
	Seconds  int64  `json:"seconds"`
	Since    int64  `json:"since"` // epoch seconds from which it counted in this evaluation
	Accrual  string `json:"accrual"`
	Carried  bool   `json:"from_state"`       // a state was given that knew the job
	Restarts bool   `json:"restarts"`         // this evaluation set it back to nothing
	Frozen   bool   `json:"stands_still"`     // while the job is blocked
	Eligible int64  `json:"eligible_seconds"` // queue time when the job last passed a selection

	submit int64 // epoch seconds, 0 if no input has it
}

// queueTimeOf is about waiting jobs of Maui's policies; nil of others, and where nothing
// to say but that the job waits since it was submitted.
func queueTimeOf(r *evaluation.Result, job int) *queueTime {
	if r.Program.Queue == nil || !eval.Waits(r, job) || r.Next() == nil {
		return nil
	}
	since := r.Jobs.Value("job.queue_start_time", job)
	if !since.Known() {
		return nil
	}
	kept := eval.KeptJobs(r)[eval.JobText(r, "job.id", job)]
	q := &queueTime{Since: since.Int, Seconds: r.Now - since.Int, submit: r.Jobs.Int("job.submit_time", job),
		Accrual: accrualWord[r.Program.Queue.Accrual], Carried: kept.FirstSeen < r.Now, Eligible: kept.EligibleSeconds}
	blocked := r.Why[int32(job)] != nil
	q.Restarts = blocked && kept.QueueStart == r.Now && q.submit != r.Now
	q.Frozen = blocked && kept.EligibleSeconds > 0
	if !q.Carried && !q.Restarts && since.Int == q.submit {
		return nil
	}
	return q
}

// accrualWord is the value of JOBPRIOACCRUALPOLICY.
var accrualWord = map[string]string{program.AccrualAlways: "ALWAYS", program.AccrualQueue: "QUEUEPOLICY",
	program.AccrualFull: "FULLPOLICY"}

// lines say it in sentences.
func (q *queueTime) lines() []string {
	list := []string{}
	switch {
	case q.submit == 0:
		list = append(list, "counted from "+form.ClockText(q.Since))
	case q.Since == q.submit:
		list = append(list, "counted from its submission, "+form.ClockText(q.Since))
	case q.Since < q.submit:
		list = append(list, fmt.Sprintf("counted from %s, before its submission, %s", form.ClockText(q.Since),
			form.ClockText(q.submit)))
	default:
		list = append(list, fmt.Sprintf("counted from %s, %s after its submission, %s", form.ClockText(q.Since),
			form.SpanText(q.Since-q.submit), form.ClockText(q.submit)))
	}
	if q.Carried {
		list = append(list, "the state of the last evaluation knew the job")
	} else {
		list = append(list, "no state of an earlier evaluation knows the job")
	}
	switch {
	case q.Frozen:
		list = append(list, fmt.Sprintf("it stays at %s, what it was when the job last passed the selection, "+
			"until the job passes again", form.SpanText(q.Eligible)))
	case q.Restarts:
		list = append(list, fmt.Sprintf("it begins anew now, because the job may not start (JOBPRIOACCRUALPOLICY %s)",
			q.Accrual))
	}
	return list
}
