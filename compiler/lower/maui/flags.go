package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Reading is how the manual, where it is followed, makes maui.cfg be read.
func Reading(o front.Options) mauicfg.Options {
	return mauicfg.Options{
		CaseInsensitive: o.Documented("name_case"),
		MinuteSecond:    o.Documented("two_field_time"),
		ManualNames:     o.Documented("manual_parameters"),
		ManualMetrics:   o.Documented("backfill_metric"),
		TargetTimes:     o.Documented("queue_time_target"),
		FractionalCaps:  o.Documented("fractional_caps"),
		UserTerms:       o.Documented("user_activity"),
		ManualPolicies:  o.Documented("fspolicy_spelling"),
		MemoryLimits:    o.Documented("limit_mem"),
		CrossLimits:     o.Documented("multi_dimension"),
		OldSwitches:     o.Documented("old_style"),
		IdleDefaults:    o.Documented("idle_default"),
	}
}

// UnsetFlags are the QOS flags of the manual that no code of Maui sets.
var UnsetFlags = []string{"NORESERVATION", "RESTARTPREEMPT"}

// flags keeps the flags of each QOS that count.
func (f *reader) flags(cfg *mauicfg.Config, opt front.Options) {
	set := func(qos string, flags []string, raw string, s front.Setting) {
		kept := slices.DeleteFunc(slices.Clone(flags), func(flag string) bool {
			return flag == "#" || !opt.Documented("qos_flags") && slices.Contains(UnsetFlags, flag)
		})
		f.Set("qos.flags", qos, schema.ListValue(kept), s.Span, raw)
	}
	for _, p := range cfg.Params {
		if p.Name == "QOSFLAGS" {
			set(p.Index, p.Value.List, "QOSFLAGS["+p.Index+"]", front.Setting{Span: p.Span})
		}
	}
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		if a := o.Attr("QFLAGS", ""); o.Family == "QOSCFG" && a != nil {
			set(o.Index, a.Value.List, "QOSCFG["+o.Index+"] QFLAGS", front.Setting{Span: a.Span})
		}
	}
}
