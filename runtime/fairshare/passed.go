package fairshare

import "github.com/fairway-sched/fairway/runtime/snapshot"

// WithPassed counts the lines of usage files that Maui ignores, as its manual has them;
// what a line that Maui reads says stays. Counted says how many lines that were.
func WithPassed(windows []snapshot.UsageWindow) (out []snapshot.UsageWindow, counted int) {
	out = Clone(windows)
	for i := range out {
		w := &out[i]
		if w.Total == 0 && w.Passed.Total != 0 {
			w.Total = w.Passed.Total
			counted++
		}
		for object, names := range w.Passed.Usage {
			if w.Usage[object] == nil {
				w.Usage[object] = map[string]float64{}
			}
			for name, amount := range names {
				if _, stated := w.Usage[object][name]; !stated {
					w.Usage[object][name] = amount
					counted++
				}
			}
		}
	}
	return out, counted
}
