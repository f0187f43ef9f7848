package maui

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// mauiColumn is one sub-component as diagnose -p names it.
type mauiColumn struct{ term, title, param string }

// mauiGroup is one component of diagnose -p: a share of the whole and, in
// parentheses, its sub-components.
type mauiGroup struct {
	component, title, param string
	field                   func(d *mauiRow, c, t int) float64
	columns                 []mauiColumn
}

// mauiGroups lists the components in the order of the report, which is not the
// order of the sum. The parentheses do not mean the same everywhere: for credentials the
// factor without its sign, for targets the component's share again, else
// component weight times weight times factor, without the component's cap.
// Observed in recorded reports of Maui.
var mauiGroups = []mauiGroup{
	{"credential", "Cred", "CREDWEIGHT", (*mauiRow).factorSize, []mauiColumn{
		{"user", "User", "USERWEIGHT"}, {"group", "Group", "GROUPWEIGHT"}, {"account", "Accnt", "ACCOUNTWEIGHT"},
		{"qos", "QOS", "QOSWEIGHT"}, {"class", "Class", "CLASSWEIGHT"}}},
	{"fairshare", "FS", "FSWEIGHT", (*mauiRow).weighted, []mauiColumn{
		{"fsuser", "User", "FSUSERWEIGHT"}, {"fsgroup", "Group", "FSGROUPWEIGHT"}, {"fsaccount", "Accnt", "FSACCOUNTWEIGHT"},
		{"fsqos", "QOS", "FSQOSWEIGHT"}, {"fsclass", "Class", "FSCLASSWEIGHT"}}},
	{"service", "Serv", "SERVICEWEIGHT", (*mauiRow).weighted, []mauiColumn{
		{"queuetime", "QTime", "QUEUETIMEWEIGHT"}, {"xfactor", "XFctr", "XFACTORWEIGHT"},
		{"spviolation", "SPVio", "SPVIOLATIONWEIGHT"}, {"bypass", "Bypas", "BYPASSWEIGHT"}}},
	{"target", "Targ", "TARGETWEIGHT", (*mauiRow).groupShare, []mauiColumn{
		{"targetqueuetime", "QTime", "TARGETQUEUETIMEWEIGHT"}, {"targetxfactor", "XFctr", "TARGETXFACTORWEIGHT"}}},
	{"resource", "Res", "RESWEIGHT", (*mauiRow).weighted, []mauiColumn{
		{"node", "Node", "NODEWEIGHT"}, {"proc", "Proc", "PROCWEIGHT"}, {"mem", "Mem", "MEMWEIGHT"},
		{"swap", "Swap", "SWAPWEIGHT"},
		{"disk", "Disk", "DISKWEIGHT"}, {"ps", "PS", "PSWEIGHT"}, {"pe", "PE", "PEWEIGHT"},
		{"walltime", "WTime", "WALLTIMEWEIGHT"},
		{"uproc", "UProc", "UPROCWEIGHT"}, {"ujob", "UJobs", "UJOBWEIGHT"}}},
}

// mauiShown is a group that the policy uses, with its kept columns.
type mauiShown struct {
	*mauiGroup
	sum     *evaluation.SumColumn
	weight  float64
	columns []mauiColumn
	terms   []*evaluation.TermColumn
	weights []float64
}

// mauiReport is a diagnose -p in the making.
type mauiReport struct {
	r      *evaluation.Result
	groups []mauiShown
	usage  *usageColumns
	jobs   []int
}

// WriteDiagnoseP writes what Maui's diagnose -p prints for the eligible jobs:
// components and sub-components of non-zero weight, each component's share
// of the sum of absolute contributions, numbers cut to five characters. PRIORITY
// is the raw sum, before floor, ceiling and system priority, as of now: selection has moved the
// clocks of eligible jobs.
func WriteDiagnoseP(w io.Writer, r *evaluation.Result, o eval.Options) error {
	r, err := maui.Asked(r)
	if err != nil {
		return err
	}
	d := &mauiReport{r: r, jobs: o.Only(reported(r))}
	if len(d.jobs) == 0 {
		_, err := io.WriteString(w, "no idle jobs in queue\n\n")
		return err
	}
	d.pick()
	d.usage = usageOf(r.Program.Queue)
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "diagnosing job priority information (partition: ALL)\n\n")
	d.head(out)
	d.body(out)
	fmt.Fprint(out, "\n* indicates system prio set on job\n\n")
	return out.Flush()
}

// reported are the eligible jobs, and among them, by priority, the suspended ones, which wait to
// go on (recorded: b07).
func reported(r *evaluation.Result) []int {
	var jobs []int
	for _, job := range maui.Of(r).Idle {
		if !r.JobFailed(int(job)) {
			jobs = append(jobs, int(job))
		}
	}
	for job := range r.Jobs.Rows {
		if r.State[job] != evaluation.Running || !r.Suspended(job) || r.JobFailed(job) || r.Stored == nil {
			continue
		}
		at := slices.IndexFunc(jobs, func(other int) bool { return r.Stored[other] < r.Stored[job] })
		if at < 0 {
			at = len(jobs)
		}
		jobs = slices.Insert(jobs, at, job)
	}
	return jobs
}

// pick chooses the groups and columns whose weight is not zero.
func (d *mauiReport) pick() {
	for g := range mauiGroups {
		s := mauiShown{mauiGroup: &mauiGroups[g]}
		for c := range d.r.Program.Components {
			comp := &d.r.Program.Components[c]
			if comp.Name != s.component {
				continue
			}
			s.sum = &d.r.Sums[c]
			s.weight = d.weight(comp.Weight, s.mauiGroup.param, s.sum.Weight)
			d.pickTerms(&s, c)
		}
		if s.weight != 0 && len(s.terms) > 0 {
			d.groups = append(d.groups, s)
		}
	}
}

func (d *mauiReport) pickTerms(s *mauiShown, component int) {
	for _, column := range s.mauiGroup.columns {
		for i := range d.r.Terms {
			t := &d.r.Terms[i]
			if t.Component != component || eval.TermOf(d.r.Program, t).Name != column.term {
				continue
			}
			if weight := d.weight(eval.TermOf(d.r.Program, t).Weight, column.param, t.Weight); weight != 0 {
				s.columns = append(s.columns, column)
				s.terms = append(s.terms, t)
				s.weights = append(s.weights, weight)
			}
		}
	}
}

// weight is the weight of the Weights line: the parameter's value, without
// what a job's QOS adds. A policy that does not use the parameter shows the
// first job's weight.
func (d *mauiReport) weight(n program.Number, param string, perRow []float64) float64 {
	for _, s := range n.Sources {
		if s.Name == param || s.Name == "param."+param {
			return s.Value.Number()
		}
	}
	w, _ := eval.At(perRow, int(d.r.JobRow[d.jobs[0]]))
	return w
}

func (d *mauiReport) head(out io.Writer) {
	fmt.Fprintf(out, "%-20s %10s* ", "Job", "PRIORITY")
	for _, g := range d.groups {
		titles := make([]string, len(g.columns))
		for i, c := range g.columns {
			titles[i] = fmt.Sprintf("%5s", c.title)
		}
		fmt.Fprintf(out, "%6s(%s)", g.title, strings.Join(titles, ":"))
	}
	d.usage.head(out)
	fmt.Fprintf(out, "\n%20s %10s  ", "Weights", "--------")
	for _, g := range d.groups {
		weights := make([]string, len(g.columns))
		for i := range weights {
			weights[i] = fmt.Sprintf("%5.0f", g.weights[i])
		}
		fmt.Fprintf(out, "%6.0f(%s)", g.weight, strings.Join(weights, ":"))
	}
	if d.usage != nil {
		d.usage.weightLine(out, d.r.Program.Queue.Run.Weight)
	}
	fmt.Fprint(out, "\n\n")
}

// body writes a line for each job and the shares of all jobs together.
func (d *mauiReport) body(out io.Writer) {
	totals := make([]float64, len(d.groups))
	fields := make([][]float64, len(d.groups))
	for g := range fields {
		fields[g] = make([]float64, len(d.groups[g].terms))
	}
	for _, job := range d.jobs {
		row := &mauiRow{d: d, row: int(d.r.JobRow[job])}
		for g := range d.groups {
			row.total += math.Abs(row.contribution(g))
		}
		mark := ' '
		if d.r.Jobs.Int("job.system_priority", job) != 0 {
			mark = '*'
		}
		fmt.Fprintf(out, "%-20s %10.0f%c ", source.Plain(eval.JobText(d.r, "job.id", job)), d.r.Score[row.row], mark)
		for g := range d.groups {
			totals[g] += math.Abs(row.contribution(g))
			values := make([]float64, len(d.groups[g].terms))
			for t := range values {
				values[t] = d.groups[g].field(row, g, t)
				fields[g][t] += math.Abs(row.baseWeighted(g, t))
			}
			writeMauiGroup(out, row.groupShare(g, 0), values)
		}
		d.usage.zeros(out)
		fmt.Fprintln(out)
	}
	d.foot(out, totals, fields)
}

func (d *mauiReport) foot(out io.Writer, totals []float64, fields [][]float64) {
	total := 0.0
	for _, t := range totals {
		total += t
	}
	fmt.Fprintf(out, "\n%-20s %10s  ", "Percent Contribution", "--------")
	for g := range d.groups {
		for t := range fields[g] {
			fields[g][t] = percent(fields[g][t], total)
		}
		writeMauiGroup(out, percent(totals[g], total), fields[g])
	}
	d.usage.zeros(out)
	fmt.Fprintln(out)
}

func writeMauiGroup(out io.Writer, share float64, values []float64) {
	cut := make([]string, len(values))
	for i, v := range values {
		cut[i] = fmt.Sprintf("%5.1f", v)[:5]
	}
	fmt.Fprintf(out, "%6.1f(%s)", share, strings.Join(cut, ":"))
}

// mauiRow is one job's line.
type mauiRow struct {
	d     *mauiReport
	row   int
	total float64 // of absolute contributions
}

// contribution is what a component adds, its cap applied.
func (m *mauiRow) contribution(g int) float64 {
	v, _ := eval.At(m.d.groups[g].sum.Value, m.row)
	return v
}

// groupShare is the component's part of the whole in percent.
func (m *mauiRow) groupShare(g, _ int) float64 {
	return percent(math.Abs(m.contribution(g)), m.total)
}

// weighted is component weight times weight times capped factor.
func (m *mauiRow) weighted(g, t int) float64 {
	return eval.ContributionAt(m.d.r, m.d.groups[g].terms[t], m.row)
}

// baseWeighted is weighted without what the job's QOS adds to the weight: so
// the last line of the report counts it.
func (m *mauiRow) baseWeighted(g, t int) float64 {
	s := &m.d.groups[g]
	return s.weight * s.weights[t] * eval.CappedFactor(s.terms[t], m.row)
}

// factorSize is the capped factor without its sign.
func (m *mauiRow) factorSize(g, t int) float64 {
	return math.Abs(eval.CappedFactor(m.d.groups[g].terms[t], m.row))
}

func percent(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * part / whole
}

// usageColumns are those that diagnose -p has for the weights of running jobs' usage. They come last,
// are called Res as the resources are, and are zero: none of the jobs listed runs (recorded: p38).
type usageColumns struct {
	titles  []string
	weights []float64
}

// usageOf picks the columns of non-zero weight; nil where the component has none. That of execution time
// weighs nothing and has no title.
func usageOf(q *program.Queue) *usageColumns {
	if q == nil || q.Run.Weight == 0 {
		return nil
	}
	u := &usageColumns{}
	for _, c := range []struct {
		title  string
		weight float64
	}{{"Cons ", q.Run.Consumed}, {"", q.Run.ExecutionTime}, {"Rem  ", q.Run.Remaining}, {"PerC ", q.Run.Percent}} {
		if c.weight != 0 {
			u.titles, u.weights = append(u.titles, c.title), append(u.weights, c.weight)
		}
	}
	if len(u.titles) == 0 {
		return nil
	}
	return u
}

func (u *usageColumns) head(out io.Writer) {
	if u != nil {
		fmt.Fprintf(out, "%6s(%s)", "Res", strings.Join(u.titles, ":"))
	}
}

func (u *usageColumns) weightLine(out io.Writer, weight float64) {
	if u == nil {
		return
	}
	cells := make([]string, len(u.weights))
	for i, w := range u.weights {
		cells[i] = fmt.Sprintf("%5.0f", w)
	}
	fmt.Fprintf(out, "%6.0f(%s)", weight, strings.Join(cells, ":"))
}

func (u *usageColumns) zeros(out io.Writer) {
	if u != nil {
		writeMauiGroup(out, 0, make([]float64, len(u.weights)))
	}
}
