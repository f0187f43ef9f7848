package rule

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Timed is a setting that is a time, or an amount of memory in MB.
type Timed struct {
	Name    string
	Seconds float64
	At      source.Span
	Write   func(seconds int64) string // as the file says it
}

// TimedParams are those of the parameters that the site set.
func (p *Pass) TimedParams(write func(int64) string) (list []Timed) {
	for i := range p.Params {
		v := &p.Params[i]
		unit := map[string]int64{"seconds": 1, "minutes": 60}[v.Unit]
		if v.Set.IsZero() || unit == 0 || v.Value.Type == schema.String || v.Value.Number() <= 0 {
			continue
		}
		t := Timed{v.Name, p.Number(v.Name) * float64(unit), v.Set, write}
		if v.Raw != "" && strings.Trim(v.Raw, "0123456789") == "" && v.Value.Type == schema.Int {
			t.Write = func(seconds int64) string { return strconv.FormatInt(seconds/unit, 10) }
		}
		list = append(list, t)
	}
	return list
}

// TimedAttr is a setting of a record.
func TimedAttr(a *ir.Attr, unit float64, write func(int64) string) Timed {
	return Timed{a.Name, a.Number() * unit, a.Span, write}
}

// CommentsDiffer compares times with the comments beside them. A line with two times, or a comment with more than a
// few words, says too much to know what is about what.
func (p *Pass) CommentsDiffer(list []Timed) {
	type place struct {
		file *source.File
		line int
	}
	on := map[place]int{}
	at := func(t Timed) place { return place{t.At.File, t.At.Position().Line} }
	for _, t := range list {
		on[at(t)]++
	}
	for _, t := range list {
		if !OwnText(t.At) || on[at(t)] > 1 {
			continue
		}
		comment := commentAfter(t.At)
		low, high, said := timeIn(comment)
		if said == "" || low == 0 || t.Seconds >= low*0.9 && t.Seconds <= high*1.1 {
			continue
		}
		p.Report(t.At, "%s is %s, and the comment beside it says %s", t.Name, Duration(int64(t.Seconds)), said).
			Note("write %s, or correct the comment", t.Write(int64(low)))
	}
}

// MemoryComments compares amounts of memory, in MB, with the comments beside them. A node has somewhat less than was
// bought.
func (p *Pass) MemoryComments(list []Timed) {
	for _, t := range list {
		m := memorySaid().FindAllStringSubmatch(commentAfter(t.At), 2)
		if len(m) != 1 || len(strings.Fields(commentAfter(t.At))) > 4 {
			continue
		}
		n, err := strconv.ParseFloat(m[0][1], 64)
		factor := map[string]float64{"M": 1, "G": 1024, "T": 1024 * 1024}[strings.ToUpper(m[0][2][:1])]
		if said := n * factor; err == nil && said > 0 && (t.Seconds < said*0.7 || t.Seconds > said*1.1) {
			p.Report(t.At, "%s is %.0f MB, and the comment beside it says %s", t.Name, t.Seconds, m[0][0]).
				Note("write %s=%.0f, or correct the comment", t.Name, said)
		}
	}
}

// commentAfter is what follows the # after a value, on its line.
func commentAfter(at source.Span) string {
	line := at.File.Line(at.Position().Line)
	column := at.Position().Column - 1
	if column < 0 || column > len(line) {
		return ""
	}
	_, comment, _ := strings.Cut(line[column:], "#")
	return strings.TrimSpace(comment)
}

var (
	timeSaid = source.Pattern(`(?i)\b(\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|` +
		`half an|half a)[ -]*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|wks?|weeks?|months?|years?)\b`)

	memorySaid  = source.Pattern(`(?i)\b(\d+(?:\.\d+)?) ?([MGT]i?B)\b`)
	wordNumbers = map[string]float64{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
		"seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "half an": 0.5, "half a": 0.5}
	// A month has 28 to 31 days, a year 365 or 366.
	unitSeconds = map[string][2]float64{"s": {1, 1}, "m": {60, 60}, "h": {3600, 3600}, "d": {86400, 86400},
		"w": {7 * 86400, 7 * 86400}, "mo": {30 * 86400, 31 * 86400}, "y": {365 * 86400, 366 * 86400}}
	// Words that make a time in a comment something else than the value.
	otherTime = strings.Fields("not no than was were default old formerly previously instead max min minimum " +
		"maximum up least most before every each per after until over under about less more todo was: default: if when")
)

// timeIn is the one time that a comment names, as written and in seconds; "" where there is none, or several.
func timeIn(comment string) (low, high float64, said string) {
	words := strings.Fields(strings.ToLower(comment))
	found := timeSaid().FindAllStringSubmatch(comment, 2)
	if len(found) != 1 || len(words) > 6 {
		return 0, 0, ""
	}
	for _, w := range words {
		for _, other := range otherTime {
			if strings.Trim(w, ".,;()") == other {
				return 0, 0, ""
			}
		}
	}
	m := found[0]
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		n = wordNumbers[strings.ToLower(m[1])]
	}
	unit := strings.ToLower(m[2])
	key := unit[:1]
	if strings.HasPrefix(unit, "mo") {
		key = "mo"
	}
	s := unitSeconds[key]
	return n * s[0], n * s[1], m[0]
}

// SlurmTime writes seconds as slurm.conf takes them: days-hours:minutes:seconds.
func SlurmTime(seconds int64) string {
	days, rest := seconds/86400, seconds%86400
	if rest == 0 {
		return fmt.Sprintf("%d-0", days)
	}
	return fmt.Sprintf("%d-%02d:%02d:%02d", days, rest/3600, rest/60%60, rest%60)
}

// MauiTime writes seconds as maui.cfg takes them: hours:minutes:seconds.
func MauiTime(seconds int64) string {
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}
