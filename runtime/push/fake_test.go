package push_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
)

// fake is a Slurm that prints what the real one prints and takes what it takes, lines of scontrol on
// standard input, with the arrays as they are: the number of an array stands for all its records.
type fake struct {
	jobs map[string]*fakeJob // by record
	// fault is asked before each step and may make it go wrong.
	fault func(step int) fault
	steps int
	log   bytes.Buffer // the journal
	sent  int          // commands that change something
}

type fakeJob struct {
	array, task string // of a record of an array; task "" is that of the rest
	submit      int    // seconds after noon
	state       string
	site, own   int64 // priority is own + site
	name        string
	direct      bool
}

// fault is what goes wrong at a step.
type fault int

const (
	none   fault = iota
	before       // the process is killed before
	midway       // when half is done
	after        // when all is done, before the caller hears of it
	fails        // the command fails and does nothing
	halves       // it does or prints half, and fails
	short        // it prints half and says that all is well
	lies         // it does nothing and says that all is well
)

// killed is what a killed process leaves.
type killed struct{}

// step counts one and says what goes wrong.
func (f *fake) step() fault {
	f.steps++
	if f.fault == nil {
		return none
	}
	return f.fault(f.steps)
}

// Append is the journal; half a line is what a kill leaves.
func (f *fake) Append(e push.Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	switch f.step() {
	case before:
		panic(killed{})
	case midway:
		f.log.Write(line[:len(line)/2])
		f.log.WriteByte('\n') // the next writer begins a line
		panic(killed{})
	case after:
		f.log.Write(line)
		panic(killed{})
	case fails, halves, short, lies:
		return errors.New("no space left on device")
	}
	f.log.Write(line)
	return nil
}

func (f *fake) exec(_ context.Context, c manager.Call) ([]byte, error) {
	what := f.step()
	if what == before {
		panic(killed{})
	}
	if what == fails {
		return nil, errors.New("unable to contact slurm controller")
	}
	var out string
	switch line := strings.Join(c.Argv, " "); {
	case line == "scontrol":
		f.sent++
		lines := strings.SplitAfter(strings.TrimSuffix(string(c.Input), "\n"), "\n")
		switch what {
		case midway, halves, short:
			lines = lines[:len(lines)/2]
		case lies:
			lines = nil
		}
		err := f.update(lines)
		if what == midway || what == after {
			panic(killed{})
		}
		if what == halves {
			err = errors.New("killed")
		}
		return nil, err
	case strings.HasPrefix(line, "squeue "):
		out = f.squeue(c.Argv)
	case strings.HasPrefix(line, "sprio -o "):
		out = f.sprio()
	default:
		return nil, fmt.Errorf("no such command: %s", line)
	}
	switch what {
	case midway, after:
		panic(killed{})
	case halves:
		return []byte(out[:len(out)/2]), errors.New("killed")
	case short:
		return []byte(out[:len(out)/2]), nil
	}
	return []byte(out), nil
}

func (f *fake) update(lines []string) error {
	var failed error
	for _, line := range lines {
		var id string
		var value int64
		if n, err := fmt.Sscanf(line, "update JobId=%s SiteFactor=%d", &id, &value); n != 2 {
			return fmt.Errorf("%q: %v", line, err)
		}
		found := false
		for name, j := range f.jobs {
			if name == id || j.array == id {
				found, j.site = true, value
			}
		}
		if !found {
			failed = errors.New("Invalid job id specified for job " + id)
		}
	}
	return failed
}

func (f *fake) names() []string { return slices.Sorted(maps.Keys(f.jobs)) }

// squeue prints the fields that are asked for, each as it is: a line break in a name breaks the line.
func (f *fake) squeue(argv []string) string {
	var b strings.Builder
	fields := strings.Split(strings.TrimSuffix(argv[slices.Index(argv, "-O")+1], ":|"), ":|,")
	headers := map[string]string{"JobArrayID": "JOBID", "ArrayJobID": "ARRAY_JOB_ID", "ArrayTaskID": "ARRAY_TASK_ID",
		"PriorityLong": "PRIORITY", "SubmitTime": "SUBMIT_TIME"}
	for _, field := range fields {
		b.WriteString(cmp.Or(headers[field], strings.ToUpper(field)) + "|")
	}
	b.WriteByte('\n')
	for _, id := range f.names() {
		j := f.jobs[id]
		cells := map[string]string{"JobID": id, "JobArrayID": id, "ArrayJobID": id, "ArrayTaskID": "N/A", "Partition": "main",
			"Name":  cmp.Or(j.name, "a"),
			"State": strings.Replace(j.state, "HELD", "PENDING", 1), "SubmitTime": time.Unix(int64(1795694400+j.submit), 0).
					UTC().Format("2006-01-02T15:04:05"),
			"PriorityLong": fmt.Sprint(j.own + j.site)}
		if j.state == "HELD" {
			cells["PriorityLong"] = "0"
		}
		if j.array != "" {
			cells["ArrayJobID"], cells["ArrayTaskID"], cells["JobArrayID"] = j.array, cmp.Or(j.task, "4-9"),
				j.array+"_"+cmp.Or(j.task, "[4-9]")
		}
		for _, field := range fields {
			cell, ok := cells[field]
			if !ok {
				panic("squeue is asked for " + field)
			}
			b.WriteString(cell + "|")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (f *fake) sprio() string {
	b := strings.Builder{}
	b.WriteString("JOBID|PARTITION|USER|PRIORITY|AGE|AGE|ASSOC|ASSOC|FAIRSHARE|FAIRSHARE|JOBSIZE|JOBSIZE|PARTITION|PARTITION|QOS|QOS|SITE|NICE|TRES|TRES\n")
	for _, name := range f.names() {
		j := f.jobs[name]
		if j.state != "PENDING" {
			continue
		}
		age := j.own
		if j.direct {
			age = 0
		}
		fmt.Fprintf(&b, "%s|main|ana|%d|%d|0.5000000|0|0.0000000|0|0.0000000|0|0.0000000|0|0.0000000|0|0.0000000|%d|0||\n",
			name, j.own+j.site, age, j.site)
	}
	return b.String()
}

// site are the site factors of all jobs.
func (f *fake) site() string {
	var list []string
	for _, name := range f.names() {
		list = append(list, fmt.Sprintf("%s=%d", name, f.jobs[name].site))
	}
	return strings.Join(list, " ")
}

func (f *fake) journal(t *testing.T) []push.Entry {
	t.Helper()
	entries, _, err := push.ReadJournal(bytes.NewReader(f.log.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// apply carries a plan out; dead says that it was killed at a step.
func (f *fake) apply(t *testing.T, p *push.Plan) (c push.Counts, dead bool, err error) {
	t.Helper()
	defer func() {
		if x := recover(); x != nil {
			if _, ok := x.(killed); !ok {
				panic(x)
			}
			dead = true
		}
	}()
	m := push.Machine{Feeder: inTwos{manager.SlurmSiteFactor}, Exec: f.exec, Journal: f,
		Now:  func() time.Time { return time.Unix(1795694400, 0) },
		Wait: func(context.Context, time.Duration) error { return nil }, PerSecond: 10, Afterwards: anyway}
	c, err = m.Apply(context.Background(), p, f.journal(t))
	return c, false, err
}

// anyway goes on although the time is up.
func anyway(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(context.WithoutCancel(ctx))
}

// inTwos sends two changes at a time.
type inTwos struct{ manager.Feeder }

func (inTwos) Batch() int { return 2 }

// newFake has jobs of every kind: three alone, an array of which two tasks have records of their own.
func newFake() *fake {
	return &fake{jobs: map[string]*fakeJob{
		"1":  {state: "PENDING", own: 100},
		"2":  {state: "PENDING", own: 200, site: 7, submit: 5},
		"3":  {state: "PENDING", own: 300},
		"10": {state: "PENDING", own: 50, array: "10", site: 1},
		"11": {state: "PENDING", own: 50, array: "10", task: "1", site: 2},
		"12": {state: "PENDING", own: 50, array: "10", task: "2", site: 3},
		"13": {state: "RUNNING", own: 50, array: "10", task: "3", site: 1},
	}}
}

// plan changes jobs 1 and 3, the rest of the array, and one of its tasks; the other keeps its value.
func plan() *push.Plan {
	return &push.Plan{FormatVersion: push.FormatVersion, Run: "r1", Made: "2026-11-20T12:00:00Z",
		Target: push.Target{To: "slurm"}, Changes: []push.Change{
			{Job: "10_1", Name: "11", Submitted: "1795694400", Old: 2, New: 20},
			{Job: "10", Name: "10", Submitted: "1795694400", Old: 1, New: 10},
			{Job: "1", Name: "1", Submitted: "1795694400", Old: 0, New: 40},
			{Job: "3", Name: "3", Submitted: "1795694400", Old: 0, New: -5},
			{Job: "2", Name: "2", Submitted: "1795694405", Old: 7, New: 0},
		}}
}

const planned = "1=40 10=10 11=20 12=3 13=10 2=0 3=-5"
