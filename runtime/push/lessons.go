package push

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
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
	"tasks_per_node", "threads_per_core", "tasks_per_core", "tasks_per_socket", "mem_mb", "mem_per_task_mb", "swap_mb",
	"swap_per_task_mb",
	"disk_mb",
	"disk_per_task_mb", "mem_per_proc_mb", "mem_per_node_mb", "gres_per_node", "gres_per_task", "gres_per_job",
	"procs_per_gres",
	"node_mem_min_mb",
	"node_swap_min_mb", "node_disk_min_mb", "gpus", "tres", "features", "feature_expression", "licenses", "exclusive",
	"reservation",
	"hosts", "excluded_hosts",
}

// asker sums up what jobs ask for. What one does not ask for counts as what no input says.
type asker struct {
	several *column.Column // partitions
	columns []askedColumn  // in the order of their names
	text    []byte
}

// askedColumn is a column that a job asks by, with the texts of its values: many jobs ask for the same.
type askedColumn struct {
	*column.Column
	partition bool
	texts     map[uint64]string // by what the cell holds; "" for what is not asked for
}

func newAsker(jobs *column.Table) *asker {
	a := &asker{several: jobs.Column("job.partitions")}
	for _, c := range jobs.Columns() {
		if name := c.ID.Name(); slices.Contains(asked, name) {
			a.columns = append(a.columns, askedColumn{c, name == "partition", map[uint64]string{}})
		}
	}
	slices.SortFunc(a.columns, func(x, y askedColumn) int { return cmp.Compare(x.ID+"=", y.ID+"=") })
	return a
}

// of is the sum of a job.
func (a *asker) of(job int) string {
	a.text = a.text[:0]
	for i := range a.columns {
		c := &a.columns[i]
		if c.partition && column.Known(a.several, job) { // of several, which one is looked at changes
			continue
		}
		if text := c.textOf(job); text != "" {
			if len(a.text) > 0 {
				a.text = append(a.text, '\n')
			}
			a.text = append(a.text, text...)
		}
	}
	sum := sha256.Sum256(a.text)
	return hex.EncodeToString(sum[:8])
}

func (c *askedColumn) textOf(job int) string {
	if c.Missing.Get(job) {
		return ""
	}
	var cell uint64
	switch {
	case c.Codes != nil:
		cell = uint64(c.Codes[job])
	case c.Doubles != nil:
		cell = math.Float64bits(c.Doubles[job])
	default:
		cell = uint64(c.Ints[job])
	}
	text, known := c.texts[cell]
	if !known {
		v := c.Value(job)
		if v.Type == schema.StringList && len(v.List) > 0 ||
			v.Type != schema.StringList && v.String() != (schema.Value{Type: v.Type}).String() {
			text = string(c.ID) + "=" + v.String()
		}
		c.texts[cell] = text
	}
	return text
}
