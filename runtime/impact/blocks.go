package impact

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// Block is a waiting job that one policy lets start and the other does not, or that they stop for
// different things.
type Block struct {
	Job
	Change string  `json:"change"` // blocked, eligible, or other: it is stopped by something else
	Old    Stopped `json:"old"`
	New    Stopped `json:"new"`
}

// Stopped is where a job stands and what stops it.
type Stopped struct {
	State  string `json:"state"`
	Reason string `json:"reason"` // the real scheduler's word
	By     string `json:"by"`     // what stops it, in words
	SetBy  string `json:"set_by,omitempty"`
	Source *Place `json:"source"`
}

// blocks compares what stops the jobs that wait on both sides.
func (c *Comparison) blocks(x, y *engine.Result) {
	for job := range x.Jobs.Rows {
		if !waits(x, job) || !waits(y, job) {
			continue
		}
		b := Block{Old: stopped(x, job), New: stopped(y, job), Change: changeOf(x, y, job)}
		switch {
		case b.Change == "blocked":
			c.Summary.Blocked++
		case b.Change == "eligible":
			c.Summary.Released++
		case x.State[job] != engine.Eligible && (x.State[job] != y.State[job] || b.Old.By != b.New.By):
			b.Change = "other"
			c.Summary.OtherBlocks++
		default:
			continue
		}
		b.Job = jobOf(x, job)
		c.Blocks = append(c.Blocks, b)
	}
}

func stopped(r *engine.Result, job int) Stopped {
	s := Stopped{State: r.State[job].String(), Reason: r.Reason[job]}
	b := r.Why[job]
	switch {
	case r.State[job] == engine.Eligible:
		return s
	case b == nil && r.State[job] == engine.Held && r.Jobs.Value("job.held", job).Int == 0:
		b = heldBy(r, r.Reason[job]) // no queue walk was made that would say
	}
	if b == nil {
		s.By = s.Reason
		return s
	}
	switch {
	case b.Limit != nil:
		v, l := b.Limit, &r.Program.Limits[b.Limit.Limit]
		s.By = strings.TrimSpace(l.Name + of(v.Object, v.Name))
		s.SetBy, s.Source = l.Source, placeOf(l.Span)
	case b.Slurm != nil:
		s.By = b.Slurm.Limit.Name + of(b.Slurm.Object, b.Slurm.Name)
		s.SetBy, s.Source = b.Slurm.Limit.Source, placeOf(b.Slurm.Limit.Span)
	case b.Cap != nil:
		t := &r.Program.Windows.Targets[b.Cap.Target]
		s.By = "fairshare " + t.Kind + of(b.Cap.Object, b.Cap.Name)
		s.SetBy, s.Source = t.Source, placeOf(t.Span)
	case b.Kind == engine.BlockPolicy:
		hold := &r.Program.Holds[b.Hold]
		s.By, s.Source = "hold "+hold.Name, placeOf(hold.Span)
	case b.Refusal != nil:
		s.By = b.Refusal.Text
		s.SetBy, s.Source = settingOf(r, b.Refusal)
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

// heldBy finds the policy's hold of a reason; nil if there is none.
func heldBy(r *engine.Result, reason string) *engine.Block {
	for i := range r.Program.Holds {
		if r.Program.Holds[i].Reason == reason {
			return &engine.Block{Kind: engine.BlockPolicy, Text: reason, Hold: i}
		}
	}
	return nil
}

// settingOf finds the policy's setting that keeps a job out; nobody has set what the snapshot says.
func settingOf(r *engine.Result, refusal *engine.Refusal) (name string, at *Place) {
	for i := range r.Program.Settings {
		if set := &r.Program.Settings[i]; set.Column == refusal.Column && refusal.From == "" {
			row := set.Rows[refusal.Name]
			return row.Source, placeOf(row.Span)
		}
	}
	return "", nil
}
