package usage

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Action is what becomes of the file of a window.
type Action string

// The actions. Left is for a window that is not in the records and that
// has no file: a missing file is an empty window to Maui.
const (
	New       Action = "new"
	Replace   Action = "replaced"
	Unchanged Action = "unchanged"
	Keep      Action = "kept"
	Left      Action = "none"
)

// Decision is an action and, where a file is kept, why.
type Decision struct {
	Action Action
	Why    string
}

// Decide says what becomes of a window's file. have is the file that is there,
// nil if none.
//
// Where the records cover the window they are the better knowledge. Where they do
// not, they can only miss usage, never invent it: such a file is replaced only if
// no credential loses by it.
func Decide(w *Window, have *snapshot.UsageWindow, force bool) Decision {
	switch {
	case have == nil && w.Cover != Whole && printed(w.Total) == 0:
		return Decision{Action: Left}
	case have == nil:
		return Decision{Action: New}
	case same(&w.UsageWindow, have):
		return Decision{Action: Unchanged}
	case w.Cover == Whole || force:
		return Decision{Action: Replace}
	}
	if loss := loses(w, have); loss != "" {
		return Decision{Keep, loss}
	}
	return Decision{Action: Replace}
}

// same compares what two windows print. A file with lines that Maui ignores is not
// what we would write.
func same(a, b *snapshot.UsageWindow) bool {
	return printed(a.Total) == printed(b.Total) && passes(a) == passes(b) && within(a, b) == "" && within(b, a) == ""
}

func passes(w *snapshot.UsageWindow) bool { return w.Passed.Usage != nil || w.Passed.Total != 0 }

// loses names the first credential for which the file has more.
func loses(w *Window, have *snapshot.UsageWindow) string {
	if a, b := printed(w.Total), printed(have.Total); a < b {
		return fmt.Sprintf("the file has a total of %.3f, the records %.3f", b, a)
	}
	return within(have, &w.UsageWindow)
}

// within says who has more in small than in large, "" if no one has.
func within(small, large *snapshot.UsageWindow) string {
	for _, object := range slices.Sorted(maps.Keys(small.Usage)) {
		for _, name := range slices.Sorted(maps.Keys(small.Usage[object])) {
			if a, b := printed(small.Usage[object][name]), printed(large.Usage[object][name]); a > b {
				return fmt.Sprintf("the file has %.3f of %s %s, the records %.3f", a, object, name, b)
			}
		}
	}
	return ""
}
