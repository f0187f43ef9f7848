package impact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// Move is a job that is elsewhere in the queue, or has another priority. A rank of 0 is none.
type Move struct {
	Job
	OldRank     int32 `json:"old_rank"`
	NewRank     int32 `json:"new_rank"`
	OldPriority int64 `json:"old_priority"`
	NewPriority int64 `json:"new_priority"`

	// Places is by how many places the job gains among those that both policies rank and let start alike, negative if it
	// loses: a job that others leave room for has not moved, and one that is stopped has won nothing.
	Places int32  `json:"places"`
	Change string `json:"change,omitempty"` // blocked or eligible, as in Block, where one policy alone lets it start
	Cause  *Cause `json:"cause"`
}

// moves finds the jobs whose place or priority differs, those that move farthest first.
func (c *Comparison) moves(x, y *evaluation.Result, like map[string]string) {
	before, after := common(x, y), common(y, x)
	place := map[int32]int32{} // in the old queue
	for i, job := range before {
		place[job] = int32(i)
	}
	places := make([]int32, x.Jobs.Rows)
	for i, job := range after {
		places[job] = place[job] - int32(i)
	}
	s := &c.Summary
	s.Jobs, s.Compared = x.Jobs.Rows, len(before)
	s.OldRanked, s.NewRanked = len(x.Order), len(y.Order)
	s.Swapped = Swapped(before, after)
	terms := termsOf(x, y, like, before)
	total := 0
	for job := range x.Jobs.Rows {
		if x.Rank[job] == 0 && y.Rank[job] == 0 {
			continue
		}
		m := Move{OldRank: x.Rank[job], NewRank: y.Rank[job], OldPriority: x.JobPriority(job),
			NewPriority: y.JobPriority(job), Places: places[job]}
		if m.OldPriority != m.NewPriority {
			s.Reprioritised++
		}
		switch {
		case m.Places > 0:
			s.Up++
			s.MaxUp = max(s.MaxUp, int(m.Places))
			total += int(m.Places)
		case m.Places < 0:
			s.Down++
			s.MaxDown = max(s.MaxDown, int(-m.Places))
			total -= int(m.Places)
		case m.OldRank == m.NewRank && m.OldPriority == m.NewPriority:
			continue
		}
		m.Job, m.Change = jobOf(x, job), changeOf(x, y, job)
		m.Cause = terms.cause(job, m.Places)
		c.Moves = append(c.Moves, m)
	}
	if s.MovedJobs = s.Up + s.Down; s.Compared > 0 {
		s.Moved = float64(s.MovedJobs) / float64(s.Compared)
		s.MeanPlaces = float64(total) / float64(s.Compared)
	}
	slices.SortStableFunc(c.Moves, func(a, b Move) int {
		return cmp.Or(-cmp.Compare(abs(a.Places), abs(b.Places)), -cmp.Compare(a.Places, b.Places),
			-cmp.Compare(abs(a.NewPriority-a.OldPriority), abs(b.NewPriority-b.OldPriority)), cmp.Compare(a.NewRank, b.NewRank))
	})
}

func abs[T int32 | int64](v T) T { return max(v, -v) }

// common is a queue's order without the jobs that the other one does not rank, or that one of them alone lets start.
func common(r, other *evaluation.Result) []int32 {
	return slices.DeleteFunc(slices.Clone(r.Order),
		func(job int32) bool { return other.Rank[job] == 0 || changeOf(r, other, int(job)) != "" })
}

// changeOf says of a job that waits on both sides whether the other policy alone stops it, or lets it start.
func changeOf(x, y *evaluation.Result, job int) string {
	if !eval.Waits(x, job) || !eval.Waits(y, job) {
		return ""
	}
	switch was, is := x.State[job] == evaluation.Eligible, y.State[job] == evaluation.Eligible; {
	case was && !is:
		return "blocked"
	case !was && is:
		return "eligible"
	}
	return ""
}

// Swapped is the share of pairs of jobs that two orders of them have the other way round. Jobs that one lacks are left
// out.
func Swapped(before, after []int32) float64 {
	place := make(map[int32]int32, len(before))
	for i, job := range before {
		place[job] = int32(i)
	}
	sequence := make([]int32, 0, len(after))
	for _, job := range after {
		if at, ok := place[job]; ok {
			sequence = append(sequence, at)
		}
	}
	n := float64(len(sequence))
	if n < 2 {
		return 0
	}
	return float64(inversions(sequence)) / (n * (n - 1) / 2)
}

// inversions counts the pairs that are the other way round, while it sorts the list by merging.
func inversions(list []int32) int64 {
	if len(list) < 2 {
		return 0
	}
	half := len(list) / 2
	left, right := slices.Clone(list[:half]), slices.Clone(list[half:])
	n := inversions(left) + inversions(right)
	i, j := 0, 0
	for k := range list {
		if j == len(right) || i < len(left) && left[i] <= right[j] {
			list[k] = left[i]
			i++
			continue
		}
		list[k] = right[j]
		j++
		n += int64(len(left) - i)
	}
	return n
}

// Block is a waiting job that one policy lets start and the other does not, or that they stop for
// different things.
type Block struct {
	Job
	Change string  `json:"change"` // blocked, eligible, or other: it is stopped by something else
	Old    Stopped `json:"old"`
	New    Stopped `json:"new"`

	// The places in the two queues, for the page; 0 in none.
	OldRank, NewRank int32 `json:"-"`
}

// Stopped is where a job is and what stops it.
type Stopped struct {
	State  string `json:"state"`
	Reason string `json:"reason"` // the real scheduler's word
	By     string `json:"by"`     // what stops it, in words
	SetBy  string `json:"set_by,omitempty"`
	Source *Place `json:"source"`
}

// blocks compares what stops the jobs that wait on both sides.
func (c *Comparison) blocks(x, y *evaluation.Result) {
	for job := range x.Jobs.Rows {
		if !eval.Waits(x, job) || !eval.Waits(y, job) {
			continue
		}
		b := Block{Old: stopped(x, job), New: stopped(y, job), Change: changeOf(x, y, job)}
		switch {
		case b.Change == "blocked":
			c.Summary.Blocked++
		case b.Change == "eligible":
			c.Summary.Released++
		case x.State[job] != evaluation.Eligible && (x.State[job] != y.State[job] || b.Old.By != b.New.By):
			b.Change = "other"
			c.Summary.OtherBlocks++
		default:
			continue
		}
		b.Job, b.OldRank, b.NewRank = jobOf(x, job), x.Rank[job], y.Rank[job]
		c.Blocks = append(c.Blocks, b)
	}
}

func stopped(r *evaluation.Result, job int) Stopped {
	s := Stopped{State: r.State[job].String(), Reason: r.Reason[job]}
	b := r.Why[job]
	switch {
	case r.State[job] == evaluation.Eligible:
		return s
	case b == nil && r.State[job] == evaluation.Held && r.Jobs.Int("job.held", job) == 0:
		b = eval.BlockOf(r, job) // no queue walk was made that would say
	}
	if b == nil {
		s.By = s.Reason
		return s
	}
	if b.Refusal == nil || b.Refusal.From == "" { // no policy has set what the snapshot says
		by := eval.SetterOf(r, b)
		s.SetBy, s.Source = by.Name, placeOf(by.Span)
	}
	switch {
	case b.Limit != nil:
		s.By = strings.TrimSpace(r.Program.Limits[b.Limit.Limit].Name + of(b.Limit.Object, b.Limit.Name))
	case b.Slurm != nil:
		s.By = b.Slurm.Limit.Name + of(b.Slurm.Object, b.Slurm.Name)
	case b.Cap != nil:
		s.By = "fairshare " + r.Program.Windows.Targets[b.Cap.Target].Kind + of(b.Cap.Object, b.Cap.Name)
	case b.Refusal != nil:
		s.By = cmp.Or(r.Says(b.Refusal), b.Text)
	case b.Kind == evaluation.BlockPolicy:
		s.By, s.SetBy = s.SetBy, ""
	default:
		s.By = cmp.Or(b.Text, strings.ReplaceAll(b.Kind, "_", " "))
	}
	return s
}

func of(object, name string) string {
	if object == "" {
		return ""
	}
	return " of " + strings.TrimSpace(object+" "+name)
}
