package report_test

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

const sampleConfig = `QUEUETIMEWEIGHT 10
QUEUETIMECAP 600
CREDWEIGHT 2
CREDCAP 700
USERWEIGHT 1
USERCFG[amy] PRIORITY=1000
USERCFG[bob] PRIORITY=-5
`

var sampleFile = source.NewFile("maui.cfg", []byte(sampleConfig))

// spanOf is the place of a word of the sample configuration.
func spanOf(word string) source.Span {
	i := strings.Index(sampleConfig, word)
	return sampleFile.Span(i, i+len(word))
}

func param(name string, value int64) program.Number {
	s := program.Source{Name: name, Value: schema.IntValue(value)}
	if strings.Contains(sampleConfig, name+" ") {
		s.Span = spanOf(name)
	}
	return program.Number{Sources: []program.Source{s}}
}

// sample is a Maui queue of seven jobs: amy's are capped, one is tied by the floor, one
// failed, one is held, one runs; names are as hostile as job data can be.
func sample() *evaluation.Result {
	jobs := table(map[schema.ColumnID][]any{
		"job.id":            {"101", "102", "103", "104", "105", "106", "107"},
		"job.user":          {"amy", "bob", "amy", "=cmd|x\"", "eve\x1b[2J\xff", "bob", "amy"},
		"job.group":         {"phys", "", "phys", "", "", "", "phys"},
		"job.account":       {"", "", "", "", "", "", ""},
		"job.qos":           {"high", "low", "low", "low", "low", "low", "high"},
		"job.partition":     {"batch", "batch", "long", "batch", "batch", "batch", "batch"},
		"job.queue_minutes": {30.5, 900.0, 12.0, 0.0, 1.0, 5.0, 3.0},
	})
	user := &evaluation.Joined{Key: "job.user",
		Column: &column.Column{ID: "user.priority", Type: schema.Int},
		Source: []string{}, Span: []source.Span{}}
	for _, name := range jobs.Column("job.user").Dict {
		v, s, span := int64(0), "", source.Span{}
		switch name {
		case "amy":
			v, s, span = 1000, "USERCFG[amy] PRIORITY", spanOf("PRIORITY=1000")
		case "bob":
			v, s, span = -5, "USERCFG[bob] PRIORITY", spanOf("PRIORITY=-5")
		}
		user.Column.Ints = append(user.Column.Ints, v)
		user.Source, user.Span = append(user.Source, s), append(user.Span, span)
	}
	p := &program.Program{Policy: "sample", Family: "maui", Semantics: "observed", Rounding: "truncate",
		Overrides: []program.Flag{{Name: "system_priority", Doc: "setspri N: above every computed priority."}}}
	r := result(p, jobs, []part{
		{Component: program.Component{Name: "service", Doc: "How long the job has waited.",
			Weight: param("SERVICEWEIGHT", 1)}, weight: 1, terms: []piece{
			{Term: program.Term{Name: "queuetime", Doc: "Minutes in the queue, fractional.",
				Weight: param("QUEUETIMEWEIGHT", 10),
				Cap:    param("QUEUETIMECAP", 600), Reads: []schema.ColumnID{"job.queue_minutes"}},
				weight: 10, cap: 600, factors: []float64{30.5, 900, 12, 0, 1, 5, 3}},
			{Term: program.Term{Name: "xfactor", Weight: param("XFACTORWEIGHT", 0)}, weight: 0,
				factors: []float64{1.25, 2, 1, 1, 1, 1, 1}},
		}},
		{Component: program.Component{Name: "credential", Doc: "Priorities the site gave.", Weight: param("CREDWEIGHT", 2),
			Cap: param("CREDCAP", 700)}, weight: 2, cap: 700, terms: []piece{
			{Term: program.Term{Name: "user", Weight: param("USERWEIGHT", 1), Reads: []schema.ColumnID{"user.priority"}},
				weight: 1, factors: []float64{1000, -5, 1000, 0, 0, -5, 1000}, failed: []int{4}},
		}},
	})
	r.Settings = map[schema.ColumnID]*evaluation.Joined{"user.priority": user}
	r.Overridden = make([]column.Bitmap, 1)
	r.Priority[3] = 1 // the floor
	r.State[5], r.State[6] = evaluation.Held, evaluation.Running
	r.State[2], r.Reason[2] = evaluation.Blocked, "MAXIJOB"
	r.Findings.Warnf("sample-finding", spanOf("CREDCAP"), "the cap of %s is reached", "credential").Note("raise it").
		NoteAt(spanOf("CREDWEIGHT"), "weight here")
	return order(r, 1, 0, 2, 3)
}

// slurmSample is a queue of four jobs, the first in two partitions.
func slurmSample() *evaluation.Result {
	jobs := table(map[schema.ColumnID][]any{
		"job.id":          {"7", "9", "12_2", "12_10"},
		"job.user":        {"amy", "bob", "bob", "bob"},
		"job.account":     {"a", "b", "b", "b"},
		"job.qos":         {"normal", "normal", "normal", "normal"},
		"job.partition":   {"main", "main", "main", "main"},
		"job.reservation": {"", "", "", ""},
		"job.submit_time": {1699990000, 1699990100, 1699990200, 1699990200},
	})
	rows := table(map[schema.ColumnID][]any{"job.partition": {"main", "fast", "main", "main", "main"}})
	weight := func(name string, v float64) program.Number {
		return program.Number{Sources: []program.Source{{Name: name, Value: schema.DoubleValue(v)}}}
	}
	p := &program.Program{Policy: "cluster", Family: "slurm", Semantics: "observed", Version: "25.11",
		Rounding: "truncate"}
	r := resultOfRows(p, jobs, rows, []int32{0, 0, 1, 2, 3}, []part{
		{Component: program.Component{Name: "age", Weight: weight("PriorityWeightAge", 1000)}, weight: 1000,
			terms: []piece{{Term: program.Term{Name: "age"}, weight: 1, factors: []float64{0.5, 0.5, 0.25, 0.125, 0.125}}}},
		{Component: program.Component{Name: "partition", Weight: weight("PriorityWeightPartition", 400)}, weight: 400,
			terms: []piece{{Term: program.Term{Name: "partition"}, weight: 1, factors: []float64{0.25, 1, 0.25, 0.25, 0.25}}}},
		{Component: program.Component{Name: "tres"}, weight: 1,
			terms: []piece{{Term: program.Term{Name: "gpu", Reads: []schema.ColumnID{"job.tres(gres/gpu)"}}, weight: 0.5,
				factors: []float64{0, 0, 8, 8, 8}},
				{Term: program.Term{Name: "cpu", Reads: []schema.ColumnID{"job.tres(cpu)"}}, weight: 1,
					factors: []float64{4, 4, 2, 2, 2}}}},
		{Component: program.Component{Name: "nice"}, weight: -1,
			terms: []piece{{Term: program.Term{Name: "nice"}, weight: 1, factors: []float64{0, 0, 0, 100, 100}}}},
	})
	r.RankRow[0] = 1
	return order(r, 0, 1, 2, 3)
}

// overriddenSample is sample with the failed job's priority decided by an override.
func overriddenSample() *evaluation.Result {
	r := sample()
	r.Failed = nil
	r.Overridden[0].Set(4)
	r.Queued.Set(4)
	r.Priority[4] = 1000001
	return order(r, 4, 1, 0, 2, 3)
}

// givenSample is slurmSample with all that can be switched for a run, and a job that is done.
func givenSample() *evaluation.Result {
	r := slurmSample()
	r.Program.Deviations, r.Program.Without = []string{"one", "two"}, []string{"limits"}
	r.Program.Params = []program.Given{{Name: "PriorityWeightAge", Value: "1000"}}
	r.State[3], r.Rank[3] = evaluation.Done, 0
	return order(r, 0, 1, 2)
}

// twoGoodEntries is slurmSample with a first job that has 900 in one partition by the
// partition's factor, 880 in the other by its resources, and a second with 800: a
// smaller partition weight takes away the one lead only.
func twoGoodEntries() *evaluation.Result {
	r := slurmSample()
	for term, factors := range [][]float64{{0.5, 0.5, 0.5}, {0.25, 1, 0.25}, {560, 0, 0}, {0, 0, 0}, {0, 0, -200}} {
		t := &r.Terms[term]
		for row, f := range factors {
			t.Factor[row], t.Value[row] = f, t.Weight[row]*f
		}
	}
	for row := range 3 {
		r.Score[row] = 0
		for c := range r.Sums {
			s := &r.Sums[c]
			s.Sum[row] = 0
			for k := range r.Terms {
				if r.Terms[k].Component == c {
					s.Sum[row] += r.Terms[k].Value[row]
				}
			}
			s.Value[row] = s.Weight[row] * s.Sum[row]
			r.Score[row] += s.Value[row]
		}
		r.Priority[row] = int64(r.Score[row])
	}
	return r
}

func TestSampleIsWhatItSays(t *testing.T) {
	r := sample()
	for job, want := range []int64{1705, 5990, 1520, 1, 10, 40, 1430} {
		if r.Priority[job] != want {
			t.Errorf("job %d has priority %d, want %d", job, r.Priority[job], want)
		}
	}
	var _ diag.List = r.Findings
}
