package report_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// advisedQueue is a small queue under limits. What an explanation advises is done to it, and it is
// evaluated anew.
type advisedQueue struct {
	scratch bool
	limits  []advisedLimit
	jobs    []advisedJob
}

// advisedLimit is one limit of the policy; its source names it.
type advisedLimit struct {
	object, name string // USERCFG[amy], MAXJOB; in a policy from scratch "" and the block's name
	soft, hard   int64
}

type advisedJob struct {
	user, class, qos string
	running          bool
	procs, seconds   int64
	submit           int64
}

const advisedNow = 1700000000

func (q *advisedQueue) policy() *source.File {
	var b strings.Builder
	if !q.scratch {
		b.WriteString("QUEUETIMEWEIGHT 1\nUSERCFG[DEFAULT] QLIST=high,DEFAULT\nQOSCFG[high] PRIORITY=0\n")
		for _, l := range q.limits {
			if l.object == "" {
				fmt.Fprintf(&b, "%s %d\n", l.name, l.hard)
			} else if strings.HasPrefix(l.name, "MAXPROCPERJOB") {
				fmt.Fprintf(&b, "%s %s=%d\n", l.object, l.name, l.hard)
			} else {
				fmt.Fprintf(&b, "%s %s=%d,%d\n", l.object, l.name, l.soft, l.hard)
			}
		}
		return source.NewFile("maui.cfg", []byte(b.String()))
	}
	b.WriteString("policy \"p\" {\n  component \"c\" {\n    term \"t\" { factor = \"job.queue_minutes\" }\n  }\n")
	for _, l := range q.limits {
		per := "    per  = \"user\"\n"
		if strings.HasPrefix(l.name, "job_") {
			per = ""
		}
		fmt.Fprintf(&b, "  limit %q {\n%s    soft = %d\n    hard = %d\n  }\n", l.name, per, l.soft, l.hard)
	}
	b.WriteString("}\n")
	return source.NewFile("p.fairway.hcl", []byte(b.String()))
}

func (q *advisedQueue) snapshot() string {
	var jobs []string
	for i, j := range q.jobs {
		state := `"pending"`
		if j.running {
			state = fmt.Sprintf(`"running", "start_time": %d`, advisedNow-60)
		}
		jobs = append(jobs, fmt.Sprintf(`{"id": "%d", "user": %q, "group": "staff", "partition": %q, "qos": %q, "procs": %d, "tasks": %d, "walltime_seconds": %d, "submit_time": %d, "state": %s}`,
			i, j.user, j.class, j.qos, j.procs, j.procs, j.seconds, j.submit, state))
	}
	return fmt.Sprintf(`{"format_version": 1, "now": %d, "jobs": [%s]}`, advisedNow, strings.Join(jobs, ",\n"))
}

func (q *advisedQueue) evaluate(t *testing.T) *evaluation.Result {
	t.Helper()
	out := compiler.Compile(compiler.Input{Files: []*source.File{q.policy()}})
	if out.Diags.HasErrors() {
		t.Fatalf("%v\n%s", out.Diags[0].Message, q.policy().Text)
	}
	s, diags, err := snapshot.Read(fstest.MapFS{"q.json": {Data: []byte(q.snapshot())}}, []string{"q.json"},
		snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r.Findings)
	}
	return r
}

func (q *advisedQueue) clone() *advisedQueue {
	return &advisedQueue{q.scratch, slices.Clone(q.limits), slices.Clone(q.jobs)}
}

// advised is what an explanation says of one block.
type advised struct {
	Why struct {
		Kind, Counts, Phase, Bound string
		Limit                      string
		Source                     struct{ Name string }
	}
	Passes       []string
	LeastLimit   *int64  `json:"least_limit"`
	MostRequest  *int64  `json:"most_request"`
	ComesBefore  *string `json:"comes_before"`
	ReplacedBlob any     `json:"replaces"`
}

func advice(t *testing.T, r *evaluation.Result, job int) []advised {
	t.Helper()
	var out struct{ Blocks []advised }
	if err := json.Unmarshal([]byte(text(t, one(explain.WriteExplainJSON, job), r, eval.Options{})), &out); err != nil {
		t.Fatal(err)
	}
	return out.Blocks
}

// TestAdviceHelps: who does what an explanation advises is not stopped by the same limit again.
func TestAdviceHelps(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 11))
	followed := map[string]int{}
	for n := range 200 {
		q := drawAdvised(random, n%4 == 3)
		r := q.evaluate(t)
		for job := range q.jobs {
			for _, block := range advice(t, r, job) {
				if block.Why.Kind != "limit" && block.Why.Kind != "job_limit" {
					continue
				}
				kind := block.Why.Phase + " " + block.Why.Counts
				for what, changed := range q.follow(t, job, &block) {
					followed[what+" "+kind]++
					changed.passes(t, q, job, &block, what)
				}
			}
		}
	}
	for _, want := range []string{"raised active jobs", "raised active procs", "raised active proc_seconds",
		"raised idle jobs", "raised idle procs", "raised job procs",
		"lowered active procs", "lowered active proc_seconds", "lowered idle procs", "lowered job procs", "before idle jobs",
		"before idle procs"} {
		if followed[want] == 0 {
			t.Errorf("%s was never tried: %v", want, followed)
		}
	}
}

// follow gives the queue for each piece of advice that was followed.
func (q *advisedQueue) follow(t *testing.T, job int, b *advised) map[string]*advisedQueue {
	out := map[string]*advisedQueue{}
	at := slices.IndexFunc(q.limits, func(l advisedLimit) bool {
		return b.Why.Source.Name == strings.TrimSpace(l.object+" "+l.name) || q.scratch && b.Why.Limit == l.name
	})
	if at < 0 {
		t.Fatalf("no limit is called %q", b.Why.Source.Name)
	}
	raised := q.clone()
	switch l, last := &raised.limits[at], b.Passes[len(b.Passes)-1]; {
	case strings.HasSuffix(last, "'s soft number"):
		l.soft = *b.LeastLimit
	case strings.HasSuffix(last, "'s hard number"):
		l.hard = *b.LeastLimit
	default:
		l.soft, l.hard = *b.LeastLimit, *b.LeastLimit
	}
	out["raised"] = raised
	if b.MostRequest != nil {
		lowered := q.clone()
		switch j := &lowered.jobs[job]; b.Why.Counts {
		case "procs":
			j.procs = *b.MostRequest
		case "proc_seconds":
			j.procs, j.seconds = 1, *b.MostRequest
		}
		out["lowered"] = lowered
	}
	if b.ComesBefore != nil {
		var other int
		if _, err := fmt.Sscan(*b.ComesBefore, &other); err != nil {
			t.Fatal(err)
		}
		before := q.clone()
		before.jobs[job].submit = before.jobs[other].submit - 60
		out["before"] = before
	}
	return out
}

// passes evaluates the changed queue.
func (q *advisedQueue) passes(t *testing.T, old *advisedQueue, job int, b *advised, what string) {
	t.Helper()
	r := q.evaluate(t)
	for _, block := range advice(t, r, job) {
		if block.Why.Source == b.Why.Source && block.Why.Limit == b.Why.Limit && block.Why.Phase == b.Why.Phase {
			t.Fatalf("job %d is stopped again, %s %+v\nby %+v\nbefore\n%s\n%s\nafter\n%s\n%s", job, what, b, block,
				old.policy().Text, old.snapshot(), q.policy().Text, q.snapshot())
		}
	}
}

func drawAdvised(random *rand.Rand, scratch bool) *advisedQueue {
	q := &advisedQueue{scratch: scratch}
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	for range 1 + random.IntN(3) {
		l := advisedLimit{object: pick("USERCFG[amy]", "USERCFG[DEFAULT]", "GROUPCFG[staff]", "CLASSCFG[batch]",
			"QOSCFG[high]", "")}
		switch l.object {
		case "":
			l.name = "SYSTEMMAXPROCPERJOB"
		case "CLASSCFG[batch]":
			l.name = pick("MAXJOB", "MAXPROC", "MAXJOB[USER]", "MAXPROCPERUSER", "MAXIJOB", "MAXPROCPERJOB")
		case "QOSCFG[high]":
			l.name = pick("OMAXJOB", "OMAXPROC", "OMAXIJOB", "MAXJOB", "MAXIPROC")
		default:
			l.name = pick("MAXJOB", "MAXPROC", "MAXPS", "MAXIJOB", "MAXIPROC", "MAXIPS")
		}
		if scratch {
			l.object, l.name = "", pick("jobs", "procs", "proc_seconds", "idle_jobs", "idle_procs", "idle_proc_seconds",
				"job_procs")
		}
		unit := int64(1)
		if strings.Contains(l.name, "PS") || strings.Contains(l.name, "seconds") {
			unit = 3000
		}
		l.soft = unit * int64(1+random.IntN(8))
		l.hard = l.soft + unit*int64(random.IntN(5))
		if !slices.ContainsFunc(q.limits, func(o advisedLimit) bool { return o.object == l.object && o.name == l.name }) {
			q.limits = append(q.limits, l)
		}
	}
	for i := range 3 + random.IntN(8) {
		q.jobs = append(q.jobs, advisedJob{user: pick("amy", "bob"), class: pick("batch", "long"),
			qos: pick("high", "DEFAULT", "DEFAULT"), running: random.IntN(3) == 0,
			procs: int64(1 + random.IntN(5)), seconds: int64(600 * (1 + random.IntN(8))),
			submit: advisedNow - int64(600*(20+i*3+random.IntN(3)))})
	}
	random.Shuffle(len(q.jobs), func(a, b int) { q.jobs[a], q.jobs[b] = q.jobs[b], q.jobs[a] })
	return q
}
