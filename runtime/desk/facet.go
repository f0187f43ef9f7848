package desk

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// mostNames bounds how many names are offered of each column; others can be typed.
const mostNames = 500

// facet counts the names of a column of texts.
func facet(r *evaluation.Result, id schema.ColumnID) []Facet {
	list := []Facet{}
	c := r.Jobs.Column(id)
	if c == nil || c.Type != schema.String {
		return list
	}
	jobs := make([]int, len(c.Dict))
	for job, code := range c.Codes {
		if !c.Missing.Get(job) {
			jobs[code]++
		}
	}
	for code, name := range c.Dict {
		if name != "" && jobs[code] > 0 {
			list = append(list, Facet{name, jobs[code]})
		}
	}
	slices.SortFunc(list, func(a, b Facet) int {
		return cmp.Or(-cmp.Compare(a.Jobs, b.Jobs),
			cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), mostNames)]
}
