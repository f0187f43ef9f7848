package usage

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Build counts each run in the windows in which it ran: a window gets the run's
// rate times the seconds it ran there. Maui comes to the same by adding, at each
// iteration, what passed since the last one (MStatUpdateActiveJobUsage); there the
// last step of a job is lost, and a step over a border counts on one side of it.
func Build(jobs *column.Table, s Settings) *Report {
	report := &Report{Settings: s}
	starts := s.starts()
	t := newTally(jobs, len(starts))
	if jobs != nil {
		r, oldest := newRuns(jobs, &s), starts[len(starts)-1]
		for row := range jobs.Rows {
			run, ok := r.at(row, oldest)
			if !ok {
				continue
			}
			for k := range starts {
				from, to := max(run.start, starts[k]), min(run.end, starts[k]+s.IntervalSeconds, s.Now)
				if to > from {
					t.add(k, row, float64(run.perSecond*float64(to-from)))
				}
				if run.start >= starts[k] {
					break // older windows lie before it
				}
			}
		}
		report.Runs, report.Running, report.Overdue, report.Ahead = r.counted, r.running, r.overdue, r.ahead
		report.Unmeasured = r.unmeasured
	}
	for k, start := range starts {
		w := Window{UsageWindow: snapshot.UsageWindow{StartTime: start, Usage: t.names(k), Total: t.totals[k]},
			EndTime: start + s.IntervalSeconds}
		w.Cover = coverOf(start, w.EndTime, &s)
		report.Windows = append(report.Windows, w)
	}
	report.Unnamed, report.BadNames = t.unnamed(), t.badNames
	return report
}

// tally is usage laid out for adding up: names are codes, and a window holds an
// array for each kind of credential.
type tally struct {
	totals   []float64
	columns  []*column.Column // of fairshare.Objects; nil where no run has one
	cells    [][][]float64    // by window, object, code
	badNames []Name
}

func newTally(jobs *column.Table, windows int) *tally {
	t := &tally{totals: make([]float64, windows), cells: make([][][]float64, windows)}
	for _, object := range fairshare.Objects {
		t.columns = append(t.columns, jobs.Column(schema.ColumnID("job."+object)))
	}
	for k := range t.cells {
		t.cells[k] = make([][]float64, len(t.columns))
		for o, c := range t.columns {
			if c != nil {
				t.cells[k][o] = make([]float64, len(c.Dict))
			}
		}
	}
	return t
}

func (t *tally) add(window, row int, amount float64) {
	t.totals[window] += amount
	for o, c := range t.columns {
		if c != nil {
			t.cells[window][o][c.Codes[row]] += amount
		}
	}
}

// names turns a window's arrays into tables by name. A name that would break a
// line of the file into other fields stays out of them, and is noted once.
func (t *tally) names(window int) map[string]map[string]float64 {
	usage := map[string]map[string]float64{}
	for o, c := range t.columns {
		if c == nil {
			continue
		}
		object, names := fairshare.Objects[o], map[string]float64{}
		for code, amount := range t.cells[window][o] {
			name := c.Dict[code]
			switch {
			case amount == 0 || name == "":
			case !writable(name):
				t.noteBad(Name{object, name})
			default:
				names[name] = amount
			}
		}
		if len(names) > 0 {
			usage[object] = names
		}
	}
	return usage
}

// longestName is what Maui keeps of a name (MMAX_NAME less the end mark).
const longestName = 63

func writable(name string) bool {
	return len(name) <= longestName &&
		!strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0x85 || r == 0xa0 })
}

func (t *tally) noteBad(n Name) {
	for _, b := range t.badNames {
		if b == n {
			return
		}
	}
	t.badNames = append(t.badNames, n)
}

// unnamed lists the kinds of credentials where no run names any.
func (t *tally) unnamed() (objects []string) {
	for o, c := range t.columns {
		named := false
		if c != nil {
			for _, name := range c.Dict {
				named = named || name != ""
			}
		}
		if !named {
			objects = append(objects, fairshare.Objects[o])
		}
	}
	return objects
}
