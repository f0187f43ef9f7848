package push

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// Lessons are the jobs that the resource manager did not change, as the journal tells. Where it is sure that this is
// the job's doing, it is not tried again until it asks for something else, so that the jobs of one user neither fail
// each run nor take the time of the others; all are tried after the rest.
type Lessons map[key]lesson

type lesson struct {
	asks, why   string
	sure        bool      // the words are of what the job asks for, and others took or it is one user's
	times       int       // runs in which it did not take and others did, for an unknown reason
	first, last time.Time // of these runs
	old         bool      // a day ago, so that it is tried once more, after the others
}

// remembered is for how long a refusal counts: a partition may have been made larger meanwhile.
const remembered = 24 * time.Hour

// A change that does not take where others do, for a reason that is not known, is the job's doing after so many runs in
// no less than so much time. What passes has passed by then.
const (
	mostUnsure = 3
	longEnough = time.Hour
)

// Learn reads a journal as of a time.
func Learn(journal []Entry, now time.Time) Lessons {
	known := Lessons{}
	runs := tellOf(journal)
	var sent []Change
	for _, e := range journal {
		switch e.Event {
		case Intent:
			sent = e.Changes
		case Done:
			at, err := time.Parse(time.RFC3339, e.Time)
			old := err != nil || now.Sub(at) >= remembered || at.Sub(now) >= remembered
			for _, c := range sent {
				switch k := (key{c.Job, c.Submitted}); {
				case slices.Contains(e.Took, c.Job):
					delete(known, k)
				case !c.Keep && slices.Contains(e.Missed, c.Job) && known[k].asks != c.Asks:
					known[k] = lesson{asks: c.Asks}
				}
			}
			run := runs[e.Run]
			for _, r := range e.Refused {
				switch {
				case r.ForNow:
					known.unsure(r, at, old, 0)
				case !run.took && run.refused.several(): // it may be no matter of the jobs
					known.unsure(r, at, old, 1)
				default:
					known[key{r.Job, r.Submitted}] = lesson{asks: r.Asks, why: r.Why, sure: true, old: old}
				}
			}
			for _, r := range e.Unsure {
				if run.took {
					known.unsure(r, at, old, 1)
				}
			}
			sent = nil
		}
	}
	return known
}

// outline is what all of a run tells of one of its refusals.
type outline struct {
	took    bool // something did
	refused users
}

func tellOf(journal []Entry) map[string]*outline {
	runs := map[string]*outline{}
	for _, e := range journal {
		if e.Event != Done {
			continue
		}
		if runs[e.Run] == nil {
			runs[e.Run] = &outline{}
		}
		o := runs[e.Run]
		o.took = o.took || len(e.Took) > 0
		for _, r := range e.Refused {
			o.refused.add(r.User)
		}
	}
	return runs
}

// unsure counts a refusal whose cause is not known.
func (l Lessons) unsure(r Refused, at time.Time, old bool, times int) {
	k := key{r.Job, r.Submitted}
	known, ok := l[k]
	if !ok || known.asks != r.Asks {
		known = lesson{asks: r.Asks}
	}
	if known.times == 0 || at.Before(known.first) { // the clock may have been set back
		known.first = at
	}
	known.why, known.last, known.old = r.Why, at, old
	known.times += times
	l[k] = known
}

// Refuses says why a change is not tried, "" if it is.
func (l Lessons) Refuses(c Change) string {
	known, ok := l[key{c.Job, c.Submitted}]
	switch {
	case !ok || known.old || known.asks != c.Asks || c.Asks == "":
		return ""
	case known.sure:
		return "it was refused, and asks for the same: " + known.why
	case known.times >= mostUnsure && known.last.Sub(known.first) >= longEnough:
		return fmt.Sprintf("it was refused, and asks for the same: it did not take %d times, %s", known.times, known.why)
	}
	return ""
}

// later puts what was refused before after the rest.
func (l Lessons) later(a, b Change) int {
	refused := func(c Change) int {
		if _, ok := l[key{c.Job, c.Submitted}]; ok {
			return 1
		}
		return 0
	}
	return cmp.Compare(refused(a), refused(b))
}

// asked are the columns of a job that its user or an administrator changes, by which a job that was refused may be
// taken. What goes by itself, such as times and the reason, is none of them.
var asked = []string{
	"user", "group", "account", "qos", "qos_requested", "partition", "partitions", "array_tasks", "deadline",
	"walltime_seconds", "walltime_unlimited", "walltime_min_seconds", "tasks", "procs_per_task", "procs", "nodes",
	"nodes_max",
	"tasks_per_node", "threads_per_core", "tasks_per_core", "tasks_per_socket", "mem_mb", "mem_per_task_mb", "swap_mb", "swap_per_task_mb",
	"disk_mb",
	"disk_per_task_mb", "mem_per_proc_mb", "mem_per_node_mb", "gres_per_node", "gres_per_task", "gres_per_job",
	"node_mem_min_mb",
	"node_swap_min_mb", "node_disk_min_mb", "gpus", "tres", "features", "feature_expression", "licenses", "exclusive",
	"reservation",
	"hosts", "excluded_hosts",
}

// asks sums up what a job asks for. What it does not ask for counts as what no input says.
func asks(jobs *column.Table, job int) string {
	several := jobs.Value("job.partitions", job).Known()
	var list []string
	for _, c := range jobs.Columns() {
		name := c.ID.Name()
		if !slices.Contains(asked, name) || several && name == "partition" { // of several, which one is looked at changes
			continue
		}
		if v := c.Value(job); v.Known() &&
			(v.Type != schema.StringList && fmt.Sprint(v) != fmt.Sprint(schema.Value{Type: v.Type}) || len(v.List) > 0) {
			list = append(list, fmt.Sprintf("%s=%v", c.ID, v))
		}
	}
	slices.Sort(list)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(list, "\n"))))[:16]
}
