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
