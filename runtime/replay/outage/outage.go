// Package outage reads when nodes were down or drained: what `sacctmgr show event -P` prints, or a table that is
// written by hand.
//
// In: the text of a file. Out: a List of outages, each of some nodes and a time, for a replay. It knows neither queue
// nor machine. Called by the command line.
package outage

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Outage is a time in which nodes start no job.
type Outage struct {
	Nodes    []string
	From, To int64 // epoch seconds; To is 0 if they never come back
	Down     bool  // jobs that run on them end; those on nodes that drain run on
	Reason   string
}

// fields are the columns, by the names that sacctmgr has and by those of a table by hand.
var fields = []struct {
	name  string
	words []string
}{
	{"nodes", []string{"nodename", "node_name", "node", "nodes"}},
	{"from", []string{"timestart", "start", "from", "down"}},
	{"to", []string{"timeend", "end", "to", "until", "up"}},
	{"state", []string{"state", "stateraw"}},
	{"reason", []string{"reason"}},
}

// Recognize reports a text whose header has columns for nodes and a time from which they were out.
func Recognize(text []byte) bool {
	at, _ := header(firstLine(string(text)))
	return at["nodes"] > 0 && at["from"] > 0 && at["to"] > 0
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line
		}
	}
	return ""
}

// header finds the columns, counted from 1, and what divides them.
func header(line string) (at map[string]int, divider rune) {
	divider = ','
	if strings.Contains(line, "|") {
		divider = '|'
	}
	at = map[string]int{}
	for i, word := range strings.Split(line, string(divider)) {
		word = strings.ToLower(strings.TrimSpace(word))
		for _, f := range fields {
			if slices.Contains(f.words, word) && at[f.name] == 0 {
				at[f.name] = i + 1
			}
		}
	}
	return at, divider
}

// Read reads outages. Times without a zone are of the place. A line that is none is reported and left out; what
// sacctmgr tells of the whole cluster names no node and is left out too.
func Read(file *source.File, place *time.Location) (list []Outage, diags diag.List) {
	text := string(file.Text)
	at, divider := header(firstLine(text))
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.Comment, in.FieldsPerRecord, in.LazyQuotes = divider, '#', -1, divider == '|'
	in.ReuseRecord = true
	cluster := 0
	for n := 0; ; {
		begin := int(in.InputOffset())
		row, err := in.Read()
		end := int(in.InputOffset())
		span := file.Span(begin, max(begin, end-1))
		var syntax *csv.ParseError
		switch {
		case err == io.EOF:
			if cluster > 0 {
				diags.Infof("replay-outage-cluster", file.Span(0, 0), "events of the cluster as a whole left out: %d", cluster).
					Note("they name no node: slurmctld was not reached, or the number of processors changed")
			}
			return list, diags
		case errors.As(err, &syntax):
			bad(&diags, span, "the quotes of the line do not match")
			if end == begin {
				return list, diags
			}
			continue
		case err != nil:
			bad(&diags, span, err.Error())
			return list, diags
		}
		if n++; n == 1 {
			continue
		}
		cell := func(name string) string {
			if i := at[name]; i > 0 && i <= len(row) {
				return strings.TrimSpace(row[i-1])
			}
			return ""
		}
		if cell("nodes") == "" {
			cluster++
			continue
		}
		if o, fault := read(cell, place); fault != "" {
			bad(&diags, span, fault)
		} else {
			list = append(list, o)
		}
	}
}

func bad(diags *diag.List, span source.Span, fault string) {
	diags.Warnf("replay-bad-outage", span, "%s", fault).Note("the outage is left out; no value is guessed")
}

// mostNodes bounds the nodes of a line.
const mostNodes = 1 << 20

// read makes an outage of the cells of a line, or says what is wrong.
func read(cell func(string) string, place *time.Location) (o Outage, fault string) {
	nodes, err := slurmtext.ExpandHostlist(cell("nodes"))
	if err != nil || len(nodes) == 0 || len(nodes) > mostNodes {
		return o, strconv.Quote(cell("nodes")) + " is no list of nodes such as n[1-4]"
	}
	o = Outage{Nodes: nodes, Reason: cell("reason"), Down: true}
	var ok bool
	if o.From, ok = moment(cell("from"), place); !ok || o.From == 0 {
		return o, strconv.Quote(cell("from")) + " is no time such as 2026-11-20T08:00:00, at which the outage begins"
	}
	if o.To, ok = moment(cell("to"), place); !ok {
		return o, strconv.Quote(cell("to")) + " is no time such as 2026-11-20T08:00:00, at which the outage ends"
	}
	if o.To != 0 && o.To <= o.From {
		return o, "the outage ends before it begins"
	}
	if o.Down, ok = down(cell("state")); !ok {
		return o, "the state " + strconv.Quote(cell("state")) + " is none that keeps jobs off a node: down and drain are"
	}
	return o, ""
}

// down says what a state does: jobs end on a node that is down or fails, and run on where it drains.
func down(state string) (ends, ok bool) {
	words := strings.FieldsFunc(strings.ToUpper(state), func(c rune) bool { return c == '+' || c == ',' || c == ' ' })
	if len(words) == 0 {
		return true, true
	}
	drains := false
	for _, word := range words {
		switch strings.TrimRight(word, "*~#!%$@^-") {
		case "DOWN", "FAIL", "FAILED", "ERROR", "OFFLINE", "POWERED_DOWN", "NOT_RESPONDING", "REBOOT":
			return true, true
		case "DRAIN", "DRAINED", "DRAINING", "DRNG", "MAINT", "MAINTENANCE", "FAILING", "RESERVED":
			drains = true
		}
	}
	return false, drains
}

// moment reads epoch seconds, RFC 3339 or Slurm's time in a place; 0 for what is unknown.
func moment(text string, place *time.Location) (int64, bool) {
	switch strings.ToLower(text) {
	case "", "unknown", "none", "never":
		return 0, true
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, n > 0 && n < 1<<33
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.Unix(), t.Unix() > 0
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05", strings.Replace(text, " ", "T", 1), place)
	return t.Unix(), err == nil && t.Unix() > 0
}
