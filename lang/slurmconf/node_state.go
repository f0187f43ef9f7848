package slurmconf

import "strings"

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
			Note("slurmctld refuses to start; states are %s", strings.Join(states, ", ")).DidYouMean(v.Span, v.Text, states)
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
