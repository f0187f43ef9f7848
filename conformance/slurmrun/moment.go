package slurmrun

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Moment is one at which the scheduler looked at the queue between two snapshots: a main pass and a
// backfill cycle, or the last cycle alone.
type Moment struct {
	Pass, Cycle int64 // when they began, in epoch seconds
	Last        bool  // it is the last before the snapshot, whose plans are recorded
	Started     []*Job

	run      *Run
	at       *Snapshot
	previous string // the tag of the snapshot before
}

// jobRecord is a record of scontrol -o show job.
var jobRecord = regexp.MustCompile(`(?m)^JobId=(\d+) .*\n?`)

// sameCycle is how long a cycle lasts at most: jobs that backfill started within are of one.
const sameCycle = 2

// Moments finds when the scheduler acted before a snapshot that shows plans. The jobs that it started are known by
// their records before.
func (r *Run) Moments(k int) []*Moment {
	s := &r.Snapshots[k]
	previous := "before"
	if k > 0 {
		previous = r.Snapshots[k-1].Tag
	}
	if s.Tag == previous {
		return nil
	}
	was := r.records(previous)
	var main, filled []*Job
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if !j.Runs() || ran(was[fmt.Sprint(j.ID)]) || was[fmt.Sprint(j.ID)] == "" && j.Array == 0 && len(was) < len(s.Jobs) {
			continue
		}
		if j.Scheduler == "Main" {
			main = append(main, j)
		} else {
			filled = append(filled, j)
		}
	}
	byStart := func(a, b *Job) int { return cmp.Compare(a.Start, b.Start) }
	slices.SortFunc(main, byStart)
	slices.SortFunc(filled, byStart)
	last := int64(0)
	if s.Backfill != nil {
		last = s.Backfill.When
	}
	first := &Moment{Cycle: last, Last: true, run: r, at: s, previous: previous, Started: main}
	if len(filled) > 0 {
		first.Cycle = int64(filled[0].Start)
		for len(filled) > 0 && int64(filled[0].Start) <= first.Cycle+sameCycle {
			first.Started, filled = append(first.Started, filled[0]), filled[1:]
		}
	}
	first.Pass = cmp.Or(first.Cycle, s.Now)
	if len(main) > 0 {
		first.Pass = int64(main[0].Start)
	}
	if first.Cycle+sameCycle >= last {
		return []*Moment{first}
	}
	first.Last = false
	then := &Moment{Pass: last, Cycle: last, Last: true, run: r, at: s, previous: previous}
	for _, j := range filled {
		if int64(j.Start) >= last {
			then.Started = append(then.Started, j)
		}
	}
	return []*Moment{first, then}
}

// CycleAlone reports that no main pass had looked at the queue since its partitions were up: the cycle cleared what
// the partitions had set, and backfill alone started jobs.
func (m *Moment) CycleAlone() bool {
	if m.previous != "before" {
		return false
	}
	none := 0
	for i := range m.at.Jobs {
		j := &m.at.Jobs[i]
		if m.starts() && slices.Contains(m.Started, j) && j.Scheduler == "Main" {
			return false
		}
		switch {
		case j.State != "PENDING":
		case j.Reason != "None":
			return false
		default:
			none++
		}
	}
	return none > 0 && m.starts()
}

// Runs reports a job that has started; its nodes may have to be woken first.
func (j *Job) Runs() bool { return j.State == "RUNNING" || j.State == "CONFIGURING" }

func ran(record string) bool {
	return strings.Contains(record, " JobState=RUNNING ") || strings.Contains(record, " JobState=CONFIGURING ")
}

// records are the jobs at a snapshot, by id.
func (r *Run) records(tag string) map[string]string {
	text, _ := r.Text(&Snapshot{Tag: tag}, "scontrol_job.txt")
	list := map[string]string{}
	for _, m := range jobRecord.FindAllStringSubmatch(text, -1) {
		list[m[1]] = m[0]
	}
	return list
}

// preempted is when a running job made room for another, by its records before and after; 0 if it did not.
func preempted(was, is string) int64 {
	if !strings.Contains(was, " JobState=RUNNING ") {
		return 0
	}
	switch state := recordField(is, "JobState"); state {
	case "PENDING":
		return recordTime(is, "SubmitTime") // a job that is requeued is submitted anew
	case "PREEMPTED":
		return recordTime(is, "EndTime")
	case "RUNNING", "SUSPENDED":
		if then := recordTime(is, "PreemptTime"); then > recordTime(was, "PreemptTime") {
			return then
		}
		if state == "SUSPENDED" {
			return recordTime(is, "SuspendTime")
		}
	}
	return 0
}

func recordField(record, name string) string {
	_, rest, _ := strings.Cut(record, " "+name+"=")
	value, _, _ := strings.Cut(rest, " ")
	return value
}

func recordTime(record, name string) int64 {
	t, err := time.Parse("2006-01-02T15:04:05", recordField(record, name))
	if err != nil {
		return 0
	}
	return t.Unix()
}

// starts reports that jobs started then.
func (m *Moment) starts() bool { return len(m.Started) > 0 }

// State is the queue at the moment: as it is in the snapshot, but for the jobs that started then or later. Of a
// task that started the array is as it was before.
func (m *Moment) State() (*snapshot.Snapshot, error) {
	was, is := m.run.records(m.previous), m.run.records(m.at.Tag)
	for i := range m.at.Jobs {
		j := &m.at.Jobs[i]
		id := fmt.Sprint(j.ID)
		if !j.Runs() || ran(was[id]) || int64(j.Start) < min(m.Pass, m.Cycle) {
			continue
		}
		delete(is, id)
		if array := fmt.Sprint(j.Array); j.Array != 0 && was[array] != "" {
			is[array] = was[array]
		} else if was[id] != "" {
			is[id] = was[id]
		}
	}
	for id, record := range is {
		if preempted(was[id], record) >= min(m.Pass, m.Cycle) {
			is[id] = was[id]
		}
	}
	var text strings.Builder
	for _, id := range slices.SortedFunc(maps.Keys(is),
		func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) {
		text.WriteString(is[id])
	}
	more := map[string]string{"state/scontrol_job.txt": text.String()}
	without := regexp.MustCompile(`^(scontrol_job|squeue|sprio)`)
	// those that slept are awake by now
	if nodes, ok := m.run.Text(&Snapshot{Tag: m.previous}, "scontrol_node.txt"); ok && m.starts() {
		more["state/scontrol_node.txt"] = nodes
		without = regexp.MustCompile(`^(scontrol_job|scontrol_node|squeue|sprio)`)
	}
	return m.run.Read(m.at, without, more)
}
