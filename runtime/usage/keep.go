package usage

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

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

// kinds are Maui's words for the credentials, in the order of its files.
var kinds = []struct{ object, word string }{
	{"user", "user"}, {"group", "group"}, {"account", "acct"}, {"qos", "qos"}, {"partition", "class"},
}

// FileName is how Maui finds a window.
func FileName(startTime int64) string { return "FS." + strconv.FormatInt(startTime, 10) }

// Write writes a window as Maui does (MFSUpdateData, format of the lines in
// reference §3.3) and as its reader and ours take it. Names are sorted, so the
// same usage is the same text.
func Write(to io.Writer, w *snapshot.UsageWindow, intervalSeconds int64) error {
	b := bufio.NewWriter(to)
	fmt.Fprintf(b, "# FS Data File (Duration: %6d seconds)  Starting: epoch %d\n", intervalSeconds, w.StartTime)
	for _, k := range kinds {
		for _, name := range slices.Sorted(maps.Keys(w.Usage[k.object])) {
			writeLine(b, k.word, name, w.Usage[k.object][name])
		}
	}
	writeLine(b, "TOTAL", "NONE", w.Total)
	return b.Flush()
}

func writeLine(b *bufio.Writer, kind, name string, amount float64) {
	fmt.Fprintf(b, "%-10s %15s %12.3f\n", kind, name, amount)
}

// printed is an amount as the file holds it.
func printed(amount float64) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(amount, 'f', 3, 64), 64)
	return f
}

// Interval is the length of the window that a file's header states, 0 if none.
func Interval(text string) int64 {
	header, _, _ := strings.Cut(text, "\n")
	_, after, ok := strings.Cut(header, "Duration:")
	fields := strings.Fields(after)
	if !ok || len(fields) == 0 || !strings.HasPrefix(header, "#") {
		return 0
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
