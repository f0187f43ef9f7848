// Package maui reads what a maui.cfg says, in the words of the library's policy.
package maui

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/stdlib"
)

// Read turns a loaded maui.cfg into settings of the library's maui policy.
func Read(file *mauicfg.File, opt front.Options) *front.Front {
	cfg, diags := mauicfg.Evaluate(file, Reading(opt))
	f := &reader{&front.Front{Base: "maui", Family: "maui", Maui: cfg, Diags: diags}}
	for _, p := range cfg.Params {
		f.param(p, opt)
	}
	for i := range cfg.Objects {
		f.object(&cfg.Objects[i], opt)
	}
	f.limits(cfg, opt)
	f.fairshare(cfg, opt)
	f.backfill(cfg)
	f.flags(cfg, opt)
	f.partitions(cfg, opt)
	f.facts(cfg)
	return f.Front
}

// reader fills in what a maui.cfg says.
type reader struct{ *front.Front }

// Config is what Maui holds after loading a file under the given choices.
func Config(file *mauicfg.File, opt front.Options) *mauicfg.Config {
	cfg, _ := mauicfg.Evaluate(file, Reading(opt))
	return cfg
}

// oldQOS maps the old-style parameters of a QOS to columns. QOSTARGETQT is here for
// those who follow the manual; its value never arrives in Maui's parser, so it is 0.
var oldQOS = map[string]schema.ColumnID{
	"QOSPRIORITY": "qos.priority", "QOSQTWEIGHT": "qos.queue_time_weight", "QOSXFWEIGHT": "qos.xfactor_weight",
	"QOSTARGETXF": "qos.xfactor_target", "QOSTARGETQT": "qos.queue_time_target_seconds",
}

func (f *reader) param(p mauicfg.Param, opt front.Options) {
	switch column := oldQOS[p.Name]; {
	case p.Name == "QOSTARGETQT" && !opt.Documented("queue_time_target"):
	case column != "" && p.Index != "":
		f.Set(column, p.Index, Value(p.Value), p.Span, p.Name+"["+p.Index+"]")
	case p.Index != "" && p.Index != "0": // of a partition: partitions.go
	default:
		f.Params = append(f.Params, front.Setting{Name: p.Name, Value: Value(p.Value), Raw: p.Raw, Span: p.Span})
	}
}

// Value is the value as expressions see it: times in seconds, memory in MB.
func Value(v mauicfg.Value) schema.Value {
	switch v.Kind {
	case mauicfg.KindInt, mauicfg.KindTime, mauicfg.KindMemory:
		return schema.IntValue(v.Int)
	case mauicfg.KindFloat, mauicfg.KindFSTarget:
		return schema.DoubleValue(v.Float)
	case mauicfg.KindBool:
		return schema.BoolValue(v.Bool)
	case mauicfg.KindList:
		return schema.ListValue(v.List)
	case mauicfg.KindLimit:
		return schema.IntValue(v.Hard)
	}
	return schema.StringValue(v.Text)
}

// Objects maps record families to the objects of the schema.
var Objects = map[string]string{
	"USERCFG":    "user",
	"GROUPCFG":   "group",
	"ACCOUNTCFG": "account",
	"CLASSCFG":   "partition",
	"QOSCFG":     "qos",
	"SYSCFG":     "cluster",
}

// Columns maps attributes to credential columns. CLASSWEIGHT of a group is missing on
// purpose: its parser always yields 0 (MGroupProcessConfig).
var Columns = map[string]string{
	"PRIORITY": "priority", "QTWEIGHT": "queue_time_weight", "XFWEIGHT": "xfactor_weight",
	"QTTARGET": "queue_time_target_seconds", "XFTARGET": "xfactor_target",
	"ADEF": "account_default", "QDEF": "qos_default", "QLIST": "qos_list", "DEFAULT.WCLIMIT": "walltime_default_seconds",
}

func (f *reader) object(o *mauicfg.Object, opt front.Options) {
	object, ok := Objects[o.Family]
	if !ok {
		return
	}
	for _, a := range o.Attrs {
		src := o.Family + " " + a.Name
		if o.Index != "" {
			src = fmt.Sprintf("%s[%s] %s", o.Family, o.Index, a.Name)
		}
		if a.From != "" {
			src = a.From
		}
		if column := schema.Lookup(
			schema.ColumnID(object + "." + Columns[a.Name]),
		); Columns[a.Name] != "" &&
			column != nil {
			f.column(o, object, column, a, src, opt)
		}
	}
}

// column sets a column of a credential. Who inherits from DEFAULT differs: users, groups
// and accounts take its priority when their own is 0; QOS and classes never do, although the
// manual says that a class does (MJobGetStartPriority; Δ4).
func (f *reader) column(
	o *mauicfg.Object,
	object string,
	column *schema.Column,
	a mauicfg.Attr,
	src string,
	opt front.Options,
) {
	v := Value(a.Value)
	switch {
	case column.Type == schema.Double && v.Type == schema.Int:
		v = schema.DoubleValue(float64(v.Int))
	case column.Type == schema.Int && v.Type == schema.Double:
		v = schema.IntValue(int64(v.Double))
	case column.Type == schema.StringList && v.Type == schema.String:
		v = schema.ListValue([]string{v.Str})
	}
	inherits := object == "user" || object == "group" || object == "account" ||
		object == "partition" && opt.Documented("class_default")
	switch {
	case object == "cluster":
		f.SetOthers(column.ID, v, a.Span, src)
	case o.Index == "DEFAULT" && inherits:
		f.SetOthers(column.ID, v, a.Span, src)
	case inherits && a.Name == "PRIORITY" && v.Int == 0:
		// An explicit 0 does not override DEFAULT.
	default:
		f.Set(column.ID, o.Index, v, a.Span, src)
	}
}

// facts carries every setting of a maui.cfg, in Maui's words.
func (f *reader) facts(cfg *mauicfg.Config) {
	var global ir.Record
	for _, p := range cfg.Params {
		a := ir.Attr{Name: p.Name, Index: p.Index, Span: p.NameSpan}
		global.Attrs = append(global.Attrs, mauiFact(a, p.Raw, p.Value))
	}
	f.Facts.Records = append(f.Facts.Records, global)
	for _, o := range cfg.Objects {
		r := ir.Record{Kind: o.Family, Name: o.Index, Span: o.Span}
		for _, a := range o.Attrs {
			fact := ir.Attr{Name: a.Name, Index: a.Sub, Old: a.From != "", Span: a.Span}
			r.Attrs = append(r.Attrs, mauiFact(fact, a.Raw, a.Value))
		}
		f.Facts.Records = append(f.Facts.Records, r)
	}
}

func mauiFact(a ir.Attr, raw string, v mauicfg.Value) ir.Attr {
	a.Text, a.Value, a.Soft, a.Hard = raw, Value(v), v.Soft, v.Hard
	if v.Kind == mauicfg.KindFSTarget {
		a.Kind = targetKinds[v.Target]
	}
	return a
}

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

// planning are the categories of parameters that say how jobs are placed.
var planning = map[string]bool{
	"backfill":             true,
	"reservation":          true,
	"standing reservation": true,
	"node":                 true,
	"nodeset":              true,
	"preempt":              true,
}

// planned are the families whose attributes say it too; of credentials it is their partitions alone.
var planned = map[string]bool{"SRCFG": true, "NODECFG": true}

// backfill carries what the planner needs: parameters by name and index, and attributes as
// FAMILY[name] ATTRIBUTE.
func (f *reader) backfill(cfg *mauicfg.Config) {
	for _, row := range stdlib.MauiParams.Params() {
		if !planning[row.Category] {
			continue
		}
		for _, p := range cfg.Params {
			if p.Name == row.Name {
				f.Backfill = append(f.Backfill, ir.Setting{Name: ir.SettingName(p.Name, p.Index, ""),
					Value: Value(p.Value), Unit: row.Unit, Span: p.Span})
			}
		}
	}
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		for _, a := range o.Attrs {
			if planned[o.Family] || a.Name == "PDEF" || a.Name == "PLIST" {
				f.Backfill = append(f.Backfill, ir.Setting{Name: ir.SettingName(o.Family, o.Index, a.Name),
					Value: Value(a.Value), Span: a.Span})
			}
		}
	}
}

// targetKinds are the suffixes of FSTARGET as the policy language calls them.
var targetKinds = map[mauicfg.TargetKind]string{
	mauicfg.Target:      "target",
	mauicfg.Floor:       "floor",
	mauicfg.Ceiling:     "ceiling",
	mauicfg.AbsoluteCap: "cap",
	mauicfg.RelativeCap: "relative_cap",
}

// fairshare carries the fairshare targets; the windows are parameters.
func (f *reader) fairshare(cfg *mauicfg.Config, opt front.Options) {
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		a := o.Attr("FSTARGET", "")
		object := Objects[o.Family]
		if a == nil || object == "" || object == "cluster" { // SYSCFG's is stored and never read
			continue
		}
		f.Targets = append(
			f.Targets,
			ir.Target{
				Object: object,
				Name:   o.Index,
				Others: o.Index == "DEFAULT" && DefaultShared(opt, object),
				Kind:   targetKinds[a.Value.Target],
				Value:  a.Value.Float,
				Span:   a.Span,
				Source: o.Family + "[" + o.Index + "] FSTARGET",
			},
		)
	}
}

// DefaultShared: the DEFAULT row is that of every credential without a target of its own, but
// for classes, whatever the manual says of them (MFSCalcFactor; Δ4).
func DefaultShared(o front.Options, object string) bool {
	return object != "partition" || o.Documented("class_default")
}
