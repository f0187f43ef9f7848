package fairshare

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Window is one window of the past.
type Window struct {
	StartTime int64   // epoch seconds
	Weight    float64 // FSDECAY to the power of the window's age
	Total     float64 // all usage in it, in the model's unit
	Recorded  bool    // usage was given for it; without, the window is empty
}

// ledger is usage laid out for adding up: names are codes, and what a window holds for one
// kind of credential is one array.
type ledger struct {
	windows []Window // newest first
	tables  [objects]usageTable
}

type usageTable struct {
	names []string // the position is the code: those with usage, sorted, then those with a target only
	codes map[string]int32
	used  int         // how many names have usage
	cells [][]float64 // per window, then per code of a name with usage; nil for a window without any
}

// newLedger picks the windows that count: number k begins k intervals before the one that now
// lies in. Maui finds their files by name and takes a missing one for an empty window; the
// file of the window after the last is read but not used (recorded: f05).
func newLedger(w *program.Windows, usage []snapshot.UsageWindow, now int64) *ledger {
	l := &ledger{windows: make([]Window, w.Depth)}
	recorded := make([]*snapshot.UsageWindow, w.Depth)
	byStart := make(map[int64]*snapshot.UsageWindow, len(usage))
	for i := range usage {
		byStart[usage[i].StartTime] = &usage[i]
	}
	current := CurrentStart(w, now)
	for k := range l.windows {
		start := current - int64(k)*w.IntervalSeconds
		l.windows[k] = Window{StartTime: start, Weight: math.Pow(w.Decay, float64(k))}
		if u := byStart[start]; u != nil {
			recorded[k] = u
			l.windows[k].Total, l.windows[k].Recorded = u.Total, true
		}
	}
	for o, object := range Objects {
		l.tables[o] = tabulate(recorded, object)
		l.tables[o].addTargets(w.Targets, object)
	}
	return l
}

// CurrentStart is when the window that now lies in began: windows are aligned to the epoch.
func CurrentStart(w *program.Windows, now int64) int64 { return now - now%w.IntervalSeconds }

// tabulate goes through each window's map once: names get codes as they come, and what is
// after them moves to its place when all names are known and sorted.
func tabulate(windows []*snapshot.UsageWindow, object string) usageTable {
	t := usageTable{codes: map[string]int32{}, cells: make([][]float64, len(windows))}
	met := make([][]meeting, len(windows))
	for k, u := range windows {
		if u == nil || len(u.Usage[object]) == 0 {
			continue
		}
		met[k] = make([]meeting, 0, len(u.Usage[object]))
		for name, amount := range u.Usage[object] {
			code, known := t.codes[name]
			if !known {
				code = int32(len(t.names))
				t.codes[name] = code
				t.names = append(t.names, name)
			}
			met[k] = append(met[k], meeting{code, amount})
		}
	}
	place := t.sort()
	t.used = len(t.names)
	for k, list := range met {
		if list == nil {
			continue
		}
		t.cells[k] = skewed(t.used, k)
		for _, m := range list {
			t.cells[k][place[m.code]] = m.amount
		}
	}
	return t
}

// meeting is one entry of a window's map, by the code its name had when it was met.
type meeting struct {
	code   int32
	amount float64
}

// sort puts the names in order, so that nothing depends on the order of a map. It returns
// where each code has gone.
func (t *usageTable) sort() (place []int32) {
	sorted := slices.Sorted(slices.Values(t.names))
	place = make([]int32, len(sorted))
	for code, name := range sorted {
		place[t.codes[name]] = int32(code)
		t.codes[name] = int32(code)
	}
	t.names = sorted
	return place
}

// addTargets gives a code to each name that has a target and no usage.
func (t *usageTable) addTargets(list []program.Target, object string) {
	for i := range list {
		if _, known := t.codes[list[i].Name]; list[i].Object == object && !known {
			t.codes[list[i].Name] = int32(len(t.names))
			t.names = append(t.names, list[i].Name)
		}
	}
}

// skewed allocates n cells whose address modulo the page differs from window to window:
// arrays read side by side at one offset would fight for the same lines of the first cache.
func skewed(n, window int) []float64 {
	const lines = 24 // doubles: three cache lines
	shift := window * lines
	return make([]float64, shift+n)[shift:]
}
