package slurm

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// factorText are factors that Slurm has and Maui has not, by where they are in Slurm's formula, and times
// that are a job's wait in seconds.
//
//go:embed factors.hcl
var factorText string

// factors are those by which a policy from scratch can be expressed in slurm.conf, Maui's among them.
func factors() map[string]draft.Subcomponent {
	known := draft.UsualSubcomponents()
	maps.Copy(known, draft.Subcomponents(draft.Library(factorText, lower.Options{})))
	slurm := draft.LibraryOf(&ir.Policy{Family: "slurm", Params: bareNumbers()}, true)
	for _, name := range []string{"partition", "fairshare"} { // with what counts where a job has none
		known[fold.Scalar(draft.Component(slurm, name).Terms[0].Factor).String()] = draft.Subcomponent{
			Of:   "slurm",
			Term: name,
		}
	}
	return known
}

// ownParts gathers what a policy from scratch has of the parts that Slurm can say. Slurm has a cap on a job's
// wait and no other, but priorities of credentials can be written as far as they count.
func (w *writer) ownParts() {
	if w.Library != nil {
		return
	}
	w.Own, w.Scale = map[string]draft.Part{}, 1
	known := factors()
	var list, credentials []draft.Weighed
	for i := range w.Policy.Components {
		c := &w.Policy.Components[i]
		for k := range c.Terms {
			x := draft.Weigh(c, &c.Terms[k], known)
			if (x.Whole == 0 || x.Each == 0) && x.Numbers() {
				continue
			}
			if why := noPart(x); why != "" {
				w.Because(x.Term.Span, why)
				w.Miss("term "+c.Name+" / "+x.Term.Name, x.Term.Span)
				continue
			}
			if x.Bound > 0 && x.Each > 0 && (x.Cap <= 0 || x.Bound/x.Each < x.Cap) {
				x.Cap = x.Bound / x.Each
			}
			x.Bound, x.Cap = 0, math.Max(0, x.Cap)
			if list = append(list, x); x.As.Of == "credential" || x.As.Of == "slurm" {
				credentials = append(credentials, x)
			}
		}
	}
	if !slices.ContainsFunc(list,
		func(x draft.Weighed) bool { return x.As.Term == "site" || x.As.Term == "nice" }) { // which count as they are
		w.ScratchScale(credentials)
	}
	for _, x := range list {
		w.addOwn(x)
	}
	w.fixedTerms()
}

// noPart is why a term is none of Slurm's formula, "" if it is one.
func noPart(x draft.Weighed) (why string) {
	switch {
	case !x.Numbers():
		why = "Slurm's weights are numbers, the same for all jobs"
	case !x.Said:
		why = "no factor of Slurm's formula is this one"
	case x.Bound > 0 && len(x.Component.Terms) > 1:
		why = noSumCap
	}
	return why
}

// noSumCap is why terms that are bounded together, or of one factor apart, are left.
const noSumCap = "Slurm has no cap on a sum of factors"

// addOwn adds a term to its part. Two terms of one factor are one, of both weights.
func (w *writer) addOwn(x draft.Weighed) {
	key, weight := x.As.Of+" / "+x.As.Term, x.Whole*x.Each*w.Scale
	if x.As.Of == "seconds" {
		key, weight, x.Cap = "service / queuetime", weight*60, x.Cap/60
	}
	p, had := w.Own[key]
	if had && (p.Cap > 0 || x.Cap > 0) {
		w.Because(x.Term.Span, noSumCap)
		return
	}
	p.Weight += weight
	p.From = append(p.From, draft.PlaceOf(x.Component.Weight), draft.PlaceOf(x.Term.Weight), x.Term.Span)
	if x.Cap > 0 {
		p.Cap, p.Capped = x.Cap, append(p.Capped, draft.PlaceOf(x.Component.Cap), draft.PlaceOf(x.Term.Cap))
	}
	w.Own[key] = p
}

// fixedTerms are those that Slurm adds to every priority as they are.
func (w *writer) fixedTerms() {
	for _, f := range []struct {
		name   string
		weight float64
	}{{"slurm / site", 1}, {"slurm / nice", -1}} {
		switch p, has := w.Own[f.name]; {
		case has && p.Weight == f.weight && p.Cap == 0:
			w.Exact(p.From...)
		case has:
			w.Because(p.At(),
				fmt.Sprintf("Slurm adds it to each priority with a weight of %v, which no parameter changes", f.weight))
		case f.weight < 0:
			w.Near(w.Policy.Span,
				"--nice lowers the priority of a user's own job; a term with the factor job.nice and the weight -1 "+
					"says it", "nice values count in Slurm, and in the policy they do not")
		}
	}
}

// bareNumbers: priorities and counts are weighed as they are, not as a share of the highest.
func bareNumbers() []ir.Param {
	return []ir.Param{
		{
			Name:  "PriorityFlags",
			Type:  schema.String,
			Value: schema.StringValue("NO_NORMAL_ALL"),
			Set:   source.NewFile("library", nil).Span(0, 0),
		},
	}
}

// writeTree writes an account tree that the policy draws: its shares, and how usage decays.
func (w *writer) writeTree() {
	i := slices.IndexFunc(w.Policy.Fairshare, func(f ir.Fairshare) bool { return f.Model != "windows" })
	if w.Library != nil || i < 0 {
		return
	}
	w.tree(&ir.Policy{})
	f := &w.Policy.Fairshare[i]
	for k := range f.Associations {
		w.Exact(f.Associations[k].Span)
	}
	params := draft.ParamsOf(draft.LibraryOf(&ir.Policy{Family: "slurm"}, false))
	for _, s := range f.Settings {
		if name := lower.TreeParam(s.Name); name != "" && !s.Span.IsZero() {
			if text, ok := lower.ParamText("slurm", params[name], s.Value); ok {
				w.Say(name, text, s.Span)
			}
		}
	}
	flags := map[string]string{"classic": "NO_FAIR_TREE", "depth_oblivious": "DEPTH_OBLIVIOUS"}
	if w.before("19.05") { // which shares by the classic tree where nothing is given
		flags = map[string]string{"fair_tree": "FAIR_TREE", "depth_oblivious": "DEPTH_OBLIVIOUS"}
	}
	if flag := flags[f.Model]; flag != "" {
		j := slices.IndexFunc(w.Set, func(s draft.Setting) bool { return s.Name == "PriorityFlags" })
		if j >= 0 {
			flag = w.Set[j].Text + "," + flag
		}
		w.Say("PriorityFlags", flag)
	}
	p := w.Part("slurm", "fairshare")
	if !w.capless(p) && p.Weight != 0 && w.points("PriorityWeightFairshare", p) {
		if !slices.ContainsFunc(f.Associations, func(a ir.Association) bool { return a.Key() == "root/root" }) {
			w.Near(p.At(),
				"each cluster of Slurm has a user root, who shares with the accounts and has a rank; an account "+
					"root with a user root says it", "the tree of shares becomes that of sacctmgr")
		}
	}
}

// homes are the associations of a user: those that the policy draws, or a place below the account for those that
// it does not place.
func (w *writer) homes(user string) (keys []string, drawn bool) {
	if w.drawnHomes == nil {
		w.drawnHomes = map[string][]string{}
		if w.From.Own {
			w.findHomes()
		}
		w.findMembers()
	}
	if keys = w.drawnHomes[user]; len(keys) > 0 {
		return keys, true
	}
	return []string{w.usersAccount + "/" + user}, false
}

// findHomes looks where the policy has users: in the tree, and in the blocks of accounts.
func (w *writer) findHomes() {
	seen := map[string]bool{}
	add := func(user, key string) {
		if user != "" && user != "root" && user != "DEFAULT" && !seen[key] {
			seen[key] = true
			w.drawnHomes[user] = append(w.drawnHomes[user], key)
		}
	}
	for a := range draft.Associations(w.Policy) {
		add(a.User, a.Key())
	}
	for i := range w.Policy.Limits {
		if l := &w.Policy.Limits[i]; isInAccount(l) {
			add(l.Row, l.Cross[0]+"/"+l.Row)
		}
	}
}

// hasBelow reports an account in which the policy draws others.
func (w *writer) hasBelow(account string) bool {
	return draft.HasAssociation(w.Policy,
		func(a *ir.Association) bool { return a.User == "" && strings.EqualFold(a.Parent, account) })
}

// holdLimits are holds of all jobs above a size, as limits.
func (w *writer) holdLimits() (list []ir.Limit) {
	for i := range w.Policy.Holds {
		h := &w.Policy.Holds[i]
		if counts, most, ok := mostAllowed(fold.Scalar(h.When).Expr); ok {
			list = append(
				list,
				ir.Limit{
					Name:   h.Name,
					Counts: counts,
					Phase:  "job",
					Soft:   &most,
					Hard:   &most,
					Source: "hold " + h.Name,
					Span:   cmp.Or(draft.PlaceOf(h.When), h.Span),
				},
			)
		}
	}
	return list
}

// sized are the columns of a job's size that limits count.
var sized = map[schema.ColumnID]string{
	"job.procs":            "procs",
	"job.nodes":            "nodes",
	"job.walltime_seconds": "walltime",
	"job.mem_mb":           "memory",
	"job.gpus":             "gpus",
}

// mostAllowed is the most that a job may have so that a condition does not hold, if it asks for nothing else.
func mostAllowed(e *expr.Expr) (counts string, most float64, ok bool) {
	if e != nil && e.Op == expr.And && e.Args[0].Op == expr.Present &&
		slices.Equal(e.Columns(), []schema.ColumnID{e.Args[0].Column}) {
		e = e.Args[1]
	}
	if e == nil || e.Op != expr.Call || len(e.Args) != 2 {
		return "", 0, false
	}
	column, bound := e.Args[0], e.Args[1]
	switch e.Func {
	case "greater_int64", "greater_equals_int64":
	case "less_int64", "less_equals_int64":
		column, bound = bound, column
	default:
		return "", 0, false
	}
	if column.Op != expr.Column || !bound.IsConst() {
		return "", 0, false
	}
	most = bound.Value.Number()
	if strings.Contains(e.Func, "equals") {
		most--
	}
	counts = sized[column.Column]
	return counts, most, counts != "" && most > 0
}
