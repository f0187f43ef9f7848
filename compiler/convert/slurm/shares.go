package slurm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// fairshare: targets become shares, and the windows a half-life.
func (w *writer) fairshare() {
	windows := w.Windows()
	if windows == nil || windows.Setting("usage").Value.Str == "" {
		return // left
	}
	weights := map[string]draft.Part{}
	for _, t := range windows.Targets { // without a target Maui adds nothing
		if (t.Object == "user" || t.Object == "account") && !t.Caps() {
			weights[t.Object] = w.Part("fairshare", "fs"+t.Object)
		}
	}
	larger, other := weights["user"], weights["account"]
	if other.Weight > larger.Weight {
		larger, other = other, larger
	}
	if larger.Weight < 0.01 || larger.Weight > draft.MaxWeight/100 || other.Weight < 0 {
		return // left
	}
	if user, account := weights["user"].Weight, weights["account"].Weight; user != account && other.Weight != 0 {
		w.Near(other.At(), "Slurm has one weight for the place in the tree",
			"of the fairshare weights %v of users and %v of accounts the larger is taken", user, account)
	}
	w.Say("PriorityWeightFairshare", int64(larger.Weight*100), append(larger.From, other.From...)...)
	how := "Maui's factor is the distance to a target in percent"
	points := "a percent below the target"
	if windows.Setting("ratio").Value.Int != 0 {
		how = "Maui's factor is the part of a target that is not used"
		points = "for an unused target"
	}
	how += ", which may be negative; Slurm's lies between 0 and 1 and orders users by shares over usage"
	w.Near(cmp.Or(larger.At(), w.Policy.Span), how,
		"%v points %s become PriorityWeightFairshare=%d", larger.Weight, points, int64(larger.Weight*100))
	w.halfLife(windows)
	w.shares(windows, weights)
}

// usageCounted is what Maui counts otherwise than Slurm.
var usageCounted = map[string]string{
	"utilized_proc_seconds": "; Slurm counts what jobs were given, Maui here what they used",
	"dedicated_pe_seconds": "; Slurm counts processors, or what TRESBillingWeights says, Maui here processor " +
		"equivalents",
}

// halfLife is in which usage comes to half, as that of the windows does.
func (w *writer) halfLife(windows *ir.Fairshare) {
	set := [3]ir.Setting{windows.Setting("interval"), windows.Setting("depth"), windows.Setting("decay")}
	interval, depth, decay := set[0].Value.Number(), set[1].Value.Number(), set[2].Value.Number()
	half := interval * depth / 2
	if decay < 1 { // within a window nothing decays, however little those before it count
		half = math.Max(interval/2, interval*math.Ln2/-math.Log(math.Max(decay, 1e-9)))
	}
	minutes := int64(math.Round(half / 60))
	if minutes <= 0 {
		return
	}
	w.Say("PriorityDecayHalfLife", minutes, set[0].Span, set[1].Span, set[2].Span)
	usage := windows.Setting("usage")
	w.Near(cmp.Or(usage.Span, windows.Span),
		"Slurm's usage decays steadily and never ends, Maui's by window"+usageCounted[usage.Value.Str],
		"windows of %v s, %v of them, each worth %v of the next, become PriorityDecayHalfLife=%d minutes",
		interval, depth, decay, minutes)
}

// shares are ten for each percent of a target. The account of the users has what they have together.
func (w *writer) shares(windows *ir.Fairshare, weights map[string]draft.Part) {
	together, first := int64(0), source.Span{}
	for _, t := range windows.Targets {
		names, drawn := []string{t.Name}, true
		if t.Object == "user" {
			names, drawn = w.homes(t.Name)
		}
		shares := int64(math.Round(t.Value * 10))
		if t.Object != "account" && t.Object != "user" || weights[t.Object].Weight == 0 || t.Name == "DEFAULT" || t.Caps() ||
			shares < 1 ||
			t.Object == "account" && w.isRoot(t.Name, t.Span) {
			continue
		}
		for _, name := range names {
			w.setSlurm("association", name, draft.Set("Fairshare", fmt.Sprint(shares), t.Span))
		}
		how := "shares are relative to those of siblings, ten for each percent"
		if !drawn {
			together, first = together+shares, cmp.Or(first, t.Span)
			how += "; " + moveUsers + w.usersAccount + ", which has the " +
				"shares of all of them"
		}
		if t.Kind != "target" {
			how += "; that it is only a " + t.Kind + " is lost"
		}
		w.Near(t.Span, how, "%s becomes Fairshare=%d", t.Source, shares)
	}
	if together > 0 {
		w.setSlurm("association", w.usersAccount, draft.Set("Fairshare", fmt.Sprint(together), first))
	}
}
