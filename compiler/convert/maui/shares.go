package maui

import (
	"cmp"
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
)

// shares: shares among siblings become percent of the whole, and the half-life windows of a day.
func (w *writer) shares() {
	p := w.weighs("fairshare")
	if p.Weight == 0 {
		return
	}
	weight, from := p.Weight, p.At()
	w.Exact(p.From...)
	half := w.Number("PriorityDecayHalfLife")
	w.Say("FSPOLICY", "DEDICATEDPS", from)
	w.belowOne()
	w.Say("FSWEIGHT", 1, from)
	w.Say("FSUSERWEIGHT", int64(math.Max(1, math.Round(weight/200))), from)
	w.Say("FSACCOUNTWEIGHT", int64(math.Max(1, math.Round(weight/200))), from)
	w.Say("FSINTERVAL", "24:00:00", w.Span("PriorityDecayHalfLife"))
	w.Say("FSDEPTH", 23, w.Span("PriorityDecayHalfLife"))
	decay := 1.0
	if half > 0 {
		decay = math.Exp2(-86400 / half)
	}
	w.Say("FSDECAY", fmt.Sprintf("%.4f", decay), w.Span("PriorityDecayHalfLife"))
	w.Near(from,
		"Slurm's factor lies between 0 and 1 and orders users by shares over usage; Maui's is the distance to a "+
			"target in percent, which may be negative, as then the priority may be, and its usage ends after 23 days",
		"fairshare of weight %s becomes %v points a percent below the target of user and account", w.unscaled(weight),
		math.Max(1, math.Round(weight/200)))
	w.shareTargets()
}

func (w *writer) shareTargets() {
	for i := range w.Policy.Fairshare {
		f := &w.Policy.Fairshare[i]
		sums := map[string]int64{}
		lifted := map[string]string{} // from accounts that share as their parent does to this
		above := func(a *ir.Association) string {
			of := a.Parent
			if a.User != "" {
				of = a.Account
			}
			return cmp.Or(lifted[of], of)
		}
		for k := range f.Associations { // accounts come before what is below them
			if a := &f.Associations[k]; a.UsesParent() && a.User == "" {
				lifted[a.Account] = above(a)
				w.Exact(a.Span)
			}
		}
		parts := map[string]float64{"": 1, "root": 1}
		for k := range f.Associations {
			if a := &f.Associations[k]; !a.UsesParent() && a.Key() != "root" {
				sums[above(a)] += a.Shares
			}
		}
		for k := range f.Associations {
			a := &f.Associations[k]
			if a.Key() == "root" {
				w.Exact(a.Span)
				continue
			}
			part := parts[above(a)]
			if a.UsesParent() || sums[above(a)] == 0 {
				continue
			}
			part *= float64(a.Shares) / float64(sums[above(a)])
			family, name := "ACCOUNTCFG", a.Account
			if a.User == "" {
				parts[a.Account] = part
			} else if family, name = "USERCFG", a.User; a.Partition != "" || w.accounts(a.User) > 1 {
				continue
			}
			w.setIn(family, name, draft.Set("FSTARGET", fmt.Sprintf("%.2f", 100*part), a.Span))
			if a.Span.IsZero() {
				continue // the user root, which every tree has
			}
			w.Near(a.Span, "Slurm compares siblings, Maui each with the whole", "%s becomes a target of %.2f percent",
				a.Source, 100*part)
		}
	}
}
