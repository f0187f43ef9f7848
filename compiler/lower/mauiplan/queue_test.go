package mauiplan

import (
	"testing"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

func TestQueue(t *testing.T) {
	span := source.NewFile("maui.cfg", []byte("x")).Span(0, 1)
	on, off := schema.BoolValue(true), schema.BoolValue(false)
	word, number := schema.StringValue, schema.IntValue
	param := func(name string, v schema.Value) ir.Param { return ir.Param{Name: name, Value: v, Set: span} }
	unset := func(name string, v schema.Value) ir.Param { return ir.Param{Name: name, Value: v} }
	manual := []ir.Deviation{{Name: "queue_time_source", Documented: true}}
	for _, c := range []struct {
		params     []ir.Param
		deviations []ir.Deviation
		want       string
	}{
		{nil, nil, "queue accrual=queue submit_time"},
		{[]ir.Param{unset("USESYSTEMQUEUETIME", on)}, nil, "queue accrual=queue"},
		{[]ir.Param{unset("USESYSTEMQUEUETIME", on)}, manual, "queue accrual=queue submit_time ignore_state"},
		{[]ir.Param{param("USESYSTEMQUEUETIME", on)}, manual, "queue accrual=queue ignore_state"},
		{[]ir.Param{param("USESYSTEMQUEUETIME", off)}, nil, "queue accrual=queue submit_time"},
		{[]ir.Param{param("JOBPRIOACCRUALPOLICY", word("ALWAYS")), param("USESYSTEMQUEUETIME", on)}, nil,
			"queue accrual=always"},
		{[]ir.Param{param("JOBPRIOACCRUALPOLICY", word("NONE")), param("USESYSTEMQUEUETIME", on)}, nil,
			"queue accrual=always"},
		{[]ir.Param{param("JOBPRIOACCRUALPOLICY", word("FULLPOLICY")), param("USESYSTEMQUEUETIME", on)}, nil,
			"queue accrual=full"},
		{[]ir.Param{param("JOBPRIOACCRUALPOLICY", word("QUEUEPOLICY")), param("USESYSTEMQUEUETIME", on)}, nil,
			"queue accrual=queue"},
		{[]ir.Param{param("USESYSTEMQUEUETIME", on), param("REJECTNEGPRIOJOBS", on)}, nil,
			"queue accrual=queue reject_negative"},
		{[]ir.Param{param("USESYSTEMQUEUETIME", on), param("REJECTNEGPRIOJOBS", on), param("ENABLENEGJOBPRIORITY", on)}, nil,
			"queue accrual=queue reject_negative"},
		{[]ir.Param{param("USESYSTEMQUEUETIME", on), param("RESERVATIONPOLICY", word("HIGHEST"))}, nil,
			"queue accrual=queue keeps_reservations"},
		{[]ir.Param{param("USESYSTEMQUEUETIME", on), param("RESERVATIONPOLICY", word("CURRENTHIGHEST"))}, nil,
			"queue accrual=queue"},
		{[]ir.Param{param("USESYSTEMQUEUETIME", on), param("USAGEWEIGHT", number(2)), param("USAGECAP", number(9)),
			param("CONSUMEDWEIGHT", schema.DoubleValue(3)),
			param("CONSUMEDCAP", number(4)), param("REMAININGWEIGHT", number(5)), param("REMAININGCAP", number(6)),
			param("PERCENTWEIGHT", number(7)), param("PERCENTCAP", number(8))}, nil,
			"queue accrual=queue run_weight=2 cap=9 consumed=3/4 remaining=5/6 percent=7/8"},
	} {
		if got := Queue(&ir.Policy{Params: c.params, Deviations: c.deviations}).String(); got != c.want {
			t.Errorf("%v: %s, not %s", c.params, got, c.want)
		}
	}
}
