package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// movedKey sorts by how many ranks a job has won; it is beside the keys of --sort.
const movedKey = "moved"

// chosen are the jobs that the page's filter keeps, in its order.
func (d *deskServer) chosen(s *deskSide, q *deskRequest) ([]int, error) {
	f, err := d.filterOf(s)
	if err != nil {
		return nil, err
	}
	filter := *f
	key, largest := strings.CutPrefix(q.Sort, "-")
	if key != movedKey {
		filter.sort = q.Sort
	}
	given := map[string]bool{}
	for i := range filterLists {
		flag := filterLists[i].flag
		filter.lists[i] = slices.Clone(q.Filter[flag])
		given[flag] = len(filter.lists[i]) > 0
	}
	if err := filter.check(func(flag string) bool { return given[flag] }); err != nil {
		return nil, mistakes{{Key: "filter", Message: err.Error()}}
	}
	r := s.result
	jobs := eval.Sequence(r)
	if filter.chooses() {
		keeps := d.keeper(&filter, r)
		jobs = slices.DeleteFunc(jobs, func(job int) bool { return !keeps(job) })
	}
	won := func(job int) int32 {
		if was := d.before.result.Rank[job]; was != 0 && r.Rank[job] != 0 {
			return was - r.Rank[job]
		}
		return 0
	}
	switch {
	case key == movedKey && largest:
		slices.SortStableFunc(jobs, func(a, b int) int { return cmp.Compare(won(b), won(a)) })
	case key == movedKey:
		slices.SortStableFunc(jobs, func(a, b int) int { return cmp.Compare(won(a), won(b)) })
	case len(filter.keys) > 0:
		slices.SortStableFunc(jobs, func(a, b int) int { return filter.compare(r, a, b) })
	}
	return jobs, nil
}

// kept are the jobs that have the names of some lists, which no change of a policy alters.
type kept struct {
	lists string
	jobs  *column.Bitmap
}

// keeper is filter.keeps for one job after another: of a filter only states are asked anew each time.
func (d *deskServer) keeper(filter *jobFilter, r *evaluation.Result) func(job int) bool {
	words, others := filter.split("states")
	others.match = nil
	wanted := map[string]bool{}
	for _, word := range states {
		wanted[word] = len(words) == 0 || slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(wordsOf(word), func(h string) bool { return strings.EqualFold(h, w) })
		})
	}
	named := d.named(others, r)
	return func(job int) bool {
		return (named == nil || named.Get(job)) && wanted[eval.StateWord(r, job)] &&
			(filter.match == nil || filter.match.Get(job))
	}
}

// named are the jobs that have the names of a filter, found once; nil is all.
func (d *deskServer) named(filter *jobFilter, r *evaluation.Result) *column.Bitmap {
	if !slices.ContainsFunc(filter.lists[:], func(l []string) bool { return len(l) > 0 }) {
		return nil
	}
	d.choosing.Lock()
	defer d.choosing.Unlock()
	if lists := fmt.Sprintf("%q", filter.lists); d.kept.lists != lists {
		d.kept = kept{lists, &column.Bitmap{}}
		for job := range r.Jobs.Rows {
			if filter.keeps(r, job) {
				d.kept.jobs.Set(job)
			}
		}
	}
	return d.kept.jobs
}
