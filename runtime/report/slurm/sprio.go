package slurm

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// sprioColumn is one column of sprio. width is both least and, for text, most:
// sprio cuts longer names and lists.
type sprioColumn struct {
	title     string
	component string // "" for columns about the job
	width     int    // of contributions
	normWidth int    // of factors, which are written from the left; 0 leaves the column out of -n
	left      bool
	long      bool // only with -l
	newer     bool // not in older versions
	weighted  func(s *sprioRow) string
	norm      func(s *sprioRow) string
	weight    func(s *sprioReport) string
}

// sprioColumns are sprio's columns with the sizes of its default and -l formats
// (sprio manual page). SITE is always there; the others of the default format
// only while their weight is not zero. ACCOUNT and QOSNAME are not in 22.05 and
// are in 25.11.
var sprioColumns = []sprioColumn{
	{title: "JOBID", width: 15, normWidth: 15, weighted: (*sprioRow).id, norm: (*sprioRow).id,
		weight: func(*sprioReport) string { return "Weights" }},
	{title: "PARTITION", width: 9, normWidth: 9, left: true, weighted: (*sprioRow).partition, norm: (*sprioRow).partition,
		weight: blank},
	{title: "USER", width: 8, normWidth: 8, long: true, weighted: (*sprioRow).user, norm: (*sprioRow).user},
	{title: "ACCOUNT", width: 8, normWidth: 8, long: true, newer: true, weighted: (*sprioRow).account,
		norm: (*sprioRow).account},
	{title: "PRIORITY", width: 10, normWidth: 10, weighted: (*sprioRow).priority, norm: (*sprioRow).priorityShare,
		weight: blank},
	{title: "SITE", width: 10, weighted: contribution("site"), weight: func(*sprioReport) string { return "1" }},
	factorColumn("AGE", "age"),
	factorColumn("ASSOC", "assoc"),
	factorColumn("FAIRSHARE", "fairshare"),
	factorColumn("JOBSIZE", "jobsize"),
	factorColumn("PARTITION", "partition"),
	{title: "QOSNAME", width: 10, normWidth: 10, long: true, newer: true, weighted: (*sprioRow).qos,
		norm: (*sprioRow).qos},
	factorColumn("QOS", "qos"),
	{title: "NICE", width: 11, long: true, weighted: (*sprioRow).nice},
	{title: "TRES", component: "tres", width: 20, normWidth: 20, weighted: (*sprioRow).tres, norm: (*sprioRow).tresNorm,
		weight: (*sprioReport).tresWeights},
}

func blank(*sprioReport) string { return "" }

func factorColumn(title, component string) sprioColumn {
	return sprioColumn{title: title, component: component, width: 10, normWidth: 10,
		weighted: contribution(component),
		norm:     func(s *sprioRow) string { return s.factor(component) },
		weight:   func(s *sprioReport) string { return fmt.Sprintf("%.0f", s.weight(component)) },
	}
}

func contribution(component string) func(*sprioRow) string {
	return func(s *sprioRow) string { return strconv.FormatFloat(s.contribution(component), 'f', 0, 64) }
}

// WriteSprio writes what Slurm's sprio prints: one line for each partition of each
// pending, unheld job whose eligible time has come, by job id.
func WriteSprio(w io.Writer, r *evaluation.Result, o eval.Options) error {
	s := &sprioReport{r: r, o: o}
	out := bufio.NewWriter(w)
	columns := s.columns()
	line := make([]string, len(columns))
	for i := range columns {
		line[i] = s.pad(columns[i], columns[i].title)
	}
	fmt.Fprintln(out, strings.Join(line, " "))
	if o.Weights {
		for i := range columns {
			line[i] = s.pad(columns[i], columns[i].weight(s))
		}
		fmt.Fprintln(out, strings.Join(line, " "))
		return out.Flush()
	}
	for _, job := range o.Only(s.jobs()) {
		for _, row := range s.rows(job) {
			if r.Failed.Get(row) || r.Priority[row] == 0 {
				continue
			}
			sr := &sprioRow{sprioReport: s, job: job, row: row, direct: r.Jobs.Int("job.direct_priority", job) != 0}
			for i, c := range columns {
				cell := c.weighted
				if s.norm() {
					cell = c.norm
				}
				line[i] = s.pad(c, cell(sr))
			}
			fmt.Fprintln(out, strings.Join(line, " "))
		}
	}
	return out.Flush()
}

// sprioReport is one print of sprio.
type sprioReport struct {
	r *evaluation.Result
	o eval.Options
}

// norm: the weights are printed as they are even with -n.
func (s *sprioReport) norm() bool { return s.o.Norm && !s.o.Weights }

// newer reports whether the policy's version prints as 25.11 does and not as
// 22.05: those are the two that were observed, so the years between are a guess.
func (s *sprioReport) newer() bool {
	v := s.r.Program.Version
	return v == "" || v >= "23.02"
}

func (s *sprioReport) columns() []*sprioColumn {
	var out []*sprioColumn
	for i := range sprioColumns {
		c := &sprioColumns[i]
		switch {
		case s.norm() && c.normWidth == 0:
		case s.o.Weights && c.weight == nil:
		case c.long && (!s.o.Long || s.o.Weights):
		case c.newer && !s.newer():
		case c.component != "" && (!s.o.Long || s.o.Weights) && !s.weighed(c.component):
		default:
			out = append(out, c)
		}
	}
	return out
}

// pad fills and cuts a cell to its column; sprio cuts numbers too.
func (s *sprioReport) pad(c *sprioColumn, text string) string {
	width, left := c.width, c.left
	if s.norm() {
		width = c.normWidth
		left = left || c.component != "" || c.title == "PRIORITY" || c.title == "QOSNAME"
	}
	if left {
		return fmt.Sprintf("%-*.*s", width, width, text)
	}
	return fmt.Sprintf("%*.*s", width, width, text)
}

// jobs lists what sprio lists, by job id: pending jobs with a priority whose eligible
// time is known and has come. With ACCRUE_ALWAYS sprio looks at the submit time
// instead; with CALCULATE_RUNNING it lists running jobs too.
func (s *sprioReport) jobs() []int {
	since := "job.eligible_time"
	if s.flag("ACCRUE_ALWAYS") {
		since = "job.submit_time"
	}
	running := s.flag("CALCULATE_RUNNING")
	recorded := s.r.Jobs.Column(columnID(since)) != nil
	var jobs []int
	for i := range s.r.Jobs.Rows {
		switch s.r.State[i] {
		case evaluation.Held, evaluation.Done:
			continue
		case evaluation.Running:
			if !running {
				continue
			}
		}
		ready := s.r.State[i] != evaluation.Blocked // without times the state must do
		if recorded {
			at := s.r.Jobs.Value(columnID(since), i)
			ready = at.Known() && at.Int <= s.r.Now
		}
		if ready {
			jobs = append(jobs, i)
		}
	}
	slices.SortStableFunc(jobs, func(a, b int) int {
		return cmp.Compare(s.record(a), s.record(b))
	})
	return jobs
}

// record is the number by which sprio sorts; a task whose record is unknown counts with its array.
func (s *sprioReport) record(job int) int64 {
	if record := s.r.Jobs.Value("job.record_id", job); record.Known() {
		return record.Int
	}
	return int64(evaluation.ParseJobID(eval.JobText(s.r, "job.id", job)).Job)
}

// rows are a job's, by the tiers of their partitions and else as the job names them: slurmctld
// sorts the job's list of partitions so (recorded).
func (s *sprioReport) rows(job int) []int {
	first, end := s.r.Entries(job)
	rows := make([]int, 0, end-first)
	for row := first; row < end; row++ {
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(s.r.Tier(b), s.r.Tier(a)) })
	return rows
}
