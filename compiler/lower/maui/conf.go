// Package maui reads what a maui.cfg says, in the words of the library's policy.
package maui

import (
	"fmt"

	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
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
