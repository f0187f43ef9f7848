package maui

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// size: the share of the cluster becomes points for each processor and node, and so do weights of resources.
func (w *writer) size() {
	points, spans := map[string]float64{}, map[string]source.Span{}
	add := func(param string, each float64, at source.Span) {
		points[param] += each
		spans[param] = at
	}
	w.jobSize(add)
	w.weighedResources(add)
	for _, r := range match.Resources {
		if r.Weight != "" && points[r.Weight] != 0 {
			w.sizePoints(r.Weight, points[r.Weight], spans[r.Weight])
		}
	}
}

// nodesAsked is the remark where nodes are weighed or counted.
const nodesAsked = "Maui counts nodes only of jobs that ask for them"

func (w *writer) jobSize(add func(param string, each float64, at source.Span)) {
	p, procs, nodes := w.weighs("jobsize"), w.Total("cluster.procs"), w.Total("cluster.nodes")
	if p.Weight == 0 || procs <= 0 || nodes <= 0 || w.Flag("SMALL_RELATIVE_TO_TIME") {
		return // left
	}
	sign, small := 1.0, ""
	if w.Of("PriorityFavorSmall").Value.Int != 0 {
		sign, small = -1, "; large jobs get less instead of small ones more, so that priorities may be negative: "+
			"ENABLENEGJOBPRIORITY keeps their order"
		w.belowOne()
	}
	w.Exact(w.Span("PriorityFavorSmall"))
	proc, node := sign*p.Weight/2/procs, sign*p.Weight/2/nodes
	add("PROCWEIGHT", proc, p.At())
	add("NODEWEIGHT", node, p.At())
	w.Near(p.At(), nodesAsked+small, "PriorityWeightJobSize becomes %.4g points a processor and "+
		"%.4g a node", proc, node)
}

func (w *writer) weighedResources(add func(param string, each float64, at source.Span)) {
	at := w.Span("PriorityWeightTRES")
	w.Exact(at)
	for _, r := range w.resources() {
		if r.param == "" {
			d := w.Diags.Warnf("convert-not-said", at, "maui.cfg cannot say the weight of %s in PriorityWeightTRES",
				r.name)
			if r.name == "mem" && w.Total("cluster.mem_mb") == 0 {
				d.Note("a job's share of it is weighed, and no NodeName says with RealMemory how much there is")
			}
			continue
		}
		each := r.each * w.Scale
		add(r.param, each, at)
		var how []string
		by := ""
		if !w.rawResources() {
			how = append(how, "Slurm goes by the share of the partition's resources, Maui by the bare number")
			by = ", by the whole cluster"
		}
		if r.param == "NODEWEIGHT" {
			how = append(how, nodesAsked)
		}
		if how != nil {
			w.Near(at, strings.Join(how, "; "), "the weight of %s becomes %.4g points each%s", r.name, each, by)
		}
	}
}

// sizePoints writes the points for each of a resource.
func (w *writer) sizePoints(param string, points float64, at source.Span) {
	rounded := math.Round(points)
	switch {
	case math.Abs(rounded) > math.MaxInt32:
		w.Diags.Warnf("convert-not-said", at, "%s of %.4g is more than Maui can hold", param, points)
		return
	case rounded == 0:
		w.Diags.Warnf("convert-not-said", at, "maui.cfg cannot say %s of %.4g", param, points).
			Note("Maui's weights are whole numbers, and this one would be 0; make the others smaller, or leave it out")
		return
	case rounded != points:
		w.Near(at, wholeWeights, "%s of %.4g becomes %.0f", param, points, rounded)
	}
	w.Say(param, int64(rounded), at)
	w.Say("RESWEIGHT", 1)
}

// resource is a weight of PriorityWeightTRES: Maui's parameter for it, "" if there is none, and the points for
// each unit.
type resource struct {
	name, param  string
	weight, each float64
	all          float64 // of it in the cluster, 0 if the policy does not say
}

// resources are those that are weighed.
func (w *writer) resources() (list []resource) {
	if _, ok := w.IsSet("PriorityWeightTRES"); !ok {
		return nil
	}
	weights, _ := slurmtext.ParseTRESWeights(w.Word("PriorityWeightTRES")) // Lower has read it
	for _, weight := range weights {
		if weight.Value == 0 {
			continue
		}
		r := resource{name: weight.Name, weight: weight.Value}
		of := match.ResourceOf(r.name)
		all := w.Total(of.Cluster)
		r.all = all
		if w.rawResources() {
			all = 1
		}
		if all > 0 && w.usual(r.name) {
			r.param, r.each = of.Weight, r.weight/all
		}
		list = append(list, r)
	}
	return list
}

// rawResources reports weights of bare numbers, not of shares.
func (w *writer) rawResources() bool { return w.Flag("NO_NORMAL_TRES") || w.Flag("NO_NORMAL_ALL") }

// usual reports a resource that is weighed as the library does.
func (w *writer) usual(resource string) bool {
	c := draft.Component(w.Policy, "tres")
	if c == nil || !draft.UsualHere(c.Weight) {
		return false
	}
	return slices.ContainsFunc(c.Terms, func(t ir.Term) bool {
		return t.Name == "tres["+resource+"]" && draft.FromLibrary(t.Weight.Expr.Span) &&
			draft.FromLibrary(t.Factor.Expr.Span) &&
			!t.Cap.IsSet()
	})
}
