package snapshot

import (
	"bytes"
	"strconv"
	"strings"
)

// fairshareKinds are the words Maui's reader knows in the first field, in
// exactly this spelling (MFS.c), and our names for them.
var fairshareKinds = map[string]string{
	"user": "user", "group": "group", "acct": "account", "qos": "qos", "class": "partition", "sched": "sched",
}

// readFairshare reads one window of usage. Maui takes a line only when it has
// three fields and a word it knows; what it would pass over is passed over here
// too, so that the factors come out as Maui's, but it is said: the manual's own
// sample loads nothing at all.
func readFairshare(in *input) error {
	in.snapshot.Family = "maui"
	start, ok := windowStart(in)
	if !ok {
		in.bad("snapshot-fairshare-without-start", 0, 0, "the file does not say which window it is").
			Note("the name is FS. and the epoch at which the window starts, such as FS.1699704000")
		return nil
	}
	window := UsageWindow{StartTime: start, Usage: map[string]map[string]float64{}}
	offset := 0
	for line := range bytes.Lines(in.text) {
		at := offset
		offset += len(line)
		text := strings.TrimRight(string(line), "\r\n")
		fields := strings.Fields(text)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		in.usageLine(&window, fields, at, at+len(text))
	}
	in.snapshot.Usage = []UsageWindow{window}
	return nil
}

func (in *input) usageLine(w *UsageWindow, fields []string, start, end int) {
	kind, known := fairshareKinds[fields[0]]
	w.keepPassed(fields, known)
	switch {
	case !known && fields[0] != "TOTAL":
		d := in.warn("snapshot-fairshare-line", start, end, "Maui passes over this line: %q is no kind of usage", fields[0])
		words := sortedKeys(fairshareKinds)
		if lower := strings.ToLower(fields[0]); fairshareKinds[lower] != "" {
			d.Note("the word counts in lower case only: %s", lower)
		} else if strings.EqualFold(fields[0], "account") {
			d.Note("the word is acct")
		} else {
			d.Note("the words are TOTAL and %s", strings.Join(words, ", "))
		}
		return
	case len(fields) < 3:
		in.warn("snapshot-fairshare-line", start, end, "Maui passes over this line: it has %d fields of the three it needs", len(fields)).
			Note("a line is: kind name processor-seconds; the total's name may be any word, such as NONE")
		return
	}
	value, ok := realNumber(fields[2])
	if !ok {
		in.bad("snapshot-bad-record", start, end, "the usage %q is no number", fields[2]).
			Note("the whole record is left out; no value is guessed")
		return
	}
	in.record()
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
func (w *UsageWindow) keepPassed(fields []string, known bool) {
	word := strings.ToLower(fields[0])
	if word == "account" {
		word = "acct"
	}
	kind := fairshareKinds[word]
	value, number := realNumber(fields[len(fields)-1])
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
func windowStart(in *input) (epochSeconds int64, ok bool) {
	base := (&head{name: in.name}).base()
	if digits, isFS := strings.CutPrefix(base, "FS."); isFS {
		if epoch, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return epoch, true
		}
	}
	header, _, _ := strings.Cut(string(in.text), "\n")
	_, after, found := strings.Cut(header, "epoch ")
	if fields := strings.Fields(after); found && len(fields) > 0 {
		epoch, err := strconv.ParseInt(fields[0], 10, 64)
		return epoch, err == nil
	}
	return 0, false
}

func recognizeFairshare(h *head) int {
	digits, isFS := strings.CutPrefix(h.base(), "FS.")
	header, _, _ := bytes.Cut(h.text, []byte("\n"))
	switch {
	case isFS && strings.Trim(digits, "0123456789") == "" && digits != "":
		return certain
	case bytes.HasPrefix(header, []byte("# FS Data File")), bytes.HasPrefix(header, []byte("# Fairshare Data File")):
		return likely
	}
	return foreign
}
