package slurm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// sprioRow is one line of sprio: a job in one of its partitions.
type sprioRow struct {
	*sprioReport
	job, row int
	direct   bool // a priority set by hand has no factors
}

func columnID(name string) schema.ColumnID { return schema.ColumnID(name) }

// id is the number of the job's record: sprio knows no arrays. Outputs that name tasks ARRAY_TASK
// may lack it (squeue without %A); then it is the id as they have it.
func (s *sprioRow) id() string {
	if record := s.r.Jobs.Value("job.record_id", s.job); record.Known() {
		return strconv.FormatInt(record.Int, 10)
	}
	return source.Plain(eval.JobText(s.r, "job.id", s.job))
}

func (s *sprioRow) partition() string {
	return source.Plain(s.r.Rows.Text("job.partition", s.row))
}
func (s *sprioRow) user() string { return source.Plain(eval.JobText(s.r, "job.user", s.job)) }

// account: a job without one has what C prints for no text (recorded without enforcement).
func (s *sprioRow) account() string {
	if account := eval.JobText(s.r, "job.account", s.job); account != "" {
		return source.Plain(account)
	}
	return "(null)"
}

func (s *sprioRow) qos() string { return source.Plain(eval.JobText(s.r, "job.qos", s.job)) }

// priority is the sum cut to an integer: at least 1, and not bounded above,
// although slurmctld stores 32 bits.
func (s *sprioRow) priority() string {
	if s.direct {
		return strconv.FormatInt(s.r.Priority[s.row], 10)
	}
	return strconv.FormatFloat(math.Trunc(max(1, s.r.Score[s.row])), 'f', 0, 64)
}

// priorityShare is the sum over the largest 32-bit number; a priority set by hand
// is printed as it is. sprio cuts the digits to its column, it does not round.
func (s *sprioRow) priorityShare() string {
	if s.direct {
		return fmt.Sprintf("%.16f", float64(s.r.Priority[s.row]))
	}
	return fmt.Sprintf("%.16f", max(1, s.r.Score[s.row])/math.MaxUint32)
}

// contribution is what a component adds.
func (s *sprioRow) contribution(component string) float64 {
	if sum := s.sum(component); sum != nil && !s.direct {
		v, _ := eval.At(sum.Value, s.row)
		return v
	}
	return 0
}

// factor is a component before its weight. Newer versions write a bare 0 for a
// priority set by hand.
func (s *sprioRow) factor(component string) string {
	total := 0.0
	for _, t := range s.terms(component) {
		if !s.direct {
			total += eval.CappedFactor(t, s.row)
		}
	}
	if s.direct && s.newer() {
		return "0"
	}
	return fmt.Sprintf("%.7f", total)
}

// nice is the value the user gave, which the sum subtracts.
func (s *sprioRow) nice() string { return strconv.FormatInt(-int64(s.contribution("nice")), 10) }

func (s *sprioRow) tres() string {
	return s.resources(func(t *evaluation.TermColumn) string {
		return strconv.FormatFloat(eval.ContributionAt(s.r, t, s.row), 'f', 0, 64)
	})
}

func (s *sprioRow) tresNorm() string {
	return s.resources(func(t *evaluation.TermColumn) string { return fmt.Sprintf("%.2f", eval.CappedFactor(t, s.row)) })
}

// resources lists the resources that contribute, in Slurm's order.
func (s *sprioRow) resources(value func(*evaluation.TermColumn) string) string {
	var parts []string
	for _, t := range s.terms("tres") {
		if !s.direct && eval.ContributionAt(s.r, t, s.row) != 0 {
			parts = append(parts, source.Plain(resourceOf(eval.TermOf(s.r.Program, t)))+"="+value(t))
		}
	}
	return strings.Join(parts, ",")
}

// tresOrder are the resources that Slurm numbers itself; the others follow in
// the order of the configuration.
var tresOrder = []string{"cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"}

// resourceOf is the trackable resource a term counts: what it reads as job.tres(…).
func resourceOf(t *program.Term) string {
	for _, id := range t.Reads {
		if id.Object() == "job" && id.Key() != "" {
			return id.Key()
		}
	}
	return t.Name
}

// terms lists a component's terms; those of tres in Slurm's order.
func (s *sprioReport) terms(component string) []*evaluation.TermColumn {
	var out []*evaluation.TermColumn
	for i := range s.r.Terms {
		if s.r.Program.Components[s.r.Terms[i].Component].Name == component {
			out = append(out, &s.r.Terms[i])
		}
	}
	if component == "tres" {
		place := func(t *evaluation.TermColumn) int {
			if i := slices.Index(tresOrder, strings.ToLower(resourceOf(eval.TermOf(s.r.Program, t)))); i >= 0 {
				return i
			}
			return len(tresOrder)
		}
		slices.SortStableFunc(out, func(a, b *evaluation.TermColumn) int { return place(a) - place(b) })
	}
	return out
}

func (s *sprioReport) sum(component string) *evaluation.SumColumn {
	for i := range s.r.Sums {
		if s.r.Program.Components[s.r.Sums[i].Component].Name == component {
			return &s.r.Sums[i]
		}
	}
	return nil
}

// weight is a component's weight, which in Slurm is the same for every job; an
// empty queue has only the parameter.
func (s *sprioReport) weight(component string) float64 {
	sum := s.sum(component)
	if sum == nil {
		return 0
	}
	if w, ok := eval.At(sum.Weight, 0); ok {
		return w
	}
	for _, src := range s.r.Program.Components[sum.Component].Weight.Sources {
		if strings.Contains(src.Name, "PriorityWeight") {
			return src.Value.Number()
		}
	}
	return 0
}

// weighed reports whether the column of a component has something to show.
func (s *sprioReport) weighed(component string) bool {
	if component == "tres" {
		return s.tresWeights() != ""
	}
	return s.weight(component) != 0
}

// tresWeights is PriorityWeightTRES as the site wrote it, else as it was understood.
func (s *sprioReport) tresWeights() string {
	var parts []string
	for _, t := range s.terms("tres") {
		term := eval.TermOf(s.r.Program, t)
		for _, src := range term.Weight.Sources {
			if strings.HasSuffix(src.Name, "PriorityWeightTRES") && src.Value.Str != "" {
				return source.Plain(src.Value.Str)
			}
		}
		if w, ok := eval.At(t.Weight, 0); ok && w != 0 {
			parts = append(parts, resourceOf(term)+"="+form.Exact(w))
		}
	}
	return strings.Join(parts, ",")
}

// flag reports whether PriorityFlags has a flag. The flags are among what the
// age factor was made from.
func (s *sprioReport) flag(name string) bool {
	for c := range s.r.Program.Components {
		for _, t := range s.r.Program.Components[c].Terms {
			for _, src := range t.Factor.Sources {
				if strings.HasSuffix(src.Name, "PriorityFlags") && strings.Contains(strings.ToUpper(src.Value.Str), name) {
					return true
				}
			}
		}
	}
	return false
}
