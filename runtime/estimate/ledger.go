package estimate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Entry is what was estimated for a job at a time: a line of a ledger, as JSON. Times are epoch seconds; 0 is unknown.
type Entry struct {
	At   int64  `json:"at"`
	Job  string `json:"job"`
	Plan int64  `json:"plan,omitempty"` // the start by limits
	P10  int64  `json:"p10,omitempty"`
	P50  int64  `json:"p50,omitempty"`
	P90  int64  `json:"p90,omitempty"`
}

// Write writes entries, a line each.
func Write(w io.Writer, entries []Entry) error {
	out := json.NewEncoder(w)
	for i := range entries {
		if err := out.Encode(&entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// longestLine bounds a line of a ledger, in bytes.
const longestLine = 1 << 16

// Read reads a ledger, up to the first line that is no entry, which is an error.
func Read(name string, r io.Reader) (entries []Entry, diags diag.List, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, longestLine)
	for n := 1; in.Scan(); n++ {
		if len(in.Bytes()) == 0 {
			continue
		}
		var e Entry
		if err := json.Unmarshal(in.Bytes(), &e); err != nil || e.Job == "" ||
			min(e.At, e.Plan, e.P10, e.P50, e.P90) < 0 {
			diags.Errorf("estimate-ledger-line", source.Span{}, "%s:%d is no entry of a ledger", name, n)
			return nil, diags, nil
		}
		entries = append(entries, e)
	}
	if err := in.Err(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return entries, diags, nil
}

// Score is how estimates did.
type Score struct {
	Entries    int // intervals of jobs whose start is known by now
	Open       int // estimates of jobs without a start
	NoInterval int // estimates without an interval, of jobs that did start
	Held       int // intervals that have the start
	Early      int // started before it
	Late       int // started after it

	Median, Plan Errors
}

// Errors are by how many seconds starts differ from estimates, to either side.
type Errors struct {
	Entries      int
	Mean, Median float64 // NaN of none
}

// Judge compares entries with the starts of jobs, by their ids. A start before the time of an entry is of another job
// of the same id.
func Judge(entries []Entry, starts map[string]int64) Score {
	var s Score
	var median, plan []float64
	for i := range entries {
		e := &entries[i]
		start, known := starts[e.Job]
		if !known || start < e.At {
			s.Open++
			continue
		}
		for _, x := range []struct {
			guess int64
			list  *[]float64
		}{{e.P50, &median}, {e.Plan, &plan}} {
			if x.guess > 0 {
				*x.list = append(*x.list, math.Abs(float64(start-x.guess)))
			}
		}
		if e.P10 == 0 { // it started in fewer than one of ten draws
			s.NoInterval++
			continue
		}
		s.Entries++
		switch {
		case start < e.P10:
			s.Early++
		case e.P90 > 0 && start > e.P90:
			s.Late++
		default:
			s.Held++
		}
	}
	s.Median, s.Plan = errorsOf(median), errorsOf(plan)
	return s
}

func errorsOf(list []float64) Errors {
	e := Errors{len(list), math.NaN(), math.NaN()}
	if len(list) == 0 {
		return e
	}
	slices.Sort(list)
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	n := len(list)
	e.Mean, e.Median = sum/float64(n), (list[(n-1)/2]+list[n/2])/2
	return e
}
