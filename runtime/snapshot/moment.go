package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// atMoment makes the queue of one time of a trace, by the times that the trace records: what was submitted later is
// not there yet, what started later waits, what ends later runs, and the rest has ended. Of a trace that is given
// without a time every job waits; accounting then has the states that it was written with.
func (r *reading) atMoment(s *format.Snapshot) {
	if s.Jobs == nil || !s.Accounting {
		return
	}
	if !s.KnowsNow() || s.Certainty < format.NowRecorded {
		s.Jobs = forgetTimes(s.Jobs)
		return
	}
	m := newMoment(s.Jobs, s.Now)
	for row := range s.Jobs.Rows {
		m.place(row)
	}
	if m.counts.Running+m.counts.Ended > 0 {
		s.Moment = &m.counts
		report(&m.counts, r, s.Now)
	}
}

// forgetTimes takes away when waiting jobs start and end: nothing says yet which time it is.
func forgetTimes(t *column.Table) *column.Table {
	states, out := t.Column("job.state"), column.NewTable(t.Name, t.Rows)
	for _, c := range t.Columns() {
		if states != nil && (c.ID == "job.start_time" || c.ID == "job.end_time") {
			known := false
			for row := range t.Rows {
				if states.Value(row).Str == "pending" {
					c.Missing.Set(row)
					c.Ints[row] = 0
				}
				known = known || !c.Missing.Get(row)
			}
			if !known {
				continue
			}
		}
		out.Put(c)
	}
	return out
}

// traceMoment is a table of jobs and the time that it is to show.
type traceMoment struct {
	table                       *column.Table
	now                         int64
	submits, starts, ends       *column.Column
	states, stateWords, reasons *column.Column
	// what is known only of jobs that have started, or that has changed since
	afterwards []*column.Column
	words      map[*column.Column]*column.Dictionary
	counts     format.Moment
}

// startedOnly are columns that a waiting job does not have.
var startedOnly = []schema.ColumnID{
	"job.allocated_hosts", "job.allocated_procs", "job.allocated_mem_mb", "job.allocated_cores",
	"job.last_evaluation_time",
}

func newMoment(t *column.Table, now int64) *traceMoment {
	m := &traceMoment{table: t, now: now, words: map[*column.Column]*column.Dictionary{}}
	m.submits, m.starts, m.ends = m.column("job.submit_time"), m.column("job.start_time"), m.column("job.end_time")
	m.states = m.column("job.state")
	m.stateWords, m.reasons = t.Column("job.state_word"), t.Column("job.state_reason")
	for _, id := range startedOnly {
		if c := t.Column(id); c != nil {
			m.afterwards = append(m.afterwards, c)
		}
	}
	return m
}

// column is a column of the table, an unknown one if it has none.
func (m *traceMoment) column(id schema.ColumnID) *column.Column {
	c := m.table.Column(id)
	if c == nil {
		c = &column.Column{ID: id, Type: format.ColumnType(id)}
		column.Extend(c, m.table.Rows)
		m.table.Put(c)
	}
	return c
}

// place gives a job the state that it has at the time.
func (m *traceMoment) place(row int) {
	start, end, submit := m.starts.Value(row), m.ends.Value(row), m.submits.Value(row)
	recorded := m.states.Value(row).Str
	switch {
	case submit.Known() && submit.Int > m.now:
		c := m.column("job.arrival_time") // it is not there yet
		c.Ints[row] = submit.Int
		c.Missing.Clear(row)
	case end.Known() && end.Int <= m.now:
		m.state(row, recorded, "done")
		m.counts.Ended++
	case recorded == "done" && start.Known() && start.Int <= m.now && !end.Known():
		m.counts.Ended++ // since when is not recorded
	case start.Known() && start.Int <= m.now:
		if recorded != "suspended" && recorded != "completing" {
			m.state(row, recorded, "running")
		}
		m.unset(m.ends, row)
		m.counts.Running++
	case start.Known(), end.Known():
		m.wait(row, recorded)
		m.counts.Waiting++
	case recorded == "done":
		m.counts.Ended++
	case recorded == "running", recorded == "suspended", recorded == "completing":
		m.counts.Running++
	default:
		m.wait(row, recorded)
		m.counts.Waiting++
		m.counts.Untimed++
	}
}

// wait makes a job one that has not started.
func (m *traceMoment) wait(row int, recorded string) {
	m.unset(m.starts, row)
	m.unset(m.ends, row)
	if recorded != "pending" {
		for _, c := range m.afterwards {
			m.unset(c, row)
		}
	}
	m.state(row, recorded, "pending")
}

// state changes the state of a job that is recorded with another; the scheduler's own word follows.
func (m *traceMoment) state(row int, recorded, state string) {
	if recorded == state {
		return
	}
	m.word(m.states, row, state)
	if m.reasons != nil && state != "done" {
		m.word(m.reasons, row, "") // it is of another state
	}
	if m.stateWords != nil {
		m.word(m.stateWords, row, strings.ToUpper(state))
	}
}

func (m *traceMoment) word(c *column.Column, row int, word string) {
	d := m.words[c]
	if d == nil {
		d = column.NewDictionary(c)
		m.words[c] = d
	}
	c.Codes[row] = d.Code(word, nil)
	c.Missing.Clear(row)
}

// unset makes a cell unknown; of words and lists, empty.
func (m *traceMoment) unset(c *column.Column, row int) {
	if c.Type == schema.String || c.Type == schema.StringList {
		m.word(c, row, "")
		return
	}
	c.Ints[row] = 0
	c.Missing.Set(row)
}

// report says what the trace was made into.
func report(n *format.Moment, r *reading, now int64) {
	var parts []string
	for _, p := range []struct {
		n    int
		verb [2]string
	}{
		{n.Waiting, [2]string{"waits", "wait"}}, {n.Running, [2]string{"runs", "run"}},
		{n.Ended, [2]string{"has ended", "have ended"}},
	} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 job "+p.verb[0])
		case p.n > 1:
			parts = append(parts, format.HowMany(p.n, "job")+" "+p.verb[1])
		}
	}
	d := r.diags.Infof("snapshot-trace-moment", format.Nowhere, "at %s, by the times that the trace records: %s",
		format.TimeText(now), strings.Join(parts, ", "))
	if n.Untimed > 0 {
		d.Note("%s without a recorded start or end counted as waiting", format.HowMany(n.Untimed, "job"))
	}
	d.Note("--now chooses another time of the trace")
}

// readNow reads the time of a snapshot from a file of its own: now.txt holds
// one number, the epoch at which everything beside it was recorded.
func readNow(in *format.Input) error {
	text := strings.TrimSpace(string(in.Text))
	epochSeconds, ok := format.WholeNumber(text)
	if !ok || epochSeconds == 0 || !format.ValidTime(epochSeconds) {
		in.Bad("snapshot-bad-time", 0, len(in.Text), "the file holds no epoch").
			Note("write the seconds (not milliseconds) since 1970 (UTC), such as 1700000000")
		return nil
	}
	in.Record()
	in.Now(epochSeconds, format.NowStated)
	return nil
}

func recognizeNow(h *format.Head) int {
	if h.Base() == "now.txt" {
		return format.Certain
	}
	return format.Foreign
}
