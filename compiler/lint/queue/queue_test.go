package queue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/queue"
	"github.com/fairway-sched/fairway/lang/source"
)

// folded compiles a policy as far as lint needs it for a queue.
func folded(t *testing.T, text string) *ir.Policy {
	t.Helper()
	var files []*source.File
	for i, part := range strings.Split(text, "---\n") {
		files = append(files, source.NewFile([]string{"policy", "dump"}[i], []byte(part)))
	}
	_, out, err := compiler.Dump(compiler.Input{Files: files}, "fold")
	if err != nil || out.Diags.HasErrors() {
		t.Fatal(err, out.Diags[0].Message)
	}
	return out.Policy
}

// ramp is n numbers from first on.
func ramp(n int, first, step float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = first + step*float64(i)
	}
	return list
}

func scaled(list []float64, by float64) []float64 {
	out := slices.Clone(list)
	for i := range out {
		out[i] *= by
	}
	return out
}

// term is a queue in which one term has these factors; an idle one moves no job.
func term(component, name string, factors []float64, weight float64, saturated int, idle bool) *queue.Facts {
	points := scaled(factors, weight)
	return &queue.Facts{Terms: []queue.Term{{Component: component, Term: name, Factors: factors, Counted: factors,
		Points: points, Effect: points, Saturated: saturated, Idle: idle}}}
}

const (
	slurmQueue = "ClusterName=c\nSlurmctldHost=h\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightAge=1000\nPriorityWeightQOS=1000\n"
	dumped     = "AccountingStorageEnforce=limits\n---\nCluster - 'c'\nParent - 'root'\nAccount - 'physics':"
	mauiQueue  = "SERVERHOST h\nQUEUETIMEWEIGHT 10\nQUEUETIMECAP 100\n"
)

// TestQueue: each rule about a queue on one where it must fire, and on one where it must not.
func TestQueue(t *testing.T) {
	rising, falling := ramp(20, 0, 0.05), ramp(20, 0.95, -0.05)
	shuffled := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4}
	for _, c := range []struct {
		code, policy string
		fires, quiet *queue.Facts
	}{
		{"queue-term-idle", slurmQueue, term("qos", "qos", ramp(20, 0.5, 0), 1000, 0, true),
			term("qos", "qos", ramp(20, 0.5, 0), 1000, 0, false)},
		{"queue-term-idle", slurmQueue, term("qos", "qos", rising, 1000, 0, true),
			term("qos", "qos", rising, 1000, 0, false)},
		{"queue-age-saturated", slurmQueue, term("age", "age", ramp(20, 1, 0), 1000, 20, true),
			term("age", "age", falling, 1000, 1, false)},
		{"queue-age-saturated", mauiQueue, term("service", "queuetime", scaled(shuffled, 100), 10, 15, false),
			term("service", "queuetime", shuffled, 10, 3, false)},
		{"queue-weight-small", slurmQueue, term("qos", "qos", rising, 3, 0, false),
			term("qos", "qos", rising, 1000, 0, false)},
		{"queue-limit-idle", "SERVERHOST h\nUSERCFG[x] MAXPROC=5000\n", &queue.Facts{Procs: 1000},
			&queue.Facts{Procs: 10000}},
		{"queue-limit-idle", "SERVERHOST h\nUSERCFG[x] MAXNODE=50\n", &queue.Facts{Nodes: 10}, &queue.Facts{}},
		{"queue-limit-idle", slurmQueue + dumped + "GrpTRES=cpu=750\n", &queue.Facts{Procs: 512}, &queue.Facts{Procs: 1000}},
		{"queue-unknown-name", slurmQueue +
			"---\nCluster - 'c'\nParent - 'root'\nAccount - 'physics'\nParent - 'physics'\nUser - 'amy'\n",
			&queue.Facts{Names: map[string][]string{"user": {"amy", "bob"}, "account": {"physics"}}},
			&queue.Facts{Names: map[string][]string{"user": {"amy"}, "account": {"Physics"}}}},
		{"queue-unknown-name", "SERVERHOST h\nUSERCFG[amy] MAXJOB=4\n",
			&queue.Facts{Names: map[string][]string{"user": {"amy", "bob"}}},
			&queue.Facts{Names: map[string][]string{"user": {"bob"}}}},
		{"queue-unknown-name", "SERVERHOST h\nQOSCFG[hi] PRIORITY=4\nSYSCFG QLIST=hi:lo& QDEF=hi\n",
			&queue.Facts{Names: map[string][]string{"qos": {"hi", "std"}}},
			&queue.Facts{Names: map[string][]string{"qos": {"hi", "lo"}}}},
		{"queue-beyond-backfill", slurmQueue, &queue.Facts{Entries: 501}, &queue.Facts{Entries: 500}},
		{"queue-below-reserve", slurmQueue + "SchedulerParameters=bf_min_prio_reserve=100\n",
			&queue.Facts{Priorities: make([]int64, 20)}, &queue.Facts{Priorities: slices.Repeat([]int64{500}, 20)}},
		{"queue-priority-by-hand", slurmQueue, &queue.Facts{Priorities: make([]int64, 20), ByHand: 3},
			&queue.Facts{Priorities: make([]int64, 20), ByHand: 2}},
	} {
		p := folded(t, c.policy)
		for _, q := range []*queue.Facts{c.fires, c.quiet} {
			want, got := q == c.fires, false
			for _, d := range queue.Findings(p, q) {
				if d.Code != c.code {
					continue
				}
				got = true
				if d.Span.IsZero() || len(d.Notes) == 0 {
					t.Errorf("%s has no place or no advice: %s", d.Code, d.Message)
				}
			}
			if got != want {
				t.Errorf("%s on %+v: fires %v, want %v", c.code, *q, got, want)
			}
		}
	}
}

// TestQueueBlames: a finding about a term is at what the site wrote to weigh it, or at the cap that
// takes its differences away; a term that the site does not weigh is not spoken of.
func TestQueueBlames(t *testing.T) {
	const maui = "SERVERHOST h\nCREDWEIGHT 10\nUSERWEIGHT 1\nUSERCFG[ana] PRIORITY=50\nSERVICEWEIGHT " +
		"1\nQUEUETIMEWEIGHT 0\nPROCWEIGHT 2\nPROCCAP 9\nRESCAP 4\nQOSCFG[hi] XFWEIGHT=5\n"
	const slurm = slurmQueue + "PriorityWeightFairshare=2\n"
	const hcl = "policy \"p\" {\n  component \"c\" {\n    term \"t\" { factor = \"job.procs\" }\n    term \"u\" {\n    " +
		"  weight = 5\n      factor = \"job.gpus\"\n    }\n  }\n}\n"
	rising, same := ramp(20, 1, 1), ramp(20, 7, 0)
	held := term("resource", "proc", ramp(20, 10, 1), 2, 20, true) // by PROCCAP
	held.Terms[0].Counted, held.Terms[0].Points, held.Terms[0].Effect = ramp(20, 9, 0), ramp(20, 18, 0), ramp(20, 18, 0)
	some := term("resource", "proc", rising, 2, 12, true) // 12 different factors that the weight is not to blame for
	some.Terms[0].Counted = slices.Clone(rising)
	for i := range some.Terms[0].Counted {
		some.Terms[0].Counted[i] = min(3, rising[i])
	}
	some.Terms[0].Points = scaled(some.Terms[0].Counted, 2)
	some.Terms[0].Effect = some.Terms[0].Points
	whole := term("resource", "proc", rising, 2, 0, true) // by RESCAP
	whole.Terms[0].Effect = make([]float64, 20)
	for _, c := range []struct {
		name, policy string
		q            *queue.Facts
		want         string // the text at the place, and the code
	}{
		{"a weight's default times more", maui, term("credential", "class", same, 0, 0, true), ""},
		{"its own weight", maui, term("credential", "user", same, 1, 0, true), "1 queue-term-idle"},
		{"a weight of 0", maui, term("service", "queuetime", rising, 0, 0, true), ""},
		{"a weight of a QOS", maui, term("service", "xfactor", same, 5, 0, true), "XFWEIGHT=5 queue-term-idle"},
		{"the term's cap", maui, held, "9 queue-term-idle"},
		{"the term's cap, for some", maui, some, "2 queue-term-idle"},
		{"the component's cap", maui, whole, "4 queue-term-idle"},
		{"a weight that depends on a word", slurm, term("fairshare", "fairshare", ramp(20, 0, 0.05), 2, 0, false),
			"2 queue-weight-small"},
		{"a term of the site's without weight", hcl, term("c", "t", same, 1, 0, true), "term \"t\" queue-term-idle"},
		{"a term of the site's with a weight", hcl, term("c", "u", same, 5, 0, true), "5 queue-term-idle"},
	} {
		got := ""
		for _, d := range queue.Findings(folded(t, c.policy), c.q) {
			if strings.HasPrefix(d.Code, "queue-") {
				got += d.Span.Text() + " " + d.Code
				if strings.Contains(d.Notes[0].Text, "constant") {
					t.Errorf("%s: %s", c.name, d.Notes[0].Text)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestQueueDefaultQOS: Maui's own QOS DEFAULT is listed by no file.
func TestQueueDefaultQOS(t *testing.T) {
	q := &queue.Facts{Names: map[string][]string{"qos": {"DEFAULT", "hi", "lo"}}}
	list := queue.Findings(folded(t, "SERVERHOST h\nQOSCFG[hi] PRIORITY=5\n"), q)
	if len(list) != 1 || !strings.Contains(list[0].Message, "the QOS lo,") {
		t.Error(list)
	}
}

// TestQueueMinutes: a limit on minutes of processors is not one on processors.
func TestQueueMinutes(t *testing.T) {
	for _, limit := range []string{"GrpTRESMins", "GrpTRESRunMins", "MaxTRESMinsPerJob"} {
		p := folded(t, slurmQueue+dumped+limit+"=cpu=750\n")
		if len(p.Limits) == 0 {
			t.Fatalf("%s is no limit", limit)
		}
		if list := queue.Findings(p, &queue.Facts{Procs: 512, Nodes: 8}); len(list) > 0 {
			t.Errorf("%s: %d findings", limit, len(list))
		}
	}
}
