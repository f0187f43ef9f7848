package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// queue is an evaluated snapshot, perhaps with a plan.
type queue struct {
	*evaluation.Result
	places map[int32]*backfill.Placement // by job; nil without a plan
}

// waits reports a job of the queue: one that neither ran nor had ended before the evaluation, which may start it.
func (q *queue) waits(job int) bool {
	return q.State[job] != evaluation.Running && q.State[job] != evaluation.Done || slices.Contains(q.Started, int32(job))
}

// measure works out the figures of the waiting jobs, of all and of each credential.
func (q *queue) measure(r *Result) {
	all := &sums{}
	groups := map[[2]string]*sums{}
	kinds := [...]string{"user", "group", "account", "qos", "partition"}
	columns := make([]func(int) string, len(kinds))
	for i, kind := range kinds {
		columns[i] = func(int) string { return "" }
		if c := q.Jobs.Column(schema.ColumnID("job." + kind)); c != nil {
			columns[i] = func(job int) string { return c.Value(job).Str }
		}
	}
	for job := range q.Jobs.Rows {
		if !q.waits(job) {
			continue
		}
		q.add(all, job)
		for i, kind := range kinds {
			if name := columns[i](job); name != "" {
				key := [2]string{kind, name}
				if groups[key] == nil {
					groups[key] = &sums{}
				}
				q.add(groups[key], job)
			}
		}
	}
	r.All = all.values(q.places != nil)
	for key, s := range groups {
		r.Groups = append(r.Groups, Group{key[0], key[1], s.values(q.places != nil)})
	}
	slices.SortFunc(r.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds[:], a.Kind), slices.Index(kinds[:], b.Kind)),
			cmp.Compare(a.Name, b.Name))
	})
}

// sums are what the figures of some waiting jobs are made of.
type sums struct {
	jobs, eligible, blocked, now float64
	ranked, ranks                float64
	waits                        []float64 // of those with a planned start
}

func (q *queue) add(s *sums, job int) {
	s.jobs++
	switch q.State[job] {
	case evaluation.Eligible, evaluation.Running:
		s.eligible++
	case evaluation.Blocked, evaluation.Held:
		s.blocked++
	}
	if rank := q.Rank[job]; rank > 0 {
		s.ranked++
		s.ranks += float64(rank)
	}
	if p := q.places[int32(job)]; p != nil && p.Start > 0 {
		if p.Start <= q.Now {
			s.now++
		}
		if submit := q.Jobs.Value("job.submit_time", job); submit.Known() {
			s.waits = append(s.waits, float64(p.Start-submit.Int))
		}
	}
}

func (s *sums) values(planned bool) Values {
	v := Values{}
	v.set("jobs", s.jobs)
	v.set("eligible", s.eligible)
	v.set("blocked", s.blocked)
	v.set("rank_mean", s.ranks/s.ranked)
	if planned {
		v.set("started", float64(len(s.waits)))
		v.set("starts_now", s.now)
		v.set("wait_seconds.mean", mean(s.waits))
		v.set("wait_seconds.median", median(s.waits))
		v.set("wait_seconds.p95", percentile(s.waits, 95))
		v.set("wait_seconds.max", percentile(s.waits, 100))
	}
	return v
}

// mean, median and percentile are NaN of an empty list. A percentile is the smallest entry that so many of 100 are not
// above; the list is sorted for it.
func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

func percentile(list []float64, percent float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[max(0, int(math.Ceil(percent/100*float64(len(list))))-1)]
}

// jobs keeps what became of each waiting job.
func (q *queue) jobs(r *Result) {
	for job := range q.Jobs.Rows {
		if !q.waits(job) {
			continue
		}
		row := q.JobRow[job]
		j := Job{ID: q.JobID(job), Rank: q.Rank[job], State: q.State[job].String()}
		if !q.Failed.Get(int(row)) {
			j.Priority = &q.Priority[row]
		}
		if p := q.places[int32(job)]; p != nil && p.Start > 0 {
			j.Start, j.End = &p.Start, &p.End
		}
		r.Jobs = append(r.Jobs, j)
	}
}
