package lower

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
)

// maui is how the manual, where it is followed, makes maui.cfg be read.
func (o Options) maui() mauicfg.Options {
	return mauicfg.Options{
		CaseInsensitive: o.documented("name_case"),
		MinuteSecond:    o.documented("two_field_time"),
		ManualNames:     o.documented("manual_parameters"),
		ManualMetrics:   o.documented("backfill_metric"),
		TargetTimes:     o.documented("queue_time_target"),
		FractionalCaps:  o.documented("fractional_caps"),
		UserTerms:       o.documented("user_activity"),
		ManualPolicies:  o.documented("fspolicy_spelling"),
		MemoryLimits:    o.documented("limit_mem"),
		CrossLimits:     o.documented("multi_dimension"),
		OldSwitches:     o.documented("old_style"),
		IdleDefaults:    o.documented("idle_default"),
	}
}

// unsetFlags are the QOS flags of the manual that no code of Maui sets.
var unsetFlags = []string{"NORESERVATION", "RESTARTPREEMPT"}

// mauiFlags keeps the flags of each QOS that count.
func (f *front) mauiFlags(cfg *mauicfg.Config, opt Options) {
	set := func(qos string, flags []string, raw string, s setting) {
		kept := slices.DeleteFunc(slices.Clone(flags), func(flag string) bool {
			return flag == "#" || !opt.documented("qos_flags") && slices.Contains(unsetFlags, flag)
		})
		f.set("qos.flags", qos, schema.ListValue(kept), s.span, raw)
	}
	for _, p := range cfg.Params {
		if p.Name == "QOSFLAGS" {
			set(p.Index, p.Value.List, "QOSFLAGS["+p.Index+"]", setting{span: p.Span})
		}
	}
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		if a := o.Attr("QFLAGS", ""); o.Family == "QOSCFG" && a != nil {
			set(o.Index, a.Value.List, "QOSCFG["+o.Index+"] QFLAGS", setting{span: a.Span})
		}
	}
}

// systemWalltime is the limit of jobs for which neither they nor their QOS or class state
// one, where the manual's parameter for it counts. The program has no such parameter.
func (l *lowering) systemWalltime() {
	const column schema.ColumnID = "partition.walltime_default_seconds"
	p := l.params.by["SYSTEMDEFAULTJOBWALLTIME"]
	if l.family != "maui" || p == nil || l.tables.row(column, "DEFAULT") != nil {
		return
	}
	l.tables.setOthers(column, ir.TableRow{Value: p.Value, Span: p.Set, Source: p.Name})
}
