package desk

import (
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// Row is a job as the table shows it. A rank of 0 is none, and a priority of nil is none.
type Row struct {
	Job         int       `json:"job"` // index in the queue
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	User        string    `json:"user"`
	Account     string    `json:"account"`
	QOS         string    `json:"qos"`
	Partition   string    `json:"partition"`
	Procs       int64     `json:"procs"`
	State       string    `json:"state"`
	OldState    string    `json:"old_state,omitempty"` // where it is another one
	Reason      string    `json:"reason"`
	OldRank     int32     `json:"old_rank"`
	Rank        int32     `json:"rank"`
	OldPriority *int64    `json:"old_priority"`
	Priority    *int64    `json:"priority"`
	Points      []float64 `json:"points"` // by term, what each adds to the score
}

// Rows are those of some jobs.
func Rows(before, now *evaluation.Result, jobs []int) []Row {
	rows := make([]Row, 0, len(jobs))
	for _, job := range jobs {
		r := Row{Job: job, ID: eval.JobText(now, "job.id", job), Name: eval.JobText(now, "job.name", job),
			User: eval.JobText(now, "job.user", job), Account: eval.JobText(now, "job.account", job),
			QOS: eval.JobText(now, "job.qos", job), Partition: eval.JobText(now, "job.partition", job),
			Procs: now.Jobs.Value("job.procs", job).Int,
			State: eval.StateWord(now, job), Reason: eval.ReasonText(now, job),
			OldRank: before.Rank[job], Rank: now.Rank[job],
			OldPriority: priority(before, job), Priority: priority(now, job), Points: points(now, job)}
		if old := eval.StateWord(before, job); old != r.State {
			r.OldState = old
		}
		rows = append(rows, r)
	}
	return rows
}

func priority(r *evaluation.Result, job int) *int64 {
	if r.JobFailed(job) {
		return nil
	}
	p := r.JobPriority(job)
	return &p
}

// points are what each term adds to the score of a job, by the entry that ranks it; 0 where that is no number.
func points(r *evaluation.Result, job int) []float64 {
	row := int(r.RankRow[job])
	list := make([]float64, len(r.Terms))
	for i := range r.Terms {
		if t := &r.Terms[i]; !t.FactorFailed.Get(row) {
			if x := eval.ContributionAt(r, t, row); evaluation.Finite(x) {
				list[i] = x
			}
		}
	}
	return list
}

// Term is a part of the priority.
type Term struct {
	Name      string  `json:"name"` // component.term, or the one word where both are the same
	Component string  `json:"component"`
	Term      string  `json:"term"`
	Doc       string  `json:"doc"`
	Mean      float64 `json:"mean"` // what it adds to the score of a ranked job on average
	Live      bool    `json:"live"` // it adds something to some job
}

// Terms are the parts of a priority, in the order in which Row.Points has them.
func Terms(r *evaluation.Result) []Term {
	list := make([]Term, len(r.Terms))
	for i := range r.Terms {
		t := &r.Terms[i]
		c, term := &r.Program.Components[t.Component], eval.TermOf(r.Program, t)
		x := Term{Name: eval.TermName(r.Program, t), Component: c.Name, Term: term.Name, Doc: term.Doc}
		if x.Doc == "" {
			x.Doc = c.Doc
		}
		for _, job := range r.Order {
			row := int(r.RankRow[job])
			if t.FactorFailed.Get(row) {
				continue
			}
			if v := eval.ContributionAt(r, t, row); v != 0 && evaluation.Finite(v) {
				x.Mean, x.Live = x.Mean+v, true
			}
		}
		x.Mean /= max(1, float64(len(r.Order)))
		list[i] = x
	}
	return list
}

// Scale is the length of a full bar: the largest sum of points of a ranked job.
func Scale(r *evaluation.Result) float64 {
	most := 0.0
	for _, job := range r.Order {
		if s := r.Score[r.RankRow[job]]; evaluation.Finite(s) {
			most = math.Max(most, math.Abs(s))
		}
	}
	return most
}

// Count is how a queue as a whole has changed, cheap enough for each move of a slider.
type Count struct {
	Jobs     int `json:"jobs"`
	Ranked   int `json:"ranked"`
	Up       int `json:"up"` // ranked jobs with a better rank than before
	Down     int `json:"down"`
	Same     int `json:"same"`
	Blocked  int `json:"blocked"`  // that were eligible
	Released int `json:"released"` // that are eligible now
	Failed   int `json:"failed"`   // that have no priority
}

// Counts compares two results.
func Counts(before, now *evaluation.Result) Count {
	c := Count{Jobs: now.Jobs.Rows, Ranked: len(now.Order)}
	for job := range now.Jobs.Rows {
		was, is := before.Rank[job], now.Rank[job]
		switch {
		case was == 0 || is == 0:
		case is < was:
			c.Up++
		case is > was:
			c.Down++
		default:
			c.Same++
		}
		switch {
		case newly(before, now, job, evaluation.Blocked):
			c.Blocked++
		case newly(before, now, job, evaluation.Eligible):
			c.Released++
		}
		if now.JobFailed(job) {
			c.Failed++
		}
	}
	return c
}

// Facets are the names that jobs can be chosen by, the most frequent first.
func Facets(r *evaluation.Result, ids ...schema.ColumnID) map[string][]Facet {
	all := map[string][]Facet{}
	for _, id := range ids {
		all[id.Name()] = facet(r, id)
	}
	return all
}

// Facet is a name and how many jobs have it.
type Facet struct {
	Name string `json:"name"`
	Jobs int    `json:"jobs"`
}
