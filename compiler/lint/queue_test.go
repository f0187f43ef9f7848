package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint"
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
		t.Fatal(err, messages(out.Diags))
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

// term is a queue in which one term has these factors. The jobs stand best first, step points apart,
// of which the term's are a part.
func term(component, name string, factors []float64, weight, step float64, saturated int) *lint.QueueFacts {
	points := scaled(factors, weight)
	return &lint.QueueFacts{Scores: ramp(len(factors), 1e6, -step), Terms: []lint.QueueTerm{{Component: component, Term: name, Factors: factors, Points: points, Saturated: saturated}}}
}

const (
	slurmQueue = "ClusterName=c\nSlurmctldHost=h\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightAge=1000\nPriorityWeightQOS=1000\n"
	mauiQueue  = "SERVERHOST h\nQUEUETIMEWEIGHT 10\nQUEUETIMECAP 100\n"
)

// TestQueue: each rule about a queue on one where it must fire, and on one where it must not.
func TestQueue(t *testing.T) {
	rising, falling := ramp(20, 0, 0.05), ramp(20, 0.95, -0.05)
	shuffled := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4}
	for _, c := range []struct {
		code, policy string
		fires, quiet *lint.QueueFacts
	}{
		{"queue-term-idle", slurmQueue, term("qos", "qos", ramp(20, 0.5, 0), 1000, 10, 0), term("qos", "qos", scaled(shuffled, 0.1), 1000, 10, 0)},
		{"queue-term-idle", slurmQueue, term("qos", "qos", rising, 1000, 10, 0), term("qos", "qos", falling, 1000, 10, 0)},
		{"queue-age-saturated", slurmQueue, term("age", "age", ramp(20, 1, 0), 1000, 1, 20), term("age", "age", falling, 1000, 1, 1)},
		{"queue-age-saturated", mauiQueue, term("service", "queuetime", scaled(shuffled, 100), 10, 1, 15), term("service", "queuetime", shuffled, 10, 1, 3)},
		{"queue-weight-small", slurmQueue, term("qos", "qos", rising, 3, 1, 0), term("qos", "qos", rising, 1000, 1, 0)},
		{"queue-limit-idle", "SERVERHOST h\nUSERCFG[x] MAXPROC=5000\n", &lint.QueueFacts{Procs: 1000}, &lint.QueueFacts{Procs: 10000}},
		{"queue-limit-idle", "SERVERHOST h\nUSERCFG[x] MAXNODE=50\n", &lint.QueueFacts{Nodes: 10}, &lint.QueueFacts{}},
		{"queue-unknown-name", slurmQueue + "---\nCluster - 'c'\nParent - 'root'\nAccount - 'physics'\nParent - 'physics'\nUser - 'amy'\n",
			&lint.QueueFacts{Names: map[string][]string{"user": {"amy", "bob"}, "account": {"physics"}}},
			&lint.QueueFacts{Names: map[string][]string{"user": {"amy"}, "account": {"Physics"}}}},
		{"queue-unknown-name", "SERVERHOST h\nUSERCFG[amy] MAXJOB=4\n",
			&lint.QueueFacts{Names: map[string][]string{"user": {"amy", "bob"}}}, &lint.QueueFacts{Names: map[string][]string{"user": {"bob"}}}},
		{"queue-beyond-backfill", slurmQueue, &lint.QueueFacts{Entries: 501}, &lint.QueueFacts{Entries: 500}},
		{"queue-below-reserve", slurmQueue + "SchedulerParameters=bf_min_prio_reserve=100\n",
			&lint.QueueFacts{Priorities: make([]int64, 20)}, &lint.QueueFacts{Priorities: slices.Repeat([]int64{500}, 20)}},
		{"queue-priority-by-hand", slurmQueue, &lint.QueueFacts{Priorities: make([]int64, 20), ByHand: 3}, &lint.QueueFacts{Priorities: make([]int64, 20), ByHand: 2}},
	} {
		p := folded(t, c.policy)
		for _, q := range []*lint.QueueFacts{c.fires, c.quiet} {
			want, got := q == c.fires, false
			for _, d := range lint.Queue(p, q) {
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
