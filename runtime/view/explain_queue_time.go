package view

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

// queueTime says how Maui counts a waiting job's queue time.
type queueTime struct {
	since    int64 // epoch seconds from which it counted in this evaluation
	seconds  int64
	submit   int64 // epoch seconds, 0 if nobody states it
	accrual  string
	carried  bool  // a state was given that knew the job
	restarts bool  // this evaluation set it back to nothing
	frozen   bool  // it stands still while the job is blocked
	eligible int64 // queue time when the job last passed a selection
}

// queueTimeOf is about waiting jobs of Maui's policies; ok is false for others, and where nothing
// is to be said but that the job waits since it was submitted.
func queueTimeOf(r *engine.Result, job int) (q queueTime, ok bool) {
	if r.Program.Queue == nil || !waits(r, job) || r.Next == nil {
		return q, false
	}
	since := r.Jobs.Value("job.queue_start_time", job)
	if !since.Known() {
		return q, false
	}
	kept := keptJobs(r)[jobText(r, "job.id", job)]
	q = queueTime{since: since.Int, seconds: r.Now - since.Int, submit: r.Jobs.Value("job.submit_time", job).Int,
		accrual: accrualWord[r.Program.Queue.Accrual], carried: kept.FirstSeen < r.Now, eligible: kept.EligibleSeconds}
	blocked := r.Why[int32(job)] != nil
	q.restarts = blocked && kept.QueueStart == r.Now && q.submit != r.Now
	q.frozen = blocked && kept.EligibleSeconds > 0
	return q, q.carried || q.restarts || since.Int != q.submit
}

// accrualWord is the value of JOBPRIOACCRUALPOLICY.
var accrualWord = map[string]string{program.AccrualAlways: "ALWAYS", program.AccrualQueue: "QUEUEPOLICY", program.AccrualFull: "FULLPOLICY"}

// lines say it in sentences.
func (q *queueTime) lines() []string {
	list := []string{}
	switch {
	case q.submit == 0:
		list = append(list, "counted from "+clockText(q.since))
	case q.since == q.submit:
		list = append(list, "counted from its submission, "+clockText(q.since))
	case q.since < q.submit:
		list = append(list, fmt.Sprintf("counted from %s, before its submission, %s", clockText(q.since), clockText(q.submit)))
	default:
		list = append(list, fmt.Sprintf("counted from %s, %s after its submission, %s", clockText(q.since), spanText(q.since-q.submit), clockText(q.submit)))
	}
	if q.carried {
		list = append(list, "the state of the last evaluation knew the job")
	} else {
		list = append(list, "no state of an earlier evaluation knows the job")
	}
	switch {
	case q.frozen:
		list = append(list, fmt.Sprintf("it stands still at %s, what it was when the job last passed the selection, until the job passes again", spanText(q.eligible)))
	case q.restarts:
		list = append(list, fmt.Sprintf("it begins anew now, because the job may not start (JOBPRIOACCRUALPOLICY %s)", q.accrual))
	}
	return list
}
