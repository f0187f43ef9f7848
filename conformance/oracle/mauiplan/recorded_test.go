package mauiplan

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recordedCase is a recorded queue with what Maui decided.
type recordedCase struct {
	ID string `json:"id"`
	Case
	Observed []observed `json:"observed"`
}

type observed struct {
	At           int64               `json:"at"`
	Starts       []observedStart     `json:"starts"`
	Reservations []observedReserved  `json:"reservations"`
	Standing     []observedStanding  `json:"standing"`
	Eligible     []string            `json:"eligible"`
	Blocked      map[string][]string `json:"blocked"`
	Deferred     []string            `json:"deferred"`
	Priority     map[string]int64    `json:"priority"`
	Showstart    map[string][]any    `json:"showstart"`
	Showbf       []string            `json:"showbf"`
	Unreserved   []string            `json:"running_no_reservation"`
}

type observedStart struct {
	job, pass string
	on        []CaseShare
}

func (s *observedStart) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.job, &s.pass, &s.on})
}

type observedReserved struct {
	job        string
	start, end int64
	on         []CaseShare
}

func (s *observedReserved) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.job, &s.start, &s.end, &s.on})
}

type observedStanding struct {
	name       string
	start, end int64
	nodes      []string
}

func (s *observedStanding) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.name, &s.start, &s.end, &s.nodes})
}

func readCases(t *testing.T) (list []*recordedCase) {
	t.Helper()
	packed, err := os.Open(filepath.Join("..", "..", "recorded", "maui", "unlike-nodes.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(in); lines.More(); {
		c := &recordedCase{}
		if err := lines.Decode(c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// machine is what the first iteration sees; occurrences of standing reservations are the recorded ones.
func (c *recordedCase) machine(t *testing.T) *Machine {
	t.Helper()
	m, err := c.Machine()
	if err != nil {
		t.Fatal(err)
	}
	m.Standing = nil
	for _, s := range c.Observed[0].Standing {
		name, _, _ := strings.Cut(s.name, ".")
		if s.end == 439999999 {
			s.end = Forever
		}
		m.Standing = append(m.Standing, m.Occurrence(name, s.start, s.end, s.nodes))
	}
	return m
}

// names of the nodes with their tasks.
func (m *Machine) names(on []Share, sorted bool) string {
	tasks := map[string]int64{}
	var order []string
	for _, s := range on {
		name := m.Nodes[s.Node].Name
		if _, ok := tasks[name]; !ok {
			order = append(order, name)
		}
		tasks[name] += s.Tasks
	}
	if sorted {
		slices.Sort(order)
	}
	var out []string
	for _, name := range order {
		out = append(out, fmt.Sprintf("%s:%d", name, tasks[name]))
	}
	return strings.Join(out, " ")
}

func shares(on []CaseShare, sorted bool) string {
	on = slices.Clone(on)
	if sorted {
		slices.SortFunc(on, func(a, b CaseShare) int { return strings.Compare(a.Node, b.Node) })
	}
	var out []string
	for _, s := range on {
		out = append(out, fmt.Sprintf("%s:%d", s.Node, s.Tasks))
	}
	return strings.Join(out, " ")
}

// tally counts answers that agree.
type tally struct{ right, all int }

func (a *tally) add(ok bool) bool {
	a.all++
	if ok {
		a.right++
	}
	return ok
}

// TestRecorded is the proof of the twin: what real Maui decided in the first iteration of 150 random queues on
// unlike nodes. The twin is given the inputs alone. What it does not explain yet is counted: the numbers may rise
// and not fall.
func TestRecorded(t *testing.T) {
	var starts, placed, reserved, show, bf, cases, deferred, prios tally
	for _, c := range readCases(t) {
		m := c.machine(t)
		o := c.Observed[0]
		r := Run(m)
		plan := r.Plan()
		good := true
		say := func(ok bool, format string, a ...any) {
			good = good && ok
			if !ok {
				t.Logf("%s: %s", c.ID, fmt.Sprintf(format, a...)) // -v shows them
			}
		}
		for k := range m.Jobs {
			if p, ok := o.Priority[m.Jobs[k].ID]; ok && slices.Contains(o.Eligible, m.Jobs[k].ID) {
				say(prios.add(p == m.Jobs[k].Priority), "priority of %s: %d, want %d", m.Jobs[k].ID, m.Jobs[k].Priority, p)
			}
		}
		for k := range max(len(o.Starts), len(plan.Starts)) {
			var want, got, wantOn, gotOn string
			if k < len(o.Starts) {
				want, wantOn = o.Starts[k].job+" "+o.Starts[k].pass, shares(o.Starts[k].on, false)
			}
			if k < len(plan.Starts) {
				got, gotOn = plan.Starts[k].Job+" "+plan.Starts[k].Pass, m.names(plan.Starts[k].On, false)
			}
			ok := starts.add(got == want)
			ok = placed.add(ok && gotOn == wantOn) && ok
			say(ok && gotOn == wantOn, "start %d: %s %s, want %s %s", k, got, gotOn, want, wantOn)
		}
		want, got := map[string]string{}, map[string]string{}
		for _, r := range o.Reservations {
			if m.Rules.Access == "SINGLEJOB" || m.Rules.Access == "SINGLETASK" {
				for k := range r.on {
					r.on[k].Tasks = 1 // all that showres says
				}
			}
			want[r.job] = fmt.Sprintf("%d-%d %s", r.start, r.end, shares(r.on, true))
		}
		for _, r := range plan.Reservations {
			if m.Rules.Access == "SINGLEJOB" || m.Rules.Access == "SINGLETASK" {
				r.On = slices.Clone(r.On)
				for k := range r.On {
					r.On[k].Tasks = 1
				}
			}
			got[r.Job] = fmt.Sprintf("%d-%d %s", r.Start, r.End, m.names(r.On, true))
			if want[r.Job] == "" {
				say(reserved.add(false), "reserved %s %s, want none", r.Job, got[r.Job])
			}
		}
		for _, job := range o.Reservations {
			say(reserved.add(got[job.job] == want[job.job]), "reserved %s: %s, want %s", job.job, got[job.job], want[job.job])
		}
		slices.Sort(plan.Deferred)
		slices.Sort(o.Deferred)
		say(deferred.add(slices.Equal(plan.Deferred, o.Deferred)), "deferred %v, want %v", plan.Deferred, o.Deferred)
		var putOff []string
		for id, texts := range o.Blocked {
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "start date") }) {
				putOff = append(putOff, id)
			}
		}
		slices.Sort(putOff)
		slices.Sort(plan.PutOff)
		say(slices.Equal(plan.PutOff, putOff), "put off %v, want %v", plan.PutOff, putOff)
		for _, id := range sortedKeys(o.Showstart) {
			want := "never"
			if a := o.Showstart[id]; a != nil {
				want = fmt.Sprintf("%v %v %v", int64(a[0].(float64)), int64(a[1].(float64)), a[2])
			}
			got := r.Showstart(id)
			say(show.add(got == want), "showstart %s: %s, want %s", id, got, want)
		}
		got2 := r.Showbf()
		say(bf.add(slices.Equal(got2, o.Showbf)), "showbf %v, want %v", got2, o.Showbf)
		cases.add(good)
	}
	for _, kind := range []struct {
		name  string
		tally tally
		least int
	}{
		{"cases", cases, 148}, {"starts", starts, 975}, {"starts with nodes", placed, 975},
		{"reservations", reserved, 311}, {"sets of deferred jobs", deferred, 150},
		{"showstart", show, 1306}, {"showbf", bf, 150}, {"priorities", prios, 1929},
	} {
		t.Logf("%-22s %4d of %4d", kind.name, kind.tally.right, kind.tally.all)
		if kind.tally.right < kind.least {
			t.Errorf("%s: %d agree, %d did", kind.name, kind.tally.right, kind.least)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
