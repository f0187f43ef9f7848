package impact

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

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
