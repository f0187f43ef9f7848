package eval

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Options are the wishes of the reader; the zero value is every view's default.
type Options struct {
	Limit  int  // rows of the table; 0 shows all
	Width  int  // columns of the terminal; 0 is unlimited
	Colour bool // ANSI escapes

	Long    bool // sprio -l, sshare -l
	Norm    bool // sprio -n: factors instead of contributions
	Weights bool // sprio -w: the weights instead of jobs

	Parsable   bool // sshare -P
	Partitions bool // sshare -m

	Spreadsheet bool // CSV: no text is a formula to a spreadsheet

	Jobs   []int   // only these, in this order; nil shows all
	Filter *Filter // what chose them, for JSON; nil for nothing

	All bool // explanations: also what has no effect
}

// Filter is which jobs are shown of those that were evaluated.
type Filter struct {
	By    []FilterBy `json:"by"`
	Where []string   `json:"where"`
	Sort  []string   `json:"sort"`
	Limit int        `json:"limit" form:"ornull"`
	Match int        `json:"match"` // jobs, before the limit
	Of    int        `json:"of"`    // jobs
}

// FilterBy is a list of values. A job must have one of them.
type FilterBy struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Only narrows a list of jobs to those that are shown, in the list's own order.
func (o Options) Only(list []int) []int {
	if o.Jobs == nil {
		return list
	}
	shown := make(map[int]bool, len(o.Jobs))
	for _, job := range o.Jobs {
		shown[job] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(job int) bool { return !shown[job] })
}

// sequence lists the jobs that are shown: see Sequence.
func (o Options) sequence(r *evaluation.Result) []int {
	if o.Jobs != nil {
		return o.Jobs
	}
	return Sequence(r)
}

// chooses reports whether it leaves out jobs; a sort or a limit alone does not.
func (f *Filter) chooses() bool { return f != nil && len(f.By)+len(f.Where) > 0 }
