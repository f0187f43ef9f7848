package replay_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// mauiComponents and mauiTerms are the recording's names for ours.
var mauiComponents = map[string]string{
	"service": "SERV", "target": "TARG", "credential": "CRED", "fairshare": "FS", "resource": "RES",
}

var mauiTerms = map[string]string{
	"TARGETQUEUETIME": "targetqueuetime", "TARGETXFACTOR": "targetxfactor",
	"FSUSER": "fsuser", "FSGROUP": "fsgroup", "FSACCOUNT": "fsaccount", "FSQOS": "fsqos", "FSCLASS": "fsclass",
	"USER": "user", "GROUP": "group", "ACCOUNT": "account", "QOS": "qos", "CLASS": "class",
	"QUEUETIME": "queuetime", "XFACTOR": "xfactor", "BYPASS": "bypass", "SPVIOLATION": "spviolation",
	"NODE": "node", "PROC": "proc", "MEM": "mem", "SWAP": "swap", "DISK": "disk", "PS": "ps", "PE": "pe",
	"WALLTIME": "walltime",
}

// mauiNotSummed are weighted by the recording but never enter Maui's sum: the
// loop over resource factors ends before them, and usage counts for running priorities only.
var mauiNotSummed = []string{"UPROC", "UJOB", "CONSUMED", "REMAINING", "PERCENT", "USAGEEXECUTIONTIME"}

// checkFirstPass compares the factors and priorities before selection, of all jobs and of no others.
func checkFirstPass(t *testing.T, p *replay.Played, c compared) {
	t.Helper()
	m := mauiComparison{t, p.Result, c}
	ids, index := recordedtest.JobIDs(p.Result)
	for _, id := range slices.Sorted(maps.Keys(p.First)) {
		i, ok := index[id]
		if !ok {
			t.Errorf("job %s is missing", id)
			continue
		}
		m.job(id, int(p.Result.JobRow[i]), p.First[id])
		since, recorded := p.Result.Jobs.Value("job.queue_start_time", i).Int, p.First[id].QueueStart
		if since != recorded {
			t.Errorf("%s: queue time counts from %d, recorded was %d", id, since, recorded)
		}
	}
	for _, id := range ids {
		if _, recorded := p.First[id]; !recorded && p.Result.State[index[id]] != evaluation.Done {
			t.Errorf("job %s was not recorded", id)
		}
	}
}

// checkCommands compares the priorities after an administrator set some with setspri.
func checkCommands(t *testing.T, p *replay.Played, c compared) {
	t.Helper()
	if p.Seen == p.Result {
		return
	}
	_, index := recordedtest.JobIDs(p.Seen)
	for id, w := range p.After {
		if got := p.Seen.Priority[p.Seen.JobRow[index[id]]]; got != w.Stored {
			t.Errorf("%s: priority is %d after commands, recorded was %d", id, got, w.Stored)
		}
		c["after commands"]++
	}
}

type mauiComparison struct {
	t      *testing.T
	result *evaluation.Result
	compared
}

func (m mauiComparison) job(id string, row int, want replay.Priority) {
	m.compared["priority"]++
	m.near(id+": score", m.result.Score[row], want.RawSum)
	if got := m.result.Priority[row]; got != want.Stored {
		m.t.Errorf("%s: priority is %d, recorded was %d", id, got, want.Stored)
	}
	for k := range m.result.Sums {
		s := &m.result.Sums[k]
		name := m.result.Program.Components[s.Component].Name
		w, ok := want.Components[mauiComponents[name]]
		if !ok {
			continue
		}
		m.compared["component"]++
		m.near(fmt.Sprintf("%s: component %s", id, name), s.Value[row], w.Weight*w.Factor)
		if w.Contribution != nil {
			m.compared["contribution"]++
			m.near(fmt.Sprintf("%s: what component %s adds", id, name), s.Value[row], *w.Contribution)
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
func (m mauiComparison) term(id string, row int, recorded string, want replay.Factor) {
	for k := range m.result.Terms {
		term := &m.result.Terms[k]
		c := m.result.Program.Components[term.Component]
		if c.Terms[term.Term].Name != mauiTerms[recorded] {
			continue
		}
		if m.result.Sums[term.Component].Weight[row] == 0 && c.Name != "fairshare" {
			return
		}
		factor := term.Factor[row]
		if term.Capped(row) {
			factor = term.Cap[row]
		}
		if m.compared["factor"]++; c.Name == "fairshare" {
			m.compared["fairshare factor"]++
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
