package pbs

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// stanza is one job of qstat -f or one node of pbsnodes -a: a line of its own
// with the name, then indented "attribute = value" lines.
type stanza struct {
	name       string
	attributes map[string]string
	start, end int      // place of the name's line
	fault      string   // what could not be read, "" if all
	job        bool     // what its user wrote may pass for its attributes
	written    bool     // the user's environment has begun
	late       []string // attributes after it
	doubt      string   // why it cannot be known which of its values is true, "" if it can
}

// stanzas splits a text. A value that is too long for a line goes on in the
// next one, which begins with a tab and belongs to the value without a blank.
func stanzas(text []byte, jobs bool, visit func(*stanza)) {
	var current *stanza
	last, offset := "", 0
	for line := range bytes.Lines(text) {
		start := offset
		offset += len(line)
		content := strings.TrimRight(string(line), "\r\n")
		trimmed := strings.TrimSpace(content)
		begins := trimmed != "" && content[0] != ' ' && content[0] != '\t'
		if begins && jobs && current != nil { // a line of a shell function in the environment begins anywhere
			begins = strings.HasPrefix(content, jobBegin)
		}
		switch {
		case trimmed == "":
			continue
		case begins:
			if current != nil {
				visit(current)
			}
			current = &stanza{name: trimmed, attributes: map[string]string{}, start: start,
				end: start + len(content), job: jobs}
			last = ""
			continue
		case current == nil:
			current = &stanza{attributes: map[string]string{}, start: start, end: start + len(content), job: jobs,
				fault: "the text does not begin with a name"}
		}
		name, value, ok := strings.Cut(trimmed, " = ")
		switch {
		case content[0] == '\t' && last != "":
			current.attributes[last] += trimmed
		case ok:
			last = current.set(name, strings.TrimSpace(value))
		case strings.HasSuffix(trimmed, " ="):
			last = current.set(strings.TrimSuffix(trimmed, " ="), "")
		case current.fault == "" && !current.written:
			current.fault = "the line " + strconv.Quote(format.Excerpt([]byte(trimmed))) + " is no attribute"
		}
	}
	if current != nil {
		visit(current)
	}
}

// jobBegin begins each job of qstat -f.
const jobBegin = "Job Id:"

// environment is the attribute with the variables that a user gives a job (qsub -v). A line break in one of them is
// printed as it is by qstat -f, so that what follows may be the user's text.
const environment = "Variable_List"

// afterEnvironment are the attributes that we read and that both TORQUE and PBS Professional print after it:
// servers list
// attributes in one order, of all jobs. All others are printed before.
var afterEnvironment = map[string]bool{
	"euser": true, "egroup": true, hashname: true, "comment": true, "etime": true, "start_time": true,
}

// set takes an attribute; its name is returned if it is one. The first value counts: a user's text can only add more.
func (s *stanza) set(name, value string) string {
	old, again := s.attributes[name]
	switch {
	case !s.job:
		s.attributes[name] = value
	case s.written && !afterEnvironment[name]:
		return ""
	case !again:
		s.attributes[name] = value
		if s.written {
			s.late = append(s.late, name)
		}
		s.written = s.written || name == environment
	case old != value && name != "comment":
		if s.doubt == "" {
			s.doubt = "it has " + name + " twice, " + strconv.Quote(format.Excerpt([]byte(old))) + " and " +
				"" + strconv.Quote(format.Excerpt([]byte(value)))
		}
		return ""
	}
	return name
}

// first returns the first attribute that is there.
func (s *stanza) first(names ...string) string {
	for _, n := range names {
		if v := s.attributes[n]; v != "" {
			return v
		}
	}
	return ""
}

// pbsBytes reads a PBS size: a whole number with an optional k, m, g, t or p
// and b for bytes or w for words of 8 (pbs_resources manual, "size"; bytes
// if nothing is given).
func pbsBytes(text string) (int64, bool) {
	t := strings.ToLower(strings.TrimSpace(text))
	unit := int64(1)
	if strings.HasSuffix(t, "w") {
		unit, t = 8, t[:len(t)-1]
	} else {
		t = strings.TrimSuffix(t, "b")
	}
	if t != "" {
		if power := strings.IndexByte("kmgtp", t[len(t)-1]); power >= 0 {
			t = t[:len(t)-1]
			unit <<= 10 * (power + 1)
		}
	}
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}

const mebibyte = 1 << 20

// mbUp and mbDown turn bytes into MB: what a job needs is rounded up, what a
// node has is rounded down.
func mbUp(bytes int64) int64   { return bytes/mebibyte + min(bytes%mebibyte, 1) }
func mbDown(bytes int64) int64 { return bytes / mebibyte }

// pbsSeconds reads a PBS duration: seconds, or [[hours:]minutes:]seconds with
// an optional fraction (pbs_resources manual, "time").
func pbsSeconds(text string) (int64, bool) {
	text, _, _ = strings.Cut(text, ".")
	total := int64(0)
	fields := strings.Split(text, ":")
	if len(fields) > 4 { // TORQUE also writes days in front
		return 0, false
	}
	scale := []int64{86400, 3600, 60, 1}[4-len(fields):]
	for i, f := range fields {
		n, err := strconv.ParseUint(f, 10, 40)
		if err != nil {
			return 0, false
		}
		total += int64(n) * scale[i]
	}
	return total, true
}
