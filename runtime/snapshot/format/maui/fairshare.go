package maui

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// fairshareKinds are the words Maui's reader knows in the first field, in
// exactly this spelling (MFS.c), and our names for them.
var fairshareKinds = map[string]string{
	"user": "user", "group": "group", "acct": "account", "qos": "qos", "class": "partition", "sched": "sched",
}

// ReadFairshare reads one window of usage. Maui takes a line only when it has
// three fields and a word it knows; what it would ignore is ignored here
// too, so that the factors come out as Maui's, but it is reported: the manual's own
// sample loads nothing at all.
func ReadFairshare(in *format.Input) error {
	in.Snapshot.Family = "maui"
	start, ok := windowStart(in)
	if !ok {
		in.Bad("snapshot-fairshare-without-start", 0, 0, "the file does not say which window it is").
			Note("the name is FS. and the epoch at which the window starts, such as FS.1699704000")
		return nil
	}
	window := format.UsageWindow{StartTime: start, Usage: map[string]map[string]float64{}}
	offset := 0
	for line := range bytes.Lines(in.Text) {
		at := offset
		offset += len(line)
		text := strings.TrimRight(string(line), "\r\n")
		fields := strings.Fields(text)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		usageLine(in, &window, fields, at, at+len(text))
	}
	in.Snapshot.Usage = []format.UsageWindow{window}
	return nil
}

func usageLine(in *format.Input, w *format.UsageWindow, fields []string, start, end int) {
	kind, known := fairshareKinds[fields[0]]
	keepPassed(w, fields, known)
	switch {
	case !known && fields[0] != "TOTAL":
		d := in.Warn("snapshot-fairshare-line", start, end, "Maui ignores this line: %q is no kind of usage",
			fields[0])
		words := format.SortedKeys(fairshareKinds)
		if lower := strings.ToLower(fields[0]); fairshareKinds[lower] != "" {
			d.Note("the word counts in lower case only: %s", lower)
		} else if strings.EqualFold(fields[0], "account") {
			d.Note("the word is acct")
		} else {
			d.Note("the words are TOTAL and %s", strings.Join(words, ", "))
		}
		return
	case len(fields) < 3:
		in.Warn("snapshot-fairshare-line", start, end,
			"Maui ignores this line: it has %d of the three fields it needs", len(fields)).
			Note("a line is: kind name processor-seconds; the total's name may be any word, such as NONE")
		return
	}
	value, ok := format.RealNumber(fields[2])
	if !ok {
		in.Bad("snapshot-bad-record", start, end, "the usage %q is no number", fields[2]).
			Note("the whole record is left out; no value is guessed")
		return
	}
	in.Record()
	if kind == "" {
		w.Total = value
		return
	}
	if w.Usage[kind] == nil {
		w.Usage[kind] = map[string]float64{}
	}
	w.Usage[kind][fields[1]] = value // a repeated credential: the last line counts, as in Maui
}

// keepPassed keeps a line that the manual's sample has and Maui does not read: the word in
// another case, account for acct, a total without a name.
func keepPassed(w *format.UsageWindow, fields []string, known bool) {
	word := strings.ToLower(fields[0])
	if word == "account" {
		word = "acct"
	}
	kind := fairshareKinds[word]
	value, number := format.RealNumber(fields[len(fields)-1])
	switch {
	case !number || known || kind == "" && word != "total" || fields[0] == "TOTAL" && len(fields) > 2:
	case kind == "":
		w.Passed.Total = value
	case len(fields) == 3:
		if w.Passed.Usage == nil {
			w.Passed.Usage = map[string]map[string]float64{}
		}
		if w.Passed.Usage[kind] == nil {
			w.Passed.Usage[kind] = map[string]float64{}
		}
		w.Passed.Usage[kind][fields[1]] = value
	}
}

// windowStart takes the epoch from the name, which is what Maui goes by; the
// header's is only a comment, but better than nothing in a renamed file.
func windowStart(in *format.Input) (epochSeconds int64, ok bool) {
	base := (&format.Head{Name: in.Name}).Base()
	if digits, isFS := strings.CutPrefix(base, "FS."); isFS {
		if epoch, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return epoch, true
		}
	}
	header, _, _ := strings.Cut(string(in.Text), "\n")
	_, after, found := strings.Cut(header, "epoch ")
	if fields := strings.Fields(after); found && len(fields) > 0 {
		epoch, err := strconv.ParseInt(fields[0], 10, 64)
		return epoch, err == nil
	}
	return 0, false
}

func RecognizeFairshare(h *format.Head) int {
	digits, isFS := strings.CutPrefix(h.Base(), "FS.")
	header, _, _ := bytes.Cut(h.Text, []byte("\n"))
	switch {
	case isFS && strings.Trim(digits, "0123456789") == "" && digits != "":
		return format.Certain
	case bytes.HasPrefix(header, []byte("# FS Data File")), bytes.HasPrefix(header, []byte("# Fairshare Data File")):
		return format.Likely
	}
	return format.Foreign
}
