package explain

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// ageClock says how Slurm counts a waiting job's age: from AccrueTime, which a scheduling pass sets.
type ageClock struct {
	Seconds int64            `json:"seconds"`
	Since   schema.Value     `json:"since"`                      // AccrueTime; unknown while the age does not grow
	Stated  bool             `json:"stated"`                     // AccrueTime or the age itself is in the snapshot
	Why     string           `json:"stands_still" form:"ornull"` // what keeps the age from growing, but for a limit
	Limit   *eval.SlurmLimit `json:"limit"`                      // on ages, which has no room for the job

	stop   *slurmlimit.Stop
	limits []slurmlimit.Standing
}

// ageClockOf is about waiting jobs of Slurm's policies that count age from AccrueTime.
func ageClockOf(r *evaluation.Result, job int) *ageClock {
	if !r.Facts.Accrues || !eval.Waits(r, job) || !slices.ContainsFunc(r.Program.Inputs(), readsAccrual) {
		return nil
	}
	c := &ageClock{}
	age := r.Jobs.Value("job.accrue_seconds", job)
	c.Since, c.Seconds = r.Jobs.Value("job.accrue_time", job), max(0, age.Int)
	c.Stated = r.Snapshot.Jobs.Column("job.accrue_time") != nil || r.Snapshot.Jobs.Column("job.accrue_seconds") != nil
	row := int(r.JobRow[job])
	if r.SlurmLimits != nil {
		c.limits = r.SlurmLimits.AccrueStandings(row, age.Known())
	}
	if age.Known() {
		return c
	}
	begin := r.Jobs.Value("job.begin_time", job)
	switch rules := r.Program.Slurm; {
	case r.Jobs.Int("job.held", job) != 0 && (rules == nil || rules.Limits):
		c.Why = "the job is held"
	case r.Jobs.Text("job.dependency", job) != "":
		c.Why = "the job waits for " + source.Plain(eval.JobText(r, "job.dependency", job))
	case begin.Known() && begin.Int > r.Now:
		c.Why = "the job is not to start before " + form.ClockText(begin.Int)
	default:
		if r.SlurmLimits != nil {
			if c.stop = r.SlurmLimits.CheckAccrue(row); c.stop != nil {
				l := eval.SlurmLimitOf(c.stop)
				l.Request = &c.stop.Asks
				c.Limit = &l
			}
		}
		if c.stop == nil {
			c.Why = "no scheduling pass has set AccrueTime yet"
		}
	}
	return c
}

func readsAccrual(id schema.ColumnID) bool {
	return id == "job.accrue_time" || id == "job.accrue_seconds"
}

// lines say it in sentences.
func (c *ageClock) lines(r *evaluation.Result) []string {
	if c.stop != nil {
		return []string{"it does not grow: " + accrueText(c.stop), "it begins to grow when there is room, from then on"}
	}
	if c.Why != "" {
		return []string{"it does not grow: " + c.Why}
	}
	switch {
	case !c.Since.Known():
		return []string{"the snapshot states the age itself"}
	case !c.Stated:
		return []string{"taken to grow from " + form.ClockText(c.Since.Int) +
			", when the job became eligible: no input states AccrueTime"}
	case c.Since.Int > r.Now:
		return []string{"it grows from " + form.ClockText(c.Since.Int) + " (AccrueTime)"}
	}
	return []string{"counted from " + form.ClockText(c.Since.Int) + " (AccrueTime)"}
}

// accrueText is a limit on ages that has no room, and where it is set.
func accrueText(s *slurmlimit.Stop) string {
	text := fmt.Sprintf("%s of %s: %d grow", s.Limit.Name, slurmLevel(s), s.InUse)
	if s.Asks > 1 {
		text += fmt.Sprintf(", this array has %d tasks", s.Asks)
	}
	text += fmt.Sprintf(", and no more than %d may", s.Value)
	if place := s.Limit.Span.String(); place != "" {
		return text + " (" + place + ")"
	}
	return text + ", set by " + source.Plain(s.Limit.Source)
}

// ageClock writes how the age is counted, and the limits on ages.
func (t *tree) ageClock(e *Explanation) {
	c := e.Age
	if c == nil {
		return
	}
	t.line(0, "%s", t.strong("age "+form.SpanText(c.Seconds)))
	for _, line := range c.lines(e.r) {
		t.line(1, "%s", line)
	}
	if len(c.limits) > 0 {
		t.line(1, "limits on ages that grow, in the order in which they are asked")
		t.table(2, slurmTable(c.limits))
	}
	t.line(0, "")
}

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
