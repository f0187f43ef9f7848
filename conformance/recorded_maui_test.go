package conformance_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

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
	want.Backfilled = r.backfilled(t, &want)
	if reason := mauiUnrecorded[r.name]; reason != "" && len(want.First) == 0 {
		t.Skip(reason)
	}
	if len(want.First) == 0 {
		t.Fatal("nothing was recorded")
	}
	r.replay(t, &want, func(t *testing.T, step *mauiStep, result *engine.Result) {
		checkFirstPass(t, step, result)
		if !placed.MatchString(r.name) {
			checkQueue(t, r.name, step, result)
			checkCheckjob(t, step, result)
		}
	})
}

// checkFirstPass compares the factors and priorities before selection.
func checkFirstPass(t *testing.T, want *mauiStep, result *engine.Result) {
	m := mauiComparison{t, result}
	_, index := jobIDs(result)
	for _, id := range slices.Sorted(maps.Keys(want.First)) {
		i, ok := index[id]
		if !ok {
			t.Errorf("job %s is missing", id)
			continue
		}
		m.job(id, int(result.JobRow[i]), want.First[id])
		since, recorded := result.Jobs.Value("job.queue_start_time", i).Int, want.First[id].QueueStart
		if since != recorded {
			t.Errorf("%s: queue time counts from %d, recorded was %d", id, since, recorded)
		}
	}
}

type mauiComparison struct {
	t      *testing.T
	result *engine.Result
}

func (m mauiComparison) job(id string, row int, want mauiPriority) {
	m.near(id+": score", m.result.Score[row], want.RawSum)
	if got := m.result.Priority[row]; got != want.Stored {
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
		if !slices.Contains(mauiNotSummed, recorded) {
			m.term(id, row, recorded, w)
		}
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
