package maui

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// EffectiveQOS is the QOS that Maui under this policy gives each job, for those
// who count jobs without ranking them.
func EffectiveQOS(jobs *column.Table, p *program.Program) *column.Column {
	return effectiveQOS(jobs, evaluation.SettingsOf(p))
}
