// Package lower turns parsed files of any language into one ir.Policy.
//
// A dialect's file only assigns parameters and credentials of the library's
// policy of its family; a policy file adds to that or stands alone. What came from
// where is kept: every value points to the file that set it.
package lower

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/compiler/lower/maui"
	"github.com/fairway-sched/fairway/compiler/lower/slurm"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// Options are choices made outside the files; they win over what files say.
type Options = front.Options

// ParamOverride sets a parameter from outside the policy.
type ParamOverride = front.ParamOverride

// Query is an expression that the user asks of each job.
type Query = front.Query

// Lower makes one policy of the units. The policy is nil if there are errors.
func Lower(units []Unit, opt Options) (*ir.Policy, diag.List) {
	l := &lowering{opt: opt, params: newParams(), tables: newTables(), deviations: map[string]source.Span{}}
	l.policyFiles(units)
	l.chooseVersion(units)
	assumed := l.opt.Version == ""
	l.numberedDeviations()
	l.dialects(units)
	if !l.diags.HasErrors() {
		l.base()
	}
	if l.diags.HasErrors() {
		return nil, append(l.told, l.diags...)
	}
	l.assign()
	l.build()
	l.out.Assumed = assumed
	for _, w := range l.wrote {
		l.diags = w.findings(l.diags)
	}
	if l.diags.HasErrors() && !opt.Lenient {
		return nil, l.diags
	}
	return l.out, append(l.told, l.diags...)
}

type lowering struct {
	opt    Options
	site   []*policy.Policy // the policy files' blocks, in order
	fronts []*front.Front
	use    string // library policy, "" for a policy from scratch
	family string
	lib    *policy.Policy
	params *params
	tables *tables
	out    *ir.Policy
	diags  diag.List
	told   diag.List // of a scheduler's file, where its errors do not stop the lowering
	wrote  []*writtenFile

	version    source.Span            // where a policy file states the version
	deviations map[string]source.Span // where a policy file names a deviation
}

// policyFiles collects the blocks of policy files and what their headers choose.
func (l *lowering) policyFiles(units []Unit) {
	for _, u := range units {
		if u.HCL == nil {
			continue
		}
		if len(u.HCL.Policies) == 0 {
			d := l.diags.Errorf("no-policy", u.Source.Span(0, 0), "%s has no policy block", u.Source.Name)
			if len(u.HCL.Runs) > 0 {
				d.Note("it says how push is run: `fairway push --config %s`", u.Source.Name)
			} else {
				d.Note("tests are run with `fairway test`")
			}
		}
		l.site = append(l.site, u.HCL.Policies...)
	}
	for _, p := range l.site {
		if first := l.site[0]; p.Name.Value != first.Name.Value {
			l.diags.Errorf("several-policies", p.Name.Span, "this is policy %q, but %q was given too", p.Name.Value,
				first.Name.Value).
				NoteAt(first.Name.Span, "the other one").
				Note("several files may make one policy, under one name")
		}
		if p.Semantics.IsSet() && l.opt.Semantics == "" {
			l.opt.Semantics = p.Semantics.Value
		}
		if p.Version.IsSet() && l.opt.Version == "" {
			l.opt.Version, l.version = p.Version.Value, p.Version.Span
		}
		for _, d := range p.Deviations {
			l.opt.Deviations = append(l.opt.Deviations, d.Value)
			l.deviations[d.Value] = d.Span
		}
	}
}

// dialects lowers maui.cfg, slurm.conf and dumps, and picks the family.
func (l *lowering) dialects(units []Unit) {
	if l.opt.Version != "" {
		branch, ok := slurmconf.Branch(l.opt.Version)
		if !ok {
			d := unknownVersion(&l.diags, l.version, l.opt.Version)
			if l.opt.Version == l.opt.SnapshotVersion && l.version.IsZero() {
				d.Note("it is the version that the snapshot states; choose another with --slurm-version")
			}
			return
		}
		l.opt.Version = branch
	}
	for _, u := range units {
		var f *front.Front
		switch {
		case u.Maui != nil:
			stated := Stated([]Unit{u}, l.opt.Params)[0].Maui
			f = readMaui(stated, l.opt)
			for _, added := range stated.Included[len(u.Maui.Included):] {
				f.Diags = without(f.Diags, added.Source)
			}
		case u.Slurm != nil:
			stated := Stated([]Unit{u}, l.opt.Params)[0].Slurm
			f = slurm.Read(stated, l.opt)
			for _, added := range stated[len(u.Slurm):] {
				f.Diags = without(f.Diags, added.Span.File)
			}
			if u.Topology != nil {
				f.Switches = switchesOf(u.Topology)
			}
		case u.Dump != nil:
			if u.lowered == nil {
				u = u.Keep()
			}
			f = u.lowered
		default:
			continue
		}
		if l.opt.Lenient {
			l.told = append(l.told, f.Diags...)
		} else {
			l.diags = append(l.diags, f.Diags...)
		}
		l.join(f, u)
	}
	if !l.diags.HasErrors() {
		l.records()
	}
}

// without leaves out what is wrong with a line that states a parameter from outside: assign reports that.
func without(list diag.List, stated *source.File) diag.List {
	return slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return d.Span.File == stated })
}

// join adds a front, unless it belongs to another scheduler or repeats a main file.
func (l *lowering) join(f *front.Front, u Unit) {
	for _, other := range l.fronts {
		if other.Family != f.Family && u.Lang == Maui && onlyComments(u.Source.Text) {
			l.diags.Errorf("mixed-families", u.Source.Span(0, 0),
				"%s has comments only, and its name is that of a policy of maui, but another file is for %s",
				u.Source.Name, other.Family).
				Note("leave the file out, or say what it is: --lang %s", langNames())
			return
		}
		if other.Family != f.Family {
			l.diags.Errorf("mixed-families", u.Source.Span(0, 0),
				"%s is for %s, but another file is for %s", u.Source.Name, f.Family, other.Family).
				Note("one policy ranks one queue of one scheduler; evaluate them one by one")
			return
		}
		if f.Base != "" && other.Base != "" {
			l.diags.Errorf("two-main-files", u.Source.Span(0, 0),
				"%s is a second %s configuration", u.Source.Name, f.Family).
				Note("evaluate them one by one, or let the first include the second")
			return
		}
	}
	l.fronts = append(l.fronts, f)
}

// base finds the library policy to inherit: what the dialect needs, or what `use` names.
func (l *lowering) base() {
	for _, f := range l.fronts {
		if f.Base != "" {
			l.use = f.Base
		}
		l.family = f.Family
		if f.Version != "" && f.Base != "" {
			l.opt.Version = f.Version
		}
	}
	used := source.Span{}
	for _, p := range l.site {
		if !p.Use.IsSet() {
			continue
		}
		lib, ok := libraries[p.Use.Value]
		switch {
		case !ok:
			d := l.diags.Errorf("unknown-base", p.Use.Span, "there is no library policy %q", p.Use.Value)
			d.Note("the library has %s", strings.Join(libraryNames(), ", "))
			didYouMean(d, p.Use.Value, libraryNames())
		case l.family != "" && lib.family != l.family:
			l.diags.Errorf("mixed-families", p.Use.Span, "the policy uses %q, but another file is for %s", p.Use.Value,
				l.family).
				Note("one policy ranks one queue of one scheduler; evaluate them one by one")
		case l.use == "":
			l.use, l.family, used = p.Use.Value, lib.family, p.Use.Span
		case l.use != p.Use.Value:
			d := l.diags.Errorf(
				"base-conflict",
				p.Use.Span,
				"the policy uses %q, but another file needs %q",
				p.Use.Value,
				l.use,
			)
			if !used.IsZero() {
				d.NoteAt(used, "here")
			}
			d.Note(
				"PriorityType of a slurm.conf says which formula counts: priority/basic is slurm_basic, " +
					"the default before 23.11",
			)
		}
	}
	if l.use == "" && l.family == "slurm" {
		l.use = "slurm" // a dump alone: Slurm's formula with its defaults
	}
	if l.family == "slurm" && l.opt.Version == "" {
		l.opt.Version = cmp.Or(l.opt.Until, slurmconf.Newest())
	}
	if l.use != "" && !l.diags.HasErrors() && !l.opt.SettingsOnly {
		l.lib = library(l.use)
	}
}

// assign gives every parameter its value: default, then dialect, then policy
// files, then command line.
func (l *lowering) assign() {
	if l.family != "maui" {
		l.params.version = l.opt.Version
	}
	l.params.addFamily(l.family, l.opt)
	for _, p := range l.layers() {
		for i := range p.ParamDecls {
			l.params.declare(&p.ParamDecls[i], l.family, &l.diags)
		}
	}
	for _, f := range l.fronts {
		for _, s := range f.Params {
			l.params.assign(s)
		}
		l.tables.rows = f.Each
		for _, r := range f.Rows {
			l.tables.set(r.Column, r.TableRow)
		}
		for _, r := range f.Others {
			l.tables.setOthers(r.Column, r.TableRow)
		}
	}
	var settings []policy.ParamSetting
	for _, p := range l.site {
		for _, s := range p.Params {
			if old := l.params.find(s.Name.Value); old != nil && l.params.site[old.Name] && !p.Override {
				l.needsOverride(s.Name.Span, "param "+old.Name, old.Set)
				continue
			}
			settings = append(settings, s)
		}
	}
	for _, o := range l.opt.Params {
		settings = append(settings, l.override(o))
	}
	l.params.reader = l.reader(settings)
	for _, s := range settings {
		l.params.assignPolicy(s, l.family, &l.diags)
		l.priorityType(s)
	}
	l.params.unset(l.opt.Unset)
}

// override is a setting from outside. The text for a scheduler's parameter stays as it is.
func (l *lowering) override(o ParamOverride) policy.ParamSetting {
	s := policy.ParamSetting{Name: policy.Text{Value: o.Name, Span: o.Span}, Value: o.Typed, Raw: o.Value, Span: o.Span}
	if s.Value.Known() {
		return s
	}
	s.Value = schema.StringValue(o.Value)
	if p := l.params.find(o.Name); p != nil && l.params.decls[p.Name] != nil {
		s.Value = overrideValue(o.Value, l.params.decls[p.Name].Type)
	}
	return s
}

// reader knows what decides how the settings are read. Which TRES are tracked may
// be among the settings themselves, after the weights that name them.
func (l *lowering) reader(settings []policy.ParamSetting) reader {
	r := reader{family: l.family, slurm: slurmconf.Options{Version: l.opt.Version}, maui: maui.Reading(l.opt)}
	if p := l.params.by["AccountingStorageTRES"]; p != nil && !p.Set.IsZero() {
		r.tracked = p.Value.Str
	}
	for _, s := range settings {
		if s.Name.Value == "AccountingStorageTRES" {
			r.tracked, _ = r.text(&ir.Param{Type: schema.String}, s.Value)
		}
	}
	return r
}

// priorityType: the formula is chosen with `use`, or in slurm.conf, and nothing else.
func (l *lowering) priorityType(s policy.ParamSetting) {
	is := map[string]string{"slurm": "priority/multifactor", "slurm_basic": "priority/basic"}[l.use]
	p := l.params.by["PriorityType"]
	if s.Name.Value != "PriorityType" || p == nil || p.Set != s.Span || strings.EqualFold(p.Value.Str, is) {
		return
	}
	l.diags.Errorf("base-conflict", s.Span, "PriorityType %s does not fit the policy %q in use", p.Value.Str, l.use).
		Note("the formula is chosen with use = \"slurm\" or \"slurm_basic\", or in a slurm.conf")
}

// needsOverride: a later file may change an earlier one only where it says so,
// so that nothing is shadowed by accident.
func (l *lowering) needsOverride(span source.Span, what string, earlier source.Span) {
	l.diags.Errorf("needs-override", span, "%s is already set by an earlier file", what).
		NoteAt(earlier, "here").
		Note("to change it, write override = true in the policy block, or in the credential's; else remove one of " +
			"the two")
}

func (l *lowering) layers() []*policy.Policy {
	if l.lib == nil {
		return l.site
	}
	return append([]*policy.Policy{l.lib}, l.site...)
}

// build evaluates the layers, merges them and compiles what they say.
func (l *lowering) build() {
	l.out = &ir.Policy{Name: l.name(), Family: l.family, Version: l.opt.Version, Semantics: "observed"}
	if l.family != "slurm" {
		l.out.Version = ""
	}
	if l.opt.Semantics != "" {
		l.out.Semantics = l.opt.Semantics
	}
	documented := l.deviating()
	values := map[string]schema.Value{}
	for _, p := range l.params.list {
		values[p.Name] = p.Value
	}
	version := versionNumber(l.out.Version)
	scope := policy.Scope{Params: values, Documented: documented, Version: int(version)}

	doc := &policy.Document{}
	if !l.opt.SettingsOnly {
		if doc = l.merge(scope); doc == nil {
			return
		}
	}
	l.windowsBlock(doc)
	l.treeBlock(doc)
	l.params.unset(l.opt.Unset)
	for _, p := range l.params.list {
		values[p.Name] = p.Value
		l.out.Params = append(l.out.Params, *p)
	}
	b := &builder{params: l.params, out: l.out, diags: &l.diags}
	if !l.opt.SettingsOnly {
		consts := celexpr.Options{Params: values, Documented: documented, Version: version}
		b.env, b.partitions = celexpr.NewEnv(consts), l.partitionScopes(consts)
		b.document(doc)
		b.queries(l.opt.Queries)
	}
	for _, f := range l.fronts {
		if l.limitsEnforced() {
			l.out.Limits = append(l.out.Limits, f.Limits...)
		}
		l.out.Backfill = append(l.out.Backfill, f.Backfill...)
		l.out.NodeRecords = append(l.out.NodeRecords, f.NodeRecords...)
		if f.Partition != "" {
			l.out.Partition = f.Partition
		}
		l.out.Switches = append(l.out.Switches, f.Switches...)
	}
	b.credentials(doc, l)
	b.unreadDefines()
	l.fairshare(doc)
	l.out.Usage = l.stated(doc.Usage)
	l.systemWalltime()
	l.hints()
	l.out.Tables = l.tables.finished()
	l.out.Options = l.options()
	l.out.Enforced = l.enforced()
	l.out.SlurmPlan = l.slurmPlan()
	Place(l.out)
	l.out.Counting, l.out.Placed = families[l.family].counting, families[l.family].placed
	l.facts()
	l.leaveOut()
}

// limitsEnforced: Slurm's association and QOS limits apply only where
// AccountingStorageEnforce says so.
func (l *lowering) limitsEnforced() bool {
	p := l.params.by["AccountingStorageEnforce"]
	if l.family != "slurm" || p == nil || p.Set.IsZero() {
		return l.family != "slurm"
	}
	enforce, _ := slurmconf.ParseEnforce(p.Value.Str)
	return enforce.Limits
}

// merge lays the site's blocks over the library's: several files of one policy
// first become one, then that inherits by name.
func (l *lowering) merge(scope policy.Scope) *policy.Document {
	var base, site *policy.Document
	eval := func(p *policy.Policy) *policy.Document {
		d, diags := p.Evaluate(scope)
		l.diags = append(l.diags, diags...)
		return d
	}
	if l.lib != nil {
		base = eval(l.lib)
		if below := libraryBase(l.use); below != nil {
			base, _ = policy.Apply(eval(below), base, false)
		}
	}
	for _, p := range l.site {
		d := eval(p)
		l.out.Span = l.site[0].Span
		if site == nil {
			site = d
			continue
		}
		merged, diags := policy.Apply(site, d, true)
		l.diags = append(l.diags, diags...)
		site = merged
	}
	switch {
	case base == nil && site == nil:
		l.diags.Errorf("no-policy", source.Span{}, "no policy was given")
		return nil
	case base == nil:
		return site
	case site == nil:
		return base
	}
	merged, diags := policy.ApplyBeside(base, site, l.inFronts)
	l.diags = append(l.diags, diags...)
	return merged
}

// inFronts reports a credential that a scheduler's own file says something of.
func (l *lowering) inFronts(object, name string) bool {
	return slices.ContainsFunc(l.fronts, func(f *front.Front) bool {
		return slices.ContainsFunc(
			f.Rows,
			func(r front.Row) bool { return r.Column.Object() == object && r.Name == name },
		) ||
			slices.ContainsFunc(
				f.Others,
				func(r front.Row) bool { return r.Column.Object() == object && name == "DEFAULT" },
			) ||
			slices.ContainsFunc(f.Associations, func(a ir.Association) bool {
				return object == "account" && a.Account == name || object == "user" && a.User == name
			}) ||
			slices.ContainsFunc(f.Limits, func(t ir.Limit) bool { return t.Object == object && t.Row == name }) ||
			slices.ContainsFunc(f.Targets, func(t ir.Target) bool { return t.Object == object && t.Name == name })
	})
}

func (l *lowering) name() string {
	if len(l.site) > 0 {
		return l.site[0].Name.Value
	}
	return l.use
}

// leaveOut removes what the user asked to leave out.
func (l *lowering) leaveOut() {
	for _, name := range l.opt.Without {
		n := len(l.out.Components)
		if name == "fairshare" {
			l.switchOffFairshare()
		}
		l.out.Components = slices.DeleteFunc(l.out.Components, func(c ir.Component) bool { return c.Name == name })
		switch {
		case name == "limits":
			l.out.Limits = nil
		case len(l.out.Components) == n:
			d := l.diags.Errorf("unknown-component", source.Span{}, "there is no component %q to leave out", name)
			d.Note("the policy has %s", strings.Join(componentNames(l.out), ", "))
			didYouMean(d, name, componentNames(l.out))
			continue
		}
		l.out.Without = append(l.out.Without, name)
	}
}

func componentNames(p *ir.Policy) []string {
	names := []string{"limits"}
	for _, c := range p.Components {
		names = append(names, c.Name)
	}
	return names
}
