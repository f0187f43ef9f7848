package mauiplan

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Queue reads what Maui's queue walk asks of the parameters.
func Queue(p *ir.Policy) *program.Queue {
	v := values{}
	for i := range p.Params {
		v[p.Params[i].Name] = &p.Params[i]
	}
	manual := p.Documented("queue_time_source")
	q := &program.Queue{
		Accrual: v.accrual(),
		// Each flag alone is recorded (p31, p32). Of both together it is inferred that they let jobs of
		// negative priority run, as the manual's appendix F has it: no recording sets both.
		RejectNegative: v.is("REJECTNEGPRIOJOBS"),
		SubmitTime:     !v.is("USESYSTEMQUEUETIME"),
		IgnoreState:    manual,

		KeepsReservations: v["RESERVATIONPOLICY"] != nil && v["RESERVATIONPOLICY"].Value.Str == "HIGHEST",
		Run: program.RunPriority{
			Weight: v.number("USAGEWEIGHT"), Cap: v.number("USAGECAP"),
			Consumed: v.number("CONSUMEDWEIGHT"), Remaining: v.number("REMAININGWEIGHT"),
			Percent:       v.number("PERCENTWEIGHT"),
			ExecutionTime: v.number("USAGEEXECUTIONTIMEWEIGHT"),
			ConsumedCap:   v.number("CONSUMEDCAP"), RemainingCap: v.number("REMAININGCAP"),
			PercentCap: v.number("PERCENTCAP"),
		},
	}
	if use := v["USESYSTEMQUEUETIME"]; manual && use != nil && use.Set.IsZero() {
		q.SubmitTime = true // the manual's default is OFF
	}
	return q
}

// values are the parameters by name. What a policy does not have is zero.
type values map[string]*ir.Param

func (v values) is(name string) bool { return v[name] != nil && v[name].Value.Int != 0 }

func (v values) number(name string) float64 {
	if p := v[name]; p != nil {
		return p.Value.Number()
	}
	return 0
}

// accrual: words that Maui does not know leave its default, QUEUEPOLICY.
func (v values) accrual() string {
	p := v["JOBPRIOACCRUALPOLICY"]
	switch {
	case p == nil:
	case p.Value.Str == "ALWAYS", p.Value.Str == "NONE":
		return program.AccrualAlways
	case p.Value.Str == "FULLPOLICY":
		return program.AccrualFull
	}
	return program.AccrualQueue
}
