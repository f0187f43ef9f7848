package ir

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Option is an entry of SchedulerParameters with what slurmctld makes of it. A switch is a Bool, a number an
// Int, other words a String; a value is unknown where there is none.
type Option struct {
	Name    string
	Value   schema.Value
	Default schema.Value // of the version
	Refused bool         // the site's number is outside its bounds, so the default counts
	Set     source.Span  // the entry; zero where the site has none
}

// IsSet reports that the list has the entry, with a number that counts or without.
func (o Option) IsSet() bool { return !o.Set.IsZero() }

// Number is the value of a number, 0 where there is none.
func (o Option) Number() int64 { return o.Value.Int }

// On reports a switch that is on.
func (o Option) On() bool { return o.Value.Type == schema.Bool && o.Value.Int != 0 }

// Option finds an entry of SchedulerParameters; one that the version does not know is nothing.
func (p *Policy) Option(name string) Option {
	if i := slices.IndexFunc(p.Options, func(o Option) bool { return o.Name == name }); i >= 0 {
		return p.Options[i]
	}
	return Option{Name: name}
}

// SlurmPlan is what slurm.conf says of placing jobs.
type SlurmPlan struct{ program.SlurmPlan }

// Table finds a credential column; nil if no file says anything of it.
func (p *Policy) Table(id schema.ColumnID) *Table {
	for i := range p.Tables {
		if p.Tables[i].Column == id {
			return &p.Tables[i]
		}
	}
	return nil
}
