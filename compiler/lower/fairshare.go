package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/maui"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// windowUsage maps what usage may be called in a windows block to FSPOLICY's words.
var windowUsage = []struct{ word, policy string }{
	{"dedicated_proc_seconds", "DEDICATEDPS"},
	{"dedicated_pe_seconds", "DEDICATEDPES"},
	{"utilized_proc_seconds", "UTILIZEDPS"},
}

// usageWords lists the words of a windows block.
func usageWords() []string {
	var words []string
	for _, u := range windowUsage {
		words = append(words, u.word)
	}
	return words
}

// windowParams are the settings of a windows block that are parameters of maui.cfg too.
var windowParams = []struct{ name, param string }{
	{"usage", "FSPOLICY"},
	{"interval", "FSINTERVAL"},
	{"depth", "FSDEPTH"},
	{"decay", "FSDECAY"},
}

// usageWord splits FSPOLICY: its word as a windows block has it, and whether factors are ratios.
func usageWord(fspolicy string) (word string, ratio bool) {
	name, ratio := strings.CutSuffix(fspolicy, "%")
	for _, u := range windowUsage {
		if u.policy == name {
			return u.word, ratio
		}
	}
	return "", false
}

// windowsBlock makes the windows block of a policy that uses maui set the parameters it
// stands for, so that there is one truth: expressions see param.FSPOLICY as the model does.
func (l *lowering) windowsBlock(d *policy.Document) {
	if l.family != "maui" {
		return
	}
	for _, f := range d.Fairshare {
		if f.Name != "windows" {
			continue
		}
		block := blockSettings(f)
		usage, ratio := l.params.by["FSPOLICY"], block["ratio"]
		was, _ := strings.CutSuffix(usage.Value.Str, "%")
		if was == "" {
			was = "DEDICATEDPS" // the block switches the model on
		}
		if s, ok := block["usage"]; ok {
			if was = l.fspolicy(s); was == "" {
				return
			}
		}
		suffix := strings.TrimPrefix(usage.Value.Str, strings.TrimSuffix(usage.Value.Str, "%"))
		if ratio.IsSet() {
			suffix = map[int64]string{1: "%"}[ratio.Value.Int]
		}
		if text := was + suffix; text != usage.Value.Str {
			set := f.Span
			for _, name := range []string{"ratio", "usage"} {
				if s := block[name]; s.IsSet() {
					set = s.Span
				}
			}
			l.setWindowParam(f, "FSPOLICY", schema.StringValue(text), set)
		}
		for _, p := range windowParams[1:] {
			if s, ok := block[p.name]; ok {
				l.setWindowParam(f, p.param, s.Value, s.Span)
			}
		}
	}
}

func blockSettings(f policy.Fairshare) map[string]policy.Setting {
	m := map[string]policy.Setting{}
	for _, s := range f.Settings {
		m[s.Name] = s
	}
	return m
}

// fspolicy is the parameter's word for a usage, "" for a word that windows do not know.
func (l *lowering) fspolicy(s policy.Setting) string {
	for _, u := range windowUsage {
		if u.word == s.Value.Str {
			return u.policy
		}
	}
	d := l.diags.Errorf("fairshare-usage", wordPlace(s.Span, s.Value.Str), "windows cannot count %q", s.Value.Str)
	d.Note("what they count is one of %s", strings.Join(usageWords(), ", "))
	didYouMean(d, s.Value.Str, usageWords())
	return ""
}

// setWindowParam gives a parameter the block's value, read with its own bounds, unless the
// command line sets it.
func (l *lowering) setWindowParam(f policy.Fairshare, name string, v schema.Value, span source.Span) {
	p := l.params.by[name]
	if slices.ContainsFunc(l.opt.Params, func(o ParamOverride) bool { return l.params.find(o.Name) == p }) {
		return
	}
	whole := slices.ContainsFunc(l.site, func(s *policy.Policy) bool { return s.Override })
	if !p.Set.IsZero() && p.Value.String() != asType(v, p.Type).String() && !whole && !f.Override {
		l.needsOverride(span, name, p.Set)
		return
	}
	l.params.assignPolicy(
		policy.ParamSetting{Name: policy.Text{Value: name, Span: span}, Value: v, Raw: span.Text(), Span: span},
		l.family,
		&l.diags,
	)
}

// asType gives an HCL number the type of a parameter.
func asType(v schema.Value, t schema.Type) schema.Value {
	switch {
	case v.Type == schema.Int && t == schema.Double:
		return schema.DoubleValue(float64(v.Int))
	case v.Type == schema.Double && t == schema.Int:
		return schema.IntValue(int64(v.Double))
	}
	return v
}

// fairshare makes the policy's models: Maui's windows from its parameters, those of a policy
// from scratch from its block with Maui's defaults, the others as their blocks say.
func (l *lowering) fairshare(d *policy.Document) {
	windows := ir.Fairshare{}
	if l.family == "maui" {
		windows = l.mauiWindows()
	}
	var others []ir.Fairshare
	for _, f := range d.Fairshare {
		l.knownSettings(f)
		switch {
		case f.Name == "windows" && l.family == "maui":
			windows.Span = f.Span
		case f.Name == "windows":
			windows = l.scratchWindows(f)
		case !slices.Contains(treeModels, f.Name):
			others = append(others, otherModel(f))
		}
	}
	windows.Targets = l.targets(d)
	if windows.Model == "" && len(windows.Targets) > 0 { // check says what is missing
		windows.Span = windows.Targets[0].Span
	}
	if windows.Model != "" || len(windows.Targets) > 0 {
		l.out.Fairshare = append(l.out.Fairshare, windows)
	}
	l.out.Fairshare = append(l.out.Fairshare, others...)
	if tree, ok := l.tree(d); ok {
		l.out.Fairshare = append(l.out.Fairshare, tree)
	} else {
		l.sharesWithoutTree(d)
	}
}

// sharesWithoutTree says of shares that nothing reads them.
func (l *lowering) sharesWithoutTree(d *policy.Document) {
	for i := range d.Credentials {
		for _, s := range treeShares(&d.Credentials[i]) {
			l.diags.Warnf("fairshare-shares-unused", s.Span, "shares have no effect without an account tree").
				Note("add a block to the policy: fairshare \"fair_tree\" { half_life = \"7d\" }")
			return
		}
	}
}

// targets lists those of the dialect's file, then those of policy files, which may take the
// place of earlier ones where they say so.
func (l *lowering) targets(d *policy.Document) []ir.Target {
	var list []ir.Target
	for _, f := range l.fronts {
		list = append(list, f.Targets...)
	}
	earlier := list
	whole := slices.ContainsFunc(l.site, func(p *policy.Policy) bool { return p.Override })
	for i := range d.Credentials {
		c := &d.Credentials[i]
		same := func(o ir.Target) bool { return o.Object == c.Object && o.Name == c.Name }
		at := slices.IndexFunc(earlier, same)
		switch {
		case len(treeShares(c)) == len(c.Shares):
			continue
		case at >= 0 && !whole && !c.Override:
			l.needsOverride(c.Shares[0].Span, "the fairshare target of "+c.Word+" "+c.Name, earlier[at].Span)
			continue
		case at >= 0:
			list = slices.DeleteFunc(list, same)
		}
		list = append(list, l.targetsOf(c)...)
	}
	return list
}

// targetsOf reads the fairshare block of a credential: what moves priorities and what caps
// usage are two things, one of each.
func (l *lowering) targetsOf(c *policy.Credential) []ir.Target {
	var list []ir.Target
	for _, s := range c.Shares {
		if s.Name == "shares" {
			continue // of a tree
		}
		if !l.targetNumber(c, s) {
			continue
		}
		t := ir.Target{
			Object: c.Object,
			Name:   c.Name,
			Kind:   s.Name,
			Value:  asType(s.Value, schema.Double).Double,
			Span:   s.Span,
			Others: c.Name == "DEFAULT" && (l.family != "maui" || maui.DefaultShared(l.opt, c.Object)),
			Source: c.Word + " " + c.Name + " fairshare " + s.Name,
		}
		twin := func(o ir.Target) bool { return o.Caps() == t.Caps() }
		if first := slices.IndexFunc(list, twin); first >= 0 {
			l.diags.Errorf("fairshare-two-targets", s.Span, "%s %s has both %s and %s", c.Word, c.Name,
				list[first].Kind, t.Kind).
				NoteAt(list[first].Span, "the other one").
				Note("a credential has one of target, floor and ceiling, and one of cap and relative_cap; remove one " +
					"of the two")
			continue
		}
		list = append(list, t)
	}
	return list
}

// switchOffFairshare leaves fairshare out: Maui's with its caps, and trees.
func (l *lowering) switchOffFairshare() {
	l.out.Fairshare = slices.DeleteFunc(
		l.out.Fairshare,
		func(f ir.Fairshare) bool { return slices.Contains(treeModels, f.Model) },
	)
	for i := range l.out.Fairshare {
		f := &l.out.Fairshare[i]
		if f.Model == "windows" && l.family == "maui" {
			f.Settings[0].Value = schema.StringValue("") // usage
		}
	}
}

func otherModel(f policy.Fairshare) ir.Fairshare {
	out := ir.Fairshare{Model: f.Name, Span: f.Span}
	for _, s := range f.Settings {
		out.Settings = append(
			out.Settings,
			ir.Setting{Name: s.Name, Value: s.Value, Unit: string(s.Unit), Span: s.Span},
		)
	}
	return out
}

// mauiWindows reads the parameters. An FSPOLICY that is not set leaves usage "": nothing
// is counted, and reports still show what is set.
func (l *lowering) mauiWindows() ir.Fairshare {
	p := l.params.by["FSPOLICY"]
	word, ratio := usageWord(p.Value.Str)
	if s := l.params.by["FSSECONDARYGROUPS"]; s.Value.Int != 0 && word != "" {
		l.diags.Warnf("fairshare-secondary-groups", s.Set,
			"only a job's own group counts for fairshare: no snapshot has the user's other groups").
			Note("Maui would move such a job to a group of its user that has an FSTARGET; give its own group the " +
				"target")
	}
	out := ir.Fairshare{Model: "windows", Span: p.Set, AnyDecay: true, Settings: []ir.Setting{
		{
			Name:  "usage",
			Value: schema.StringValue(word),
			Span:  p.Set,
		},
		{Name: "ratio", Value: schema.BoolValue(ratio), Span: p.Set},
	}}
	for _, s := range windowParams[1:] {
		p := l.params.by[s.param]
		out.Settings = append(out.Settings, ir.Setting{Name: s.name, Value: p.Value, Unit: p.Unit, Span: p.Set})
	}
	return out
}

// scratchWindows: what a block leaves out is as Maui has it.
func (l *lowering) scratchWindows(f policy.Fairshare) ir.Fairshare {
	block := blockSettings(f)
	usage := ir.Setting{Name: "usage", Value: schema.StringValue(windowUsage[0].word)}
	if s, ok := block["usage"]; ok {
		l.fspolicy(s)
		usage.Value, usage.Span = s.Value, s.Span
	}
	ratio := ir.Setting{Name: "ratio", Value: schema.BoolValue(false)}
	if s, ok := block["ratio"]; ok {
		ratio.Value, ratio.Span = s.Value, s.Span
	}
	out := ir.Fairshare{Model: "windows", Span: f.Span, Settings: []ir.Setting{usage, ratio}}
	for _, p := range windowParams[1:] {
		standard, _ := mauicfg.Default(p.param)
		set := ir.Setting{Name: p.name, Value: maui.Value(standard)}
		if s, ok := block[p.name]; ok {
			set.Value, set.Unit, set.Span = asType(s.Value, set.Value.Type), string(s.Unit), s.Span
		}
		out.Settings = append(out.Settings, set)
	}
	return out
}

// modelSettings are the settings that a fairshare model reads. A block of the language takes those of
// all models.
func modelSettings(model string) []string {
	var names []string
	switch {
	case model == "windows":
		for _, p := range windowParams {
			names = append(names, p.name)
		}
		names = append(names, "ratio")
	case slices.Contains(treeModels, model):
		names = append(names, "usage")
		for _, p := range treeParams {
			names = append(names, p.name)
		}
	}
	return names
}

// knownSettings refuses what a model would not look at.
func (l *lowering) knownSettings(f policy.Fairshare) {
	names := modelSettings(f.Name)
	if names == nil {
		return // no such model: check says so
	}
	for _, s := range f.Settings {
		if slices.Contains(names, s.Name) {
			// of windows check says it
			if n := asType(s.Value, schema.Double); n.Type == schema.Double && n.Double < 0 && f.Name != "windows" {
				l.diags.Errorf("fairshare-setting", s.Span, "%s of %s is negative", s.Name, f.Name).
					Note("write a number from 0")
			}
			continue
		}
		d := l.diags.Errorf("fairshare-setting", s.Span, "the fairshare model %s has no setting %s", f.Name, s.Name)
		d.Note("it has %s", strings.Join(names, ", "))
		if i := slices.IndexFunc(append([]string{"windows"}, treeModels...), func(other string) bool {
			return slices.Contains(modelSettings(other), s.Name)
		}); i >= 0 {
			d.Note("%s is a setting of %s", s.Name, append([]string{"windows"}, treeModels...)[i])
		}
	}
}

// targetNumber refuses a target that no usage can reach or keep. Of a maui.cfg, which may have one,
// its hints say what it does.
func (l *lowering) targetNumber(c *policy.Credential, s policy.Setting) bool {
	f := asType(s.Value, schema.Double).Double
	if f >= 0 {
		return true
	}
	d := l.diags.Errorf("fairshare-target", s.Span, "the fairshare %s %g of %s %s is negative", s.Name, f, c.Word,
		c.Name)
	if s.Name == "cap" || s.Name == "relative_cap" {
		d.Note("usage is never below 0, so no job of it could ever start; write a cap from 0, or a hold")
	} else {
		d.Note("write percent of all usage, above 0")
	}
	return false
}
