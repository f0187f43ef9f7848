package slurmconf

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// nodes makes the nodes of the NodeName records, in file order.
func (e *evaluator) nodes() {
	e.byName = map[string]int{}
	for _, r := range e.cfg.Records {
		if r.Kind != "NodeName" {
			continue
		}
		if strings.EqualFold(r.Name.Text, "ALL") {
			e.ds.Errorf("slurm-value", r.Name.Span, "NodeName cannot be ALL").
				Note("ALL stands for every node in a partition; name the nodes here")
			e.partial = true
			continue
		}
		names, ok := e.hosts(r.Name)
		e.partial = e.partial || !ok
		e.addresses(r, len(names))
		spec := e.nodeSpec(r)
		twice := false
		for _, name := range names {
			if i, ok := e.byName[name]; ok {
				if !twice { // one finding a record is enough
					e.ds.Errorf("slurm-duplicate-node", r.Name.Span, "the node %s is defined twice", name).
						NoteAt(e.cfg.Nodes[i].Record.Name.Span, "it is defined here already; slurmctld refuses to start")
				}
				twice = true
				continue
			}
			if len(e.cfg.Nodes) >= slurmtext.MaxHosts {
				e.ds.Errorf("slurm-hostlist", r.Name.Span, "the file defines more than %d nodes", slurmtext.MaxHosts).
					Note("Slurm itself has fewer")
				e.partial = true
				return
			}
			e.byName[name] = len(e.cfg.Nodes)
			e.cfg.Nodes = append(e.cfg.Nodes, Node{name, spec})
		}
	}
}

// maxExpanded bounds the names that all host lists of a configuration expand
// to: many partitions may each list a whole cluster, but not without end.
const maxExpanded = 64 * slurmtext.MaxHosts

var errTooMany = errors.New("all host lists together name too many hosts")

// room counts n more names and reports whether they are within the bound.
func (e *evaluator) room(n int) bool {
	e.expanded += n
	return e.expanded <= maxExpanded
}

// hosts expands a host list; white space in it counts as a comma, as in quoted
// Nodes="a b" of a partition. It reports false, with a diagnostic, for a list
// that slurmctld would refuse.
func (e *evaluator) hosts(w Word) ([]string, bool) {
	names, err := slurmtext.ExpandHostlist(w.Text)
	if err == nil && !e.room(len(names)) {
		err = errTooMany
	}
	if err != nil {
		e.badHosts(w, err)
		return nil, false
	}
	return names, true
}

func (e *evaluator) badHosts(w Word, err error) {
	e.ds.Errorf("slurm-hostlist", valueSpan(w, err), "the host list is wrong: %v", err).
		Note("write for instance n[01-16,20]")
}

// addresses tests that NodeAddr and NodeHostname name one host for each node;
// a single one for many nodes is allowed (seen on a running slurmctld).
func (e *evaluator) addresses(r *Record, nodes int) {
	for _, key := range []string{"NodeAddr", "NodeHostname"} {
		v, ok := r.Get(key)
		if !ok || nodes == 0 {
			continue
		}
		if names, _ := e.hosts(Word{Text: v.Text, Span: v.Span}); len(names) > 1 && len(names) != nodes {
			e.ds.Errorf("slurm-node-addresses", v.Span, "%s has %s for %s", key, count(len(names), "name"),
				count(nodes, "node")).
				NoteAt(r.Name.Span, "slurmctld refuses to start; give one name for each node, or a single one")
		}
	}
}

// nodeSpec takes the values of one record that all its nodes share. RealMemory
// is 1 MB where nothing is given, which is why memory must be configured before
// it can be scheduled.
func (e *evaluator) nodeSpec(r *Record) *NodeSpec {
	s := &NodeSpec{Record: r, State: "UNKNOWN", Weight: 1, RealMemoryMB: 1}
	number := func(key string, set *uint64) {
		if v, ok := r.Get(key); ok {
			*set = v.Number
		}
	}
	number("RealMemory", &s.RealMemoryMB)
	number("MemSpecLimit", &s.MemSpecLimitMB)
	number("TmpDisk", &s.TmpDiskMB)
	number("Weight", &s.Weight)
	if w, _ := r.Get("Weight"); w.Infinite {
		s.Weight = 0xfffffffe // Slurm keeps its infinite value for itself
	}
	if v, ok := r.Get("CoreSpecCount"); ok {
		s.CoreSpecCount = int(v.Number)
	}
	if v, ok := r.Get("State"); ok {
		s.State = e.nodeState(v)
	}
	e.topology(r, s)
	for _, key := range []string{"Features", "Feature"} { // Feature wins when both are given
		if v, ok := r.Get(key); ok {
			s.Features = splitList(v.Text)
		}
	}
	if v, ok := r.Get("Gres"); ok {
		s.Gres = e.gres(v)
	}
	return s
}

// topology settles boards, sockets, cores, threads and CPUs as read_config.c
// does after a node record (_parse_nodename): what is missing is derived, and a
// CPU count that is neither sockets, cores nor threads is replaced, since
// scheduling needs whole cores or whole threads.
func (e *evaluator) topology(r *Record, s *NodeSpec) {
	number := func(key string, otherwise int) int {
		if v, ok := r.Get(key); ok && v.Number > 0 {
			return int(v.Number)
		}
		return otherwise
	}
	s.Boards, s.CoresPerSocket, s.ThreadsPerCore = number("Boards", 1), number("CoresPerSocket", 1),
		number("ThreadsPerCore", 1)
	cpus, span := e.cpus(r)
	s.Sockets = number("Sockets", 0)
	if perBoard, ok := r.Get("SocketsPerBoard"); ok {
		if sockets, both := r.Get("Sockets"); both {
			e.ds.Warnf("slurm-overruled", sockets.Span, "Sockets has no effect beside SocketsPerBoard").
				NoteAt(perBoard.Span, "this counts instead, times Boards")
		}
		s.Sockets = times(s.Boards, int(perBoard.Number))
	}
	if perSocket := times(s.CoresPerSocket, s.ThreadsPerCore); s.Sockets == 0 {
		s.Sockets = s.Boards
		if cpus > 0 && cpus%perSocket == 0 && cpus/perSocket > 0 {
			s.Sockets = cpus / perSocket
		}
	}
	cores := times(s.Sockets, s.CoresPerSocket)
	product := times(cores, s.ThreadsPerCore)
	if product > math.MaxUint16 {
		e.ds.Errorf("slurm-node-cpus", r.Name.Span, "the node has more than %d CPUs", math.MaxUint16).
			Note("Slurm keeps 16 bits; check Boards, Sockets, CoresPerSocket and ThreadsPerCore")
		product = math.MaxUint16
	}
	switch s.CPUs = cpus; {
	case cpus == 0:
		s.CPUs = product
	case cpus == product || cpus == cores:
	case cpus == s.Sockets && e.version == "22.05":
		e.ds.Errorf("slurm-node-cpus", span.Span, "CPUs=%d counts only the sockets", cpus).
			Note("slurmctld 22.05 refuses to start; there are %d cores and %d threads", cores, product)
	case cpus == s.Sockets:
	default:
		e.ds.Warnf("slurm-node-cpus", span.Span, "CPUs=%d does not fit %d sockets, %d cores and %d threads", cpus, s.Sockets,
			cores, product).
			Note("Slurm logs an error and takes %d", product)
		s.CPUs = product
	}
}

// times multiplies parts of a node, stopping just above what Slurm can store.
func times(a, b int) int { return min(a*b, math.MaxUint16+1) }

// cpus finds the number of CPUs: CPUs of the line, then of DEFAULT, then the
// old Procs of the line, then of DEFAULT.
func (e *evaluator) cpus(r *Record) (int, Value) {
	v, ok := r.Get("CPUs")
	if old, also := r.Get("Procs"); also && ok {
		e.ds.Infof("slurm-overruled", old.Span, "Procs has no effect beside CPUs").
			NoteAt(v.Span, "CPUs counts, even from a DEFAULT record")
	} else if also {
		v = old
	}
	return int(v.Number), v
}

// nodeSets makes the node sets: listed nodes, and nodes that have the feature
// (slurm.conf manual, "Nodeset configuration"). Dynamic nodes that will register
// with the feature later are not known here, so a set may be empty.
func (e *evaluator) nodeSets() {
	e.setByName = map[string]int{}
	for _, r := range e.cfg.Records {
		if r.Kind != "NodeSet" {
			continue
		}
		set := NodeSet{Name: r.Name.Text, Record: r}
		member := map[int]bool{}
		if v, ok := r.Get("Nodes"); ok {
			for _, i := range e.nodeIndexes(Word{Text: v.Text, Span: v.Span}, "the node set "+set.Name) {
				member[i] = true
			}
		}
		if v, ok := r.Get("Feature"); ok {
			for i, n := range e.cfg.Nodes {
				if containsFold(n.Features, v.Text) {
					member[i] = true
				}
			}
		}
		for i := range e.cfg.Nodes {
			if member[i] {
				set.Nodes = append(set.Nodes, i)
			}
		}
		if _, ok := e.setByName[set.Name]; !ok {
			e.setByName[set.Name] = len(e.cfg.NodeSets)
		}
		e.cfg.NodeSets = append(e.cfg.NodeSets, set)
	}
}

// nodeIndexes looks the nodes of a list up, naming the first that is not defined.
func (e *evaluator) nodeIndexes(w Word, user string) (indexes []int) {
	if strings.EqualFold(strings.TrimSpace(w.Text), "ALL") {
		if !e.room(len(e.cfg.Nodes)) {
			e.badHosts(w, errTooMany)
			return nil
		}
		for i := range e.cfg.Nodes {
			indexes = append(indexes, i)
		}
		return indexes
	}
	missing := 0
	first := ""
	names, _ := e.hosts(w)
	for _, name := range names {
		// The name of a set stands for its nodes and comes before a node of that name.
		if set, ok := e.setByName[name]; ok {
			members := e.cfg.NodeSets[set].Nodes
			if !e.room(len(members)) {
				e.badHosts(w, errTooMany)
				return indexes
			}
			indexes = append(indexes, members...)
		} else if i, ok := e.byName[name]; ok {
			indexes = append(indexes, i)
		} else if missing++; missing == 1 {
			first = name
		}
	}
	if missing == 0 || e.partial {
		return indexes
	}
	what := "a node that is not defined: " + first
	if missing > 1 {
		what = fmt.Sprintf("%d nodes that are not defined, the first is %s", missing, first)
	}
	severity, consequence := diag.Error, "slurmctld refuses to start"
	if user == "DownNodes" {
		severity, consequence = diag.Warning, "slurmctld logs an error and ignores them"
	}
	d := e.ds.Add(severity, "slurm-unknown-node", w.Span, "%s names %s", user, what).
		Note("%s; add a NodeName or NodeSet line, or correct the list", consequence)
	e.suggestNode(d, first)
	return indexes
}

// downNodes reads the records that override node states at start.
func (e *evaluator) downNodes() {
	for _, r := range e.cfg.Records {
		if r.Kind != "DownNodes" {
			continue
		}
		d := DownNodes{Record: r, State: "DOWN", Reason: "Set in slurm.conf"}
		if v, ok := r.Get("State"); ok {
			if d.State, ok = nodeState(v.Text, e.version); !ok {
				e.ds.Warnf("slurm-node-state", v.Span, "DownNodes cannot have the state %q", v.Text).
					Note("Slurm logs an error and ignores the line; the states are DOWN, DRAIN, FAIL and UNKNOWN").
					DidYouMean(v.Span, v.Text, nodeStates(e.version))
				continue
			}
		}
		for _, i := range e.nodeIndexes(r.Name, "DownNodes") {
			d.Nodes = append(d.Nodes, e.cfg.Nodes[i].Name)
		}
		if v, ok := r.Get("Reason"); ok {
			d.Reason = v.Text
		}
		e.cfg.DownNodes = append(e.cfg.DownNodes, d)
	}
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

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
