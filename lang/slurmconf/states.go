package slurmconf

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// nodeStates are the words the manual has for State of a node.
func nodeStates(version string) []string {
	if before(version, "25.05") {
		return stateWords[:len(stateWords)-1]
	}
	return stateWords
}

var stateWords = []string{"UNKNOWN", "CLOUD", "DOWN", "DRAIN", "FAIL", "FAILING", "FUTURE", "EXTERNAL"}

// nodeState follows node_conf.c, state_str2int: the base states match whole,
// others by their beginning, so that DRAINED is DRAIN.
func nodeState(text, version string) (string, bool) {
	word := strings.ToUpper(text)
	for _, state := range []string{"UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "ERROR", "MIXED", "FUTURE"} {
		if word == state {
			return state, true
		}
	}
	for _, state := range []string{"CLOUD", "EXTERNAL", "DRAIN", "FAIL"} {
		if strings.HasPrefix(word, state) && (state != "EXTERNAL" || !before(version, "25.05")) {
			return state, true
		}
	}
	return "", false
}

// nodeState reads State of a node record. A word that is no state stops
// slurmctld; up to 19.05 the record was dropped instead.
func (e *evaluator) nodeState(v Value) string {
	state, ok := nodeState(v.Text, e.version)
	if states := nodeStates(e.version); !ok && e.first(v) {
		e.ds.Errorf("slurm-node-state", v.Span, "a node cannot have the state %q", v.Text).
			Note("slurmctld refuses to start; states are %s", strings.Join(states, ", ")).
			DidYouMean(v.Span, v.Text, states)
	}
	if !ok {
		return "UNKNOWN"
	}
	return state
}

// first reports whether the value was not reported before: one of a DEFAULT
// line comes back in every record that inherits it.
func (e *evaluator) first(v Value) bool {
	seen := e.told[v.Span]
	e.told[v.Span] = true
	return !seen
}

// onlySome is how many of a list are to stay on: n[1-8]:2.
var onlySome = source.Pattern(`:[0-9]+`)

// suspendExcluded tests the nodes that power saving leaves on. Of a list with a name that is not there
// slurmctld takes none (22.05 logs: Invalid SuspendExcNodes … ignored).
func (e *evaluator) suspendExcluded() {
	p, ok := e.cfg.Param("SuspendExcNodes")
	if !ok || e.partial || len(e.cfg.Nodes) == 0 {
		return
	}
	// Blanks in the place of the counts keep all places.
	text := onlySome().ReplaceAllStringFunc(p.Text, func(count string) string { return strings.Repeat(" ", len(count)) })
	names, _ := e.hosts(Word{Text: text, Span: p.Span})
	for _, name := range names {
		if _, ok := e.byName[name]; ok {
			continue
		}
		at := p.Span
		if i := strings.Index(at.Text(), name); i >= 0 {
			at = at.Sub(i, i+len(name))
		}
		d := e.ds.Warnf("slurm-excluded-node", at, "SuspendExcNodes names a node that is not defined: %s", name).
			Note("slurmctld ignores the whole list, so all these nodes are powered down when they are idle")
		e.suggestNode(d, name)
		return
	}
}
