package manager

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// SiteCommand feeds a program of the site. `PROGRAM ARGUMENTS read` prints a line for each job, {"job": "12",
// "submitted": "…", "standing": "waiting", "value": 4711}; `PROGRAM ARGUMENTS set` gets lines {"job": "12",
// "submitted": "…", "value": 4712} on its standard input, and may print {"job": "12", "refused": "why"}.
func SiteCommand(argv []string) Feeder { return siteFeeder{argv: argv} }

// SiteFile feeds a file that the site reads: a line for each waiting job as in SiteCommand. A job without a line
// has the value 0.
func SiteFile(path string) Feeder { return siteFeeder{file: path} }

type siteFeeder struct {
	argv []string
	file string
}

type siteLine struct {
	Job       string `json:"job"`
	Submitted string `json:"submitted,omitempty"`
	Standing  string `json:"standing,omitempty"`
	Value     *int64 `json:"value"`
}

func (f siteFeeder) Kind() string {
	if f.file != "" {
		return "file " + f.file
	}
	return "command " + f.argv[0]
}

func (siteFeeder) Range() (low, high int64)               { return math.MinInt64 / 2, math.MaxInt64 / 2 }
func (siteFeeder) Value(w Wish, h Holding) int64          { return w.Priority }
func (siteFeeder) Alongside(Holding, []Holding) []Holding { return nil }

func (f siteFeeder) Batch() int {
	if f.file != "" {
		return math.MaxInt32 // written as a whole
	}
	return 1000
}

func (siteFeeder) Forget(*snapshot.Snapshot) {}

func (siteFeeder) Held(*snapshot.Snapshot) ([]Holding, bool) { return nil, false }

func (f siteFeeder) Ask([]Holding) []Call {
	if f.file != "" {
		return []Call{{File: f.file}}
	}
	return []Call{{Argv: append(slices.Clone(f.argv), "read")}}
}

func (f siteFeeder) Answer(asked []Holding, printed [][]byte) ([]Holding, error) {
	var jobs []Holding
	number, first := 0, map[[2]string]int{}
	for line := range bytes.Lines(printed[0]) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var l siteLine
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil || l.Job == "" || l.Value == nil || line[len(line)-1] != '\n' {
			return nil, fmt.Errorf("%s: line %d is no job with a value", f.Kind(), number)
		}
		if rest := bytes.TrimSpace(line[d.InputOffset():]); len(rest) > 0 {
			return nil, fmt.Errorf("%s: in line %d something follows the job", f.Kind(), number)
		}
		if of := [2]string{l.Job, l.Submitted}; first[of] == 0 {
			first[of] = number
		} else {
			return nil, fmt.Errorf("%s: lines %d and %d are of one job: %q", f.Kind(), first[of], number, l.Job)
		}
		standing := slices.Index([]string{"waiting", "held", "started", "ended"}, l.Standing)
		if l.Standing == "" {
			standing = int(Waiting)
		}
		if standing < 0 {
			return nil, fmt.Errorf("%s: line %d: standing is waiting, held, started or ended, not %q", f.Kind(), number,
				l.Standing)
		}
		jobs = append(jobs, Holding{Job: l.Job, Name: l.Job, Submitted: l.Submitted, Standing: Standing(standing),
			Value: *l.Value, Priority: *l.Value})
	}
	switch {
	case f.file != "":
		jobs = inFile(jobs, asked)
	case len(jobs) == 0 && len(asked) > 0:
		return nil, fmt.Errorf("%s: read prints no job, and the queue has some: it prints a line for each, with its value "+
			"of now, 0 if it has none", f.Kind())
	}
	return jobs, nil
}

// inFile adds the jobs for which the file has no line, and marks lines of other jobs.
func inFile(lines, asked []Holding) []Holding {
	index := map[[2]string]int{}
	for i, h := range lines {
		index[[2]string{h.Job, h.Submitted}] = i
		lines[i].Left = true
	}
	for _, h := range asked {
		if i, ok := index[[2]string{h.Job, h.Submitted}]; ok {
			lines[i].Left = false
		} else {
			lines = append(lines, Holding{Job: h.Job, Name: h.Job, Submitted: h.Submitted})
		}
	}
	return lines
}

func (f siteFeeder) Set(settings []Setting, all []Holding) []Call {
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	line := func(h Holding, value int64) {
		_ = e.Encode(siteLine{Job: h.Job, Submitted: h.Submitted, Value: &value}) // a buffer takes all
	}
	set := map[string]bool{}
	for _, s := range settings {
		set[s.Job] = true
		if f.file == "" || s.New != 0 {
			line(s.Holding, s.New)
		}
	}
	if f.file == "" {
		return []Call{{Argv: append(slices.Clone(f.argv), "set"), Input: lines.Bytes()}}
	}
	for _, h := range all { // what stays as it is
		if !set[h.Job] && h.Value != 0 {
			line(h, h.Value)
		}
	}
	return []Call{{File: f.file, Input: append([]byte{}, lines.Bytes()...)}} // also of no lines: nil would be a reading
}
