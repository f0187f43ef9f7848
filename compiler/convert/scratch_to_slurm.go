package convert

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmFactors are factors that Slurm has and Maui has not, by where they stand in Slurm's formula, and times
// that are a job's wait in seconds.
//
//go:embed factors.hcl
var slurmFactors string

// factors are those by which a policy from scratch can be said in slurm.conf, Maui's among them.
func factors() map[string]subcomponent {
	known := usualSubcomponents()
	maps.Copy(known, subcomponents(library(slurmFactors, lower.Options{})))
	slurm := libraryOf(&ir.Policy{Family: "slurm", Params: bareNumbers()}, true)
	for _, name := range []string{"partition", "fairshare"} { // with what counts where a job has none
		known[fold.Scalar(component(slurm, name).Terms[0].Factor).String()] = subcomponent{of: "slurm", term: name}
	}
	return known
}

// ownParts gathers what a policy from scratch has of the parts that Slurm can say. Slurm has a cap on a job's
// wait and no other, but priorities of credentials can be written as far as they count.
func (w *slurmWriter) ownParts() {
	if w.library != nil {
		return
	}
	w.own, w.scale = map[string]part{}, 1
	known := factors()
	var list, credentials []weighed
	for i := range w.policy.Components {
		c := &w.policy.Components[i]
		for k := range c.Terms {
			x := weigh(c, &c.Terms[k], known)
			if (x.whole == 0 || x.each == 0) && x.numbers() {
				continue
			}
			if why := x.noPart(); why != "" {
				w.because(x.term.Span, why)
				w.miss("term "+c.Name+" / "+x.term.Name, x.term.Span)
				continue
			}
			if x.bound > 0 && x.each > 0 && (x.cap <= 0 || x.bound/x.each < x.cap) {
				x.cap = x.bound / x.each
			}
			x.bound, x.cap = 0, math.Max(0, x.cap)
			if list = append(list, x); x.as.of == "credential" || x.as.of == "slurm" {
				credentials = append(credentials, x)
			}
		}
	}
	if !slices.ContainsFunc(list,
		func(x weighed) bool { return x.as.term == "site" || x.as.term == "nice" }) { // which count as they are
		w.scratchScale(credentials)
	}
	for _, x := range list {
		w.addOwn(x)
	}
	w.fixedTerms()
}

// noPart is why a term is none of Slurm's formula, "" if it is one.
func (x weighed) noPart() (why string) {
	switch {
	case !x.numbers():
		why = "Slurm's weights are numbers, the same for all jobs"
	case !x.said:
		why = "no factor of Slurm's formula is this one"
	case x.bound > 0 && len(x.component.Terms) > 1:
		why = noSumCap
	}
	return why
}

// noSumCap is why terms that are bounded together, or of one factor apart, are left.
const noSumCap = "Slurm has no cap on a sum of factors"

// addOwn adds a term to its part. Two terms of one factor are one, of both weights.
func (w *slurmWriter) addOwn(x weighed) {
	key, weight := x.as.of+" / "+x.as.term, x.whole*x.each*w.scale
	if x.as.of == "seconds" {
		key, weight, x.cap = "service / queuetime", weight*60, x.cap/60
	}
	p, had := w.own[key]
	if had && (p.cap > 0 || x.cap > 0) {
		w.because(x.term.Span, noSumCap)
		return
	}
	p.weight += weight
	p.from = append(p.from, placeOf(x.component.Weight), placeOf(x.term.Weight), x.term.Span)
	if x.cap > 0 {
		p.cap, p.capped = x.cap, append(p.capped, placeOf(x.component.Cap), placeOf(x.term.Cap))
	}
	w.own[key] = p
}

// fixedTerms are those that Slurm adds to every priority as they are.
func (w *slurmWriter) fixedTerms() {
	for _, f := range []struct {
		name   string
		weight float64
	}{{"slurm / site", 1}, {"slurm / nice", -1}} {
		switch p, has := w.own[f.name]; {
		case has && p.weight == f.weight && p.cap == 0:
			w.exact(p.from...)
		case has:
			w.because(p.at(),
				fmt.Sprintf("Slurm adds it to each priority with a weight of %v, which no parameter changes", f.weight))
		case f.weight < 0:
			w.near(w.policy.Span,
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

// slurmTree writes an account tree that the policy draws: its shares, and how usage decays.
func (w *slurmWriter) slurmTree() {
	i := slices.IndexFunc(w.policy.Fairshare, func(f ir.Fairshare) bool { return f.Model != "windows" })
	if w.library != nil || i < 0 {
		return
	}
	w.tree(&ir.Policy{})
	f := &w.policy.Fairshare[i]
	for k := range f.Associations {
		w.exact(f.Associations[k].Span)
	}
	params := paramsOf(libraryOf(&ir.Policy{Family: "slurm"}, false))
	for _, s := range f.Settings {
		if name := lower.TreeParam(s.Name); name != "" && !s.Span.IsZero() {
			if text, ok := lower.ParamText("slurm", params[name], s.Value); ok {
				w.say(name, text, s.Span)
			}
		}
	}
	flags := map[string]string{"classic": "NO_FAIR_TREE", "depth_oblivious": "DEPTH_OBLIVIOUS"}
	if w.before("19.05") { // which shares by the classic tree where nothing is said
		flags = map[string]string{"fair_tree": "FAIR_TREE", "depth_oblivious": "DEPTH_OBLIVIOUS"}
	}
	if flag := flags[f.Model]; flag != "" {
		j := slices.IndexFunc(w.set, func(s setting) bool { return s.name == "PriorityFlags" })
		if j >= 0 {
			flag = w.set[j].text + "," + flag
		}
		w.say("PriorityFlags", flag)
	}
	p := w.part("slurm", "fairshare")
	if !w.capless(p) && p.weight != 0 && w.points("PriorityWeightFairshare", p) {
		if !slices.ContainsFunc(f.Associations, func(a ir.Association) bool { return a.Key() == "root/root" }) {
			w.near(p.at(),
				"each cluster of Slurm has a user root, who shares with the accounts and has a rank; an account "+
					"root with a user root says it", "the tree of shares becomes that of sacctmgr")
		}
	}
}

// homes are the associations of a user: those that the policy draws, or a place below the account for those of
// whom it does not say where they are.
func (w *slurmWriter) homes(user string) (keys []string, drawn bool) {
	if w.drawnHomes == nil {
		w.drawnHomes = map[string][]string{}
		if w.from.own {
			w.findHomes()
		}
	}
	if keys = w.drawnHomes[user]; len(keys) > 0 {
		return keys, true
	}
	return []string{w.usersAccount + "/" + user}, false
}

// findHomes looks where the policy has users: in the tree, and in the blocks of accounts.
func (w *slurmWriter) findHomes() {
	seen := map[string]bool{}
	add := func(user, key string) {
		if user != "" && user != "root" && user != "DEFAULT" && !seen[key] {
			seen[key] = true
			w.drawnHomes[user] = append(w.drawnHomes[user], key)
		}
	}
	for a := range associations(w.policy) {
		add(a.User, a.Key())
	}
	for i := range w.policy.Limits {
		if l := &w.policy.Limits[i]; isInAccount(l) {
			add(l.Row, l.Cross[0]+"/"+l.Row)
		}
	}
}

// hasBelow reports an account in which the policy draws others.
func (w *slurmWriter) hasBelow(account string) bool {
	return hasAssociation(w.policy,
		func(a *ir.Association) bool { return a.User == "" && strings.EqualFold(a.Parent, account) })
}

// holdLimits are holds of all jobs above a size, as limits.
func (w *slurmWriter) holdLimits() (list []ir.Limit) {
	for i := range w.policy.Holds {
		h := &w.policy.Holds[i]
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
					Span:   cmp.Or(placeOf(h.When), h.Span),
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
