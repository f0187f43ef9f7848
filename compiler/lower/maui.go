package lower

import (
	"fmt"

	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
)

// fromMaui turns a loaded maui.cfg into settings of the library's maui policy.
func fromMaui(file *mauicfg.File, opt Options) *front {
	cfg, diags := mauicfg.Evaluate(file, opt.maui())
	f := &front{base: "maui", family: "maui", maui: cfg, diags: manualNotes(diags)}
	for _, p := range cfg.Params {
		f.mauiParam(p, opt)
	}
	for i := range cfg.Objects {
		f.mauiObject(&cfg.Objects[i], opt)
	}
	f.mauiLimits(cfg, opt)
	f.mauiFairshare(cfg, opt)
	f.mauiBackfill(cfg)
	f.mauiFlags(cfg, opt)
	f.mauiPartitions(cfg, opt)
	f.mauiFacts(cfg)
	return f
}

// MauiConfig is what Maui holds after loading a file under the given choices.
func MauiConfig(file *mauicfg.File, opt Options) *mauicfg.Config {
	cfg, _ := mauicfg.Evaluate(file, opt.maui())
	return cfg
}

// mauiQOS maps the old-style parameters of a QOS to columns. QOSTARGETQT is here for
// those who follow the manual; its value never arrives in Maui's parser, so it is 0.
var mauiQOS = map[string]schema.ColumnID{
	"QOSPRIORITY": "qos.priority", "QOSQTWEIGHT": "qos.queue_time_weight", "QOSXFWEIGHT": "qos.xfactor_weight",
	"QOSTARGETXF": "qos.xfactor_target", "QOSTARGETQT": "qos.queue_time_target_seconds",
}

func (f *front) mauiParam(p mauicfg.Param, opt Options) {
	switch column := mauiQOS[p.Name]; {
	case p.Name == "QOSTARGETQT" && !opt.documented("queue_time_target"):
	case column != "" && p.Index != "":
		f.set(column, p.Index, mauiValue(p.Value), p.Span, p.Name+"["+p.Index+"]")
	case p.Index != "" && p.Index != "0": // of a partition: partition_weights.go
	default:
		f.params = append(f.params, setting{p.Name, mauiValue(p.Value), p.Raw, p.Span})
	}
}

// mauiValue is the value as expressions see it: times in seconds, memory in MB.
func mauiValue(v mauicfg.Value) schema.Value {
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

// mauiFamilies maps record families to the objects of the schema.
var mauiFamilies = map[string]string{
	"USERCFG": "user", "GROUPCFG": "group", "ACCOUNTCFG": "account", "CLASSCFG": "partition", "QOSCFG": "qos", "SYSCFG": "cluster",
}

// mauiColumns maps attributes to credential columns. CLASSWEIGHT of a group is missing on
// purpose: its parser always yields 0 (MGroupProcessConfig).
var mauiColumns = map[string]string{
	"PRIORITY": "priority", "QTWEIGHT": "queue_time_weight", "XFWEIGHT": "xfactor_weight",
	"QTTARGET": "queue_time_target_seconds", "XFTARGET": "xfactor_target",
	"QDEF": "qos_default", "QLIST": "qos_list", "DEFAULT.WCLIMIT": "walltime_default_seconds",
}

func (f *front) mauiObject(o *mauicfg.Object, opt Options) {
	object, ok := mauiFamilies[o.Family]
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
		if column := schema.Lookup(schema.ColumnID(object + "." + mauiColumns[a.Name])); mauiColumns[a.Name] != "" && column != nil {
			f.mauiColumn(o, object, column, a, src, opt)
		}
	}
}

// mauiColumn sets a column of a credential. Who inherits from DEFAULT differs: users, groups
// and accounts take its priority when their own is 0; QOS and classes never do, although the
// manual says that a class does (MJobGetStartPriority; Δ4).
func (f *front) mauiColumn(o *mauicfg.Object, object string, column *schema.Column, a mauicfg.Attr, src string, opt Options) {
	v := mauiValue(a.Value)
	switch {
	case column.Type == schema.Double && v.Type == schema.Int:
		v = schema.DoubleValue(float64(v.Int))
	case column.Type == schema.Int && v.Type == schema.Double:
		v = schema.IntValue(int64(v.Double))
	case column.Type == schema.StringList && v.Type == schema.String:
		v = schema.ListValue([]string{v.Str})
	}
	inherits := object == "user" || object == "group" || object == "account" ||
		object == "partition" && opt.documented("class_default")
	switch {
	case object == "cluster":
		f.setOthers(column.ID, v, a.Span, src)
	case o.Index == "DEFAULT" && inherits:
		f.setOthers(column.ID, v, a.Span, src)
	case inherits && a.Name == "PRIORITY" && v.Int == 0:
		// An explicit 0 does not override DEFAULT.
	default:
		f.set(column.ID, o.Index, v, a.Span, src)
	}
}
