package planning

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// dependencies are what the words of one job come to.
type dependencies struct {
	request       *backfill.Request
	any           bool // one is enough
	met           bool // one is met already
	failed        string
	after, starts []int32
	delays        []int64 // of starts, in seconds
	corresponding []int32 // records of arrays to be followed task by task
	on            int64   // jobs that are to name it in their own words
	waits         []backfill.Wait
}

func (d *dependencies) start(job int32, delay int64) {
	d.starts, d.delays = append(d.starts, job), append(d.delays, delay)
}

// dependency reads one TYPE:JOB[:JOB…]. Slurm says after it what it knows of it, as in afterok:12(unfulfilled).
func (q *Queue) dependency(d *dependencies, part string) {
	part, known, _ := strings.Cut(part, "(")
	word, list, _ := strings.Cut(part, ":")
	unknown := backfill.Wait{Kind: backfill.WaitDependency, Job: -1, Name: part}
	if _, err := strconv.Atoi(word); err == nil && list == "" {
		word, list = "afterok", word // a job id alone
	}
	word = strings.ToLower(word)
	switch {
	case strings.HasPrefix(known, "failed"):
		d.failed = part
	case word == "singleton":
		jobs := q.sameName(d.request)
		d.after, d.met = append(d.after, jobs...), d.met || len(jobs) == 0
	case word == "on": // so many jobs are to name this one (qsub, depend=before)
		n, err := strconv.ParseInt(list, 10, 32)
		if d.on = n; err != nil || n < 0 {
			d.on, d.waits = 0, append(d.waits, unknown)
		}
	case strings.HasPrefix(word, "before"): // others wait for this one, see before
		d.met = true
	case list == "" || !strings.HasPrefix(word, "after"):
		d.waits = append(d.waits, unknown)
	default:
		for id := range strings.SplitSeq(list, ":") {
			q.follow(d, word, id)
		}
	}
}

// follow notes one job that comes first. after:12+5 is five minutes after the start of 12 (sbatch, --dependency).
func (q *Queue) follow(d *dependencies, word, text string) {
	id, minutes, delayed := strings.Cut(text, "+")
	delay := int64(0)
	jobs := q.named(id)
	if delayed {
		n, err := strconv.ParseInt(minutes, 10, 32)
		if err != nil || n < 0 {
			jobs = nil
		}
		delay = 60 * n
	}
	if len(jobs) == 0 {
		d.waits = append(d.waits, backfill.Wait{Kind: backfill.WaitDependency, Job: -1, Name: word + ":" + text})
	}
	open := len(jobs) == 0
	for _, job := range jobs {
		start := q.Result.Jobs.Value("job.start_time", int(job))
		switch state := q.Result.State[job]; {
		case state == evaluation.Done && !q.endedAs(word, job):
			d.failed, open = word+":"+text, true
		case state == evaluation.Done, startsFirst(word) && state == evaluation.Running && start.Int+delay <= q.Result.Now:
		case startsFirst(word):
			d.start(job, delay)
			open = true
		case word == "aftercorr":
			d.corresponding = append(d.corresponding, job)
			fallthrough
		default:
			d.after = append(d.after, job)
			open = true
		}
	}
	d.met = d.met || !open
}

// startsFirst reports a word that asks for a start, not an end; Torque has its own for arrays.
func startsFirst(word string) bool { return word == "after" || word == "afterstartarray" }

// endedAs reports that a job which is done ended as a word asks. Where no input says how it ended, it did so.
func (q *Queue) endedAs(word string, job int32) bool {
	ended, _, _ := strings.Cut(strings.ToUpper(q.Result.Jobs.Text("job.state_word", int(job))), " ")
	success := ended == "COMPLETED"
	failure := false
	switch ended {
	case "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "PREEMPTED", "REVOKED",
		"REMOVED":
		failure = true
	}
	switch {
	case strings.HasPrefix(word, "afterok"), word == "aftercorr":
		return !failure
	case strings.HasPrefix(word, "afternotok"):
		return !success
	}
	return true
}

// before are the jobs that go before others by their own words (qsub, depend=before…): by those others.
func (q *Queue) before() map[int32][]predecessor {
	if q.befores != nil {
		return q.befores
	}
	q.befores = map[int32][]predecessor{}
	c := q.Result.Jobs.Column("job.dependency")
	for job := range q.Result.State {
		if !column.Known(c, job) {
			continue
		}
		text := q.Result.Jobs.Text("job.dependency", job)
		for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == '?' }) {
			word, list, _ := strings.Cut(strings.ToLower(strings.TrimSpace(part)), ":")
			if !strings.HasPrefix(word, "before") {
				continue
			}
			start := word == "before" || word == "beforestartarray"
			for id := range strings.SplitSeq(list, ":") {
				for _, other := range q.named(id) {
					q.befores[other] = append(q.befores[other], predecessor{int32(job), start})
				}
			}
		}
	}
	return q.befores
}

// named finds the jobs of an id: of an array all its records.
func (q *Queue) named(id string) []int32 {
	id = strings.TrimSuffix(strings.TrimSuffix(id, "_*"), "[]")
	var jobs []int32
	add := func(job int32) {
		if !slices.Contains(jobs, job) {
			jobs = append(jobs, job)
		}
	}
	job, found := q.jobIDs()[id]
	if found {
		add(job)
	} else if base, _, task := strings.Cut(id, "_"); task { // a task that is not split off yet
		if job, found = q.jobIDs()[base]; found {
			add(job)
		}
	}
	if number, err := strconv.ParseInt(id, 10, 64); err == nil {
		for _, job := range q.tasksOf(number) {
			add(job)
		}
	}
	return jobs
}

// sameName are the jobs that a singleton comes after: those of its user and name that run, or have a
// lower id.
func (q *Queue) sameName(request *backfill.Request) []int32 {
	r, row := q.Result, int(request.Row)
	name, own := r.Jobs.Text("job.name", row), evaluation.ParseJobID(request.ID)
	var jobs []int32
	for job, state := range r.State {
		if job == row || state == evaluation.Done || r.Jobs.Text("job.user", job) != request.User ||
			r.Jobs.Text("job.name", job) != name {
			continue
		}
		id := evaluation.ParseJobID(r.JobID(job))
		if state == evaluation.Running || cmp.Or(cmp.Compare(id.Job, own.Job), cmp.Compare(id.Part, own.Part)) < 0 {
			jobs = append(jobs, int32(job))
		}
	}
	return jobs
}
