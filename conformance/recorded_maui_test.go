package conformance_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/engine"
)

// mauiComponents and mauiTerms are the recording's names for ours.
var mauiComponents = map[string]string{
	"SERV": "service", "TARG": "target", "CRED": "credential", "FS": "fairshare", "RES": "resource",
}

var mauiTerms = map[string]string{
	"TARGETQUEUETIME": "targetqueuetime", "TARGETXFACTOR": "targetxfactor",
	"FSUSER": "fsuser", "FSGROUP": "fsgroup", "FSACCOUNT": "fsaccount", "FSQOS": "fsqos", "FSCLASS": "fsclass",
	"USER": "user", "GROUP": "group", "ACCOUNT": "account", "QOS": "qos", "CLASS": "class",
	"QUEUETIME": "queuetime", "XFACTOR": "xfactor", "BYPASS": "bypass", "SPVIOLATION": "spviolation",
	"NODE": "node", "PROC": "proc", "MEM": "mem", "SWAP": "swap", "DISK": "disk", "PS": "ps", "PE": "pe", "WALLTIME": "walltime",
}

// mauiNotSummed are weighted by the recording but never enter Maui's sum: the
// loop over resource factors ends before them, and usage counts for running priorities only.
var mauiNotSummed = []string{"UPROC", "UJOB", "CONSUMED", "REMAINING", "PERCENT", "USAGEEXECUTIONTIME"}

// mauiUnrecorded names cases whose recording holds no first pass, and why.
var mauiUnrecorded = map[string]string{
	"t15-running-over-limit": "the recording has no priorities of the first pass",
}

func TestRecordedMaui(t *testing.T) {
	for _, r := range recordings(t, "maui") {
		t.Run(r.name, func(t *testing.T) { checkMaui(t, r) })
	}
}

func TestFullRecordedMaui(t *testing.T) {
	for _, r := range fullRecordings(t, "maui", `^(p|f|t|b|n|r|big)\d`) {
		t.Run(r.name, func(t *testing.T) { checkMaui(t, r) })
	}
}

func checkMaui(t *testing.T, r recording) {
	var want mauiExpected
	r.expected(t, &want)
	if reason := mauiUnrecorded[r.name]; reason != "" && len(want.First) == 0 {
		t.Skip(reason)
	}
	out := r.compile(t, "maui.cfg", compiler.Input{Lang: lower.Maui, Options: lower.Options{Without: []string{"limits"}}})
	without := false
	if out.Program == nil { // fairshare windows that the engine cannot compute yet
		out = r.compile(t, "maui.cfg", compiler.Input{Lang: lower.Maui, Options: lower.Options{Without: []string{"limits", "fairshare"}}})
		without = true
	}
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	paths := []string{"jobs.json", "nodes.json"}
	if r.exists("fs") {
		paths = append(paths, "fs")
	}
	result := evaluate(t, out.Program, r.snapshot(t, want.Now, paths...))
	m := mauiComparison{t, result, without}
	_, index := jobIDs(result)
	if len(want.First) == 0 {
		t.Fatal("nothing was recorded")
	}
	for _, id := range slices.Sorted(maps.Keys(want.First)) {
		i, ok := index[id]
		if !ok {
			t.Errorf("job %s is missing", id)
			continue
		}
		m.job(id, int(result.JobRow[i]), want.First[id])
	}
	// Later families change jobs between the first pass and the report.
	if strings.HasPrefix(r.name, "p") {
		var printed []string
		for _, row := range want.Diagnose.Rows {
			printed = append(printed, row.Job)
		}
		checkOrder(t, printed, result, index)
	}
}

type mauiComparison struct {
	t                *testing.T
	result           *engine.Result
	withoutFairshare bool
}

func (m mauiComparison) job(id string, row int, want mauiPriority) {
	score := m.result.Score[row]
	if m.withoutFairshare && want.Components == nil {
		return // the copy does not say what fairshare added
	}
	if m.withoutFairshare {
		score += want.Components["FS"].Weight * want.Components["FS"].Factor
	}
	m.near(id+": score", score, want.RawSum)
	if got := m.result.Priority[row]; got != want.Stored && !m.withoutFairshare {
		m.t.Errorf("%s: priority is %d, recorded was %d", id, got, want.Stored)
	}
	for k := range m.result.Sums {
		s := &m.result.Sums[k]
		name := m.result.Program.Components[s.Component].Name
		for recorded, ours := range mauiComponents {
			if w, ok := want.Components[recorded]; ok && ours == name {
				m.near(fmt.Sprintf("%s: component %s", id, name), s.Value[row], w.Weight*w.Factor)
			}
		}
	}
	for recorded, w := range want.Subfactors {
		if slices.Contains(mauiNotSummed, recorded) || m.withoutFairshare && strings.HasPrefix(recorded, "FS") {
			continue
		}
		m.term(id, row, recorded, w)
	}
}

// term compares a weighted factor after its cap. A component of weight 0 adds
// nothing whatever is in it, and the compiler drops what it would add.
func (m mauiComparison) term(id string, row int, recorded string, want mauiFactor) {
	for k := range m.result.Terms {
		term := &m.result.Terms[k]
		c := m.result.Program.Components[term.Component]
		if c.Terms[term.Term].Name != mauiTerms[recorded] {
			continue
		}
		if m.result.Sums[term.Component].Weight[row] == 0 {
			return
		}
		factor := term.Factor[row]
		if term.Capped(row) {
			factor = term.Cap[row]
		}
		m.near(id+": factor "+recorded, factor, want.Factor)
		m.near(id+": weight "+recorded, term.Weight[row], want.Weight)
		return
	}
	m.t.Errorf("%s: no term for %s", id, recorded)
}

// near compares to the precision of the recorded doubles.
func (m mauiComparison) near(what string, got, want float64) {
	if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) || math.IsNaN(got) {
		m.t.Errorf("%s is %v, recorded was %v", what, got, want)
	}
}

// checkOrder: of the recorded jobs, those that the result ranks stand in the same order.
func checkOrder(t *testing.T, recorded []string, result *engine.Result, index map[string]int) {
	t.Helper()
	var want []string
	for _, id := range recorded {
		if i, ok := index[id]; ok && result.Rank[i] > 0 {
			want = append(want, id)
		}
	}
	got := slices.Clone(want)
	slices.SortFunc(got, func(a, b string) int { return int(result.Rank[index[a]] - result.Rank[index[b]]) })
	if !slices.Equal(got, want) {
		t.Errorf("the order is\n%v, recorded was\n%v", got, want)
	}
}
