package fairshare

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/program"
)

// NoTarget stands for a credential that aims at nothing.
const NoTarget int32 = -1

// targets finds the targets of one kind of credential. A credential has at most one that
// moves its priority and one that caps its usage; Maui's, which has one FSTARGET, has one of
// the two.
type targets struct {
	all    []program.Target
	own    map[string]int32 // by name; the DEFAULT row is that of a credential of that name too
	caps   map[string]int32 // likewise
	others int32            // of every name without one of its own
}

func targetsOf(w *program.Windows, object string) targets {
	t := targets{all: w.Targets, own: map[string]int32{}, caps: map[string]int32{}, others: NoTarget}
	for i := range w.Targets {
		target := &w.Targets[i]
		if target.Object != object {
			continue
		}
		if isCap(target.Kind) {
			t.caps[target.Name] = int32(i)
		}
		if _, known := t.own[target.Name]; known && isCap(target.Kind) {
			continue // the cap beside a target
		}
		t.own[target.Name] = int32(i)
		if target.Others {
			t.others = int32(i)
		}
	}
	return t
}

// of is the target that the priority counts: a credential's own if above 0, else DEFAULT's
// with DEFAULT's kind.
func (t *targets) of(name string) int32 {
	if i, ok := t.own[name]; ok && t.all[i].Value > 0 {
		return i
	}
	return t.ofOthers()
}

// ofOthers is the target of names without one of their own.
func (t *targets) ofOthers() int32 {
	if t.others != NoTarget && t.all[t.others].Value > 0 {
		return t.others
	}
	return NoTarget
}

// capOf is the target that keeps a credential's jobs from starting: its own only, whatever
// its sign.
func (t *targets) capOf(name string) int32 {
	if i, ok := t.caps[name]; ok && name != "" {
		return i
	}
	return NoTarget
}

func isCap(kind string) bool { return kind == "cap" || kind == "relative_cap" }

// worth is what shares of all usage are worth to the priority under one target: target −
// share, or 1 − share/target in ratio mode, kept within the bounds of the target's kind.
type worth struct {
	value     float64
	ratio     bool
	low, high float64
}

// worthOf: a floor only raises, a ceiling only lowers, a cap does neither.
func worthOf(t *program.Target, ratio bool) worth {
	w := worth{value: t.Value, ratio: ratio, low: math.Inf(-1), high: math.Inf(1)}
	switch t.Kind {
	case "floor":
		w.low = 0
	case "ceiling":
		w.high = 0
	case "cap", "relative_cap":
		w.low, w.high = 0, 0
	}
	return w
}

func (w *worth) of(percent float64) float64 {
	d := w.value - percent
	if w.ratio {
		d = 1 - percent/w.value
	}
	return min(w.high, max(w.low, d))
}

// ofUsage are the percents of all usage that many have, and what these are worth. The order of operations is
// Maui's, which decides the last bit.
func (w *worth) ofUsage(worths, percents, usage []float64, total float64) {
	worths, percents = worths[:len(usage)], percents[:len(usage)]
	if total <= 0 {
		clear(worths)
		clear(percents)
		return
	}
	v := *w
	for i, u := range usage {
		percents[i] = u / total * 100
		worths[i] = v.of(percents[i])
	}
}

// missedBy is how far, in points of percent, usage may be off a target before reports mark it.
const missedBy = 5

// Missed reports whether Maui's diagnose -f marks the credential: below a floor, above a
// ceiling, more than five points off a target.
func Missed(t *program.Target, percent float64) bool {
	switch t.Kind {
	case "floor":
		return percent < t.Value
	case "ceiling":
		return percent > t.Value
	case "target":
		return math.Abs(percent-t.Value) > missedBy
	}
	return false
}
