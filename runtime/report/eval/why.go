package eval

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
)

// WhyReport is what keeps a job from starting.
type WhyReport struct {
	Kind string       `json:"kind"`
	Text string       `json:"text" form:"ornull"`
	Over any          `json:"" form:"inline"` // what stops it, by kind
	Also []*WhyReport `json:"also,omitempty"`
}

type counterOf struct {
	Object string  `json:"object"`
	Name   *string `json:"name"`
}

type overLimit struct {
	Object  string      `json:"object" form:"ornull"`
	Name    string      `json:"name" form:"ornull"`
	Per     []counterOf `json:"per"`
	Limit   string      `json:"limit"`
	Counts  string      `json:"counts"`
	Phase   string      `json:"phase"`
	Bound   string      `json:"bound"`
	Value   int64       `json:"value"`
	InUse   int64       `json:"in_use"`
	Request int64       `json:"request"`
	Source  SetBy       `json:"source"`
}

type overCap struct {
	Object  string   `json:"object"`
	Name    string   `json:"name"`
	Limit   string   `json:"limit"`
	Value   float64  `json:"value"`
	InUse   float64  `json:"in_use"`
	Request float64  `json:"request"`
	Percent *float64 `json:"percent,omitempty"`
	Source  SetBy    `json:"source"`
}

type overHold struct {
	Limit  string `json:"limit"`
	Source SetBy  `json:"source"`
}

type refused struct {
	By     refuser `json:"by"`
	Detail string  `json:"detail"`
	Source SetBy   `json:"source"`
}

// refuser is a partition, or an association that may not use the job's QOS.
type refuser struct{ *evaluation.Block }

// WriteMembers writes the name under what it is the name of.
func (b refuser) WriteMembers(j *encode.JSON, _ string) {
	key := "partition"
	if b.Kind == evaluation.BlockAccess || b.Refusal.Column.Object() == "association" {
		key = "association"
	}
	j.Key(key).Value(encode.OrNull(b.Refusal.Name))
}

// SlurmLimit is a limit of an association or a QOS with what is in use of it.
type SlurmLimit struct {
	Object   string `json:"object"`
	Name     string `json:"name"`
	Level    string `json:"level" form:"ornull"`
	For      string `json:"for" form:"ornull"`
	Limit    string `json:"limit"`
	Counts   string `json:"counts"`
	Value    int64  `json:"value"`
	InUse    int64  `json:"in_use"`
	Reserved int64  `json:"reserved"`
	Source   SetBy  `json:"source"`
	Test     string `json:"test,omitempty"` // the comparison that failed
	Request  *int64 `json:"request,omitempty"`
}

func SlurmLimitOf(s *slurmlimit.Stop) SlurmLimit {
	return SlurmLimit{Object: s.Object, Name: s.Name, Level: s.Level, For: s.Who, Limit: s.Limit.Name,
		Counts: SlurmCounts(s),
		Value:  s.Value, InUse: s.InUse, Reserved: s.Runs, Source: SetBy{s.Limit.Source,
			encode.Position(s.Limit.Span)}}
}

// WhyOf is nil for a job that nothing keeps.
func WhyOf(r *evaluation.Result, b *evaluation.Block) *WhyReport {
	if b == nil {
		return nil
	}
	x := &WhyReport{Kind: b.Kind, Text: b.Text}
	from := setByOf(SetterOf(r, b))
	switch {
	case b.Limit != nil:
		v := b.Limit
		x.Over = overLimit{v.Object, v.Name, countersOfNames(v.Per, v.Names), r.Program.Limits[v.Limit].Name,
			v.Counts, v.Phase,
			v.Bound.String(), v.Value, v.InUse, v.Request, from}
	case b.Slurm != nil:
		s := SlurmLimitOf(b.Slurm)
		s.Test, s.Request = b.Slurm.Test.String(), &b.Slurm.Asks
		x.Over = s
	case b.Refusal != nil:
		x.Over = refused{refuser{b}, r.Says(b.Refusal), from}
	case b.Cap != nil:
		v, kind := b.Cap, r.Program.Windows.Targets[b.Cap.Target].Kind
		c := overCap{v.Object, v.Name, kind, v.Value, v.Usage, v.Request, nil, from}
		if kind == "relative_cap" {
			c.Percent = &v.Percent
		}
		x.Over = c
	case b.Kind == evaluation.BlockPolicy:
		x.Over = overHold{r.Program.Holds[b.Hold].Name, from}
	}
	for _, other := range b.Also {
		x.Also = append(x.Also, WhyOf(r, other))
	}
	return x
}

// SetterOf is what set that which keeps a job from starting; nothing where the policy did not.
func SetterOf(r *evaluation.Result, b *evaluation.Block) program.Source {
	switch {
	case b.Limit != nil:
		l := &r.Program.Limits[b.Limit.Limit]
		return program.Source{Name: l.Source, Span: l.Span}
	case b.Slurm != nil:
		return program.Source{Name: b.Slurm.Limit.Source, Span: b.Slurm.Limit.Span}
	case b.Refusal != nil:
		return settingOf(r, b.Refusal)
	case b.Cap != nil:
		t := &r.Program.Windows.Targets[b.Cap.Target]
		return program.Source{Name: t.Source, Span: t.Span}
	case b.Kind == evaluation.BlockPolicy:
		hold := &r.Program.Holds[b.Hold]
		return program.Source{Name: "hold " + hold.Name, Span: hold.Span}
	}
	return program.Source{}
}

// settingOf finds what keeps a job out: a setting of the policy, or what else it is.
func settingOf(r *evaluation.Result, p *evaluation.Refusal) program.Source {
	if p.From != "" {
		return program.Source{Name: p.From}
	}
	for i := range r.Program.Settings {
		if set := &r.Program.Settings[i]; set.Column == p.Column {
			row := set.Rows[p.Name]
			return program.Source{Name: row.Source, Span: row.Span}
		}
	}
	if h := p.Hold; h != nil && !h.Library {
		return program.Source{Name: "hold " + h.Name, Span: h.Span}
	}
	return program.Source{}
}

// countersOfNames pairs the kinds of credentials with their names; of a limit for each there may be none.
func countersOfNames(per, names []string) []counterOf {
	list := make([]counterOf, len(per))
	for i, object := range per {
		list[i].Object = object
		if i < len(names) {
			list[i].Name = &names[i]
		}
	}
	return list
}

func SlurmCounts(s *slurmlimit.Stop) string {
	if s.TRES == "" {
		return "jobs"
	}
	return s.TRES
}
