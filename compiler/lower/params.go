package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/compiler/lower/maui"
	"github.com/fairway-sched/fairway/compiler/lower/mauiplan"
	"github.com/fairway-sched/fairway/compiler/lower/slurm"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// params is the table of every parameter of a policy, by name.
type params struct {
	list  []*ir.Param
	decls map[string]*policy.ParamDecl // those a policy file declares
	by    map[string]*ir.Param
	site  map[string]bool   // those that a dialect's file sets
	alias map[string]string // other names

	version string // of the scheduler, "" where that means nothing
	reader  reader
}

func newParams() *params {
	return &params{
		decls: map[string]*policy.ParamDecl{},
		by:    map[string]*ir.Param{},
		site:  map[string]bool{},
		alias: map[string]string{},
	}
}

// find looks a parameter up by its name or another name it has.
func (ps *params) find(name string) *ir.Param {
	if p := ps.by[name]; p != nil {
		return p
	}
	return ps.by[ps.alias[name]]
}

func (ps *params) add(p *ir.Param) {
	if old := ps.by[p.Name]; old != nil {
		*old = *p
		return
	}
	ps.list = append(ps.list, p)
	ps.by[p.Name] = p
}

// addFamily declares the parameters of a scheduler with their defaults: the
// program's, or its manual's where that is followed.
func (ps *params) addFamily(family string, opt Options) {
	switch family {
	case "maui":
		for _, row := range stdlib.MauiParams.Params() {
			if row.Effective == "alias" || row.ReplacedBy != "" && inManual(opt, row) {
				ps.alias[row.Name] = row.ReplacedBy
				continue
			}
			if t := mauiParamType(
				row,
				opt,
			); t != schema.Invalid &&
				(row.Effective != "documented-only" || inManual(opt, row)) {
				ps.add(
					&ir.Param{Name: row.Name, Type: t, Unit: row.Unit, Doc: row.Doc, Default: mauiDefault(row, t, opt)},
				)
			}
		}
	case "slurm":
		for _, row := range stdlib.SlurmParams.Params() {
			if row.Record == "global" {
				ps.add(
					&ir.Param{
						Name:    row.Name,
						Type:    slurm.Type(row.Type),
						Unit:    row.Unit,
						Doc:     row.Doc,
						Default: slurmDefault(row.Name, slurm.Type(row.Type), opt.Version),
					},
				)
			}
		}
	}
	for _, p := range ps.list {
		p.Value = p.Default
	}
}

func mauiType(tableType string) schema.Type {
	switch tableType {
	case "int", "weight", "time", "limit", "memory":
		return schema.Int
	case "float":
		return schema.Double
	case "bool":
		return schema.Bool
	case "enum", "string", "path":
		return schema.String
	case "list":
		return schema.StringList
	}
	return schema.Invalid
}

// inManual reports whether a parameter that Maui's parser does not have counts
// all the same.
func inManual(o Options, row stdlib.Param) bool {
	switch {
	case row.Effective != "documented-only":
		return false
	case row.ReplacedBy == "BACKFILLMETRIC":
		return o.Documented("backfill_metric")
	}
	return o.Documented("manual_parameters")
}

// mauiParamType is the type of a parameter; caps may have fractions in the manual.
func mauiParamType(row stdlib.Param, opt Options) schema.Type {
	if opt.Documented("fractional_caps") && mauicfg.FractionInManual(row.Name) {
		return schema.Double
	}
	return mauiType(row.Type)
}

// defaultSwitches are the parameters whose default has a switch of its own; all
// others have "defaults".
var defaultSwitches = map[string]string{
	"RESWEIGHT": "component_weight_defaults", "FSWEIGHT": "component_weight_defaults",
	"TARGETWEIGHT": "component_weight_defaults", "USAGEWEIGHT": "component_weight_defaults",
	"REJECTNEGPRIOJOBS": "reject_negative_default", "USESYSTEMQUEUETIME": "queue_time_source",
}

// manualDefault reports whether a parameter's default is the manual's.
func manualDefault(o Options, param string) bool {
	if name, ok := defaultSwitches[param]; ok {
		return o.Documented(name)
	}
	if row := mauiplan.Row(param); row.Effective == "documented-only" {
		return true // the program has none
	}
	return o.Documented("defaults")
}

// mauiDefault takes the manual's default if asked to and it is one that Maui
// could read; some are words such as INFINITY in a number's place.
func mauiDefault(row stdlib.Param, t schema.Type, opt Options) schema.Value {
	if manualDefault(opt, row.Name) && row.DocDefault != "" {
		if v, ok := mauicfg.ReadValue(row.Name, row.DocDefault); ok {
			if boxed := maui.Value(v); boxed.Type == t {
				return boxed
			}
		}
	}
	if v, ok := mauicfg.Default(row.Name); ok {
		if boxed := maui.Value(v); boxed.Type == t {
			return boxed
		}
	}
	return schema.Value{Type: t}
}

// slurmDefault is the zero of its type for a key without a default or unknown to the
// version: the formulas read every key they know of.
func slurmDefault(name string, t schema.Type, version string) schema.Value {
	v, ok := slurmconf.DefaultValue(name, version)
	if !ok {
		return schema.Value{Type: t}
	}
	return slurm.Value(name, v)
}

// declare adds a parameter that a policy file declares. Those of the inherited
// scheduler exist already, with a type that its formula relies on.
func (ps *params) declare(d *policy.ParamDecl, family string, diags *diag.List) {
	if ps.find(d.Name) != nil && ps.decls[d.Name] == nil {
		diags.Errorf("param-exists", d.Span, "%s is a parameter already", d.Name).
			Note("to set it, write params = { %s = … }; for one of your own choose another name", d.Name)
		return
	}
	for _, v := range []policy.Text{d.Since, d.Until} {
		if _, ok := slurmconf.Branch(v.Value); v.IsSet() && !ok {
			unknownVersion(diags, v.Span, v.Value)
		}
	}
	v := d.Default
	if !v.Known() {
		v = schema.Value{Type: declType(d.Type)}
	}
	ps.decls[d.Name] = d
	ps.add(&ir.Param{Name: d.Name, Type: v.Type, Unit: d.Unit, Doc: d.Doc.Value, Default: v, Value: v})
	for _, other := range d.Aliases {
		if p := ps.find(other); p != nil && p.Name != d.Name {
			diags.Errorf("param-exists", d.Span, "%s, another name of %s, is a parameter already", other, d.Name).
				Note("choose another name")
			continue
		}
		ps.alias[other] = d.Name
	}
}

func unknownVersion(diags *diag.List, span source.Span, version string) *diag.Diagnostic {
	return diags.Errorf("unknown-slurm-version", span, "Slurm %s is not known", version).
		Note("write a release as YY.MM, such as 22.05; the newest known is %s", slurmconf.Newest())
}

func declType(t policy.Type) schema.Type {
	switch t {
	case policy.Integer, policy.Duration, policy.Memory:
		return schema.Int
	case policy.Number:
		return schema.Double
	case policy.Bool:
		return schema.Bool
	case policy.List:
		return schema.StringList
	}
	return schema.String
}

// assign gives a parameter the value a dialect's file sets. Names the table
// does not have as parameters (records, ignored keys) were reported by the parser.
func (ps *params) assign(s front.Setting) {
	if p := ps.by[s.Name]; p != nil && p.Type == s.Value.Type {
		p.Value, p.Set, p.Raw = s.Value, s.Span, s.Raw
		ps.site[p.Name] = true
	}
}

// assignPolicy gives a parameter the value of a policy's `params`.
func (ps *params) assignPolicy(s policy.ParamSetting, family string, diags *diag.List) {
	p := ps.find(s.Name.Value)
	if p == nil {
		ps.unknown(s, family, diags)
		return
	}
	d := ps.decls[p.Name]
	if d == nil {
		if v, ok := ps.reader.read(p, s, diags); ok {
			p.Value, p.Set, p.Raw = v, s.Span, s.Raw
		}
		return
	}
	v, list := d.Convert(s)
	*diags = append(*diags, list...)
	if v.Known() && ps.inVersion(d, s, diags) {
		p.Value, p.Set, p.Raw = v, s.Span, s.Raw
	}
}

// unset puts parameters back to their defaults.
func (ps *params) unset(names []string) {
	for _, name := range names {
		if p := ps.by[name]; p != nil {
			p.Value, p.Set, p.Raw = p.Default, source.Span{}, ""
		}
	}
}

// inVersion: a parameter is set only where the policy's version has it.
func (ps *params) inVersion(d *policy.ParamDecl, s policy.ParamSetting, diags *diag.List) bool {
	v := versionNumber(ps.version)
	early := d.Since.IsSet() && v < versionNumber(d.Since.Value)
	late := d.Until.IsSet() && v >= versionNumber(d.Until.Value)
	if v == 0 || !early && !late {
		return true
	}
	var span []string
	if d.Since.IsSet() {
		span = append(span, "from "+d.Since.Value+" on")
	}
	if d.Until.IsSet() {
		span = append(span, "before "+d.Until.Value)
	}
	diags.Errorf("param-version", s.Name.Span, "%s is a parameter %s, but the policy is for %s", d.Name,
		strings.Join(span, " and "), ps.version).
		NoteAt(d.Span, "declared here").
		Note("remove the setting, or evaluate for a version that has it")
	return false
}

func (ps *params) unknown(s policy.ParamSetting, family string, diags *diag.List) {
	names := make([]string, 0, len(ps.by))
	for name := range ps.by {
		names = append(names, name)
	}
	slices.Sort(names)
	d := diags.Errorf("unknown-param", s.Name.Span, "there is no parameter %s", s.Name.Value)
	if family == "" {
		d.Note("declare it with a param block, or inherit a scheduler's parameters with use")
	} else {
		d.Note("the %s policy declares %d parameters; `fairway doc params %s` lists them", family, len(names), family)
	}
	d.DidYouMean(s.Name.Span, s.Name.Value, names)
}

// article names a type in a sentence.
var article = map[schema.Type]string{
	schema.Bool:       "a bool",
	schema.Int:        "a whole number",
	schema.Double:     "a number",
	schema.String:     "a string",
	schema.StringList: "a list of strings",
}
