package maui

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Pace is that of Maui's iterations.
func Pace(p *program.Program) evaluation.Pace {
	m := p.Plan.Maui
	return evaluation.Pace{StepSeconds: max(1, m.PollSeconds), InitialJobs: m.InitialJobs,
		OverrunSeconds: m.OverrunSeconds}
}
