package fairshare

import "github.com/fairway-sched/fairway/runtime/snapshot"

// WithPassed counts the lines of usage files that Maui passes over, as its manual has them;
// what a line that Maui reads says stays. Counted says how many lines that were.
func WithPassed(windows []snapshot.UsageWindow) (out []snapshot.UsageWindow, counted int) {
	out = Clone(windows)
	for i := range out {
		w := &out[i]
		read := w.Total != 0
		for _, line := range w.Passed {
			switch _, stated := w.Usage[line.Object][line.Name]; {
			case line.Object == "" && !read:
				w.Total = line.Usage
			case line.Object == "" || stated:
				continue
			default:
				if w.Usage[line.Object] == nil {
					w.Usage[line.Object] = map[string]float64{}
				}
				w.Usage[line.Object][line.Name] = line.Usage
			}
			counted++
		}
	}
	return out, counted
}
