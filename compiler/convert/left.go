package convert

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// remaining gathers what a translation does not say.
type remaining struct {
	*conversion
	list []draft.Unsaid
	seen map[string]bool
}

// left reports everything that the site wrote and no rule took, in the order of the files. What changes nothing
// here is not lost: a value that is the default, a weight of what nothing weighs.
func (w *conversion) left() {
	r := &remaining{conversion: w, seen: map[string]bool{}}
	r.credentials(w.Effects)
	r.settings(w.Effects)
	r.formula()
	r.facts()
	whys := map[string]string{}
	for _, m := range w.Missed { // one of those that for_each makes, or of a list of resources
		whys[m.Span.String()+m.Name] = m.Why
		if r.Taken[m.Span] && !r.seen[m.Span.String()+m.Name] {
			r.seen[m.Span.String()+m.Name] = true
			r.list = append(r.list, m)
		}
	}
	slices.SortStableFunc(r.list, func(a, b draft.Unsaid) int {
		return cmp.Or(strings.Compare(fileOf(a.Span), fileOf(b.Span)), int(a.Span.Start)-int(b.Span.Start))
	})
	passed := w.passed()
	for _, l := range r.list {
		if l.About {
			if slices.ContainsFunc(passed[draft.PlaceAt(l.Span)],
				func(s source.Span) bool { return s.Start < l.Span.End && l.Span.Start < s.End }) {
				continue
			}
			why := "Fairway computes nothing from it here"
			if kind, _, _ := strings.Cut(l.Name, " "); machines[kind] {
				why = "nodes and daemons are no part of a policy"
			}
			d := w.Diags.Infof("convert-left-out", l.Span, "%s is left out: %s", l.Name, why)
			if what := match.Decides(l.Name); what != "" {
				d.Note("jobs can depend on it all the same: it says %s", what)
			}
			continue
		}
		d := w.Diags.Warnf("convert-not-said", l.Span, "%s cannot say %s", w.To.File, l.Name)
		if why := cmp.Or(whys[l.Span.String()+l.Name], w.Reasons[l.Span], reserves(l.Name)); why != "" {
			d.Note("%s", why)
		}
	}
}

// reserves says what to do about a part of a standing reservation of Maui's; Slurm's files have none.
func reserves(name string) string {
	if !strings.HasPrefix(name, "SRCFG[") {
		return ""
	}
	return "Slurm's reservations are in no file: make it with scontrol create reservation"
}

// passed is what is left out, line by line, as the policy's own scheduler ignores it.
func (w *conversion) passed() map[draft.Place][]source.Span {
	lines := map[draft.Place][]source.Span{}
	for _, d := range *w.Diags {
		if d.Code == "convert-left-out" {
			lines[draft.PlaceAt(d.Span)] = append(lines[draft.PlaceAt(d.Span)], d.Span)
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

// add names what is left, once. What for_each made is in one place under several names.
func (r *remaining) add(name string, s source.Span, about bool) {
	if r.known(name, s) {
		return
	}
	r.seen[s.String()+name] = true
	r.list = append(r.list, draft.Unsaid{Name: name, Span: s, About: about})
}

// known reports what is reported or named already, or what the site did not write.
func (r *remaining) known(name string, s source.Span) bool {
	return s.IsZero() || draft.FromLibrary(s) || r.Taken[s] || r.seen[s.String()] || r.seen[s.String()+name]
}

// settings are parameters, and what backfill goes by.
func (r *remaining) settings(e *draft.Effects) {
	p := r.Policy
	shares := map[source.Span]bool{} // settings of how usage is counted
	for i := range p.Fairshare {
		for _, s := range p.Fairshare[i].Settings {
			shares[s.Span] = true
		}
	}
	for _, l := range r.list { // limits that parameters set
		r.seen[l.Span.String()] = true
	}
	for i := range p.Params {
		r.param(&p.Params[i], shares[p.Params[i].Set], e)
	}
	plans := e.OfBackfill()
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
			r.add("fairshare "+s.Name, s.Span, r.Library != nil && !e.Shares())
		}
	}
}

// param is one parameter; that of how usage is counted is named as such.
func (r *remaining) param(v *ir.Param, shares bool, e *draft.Effects) {
	unusual := v.Value.String() != v.Default.String()
	if shares && !e.Shares() || e.Mention[v.Name] && draft.Is(v.Name, "WEIGHT") && v.Value.Number() == 0 {
		r.seen[v.Set.String()] = true // what has no weight is expressed by silence
		return
	}
	changes := !v.Set.IsZero() && !r.Taken[v.Set] && (r.Overridden[v.Name] && unusual || e.Of(v))
	if changes || unusual && !e.Mention[v.Name] {
		r.add(cmp.Or(r.Spelt[v.Set], v.Name), v.Set, !changes)
	}
	if !v.Set.IsZero() && (changes || !shares) {
		r.seen[v.Set.String()] = true
	}
}

// formula is what the policy's terms, holds and overrides are beside the library's.
func (r *remaining) formula() {
	dead := map[string]bool{} // of no weight
	own := map[string]bool{}  // named as a whole
	for i := range r.Policy.Components {
		c, from := &r.Policy.Components[i], draft.Component(r.Library, r.Policy.Components[i].Name)
		var weight ir.Scalar
		if from != nil {
			weight = from.Weight
		}
		value, _, ok := r.Value(c.Weight, weight, "WEIGHT")
		idle := ok && value == 0
		for _, part := range []string{"the weight", "the cap"} {
			dead[part+" of component "+c.Name] = idle
		}
		for k := range c.Terms {
			t := &c.Terms[k]
			name := "term " + c.Name + " / " + t.Name
			for _, part := range []string{"the weight", "the cap", "the factor"} {
				dead[part+" of "+name] = idle || !r.Counts(t, from)
				own[part+" of "+name] = !draft.FromLibrary(t.Span)
			}
			if own["the weight of "+name] && !dead["the weight of "+name] {
				r.add(name, t.Span, false)
			}
		}
	}
	for _, o := range r.Policy.Finish.Overrides {
		for _, part := range []string{"the condition", "the value"} {
			own[part+" of override "+o.Name] = !draft.FromLibrary(o.Span)
		}
		r.add("override "+o.Name, o.Span, false)
	}
	if r.Library != nil {
		for _, o := range r.Library.Finish.Overrides {
			if !slices.ContainsFunc(r.Policy.Finish.Overrides, func(x ir.Override) bool { return x.Name == o.Name }) {
				r.add("that there is no override "+o.Name, r.Policy.Span, false)
			}
		}
	}
	r.entryHolds()
	r.Policy.Expressions(func(name string, s ir.Scalar) {
		if !draft.UsualHere(s) && !dead[name] && !own[name] && !strings.HasSuffix(name, "of priorities") {
			at := draft.PlaceOf(s)
			if !strings.HasPrefix(name, "the weight of component ") || s.String() != "1.0" {
				r.add(name, at, false)
			}
		}
	})
}

// entryHolds are the holds of a phase that the site has beside the library's, and those that it takes out.
func (r *remaining) entryHolds() {
	for i := range r.Policy.Admission {
		if h := &r.Policy.Admission[i]; !h.Entry.Library {
			r.add("hold "+h.Name, cmp.Or(draft.PlaceOf(h.When), r.Policy.Span), false)
		}
	}
	if r.Library != nil {
		for i := range r.Library.Admission {
			name := r.Library.Admission[i].Name
			if !slices.ContainsFunc(r.Policy.Admission, func(h ir.Hold) bool { return h.Name == name }) {
				r.add("that there is no hold "+name, r.Policy.Span, false)
			}
		}
	}
}

// credentials are what users, accounts, QOS and classes have.
func (r *remaining) credentials(e *draft.Effects) {
	p := r.Policy
	for i := range p.Limits {
		r.add(p.Limits[i].Source, p.Limits[i].Span, false)
	}
	for t := range draft.Targets(p) {
		if t.Caps() || r.Library == nil || e.Reads[schema.ColumnID(t.Object+".fairshare_delta")] {
			r.add(cmp.Or(t.Source, "the fairshare target of "+t.Object+" "+t.Name), t.Span, false)
		}
	}
	for a := range draft.Associations(p) {
		if a.Key() != "root" && (!r.From.Database || e.Reads["association.fairshare_factor"]) {
			r.add(cmp.Or(a.Source, "the shares of "+a.Key()), a.Span, false)
		}
	}
	r.tables(e)
	for i := range p.Usage {
		r.add("usage "+p.Usage[i].Name, p.Usage[i].Span, false)
	}
	for _, reservation := range p.Reservations {
		r.add("reservation "+reservation.Name, reservation.Span, false)
	}
}

// tables are the columns of credentials. Of slurm.conf's records a column is at the place of its setting; at
// that of the whole record it is a default, and so is all of the cluster.
func (r *remaining) tables(e *draft.Effects) {
	called := map[source.Span]string{}
	for i := range r.Policy.Facts.Records {
		if rec := &r.Policy.Facts.Records[i]; rec.Kind == "PartitionName" {
			for _, a := range rec.Attrs {
				called[a.Span] = "PartitionName=" + rec.Name + " " + a.Name
			}
		}
	}
	for i := range r.Policy.Tables {
		t := &r.Policy.Tables[i]
		idle := e.Idle(t.Column)
		if derived[t.Column] || idle && r.Library != nil || t.Column.Object() == "cluster" && r.From.Database {
			continue
		}
		for _, row := range t.Rows {
			if r.From.Database && !row.Span.IsZero() && row.Span.Position().Column == 1 {
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
		r.seen[l.Span.String()] = true
	}
	p := r.Policy
	idle := map[source.Span]bool{} // rows that nothing reads
	for i := range p.Tables {
		for _, row := range p.Tables[i].Rows {
			idle[row.Span] = true
		}
		if o := p.Tables[i].Others; o != nil {
			idle[o.Span] = true
		}
	}
	for t := range draft.Targets(p) {
		idle[t.Span] = true
	}
	for a := range draft.Associations(p) {
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
func (w *conversion) finish(after *ir.Policy) {
	if after == nil {
		return
	}
	file := w.To.File
	own, other := w.Policy.Finish, after.Finish
	for _, f := range []struct {
		name       string
		own, other ir.Scalar
	}{{"floor", own.Floor, other.Floor}, {"ceiling", own.Ceiling, other.Ceiling}} {
		becomes := plain(f.other)
		if negative := draft.ParamsOf(after)["ENABLENEGJOBPRIORITY"]; f.name == "floor" && negative != nil &&
			negative.Value.Int != 0 {
			becomes = "none"
		}
		switch {
		case plain(f.own) == becomes:
		case !draft.UsualHere(f.own):
			w.Diags.Warnf("convert-not-said", cmp.Or(draft.PlaceOf(f.own), w.Policy.Span),
				"%s cannot say the %s of priorities: there it is %s", file, f.name, becomes)
		case w.Library == nil || f.name == "ceiling" && w.reach() > math.Min(ceiling(f.own), ceiling(f.other)):
			w.Diags.Infof("convert-approximated", w.Policy.Span, "priorities have %s as their %s in %s", becomes,
				f.name, file)
		}
	}
	if own.Rounding != other.Rounding {
		w.Diags.Warnf("convert-not-said", w.Policy.Span,
			"%s cannot say that priorities are rounded by %q: there it is %q", file, own.Rounding, other.Rounding)
	}
}

// ceiling is where priorities end.
func ceiling(s ir.Scalar) float64 {
	if top, ok := draft.Constant(s); ok {
		return top
	}
	return math.Inf(1)
}

// reach is about the most that the written weights give to a job.
func (w *conversion) reach() float64 {
	weights := map[string]float64{}
	for _, s := range w.Set {
		weights[s.Name], _ = strconv.ParseFloat(s.Text, 64)
	}
	most := map[string]float64{} // of a kind of records
	for i := range w.Records {
		r := &w.Records[i]
		kind := r.Kind
		if kind != "QOS" && draft.InDump(kind) {
			kind = "association"
		}
		for _, c := range match.Credentials {
			if c.Record == kind {
				value, _ := strconv.ParseFloat(r.Text(c.Attribute), 64)
				most[kind] = math.Max(most[kind], value)
			}
		}
	}
	total := weights["PriorityWeightAge"]
	if w.Library != nil {
		for _, r := range match.Resources {
			total += math.Max(0, w.Part("resource", r.Term).Weight) * r.Most
		}
	}
	for _, c := range match.Credentials {
		total += weights[c.Weight] * most[c.Record]
	}
	return total
}

// plain is a number as people write it, "none" if none is written.
func plain(s ir.Scalar) string {
	if value, ok := draft.Constant(s); ok {
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	if !s.IsSet() {
		return "none"
	}
	return s.String()
}

// partitionFacts are settings of a partition that no column has, by the value that says nothing.
var partitionFacts = map[string]string{"Nodes": "ALL", "State": "UP"}

// derived are columns that follow from where a record is.
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
