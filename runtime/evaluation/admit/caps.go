package admit

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Caps asks whether a job may start by the fairshare caps of its credentials.
type Caps struct {
	gate  *fairshare.Gate // nil: there are no caps of any job's credentials
	model *program.Windows
	codes [len(fairshare.Objects)][]uint32

	procs, walltime, equivalents *column.Column
}

// NewCaps looks the credentials of the jobs up.
func NewCaps(r *evaluation.Result) *Caps {
	c := &Caps{procs: r.Jobs.Column("job.procs"), walltime: r.Jobs.Column("job.walltime_seconds"),
		equivalents: r.Jobs.Column("job.processor_equivalents")}
	if r.Windows == nil {
		return c
	}
	var names [len(fairshare.Objects)][]string
	for o, object := range fairshare.Objects {
		if col := r.Jobs.Column(schema.ColumnID("job." + object)); col != nil {
			names[o], c.codes[o] = col.Dict, col.Codes
		}
	}
	c.model, c.gate = r.Windows.Model, r.Windows.Gate(names)
	return c
}

// Any reports that there are caps of some job's credentials.
func (c *Caps) Any() bool { return c.gate != nil }

// Check reports the first cap that a job would exceed.
func (c *Caps) Check(job int) (fairshare.Violation, bool) {
	if c.gate == nil {
		return fairshare.Violation{}, false
	}
	return c.gate.Check(c.of(job),
		fairshare.Request(c.model, column.IntAt(c.procs, job), column.IntAt(c.walltime, job),
			column.DoubleAt(c.equivalents, job)))
}

func (c *Caps) of(job int) (codes fairshare.Codes) {
	for o := range codes {
		if c.codes[o] != nil {
			codes[o] = c.codes[o][job]
		}
	}
	return codes
}

// ReportUnknown counts the waiting jobs under a cap that do not state what it counts.
func (c *Caps) ReportUnknown(r *evaluation.Result) {
	if c.gate == nil {
		return
	}
	counted := []*column.Column{c.procs, c.walltime}
	what := "processors and limit"
	if c.model.Usage == fairshare.DedicatedPESeconds {
		counted, what = []*column.Column{c.equivalents}, "processor equivalents"
	}
	unknown := 0
	for job, state := range r.State {
		if state != evaluation.Running && state != evaluation.Done && c.gate.Concerns(c.of(job)) &&
			slices.ContainsFunc(counted, func(col *column.Column) bool { return !column.Known(col, job) }) {
			unknown++
		}
	}
	if unknown > 0 {
		r.Findings.Warnf("fairshare-amount-unknown", c.model.Span,
			"%s %s not state %s, which fairshare caps count", diag.Count(unknown, "waiting job"),
			diag.Agree(unknown, "does", "do"), what).
			Note("they count as 0, so a cap may let too many jobs pass")
	}
}
