package convert

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// remaining gathers what a translation does not say.
type remaining struct {
	*writer
	list []unsaid
	seen map[string]bool
}

// left reports everything that the site wrote and no rule took, in the order of the files. What changes nothing
// here is not lost: a value that is the default, a weight of what nothing weighs.
func (w *writer) left() {
	r := &remaining{writer: w, seen: map[string]bool{}}
	r.credentials(w.effects)
	r.settings(w.effects)
	r.formula()
	r.facts()
	whys := map[string]string{}
	for _, m := range w.missed { // one of those that for_each makes, or of a list of resources
		whys[m.span.String()+m.name] = m.why
		if r.taken[m.span] && !r.seen[m.span.String()+m.name] {
			r.seen[m.span.String()+m.name] = true
			r.list = append(r.list, m)
		}
	}
	slices.SortStableFunc(r.list, func(a, b unsaid) int {
		return cmp.Or(strings.Compare(fileOf(a.span), fileOf(b.span)), int(a.span.Start)-int(b.span.Start))
	})
	passed := w.passed()
	for _, l := range r.list {
		if l.about {
			if slices.ContainsFunc(passed[placeAt(l.span)],
				func(s source.Span) bool { return s.Start < l.span.End && l.span.Start < s.End }) {
				continue
			}
			why := "Fairway computes nothing from it here"
			if kind, _, _ := strings.Cut(l.name, " "); machines[kind] {
				why = "nodes and daemons are no part of a policy"
			}
			d := w.diags.Infof("convert-left-out", l.span, "%s is left out: %s", l.name, why)
			if what := match.Decides(l.name); what != "" {
				d.Note("jobs can depend on it all the same: it says %s", what)
			}
			continue
		}
		d := w.diags.Warnf("convert-not-said", l.span, "%s cannot say %s", w.to.file, l.name)
		if why := cmp.Or(whys[l.span.String()+l.name], w.reasons[l.span], reserves(l.name)); why != "" {
			d.Note("%s", why)
		}
	}
}

// reserves says what to do about a part of a standing reservation of Maui's, of which Slurm's files have none.
func reserves(name string) string {
	if !strings.HasPrefix(name, "SRCFG[") {
		return ""
	}
	return "Slurm's reservations are in no file: make it with scontrol create reservation"
}

// passed is what is left out, line by line, as the policy's own scheduler passes over it.
func (w *writer) passed() map[place][]source.Span {
	lines := map[place][]source.Span{}
	for _, d := range *w.diags {
		if d.Code == "convert-left-out" {
			lines[placeAt(d.Span)] = append(lines[placeAt(d.Span)], d.Span)
		}
	}
	return lines
}

func fileOf(s source.Span) string {
	if s.IsZero() {
		return ""
	}
	return s.File.Name
}

// add names what is left, once. What for_each made stands in one place under several names.
func (r *remaining) add(name string, s source.Span, about bool) {
	if r.known(name, s) {
		return
	}
	r.seen[s.String()+name] = true
	r.list = append(r.list, unsaid{name: name, span: s, about: about})
}

// known reports what is said or named already, or what nobody wrote.
func (r *remaining) known(name string, s source.Span) bool {
	return s.IsZero() || fromLibrary(s) || r.taken[s] || r.seen[s.String()] || r.seen[s.String()+name]
}

// settings are parameters, and what backfill goes by.
func (r *remaining) settings(e *effects) {
	p := r.policy
	shares := map[source.Span]bool{} // settings of how usage is counted
	for i := range p.Fairshare {
		for _, s := range p.Fairshare[i].Settings {
			shares[s.Span] = true
		}
	}
	for _, l := range r.list { // limits that parameters set
		r.seen[l.span.String()] = true
	}
	for i := range p.Params {
		r.param(&p.Params[i], shares[p.Params[i].Set], e)
	}
	plans := e.ofBackfill()
	for i := range p.Backfill {
		if s := &p.Backfill[i]; !r.known(s.Name, s.Span) {
			name := s.Name
			if name == strings.ToLower(name) { // of a block of a policy file
				name += " of the backfill block"
			}
			r.add(name, s.Span, !plans(i))
		}
	}
	for i := range p.Fairshare {
		for _, s := range p.Fairshare[i].Settings {
			r.add("fairshare "+s.Name, s.Span, r.library != nil && !e.shares())
		}
	}
}

// param is one parameter; that of how usage is counted is named as such.
func (r *remaining) param(v *ir.Param, shares bool, e *effects) {
	unusual := v.Value.String() != v.Default.String()
	if shares && !e.shares() || e.mention[v.Name] && is(v.Name, "WEIGHT") && v.Value.Number() == 0 {
		r.seen[v.Set.String()] = true // what nobody weighs is said by silence
		return
	}
	changes := !v.Set.IsZero() && !r.taken[v.Set] && (r.overridden[v.Name] && unusual || e.of(v))
	if changes || unusual && !e.mention[v.Name] {
		r.add(cmp.Or(r.spelt[v.Set], v.Name), v.Set, !changes)
	}
	if !v.Set.IsZero() && (changes || !shares) {
		r.seen[v.Set.String()] = true
	}
}

// formula is what the policy's terms, holds and overrides are beside the library's.
func (r *remaining) formula() {
	dead := map[string]bool{} // of no weight
	own := map[string]bool{}  // named as a whole
	for i := range r.policy.Components {
		c, from := &r.policy.Components[i], component(r.library, r.policy.Components[i].Name)
		var weight ir.Scalar
		if from != nil {
			weight = from.Weight
		}
		value, _, ok := r.value(c.Weight, weight, "WEIGHT")
		idle := ok && value == 0
		for _, part := range []string{"the weight", "the cap"} {
			dead[part+" of component "+c.Name] = idle
		}
		for k := range c.Terms {
			t := &c.Terms[k]
			name := "term " + c.Name + " / " + t.Name
			for _, part := range []string{"the weight", "the cap", "the factor"} {
				dead[part+" of "+name] = idle || !r.counts(t, from)
				own[part+" of "+name] = !fromLibrary(t.Span)
			}
			if own["the weight of "+name] && !dead["the weight of "+name] {
				r.add(name, t.Span, false)
			}
		}
	}
	for _, o := range r.policy.Finish.Overrides {
		for _, part := range []string{"the condition", "the value"} {
			own[part+" of override "+o.Name] = !fromLibrary(o.Span)
		}
		r.add("override "+o.Name, o.Span, false)
	}
	if r.library != nil {
		for _, o := range r.library.Finish.Overrides {
			if !slices.ContainsFunc(r.policy.Finish.Overrides, func(x ir.Override) bool { return x.Name == o.Name }) {
				r.add("that there is no override "+o.Name, r.policy.Span, false)
			}
		}
	}
	scalars(r.policy, func(name string, s ir.Scalar) {
		if !usualHere(s) && !dead[name] && !own[name] && !strings.HasSuffix(name, "of priorities") {
			at := placeOf(s)
			if !strings.HasPrefix(name, "the weight of component ") || s.String() != "1.0" {
				r.add(name, at, false)
			}
		}
	})
}

// credentials are what users, accounts, QOS and classes have.
func (r *remaining) credentials(e *effects) {
	p := r.policy
	for i := range p.Limits {
		r.add(p.Limits[i].Source, p.Limits[i].Span, false)
	}
	for t := range targets(p) {
		if t.Caps() || r.library == nil || e.reads[schema.ColumnID(t.Object+".fairshare_delta")] {
			r.add(cmp.Or(t.Source, "the fairshare target of "+t.Object+" "+t.Name), t.Span, false)
		}
	}
	for a := range associations(p) {
		if a.Key() != "root" && (!r.from.database || e.reads["association.fairshare_factor"]) {
			r.add(cmp.Or(a.Source, "the shares of "+a.Key()), a.Span, false)
		}
	}
	r.tables(e)
	for _, reservation := range p.Reservations {
		r.add("reservation "+reservation.Name, reservation.Span, false)
	}
}

// tables are the columns of credentials. Of slurm.conf's records a column is at the place of its setting; at
// that of the whole record it is a default, and so is all of the cluster.
func (r *remaining) tables(e *effects) {
	called := map[source.Span]string{}
	for i := range r.policy.Facts.Records {
		if rec := &r.policy.Facts.Records[i]; rec.Kind == "PartitionName" {
			for _, a := range rec.Attrs {
				called[a.Span] = "PartitionName=" + rec.Name + " " + a.Name
			}
		}
	}
	for i := range r.policy.Tables {
		t := &r.policy.Tables[i]
		idle := e.idle(t.Column)
		if derived[t.Column] || idle && r.library != nil || t.Column.Object() == "cluster" && r.from.database {
			continue
		}
		for _, row := range t.Rows {
			if r.from.database && !row.Span.IsZero() && row.Span.Position().Column == 1 {
				continue
			}
			r.add(cmp.Or(called[row.Span], row.Source, string(t.Column)+" of "+row.Name), row.Span, idle)
		}
		if o := t.Others; o != nil {
			r.add(cmp.Or(o.Source, string(t.Column)), o.Span, idle)
		}
	}
}

// facts are what the scheduler's own records have besides.
func (r *remaining) facts() {
	for _, l := range r.list { // whatever it is called there
		r.seen[l.span.String()] = true
	}
	p := r.policy
	idle := map[source.Span]bool{} // rows that nothing reads
	for i := range p.Tables {
		for _, row := range p.Tables[i].Rows {
			idle[row.Span] = true
		}
		if o := p.Tables[i].Others; o != nil {
			idle[o.Span] = true
		}
	}
	for t := range targets(p) {
		idle[t.Span] = true
	}
	for a := range associations(p) {
		idle[a.Span] = true
	}
	for i := range p.Facts.Records {
		rec := &p.Facts.Records[i]
		name := strings.TrimSpace(rec.Kind + " " + rec.Name)
		if machines[rec.Kind] {
			if !slices.ContainsFunc(rec.Attrs,
				func(a ir.Attr) bool { return r.seen[a.Span.String()] }) { // else settings of it are named
				r.add(name, rec.Span, true)
			}
			continue
		}
		for _, a := range rec.Attrs {
			if rec.Kind == "" || a.Old || idle[a.Span] {
				continue
			}
			usual, effective := partitionFacts[a.Name]
			effective = effective && rec.Kind == "PartitionName"
			if !effective || !strings.EqualFold(a.Text, usual) {
				r.add(name+" "+a.Name, a.Span, !effective)
			}
		}
	}
}

// finish compares what becomes of the sum in the end.
func (w *writer) finish(after *ir.Policy) {
	if after == nil {
		return
	}
	file := w.to.file
	own, other := w.policy.Finish, after.Finish
	for _, f := range []struct {
		name       string
		own, other ir.Scalar
	}{{"floor", own.Floor, other.Floor}, {"ceiling", own.Ceiling, other.Ceiling}} {
		becomes := plain(f.other)
		if negative := paramsOf(after)["ENABLENEGJOBPRIORITY"]; f.name == "floor" && negative != nil &&
			negative.Value.Int != 0 {
			becomes = "none"
		}
		switch {
		case plain(f.own) == becomes:
		case !usualHere(f.own):
			w.diags.Warnf("convert-not-said", cmp.Or(placeOf(f.own), w.policy.Span),
				"%s cannot say the %s of priorities: there it is %s", file, f.name, becomes)
		case w.library == nil || f.name == "ceiling" && w.reach() > math.Min(ceiling(f.own), ceiling(f.other)):
			w.diags.Infof("convert-approximated", w.policy.Span, "priorities have %s as their %s in %s", becomes,
				f.name, file)
		}
	}
	if own.Rounding != other.Rounding {
		w.diags.Warnf("convert-not-said", w.policy.Span,
			"%s cannot say that priorities are rounded by %q: there it is %q", file, own.Rounding, other.Rounding)
	}
}

// ceiling is where priorities end.
func ceiling(s ir.Scalar) float64 {
	if top, ok := constant(s); ok {
		return top
	}
	return math.Inf(1)
}

// reach is about the most that the written weights give to a job.
func (w *writer) reach() float64 {
	weights := map[string]float64{}
	for _, s := range w.set {
		weights[s.name], _ = strconv.ParseFloat(s.text, 64)
	}
	most := map[string]float64{} // of a kind of records
	for i := range w.records {
		r := &w.records[i]
		kind := r.kind
		if kind != "QOS" && inDump(kind) {
			kind = "association"
		}
		for _, c := range match.Credentials {
			if c.Record == kind {
				value, _ := strconv.ParseFloat(r.text(c.Attribute), 64)
				most[kind] = math.Max(most[kind], value)
			}
		}
	}
	total := weights["PriorityWeightAge"]
	if w.library != nil {
		for _, r := range match.Resources {
			total += math.Max(0, w.part("resource", r.Term).weight) * r.Most
		}
	}
	for _, c := range match.Credentials {
		total += weights[c.Weight] * most[c.Record]
	}
	return total
}

// plain is a number as people write it, "none" if nobody did.
func plain(s ir.Scalar) string {
	if value, ok := constant(s); ok {
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	if !s.IsSet() {
		return "none"
	}
	return s.String()
}

// shares reports that usage counts.
func (e *effects) shares() bool {
	for id := range e.reads {
		if strings.HasPrefix(id.Name(), "fairshare_") {
			return true
		}
	}
	for t := range targets(e.policy) {
		if t.Caps() {
			return true
		}
	}
	return false
}

// ofBackfill answers of for the policy's settings of backfill, by their number. Nothing but the plan is made of
// them. What is said of one node has its effect whatever is said of others, and the same effect as the same
// words of another, of which there may be thousands.
func (e *effects) ofBackfill() func(i int) bool {
	p := ir.Policy{Name: e.policy.Name, Family: e.policy.Family, Version: e.policy.Version,
		Semantics: e.policy.Semantics, Deviations: e.policy.Deviations,
		Params: e.policy.Params, SlurmPlan: e.policy.SlurmPlan}
	var common []ir.Setting
	nodes := map[string][]ir.Setting{}
	for _, s := range e.policy.Backfill {
		if name := ofNode(s); name != "" {
			nodes[name] = append(nodes[name], s)
		} else {
			common = append(common, s)
		}
	}
	ofNodes := p
	ofNodes.Params = nil // what a node has no parameter decides, and there are hundreds of them
	plan := func(settings []ir.Setting, name string) program.Plan {
		whole := &p
		if name != "" {
			whole = &ofNodes
		}
		whole.Backfill = settings
		lower.Place(whole)
		return whole.Plan
	}
	known := map[string]bool{}
	return func(i int) bool {
		s := e.policy.Backfill[i]
		name := ofNode(s)
		words := strings.TrimPrefix(s.Name, "NODECFG["+name+"]") + "\x00"
		for _, other := range nodes[name] {
			words += strings.TrimPrefix(other.Name, "NODECFG["+name+"]") + "\x00" + other.Value.String() + "\x00"
		}
		changes, ok := known[words]
		if !ok || name == "" {
			settings := slices.Concat(common, nodes[name])
			whole := plan(settings, name)
			without := slices.DeleteFunc(settings,
				func(other ir.Setting) bool { return other.Name == s.Name && other.Span == s.Span })
			changes = !reflect.DeepEqual(whole, plan(without, name))
			known[words] = changes
		}
		return changes
	}
}

// ofNode is the node that a setting of backfill is of, "" for all others.
func ofNode(s ir.Setting) string {
	rest, ok := strings.CutPrefix(s.Name, "NODECFG[")
	name, _, _ := strings.Cut(rest, "]")
	if !ok || name == "DEFAULT" {
		return ""
	}
	return name
}

// partitionFacts are settings of a partition that no column has, by the value that says nothing.
var partitionFacts = map[string]string{"Nodes": "ALL", "State": "UP"}

// derived are columns that follow from where a record stands.
var derived = map[schema.ColumnID]bool{"association.parent": true, "association.shares": true}

// machines are the records that keep a scheduler running.
var machines = map[string]bool{
	"RMCFG":         true,
	"SCHEDCFG":      true,
	"AMCFG":         true,
	"NODECFG":       true,
	"NodeName":      true,
	"SlurmctldHost": true,
	"DownNodes":     true,
	"FrontendName":  true,
}
