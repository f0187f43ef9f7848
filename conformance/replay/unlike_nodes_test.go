package replay_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	family "github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/maui"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// unlikeCase is a random queue on nodes that differ, with jobs that run, decided by a real Maui in one iteration or in
// three. Times of what was observed are seconds from its iteration.
type unlikeCase struct {
	ID       string           `json:"id"`
	Cfg      []string         `json:"cfg"`
	Now      int64            `json:"now"`
	Steps    []int64          `json:"steps"`
	Nodes    []unlikeNode     `json:"nodes"`
	Jobs     []unlikeJob      `json:"jobs"`
	Observed []unlikeObserved `json:"observed"`
}

type unlikeNode struct {
	Name      string           `json:"id"`
	Procs     int64            `json:"procs"`
	MemMB     int64            `json:"mem_mb"`
	State     string           `json:"state"`
	Classes   map[string]int64 `json:"classes"`
	Load      float64          `json:"load"`
	Features  []string         `json:"features,omitempty"`
	Partition *string          `json:"partition,omitempty"`
	Speed     *float64         `json:"speed,omitempty"`

	FreeProcs int64            `json:"avail_procs"`
	FreeMemMB int64            `json:"avail_mem_mb"`
	FreeSlots map[string]int64 `json:"avail_classes"`

	// All of these is available, and all nodes have the same.
	SwapMB     int64 `json:"swap_mb,omitempty"`
	FreeSwapMB int64 `json:"avail_swap_mb,omitempty"`
	DiskMB     int64 `json:"disk_mb,omitempty"`
	FreeDiskMB int64 `json:"avail_disk_mb,omitempty"`
}

type unlikeJob struct {
	Name         string   `json:"id"`
	User         string   `json:"user"`
	Group        string   `json:"group"`
	QOS          *string  `json:"qos"`
	Class        string   `json:"class"`
	State        string   `json:"state"`
	Submit       int64    `json:"submit_time"`
	Limit        int64    `json:"wclimit"`
	Tasks        int64    `json:"tasks"`
	ProcsPerTask int64    `json:"procs_per_task,omitempty"`
	MemPerTaskMB int64    `json:"mem_mb_per_task,omitempty"`
	TasksPerNode int64    `json:"tasks_per_node,omitempty"`
	Nodes        int64    `json:"nodes,omitempty"`
	NodeMemMB    int64    `json:"req_node_mem_mb,omitempty"`
	Features     []string `json:"features,omitempty"`
	Hosts        []string `json:"hosts,omitempty"`
	Start        int64    `json:"start_time,omitempty"`
	On           []share  `json:"alloc,omitempty"`
	Runtime      int64    `json:"runtime,omitempty"`      // the resource manager says that it has completed from then on
	Arrival      int64    `json:"arrival_time,omitempty"` // hidden before
}

// share is so many tasks on a node, written as a pair.
type share struct {
	node  string
	tasks int64
}

func (s *share) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.node, &s.tasks})
}

func (s share) MarshalJSON() ([]byte, error) { return json.Marshal([]any{s.node, s.tasks}) }

// row is a line of a list whose columns differ in type.
type row []json.RawMessage

// read puts the columns into values.
func (r row) read(t *testing.T, into ...any) {
	t.Helper()
	for k := range into {
		if err := json.Unmarshal(r[k], into[k]); err != nil {
			t.Fatal(err)
		}
	}
}

type unlikeObserved struct {
	At           int64               `json:"at"`
	Starts       []row               `json:"starts"`             // job, pass, shares
	Reservations []row               `json:"reservations"`       // of waiting jobs: job, start, end, shares
	Standing     []row               `json:"standing,omitempty"` // name, start, end, nodes
	Eligible     []string            `json:"eligible"`           // in the order of showq
	Blocked      map[string][]string `json:"blocked"`            // all that diagnose -q says of them
	Deferred     []string            `json:"deferred,omitempty"` // those of them that are set aside
	Priority     map[string]int64    `json:"priority"`           // that checkjob prints
	Showstart    map[string]row      `json:"showstart"`          // start, processors, partition; nil: no time
	Showbf       []string            `json:"showbf"`
}

const unlikeFile = "../recorded/maui/unlike-nodes.jsonl.gz"

// endless is what the recording has for the end of a reservation without one, in epoch seconds.
const endless = 2_139_999_999

// TestRecordedUnlikeNodes plays each case, iteration by iteration, and compares all that was observed. Each iteration
// takes up the state that the one before wrote, and the resource manager does what the recorded one did. -run of one
// case with -v prints its differences, those of an excepted case too.
func TestRecordedUnlikeNodes(t *testing.T) {
	got, want := compared{}, compared{}
	for _, c := range readUnlike(t) {
		t.Run(c.ID, func(t *testing.T) {
			differences := c.play(t, got, want)
			reason, excepted := unlikeExceptions[c.ID]
			want["cases"]++
			if len(differences) == 0 {
				got["cases"]++
			}
			text := strings.Join(differences, "\n")
			switch {
			case excepted && len(differences) == 0:
				t.Errorf("agrees now, and is excepted: %s", reason)
			case excepted:
				t.Logf("excepted: %s\n%s", reason, text)
			case len(differences) > 0:
				t.Error("\n" + text)
			}
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(want)) {
		t.Logf("%-14s %4d of %4d", kind, got[kind], want[kind])
	}
	if want["cases"] == 150 { // not one chosen by -run
		got.atLeast(t, map[string]int{"cases": 147, "starts": 1150, "start order": 242, "reservations": 530, "standing": 47,
			"eligible": 243,
			"blocked":  893, "deferred": 243, "priority": 3297, "showstart": 2038, "showbf": 242})
	}
}

func readUnlike(t *testing.T) (list []unlikeCase) {
	t.Helper()
	packed, err := os.Open(filepath.FromSlash(unlikeFile))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(in); lines.More(); {
		var c unlikeCase
		if err := lines.Decode(&c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if len(list) < 150 {
		t.Fatalf("only %d cases", len(list))
	}
	return list
}

// recordUnlike keeps of every case what is read here.
func recordUnlike(t *testing.T) {
	full, err := os.Open(beside.Folder(t, "oracle", "maui-random-nodes", "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(full); lines.More(); {
		var c unlikeCase
		if err := lines.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if err := json.NewEncoder(packed).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.FromSlash(unlikeFile), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// play goes through the iterations and returns the differences. It counts what was observed, and what of it agrees.
func (c *unlikeCase) play(t *testing.T, got, want compared) (differences []string) {
	policy, err := replay.Compile([]byte("RMPOLLINTERVAL 00:00:30\nADMIN1 root\n" + strings.Join(c.Cfg, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	unexplained := make([]float64, len(c.Nodes)) // load
	for k, used := range c.used(c.Now) {
		unexplained[k] = c.Nodes[k].Load - float64(used.procs)
	}
	var previous *checkpoint.Checkpoint
	for i := range c.Observed {
		now := c.Now + c.Steps[i]
		c.settle(now, unexplained)
		r := recordedtest.Case{Case: recorded.Case{Name: c.ID, Files: c.files(t, now)}}
		result, err := engine.Run(policy, r.Snapshot(t, now, "jobs.json", "nodes.json"),
			evaluation.Options{Workers: 1, Previous: previous, Plan: true})
		if err != nil {
			t.Fatal(err)
		}
		if result.Findings.HasErrors() {
			t.Fatal(recordedtest.Text(result.Findings))
		}
		schedule, err := engine.Plan(result, planning.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := &c.Observed[i]
		ours := answers(t, &plan.Plan{Result: result, Schedule: schedule, Planner: "maui"}, o)
		for kind, list := range o.answers(t) {
			want[kind] += len(list)
			for _, line := range list {
				if slices.Contains(ours[kind], line) {
					got[kind]++
				} else {
					differences = append(differences, fmt.Sprintf("%d %s: recorded %s", i, kind, line))
				}
			}
			for _, line := range ours[kind] {
				if !slices.Contains(list, line) {
					differences = append(differences, fmt.Sprintf("%d %s: ours     %s", i, kind, line))
				}
			}
		}
		previous = reread(t, result)
		c.start(t, o, now)
	}
	slices.SortStableFunc(differences, func(a, b string) int {
		return cmp.Compare(a[:strings.Index(a, ":")], b[:strings.Index(b, ":")])
	})
	return differences
}

// reread writes the state that an iteration leaves and reads it back, as two runs of the command do.
func reread(t *testing.T, r *evaluation.Result) *checkpoint.Checkpoint {
	t.Helper()
	var file bytes.Buffer
	if err := r.Next().Write(&file); err != nil {
		t.Fatal(err)
	}
	state, diags := checkpoint.Read(source.NewFile("state.json", file.Bytes()), "maui", r.Now)
	if diags.HasErrors() {
		t.Fatal(recordedtest.Text(diags))
	}
	return state
}

// use is what jobs have of a node.
type use struct {
	procs, memMB int64
	slots        map[string]int64
}

// used is what jobs have of each node at a time.
func (c *unlikeCase) used(now int64) []use {
	list, at := make([]use, len(c.Nodes)), map[string]int{}
	for k := range c.Nodes {
		list[k].slots, at[c.Nodes[k].Name] = map[string]int64{}, k
	}
	for i := range c.Jobs {
		j := &c.Jobs[i]
		if j.State != "running" || j.ended(now) {
			continue
		}
		for _, on := range j.On {
			u := &list[at[on.node]]
			u.procs += on.tasks * max(1, j.ProcsPerTask)
			u.memMB += on.tasks * j.MemPerTaskMB
			u.slots[j.Class] += on.tasks
		}
	}
	return list
}

func (j *unlikeJob) ended(now int64) bool {
	return j.Runtime > 0 && j.Start > 0 && j.Start+j.Runtime <= now
}

// settle is the resource manager: what nodes have free follows from what runs.
func (c *unlikeCase) settle(now int64, unexplained []float64) {
	for k, used := range c.used(now) {
		n := &c.Nodes[k]
		n.FreeProcs, n.FreeMemMB, n.Load = n.Procs-used.procs, n.MemMB-used.memMB, unexplained[k]+float64(used.procs)
		n.FreeSlots = map[string]int64{}
		for class, slots := range n.Classes {
			n.FreeSlots[class] = slots - used.slots[class]
		}
		n.SwapMB, n.FreeSwapMB, n.DiskMB, n.FreeDiskMB = 32768, 32768, 100000, 100000
		switch {
		case n.State == "Down" || n.State == "Drained":
		case used.procs == 0:
			n.State = "Idle"
		case n.FreeProcs > 0:
			n.State = "Running"
		default:
			n.State = "Busy"
		}
	}
}

// files are the queue and the nodes as the resource manager shows them.
func (c *unlikeCase) files(t *testing.T, now int64) fstest.MapFS {
	t.Helper()
	type shown struct {
		unlikeJob
		ProcsPerTask  int64    `json:"procs_per_task"`
		MemPerTaskMB  int64    `json:"mem_mb_per_task"`
		SwapPerTaskMB int64    `json:"swap_mb_per_task"`
		DiskPerTaskMB int64    `json:"disk_mb_per_task"`
		Nodes         int64    `json:"nodes"`
		Account       *string  `json:"account"`
		On            []string `json:"alloc,omitempty"` // the node of each task
	}
	var jobs []shown
	for _, j := range c.Jobs {
		if j.Arrival > now {
			continue
		}
		if j.State == "running" && j.ended(now) {
			j.State = "completed"
		}
		s := shown{unlikeJob: j, ProcsPerTask: max(1, j.ProcsPerTask), MemPerTaskMB: j.MemPerTaskMB, Nodes: j.Nodes}
		for _, on := range j.On {
			s.On = append(s.On, slices.Repeat([]string{on.node}, int(on.tasks))...)
		}
		jobs = append(jobs, s)
	}
	files := fstest.MapFS{}
	for name, v := range map[string]any{"jobs.json": jobs, "nodes.json": c.Nodes} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

// start lets the jobs run that Maui started.
func (c *unlikeCase) start(t *testing.T, o *unlikeObserved, now int64) {
	for _, started := range o.Starts {
		var id, pass string
		var on []share
		started.read(t, &id, &pass, &on)
		k := slices.IndexFunc(c.Jobs, func(j unlikeJob) bool { return j.Name == id })
		j := &c.Jobs[k]
		j.State, j.Start, j.On = "running", now, on
	}
}

// answers are the recorded lines of each kind.
func (o *unlikeObserved) answers(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{
		"eligible": {strings.Join(o.Eligible, " ")},
		"deferred": {strings.Join(slices.Sorted(slices.Values(o.Deferred)), " ")}, "showbf": {strings.Join(o.Showbf, ", ")},
	}
	var order []string
	for _, r := range o.Starts {
		var id, pass string
		var on []share
		if r.read(t, &id, &pass, &on); pass == "reservation" {
			pass = "main" // one pass for us
		}
		order = append(order, id)
		out["starts"] = append(out["starts"], id+" "+pass+" "+sharesText(on))
	}
	out["start order"] = []string{strings.Join(order, " ")}
	for _, r := range o.Reservations {
		var id string
		var start, end int64
		var on []share
		r.read(t, &id, &start, &end, &on)
		slices.SortFunc(on, func(a, b share) int { return cmp.Compare(a.node, b.node) })
		out["reservations"] = append(out["reservations"], fmt.Sprintf("%s %d-%d %s", id, start, end, sharesText(on)))
	}
	for _, r := range o.Standing {
		var name string
		var start, end int64
		var nodes []string
		r.read(t, &name, &start, &end, &nodes)
		out["standing"] = append(out["standing"],
			fmt.Sprintf("%s %d-%d %s", name, start, end, strings.Join(slices.Sorted(slices.Values(nodes)), " ")))
	}
	for id, why := range o.Blocked {
		out["blocked"] = append(out["blocked"], fmt.Sprintf("%s %q", id, why))
	}
	for id, n := range o.Priority {
		out["priority"] = append(out["priority"], fmt.Sprint(id, " ", n))
	}
	for id, r := range o.Showstart {
		line := id + " never"
		if r != nil {
			var start, procs int64
			var partition string
			r.read(t, &start, &procs, &partition)
			line = fmt.Sprint(id, " ", start, " ", procs, " procs ", partition)
		}
		out["showstart"] = append(out["showstart"], line)
	}
	return out
}

func sharesText(list []share) string {
	var words []string
	for _, s := range list {
		words = append(words, fmt.Sprintf("%s:%d", s.node, s.tasks))
	}
	return strings.Join(words, " ")
}

// answers are the same lines by our plan, of the jobs that were asked about.
func answers(t *testing.T, p *plan.Plan, o *unlikeObserved) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	r, s := p.Result, p.Schedule
	placed, ids := map[int32]*backfill.Placement{}, map[int32]string{}
	for i := range s.Placements {
		at := &s.Placements[i]
		placed[at.Job], ids[at.Job] = at, s.Requests[i].ID
		if at.By == backfill.ByReservation {
			on := ourShares(s, at.Nodes)
			if access := r.Program.Plan.Maui.Access; access == "SINGLEJOB" || access == "SINGLETASK" {
				for k := range on {
					on[k].tasks = 1 // showres counts a node that is given whole as one task
				}
			}
			slices.SortFunc(on, func(a, b share) int { return cmp.Compare(a.node, b.node) })
			out["reservations"] = append(out["reservations"],
				fmt.Sprintf("%s %d-%d %s", s.Requests[i].ID, at.Start-s.Now, at.End-s.Now, sharesText(on)))
		}
	}
	var order []string
	for _, job := range s.Started {
		pass := "main"
		if placed[job].By == backfill.ByBackfill {
			pass = "backfill"
		}
		order = append(order, ids[job])
		out["starts"] = append(out["starts"], ids[job]+" "+pass+" "+sharesText(ourShares(s, placed[job].Nodes)))
	}
	out["start order"] = []string{strings.Join(order, " ")}
	for _, v := range s.Cluster.Reservations {
		end := v.End - s.Now
		if v.End >= backfill.Forever {
			end = endless - s.Now
		}
		var nodes []string
		for _, node := range v.Nodes {
			nodes = append(nodes, s.Cluster.Nodes[node].Name)
		}
		out["standing"] = append(out["standing"],
			fmt.Sprintf("%s %d-%d %s", v.Name, v.Start-s.Now, end, strings.Join(slices.Sorted(slices.Values(nodes)), " ")))
	}
	names, index := recordedtest.JobIDs(r)
	var eligible, deferred []string
	for _, job := range family.Of(r).Idle {
		eligible = append(eligible, names[job])
	}
	out["eligible"] = []string{strings.Join(eligible, " ")}
	diagnosed := diagnoseLines(t, r)
	for job, state := range r.State {
		if state != evaluation.Blocked && state != evaluation.Held {
			continue
		}
		why := diagnosed[names[job]]
		if why == nil {
			why = []string{}
		}
		out["blocked"] = append(out["blocked"], fmt.Sprintf("%s %q", names[job], why))
		if slices.ContainsFunc(why, func(text string) bool { return strings.Contains(text, "hold(s) in place: Defer") }) {
			deferred = append(deferred, names[job])
		}
	}
	slices.Sort(deferred)
	out["deferred"] = []string{strings.Join(deferred, " ")}
	for id := range o.Priority {
		out["priority"] = append(out["priority"], fmt.Sprint(id, " ", r.Stored[index[id]]))
	}
	out["showstart"] = showstartLines(t, recordedtest.ViewText(t, plan.WriteShowstart, p), o)
	out["showbf"] = []string{showbfLine(recordedtest.ViewText(t, plan.WriteShowbf, p))}
	return out
}

func ourShares(s *backfill.Schedule, shares []backfill.Share) (list []share) {
	for _, on := range shares {
		list = append(list, share{s.Cluster.Nodes[on.Node].Name, on.Tasks})
	}
	return list
}

// diagnoseLines is what the view says of each job, as the recording has it: from a job's name to the next one or the
// end of the line.
func diagnoseLines(t *testing.T, r *evaluation.Result) map[string][]string {
	t.Helper()
	var out bytes.Buffer
	if err := maui.WriteDiagnoseQ(&out, r, eval.Options{}); err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	text := out.String()
	names := diagnosedJob.FindAllStringSubmatchIndex(text, -1)
	for k, at := range names {
		rest := text[at[1]:]
		if k+1 < len(names) {
			rest = text[at[1]:names[k+1][0]]
		}
		rest, _, _ = strings.Cut(rest, "\n")
		id := text[at[2]:at[3]]
		lines[id] = append(lines[id], strings.Join(strings.Fields(rest), " "))
	}
	return lines
}

var (
	diagnosedJob = regexp.MustCompile(`job (j\.\d+) `)

	showstartSize  = regexp.MustCompile(`job (\S+) requires (\d+) procs? for`)
	showstartStart = regexp.MustCompile(`Earliest start in +(\S+) on`)
	showstartWhere = regexp.MustCompile(`Best Partition: (\S+)`)
)

// showstartLines reads what the view prints of the jobs that were asked about.
func showstartLines(t *testing.T, text string, o *unlikeObserved) (list []string) {
	t.Helper()
	for _, answer := range strings.Split(text, "\n\n\n") {
		m := anyJob.FindStringSubmatch(answer)
		if m == nil {
			continue
		}
		if _, asked := o.Showstart[m[1]]; !asked {
			continue
		}
		size, start, where := showstartSize.FindStringSubmatch(answer), showstartStart.FindStringSubmatch(answer),
			showstartWhere.FindStringSubmatch(answer)
		if size == nil || start == nil || where == nil {
			list = append(list, m[1]+" never")
			continue
		}
		list = append(list, fmt.Sprint(m[1], " ", spanSeconds(t, start[1]), " ", size[2], " procs ", where[1]))
	}
	return list
}

// spanSeconds reads [DD:]HH:MM:SS.
func spanSeconds(t *testing.T, text string) int64 {
	t.Helper()
	sum, text, negative := int64(0), strings.TrimPrefix(text, "-"), strings.HasPrefix(text, "-")
	for k, word := range strings.Split(text, ":") {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if sum *= 60; k == 1 && strings.Count(text, ":") == 3 {
			sum = sum / 60 * 24
		}
		sum += n
	}
	if negative {
		return -sum
	}
	return sum
}

// showbfLine is what the view prints, without its title.
func showbfLine(text string) string {
	_, text, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	lines := strings.Split(text, "\n")
	for k := range lines {
		lines[k] = strings.Join(strings.Fields(lines[k]), " ")
	}
	return strings.Join(lines, ", ")
}

// unlikeExceptions are the cases that do not agree in all.
var unlikeExceptions = map[string]string{
	"N016": "showstart of j.012, one task of class batch, says 600 and not 108, when n19 is empty; j.027 of that class " +
		"may begin there at 108 (rules.md, No rule yet)",
	"N103": "j.001 and j.004 have one task and want more per node; after the iteration in which they arrive CPULOAD " +
		"gives them " +
		"no task, and j.004 has a reservation of no nodes (once seen, nothing tells how others fare)",
	"N117": "showstart of j.023 and j.030, one task of class short, says 1800 and not 900, when n23 has a processor " +
		"and no " +
		"slot left (rules.md, No rule yet)",
}
