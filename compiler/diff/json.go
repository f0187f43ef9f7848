package diff

import "github.com/fairway-sched/fairway/lang/source"

// Settings is the report as `diff -o json` has it.
type Settings struct {
	Verdict     string    `json:"verdict"`
	Effective   int       `json:"effective"` // differences that can change a result
	Differences []Setting `json:"differences"`
}

// Setting is one difference.
type Setting struct {
	Group Group  `json:"group"`
	Kind  Kind   `json:"kind"`
	Name  string `json:"name"`

	Effective bool   `json:"effective"`        // it can change a result
	Reason    string `json:"reason,omitempty"` // why it has no effect here though it may have one elsewhere
	Old       *Value `json:"old"`
	New       *Value `json:"new"`
}

// Value is one side of it; without file it is not set.
type Value struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	SetBy  string `json:"set_by,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Settings are the differences as data.
func (r *Report) Settings() Settings {
	out := Settings{Verdict: r.Verdict(), Effective: r.Effective(), Differences: []Setting{}}
	for i := range r.Differences {
		d := &r.Differences[i]
		out.Differences = append(out.Differences,
			Setting{Group: d.Group, Kind: d.Kind, Name: d.Name, Effective: d.Effective(), Reason: d.Reason,
				Old: value(d.Old), New: value(d.New)})
	}
	return out
}

func value(s *Side) *Value {
	if s == nil {
		return nil
	}
	v := &Value{Name: s.Name, Value: s.Value, SetBy: s.Source}
	if s.Span != (source.Span{}) {
		at := s.Span.Position()
		v.File, v.Line, v.Column = s.Span.File.Name, at.Line, at.Column
	}
	return v
}
