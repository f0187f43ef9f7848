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

// Lessons are the jobs that the resource manager did not change, as the journal tells: they are not tried again until
// they ask for something else, so that the jobs of one user neither fail each run nor take the time of the others.
type Lessons map[key]lesson

type lesson struct {
	asks, why string
	last      bool // a day ago, so that it is tried once more, after the others
	silent    int  // runs in which it did not take, without a reason given
}

// remembered is for how long a refusal counts: a partition may have been made larger meanwhile.
const remembered = 24 * time.Hour

// mostSilent is how often a change may not take, where others do, before that is a refusal.
const mostSilent = 3

// Learn reads a journal as of a time.
func Learn(journal []Entry, now time.Time) Lessons {
	known := Lessons{}
	var sent []Change
	for _, e := range journal {
		switch e.Event {
		case Intent:
			sent = e.Changes
		case Done:
			at, err := time.Parse(time.RFC3339, e.Time)
			old := err != nil || now.Sub(at) >= remembered || at.Sub(now) >= remembered
			for _, c := range sent {
				k := key{c.Job, c.Submitted}
				switch before := known[k]; {
				case slices.Contains(e.Took, c.Job):
					delete(known, k)
				case c.Keep:
				case slices.Contains(e.Missed, c.Job) && len(e.Took) > 0:
					known[k] = lesson{c.Asks, fmt.Sprintf("it did not take %d times, and others did", before.silent+1), old, before.silent + 1}
				}
			}
			for _, r := range e.Refused {
				known[key{r.Job, r.Submitted}] = lesson{r.Asks, r.Why, old, mostSilent}
			}
			sent = nil
		}
	}
	return known
}

// Refuses says why a change is not tried, "" if it is.
func (l Lessons) Refuses(c Change) string {
	known, ok := l[key{c.Job, c.Submitted}]
	if !ok || known.last || known.silent < mostSilent || known.asks != c.Asks || c.Asks == "" {
		return ""
	}
	return "it was refused, and asks for the same: " + known.why
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

// asked are the columns of a job that its user or an administrator changes, by which a job that was refused may be taken.
// What goes by itself, such as times and the reason, is none of them.
var asked = []string{
	"user", "group", "account", "qos", "qos_requested", "partition", "partitions", "array_tasks", "deadline",
	"walltime_seconds", "walltime_unlimited", "walltime_min_seconds", "tasks", "procs_per_task", "procs", "nodes", "nodes_max",
	"tasks_per_node", "threads_per_core", "tasks_per_core", "mem_mb", "mem_per_task_mb", "swap_mb", "swap_per_task_mb", "disk_mb",
	"disk_per_task_mb", "mem_per_proc_mb", "mem_per_node_mb", "gres_per_node", "gres_per_task", "gres_per_job", "node_mem_min_mb",
	"node_swap_min_mb", "node_disk_min_mb", "gpus", "tres", "features", "feature_expression", "licenses", "exclusive", "reservation",
	"hosts", "excluded_hosts",
}

// asks sums up what a job asks for. What it does not ask for counts as what nobody says.
func asks(jobs *column.Table, job int) string {
	several := jobs.Value("job.partitions", job).Known()
	var list []string
	for _, c := range jobs.Columns() {
		name := c.ID.Name()
		if !slices.Contains(asked, name) || several && name == "partition" { // of several, which one is looked at changes
			continue
		}
		if v := c.Value(job); v.Known() && (v.Type != schema.StringList && fmt.Sprint(v) != fmt.Sprint(schema.Value{Type: v.Type}) || len(v.List) > 0) {
			list = append(list, fmt.Sprintf("%s=%v", c.ID, v))
		}
	}
	slices.Sort(list)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(list, "\n"))))[:16]
}
