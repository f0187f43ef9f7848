package backfill

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// machine is a cluster made ready to plan on: its nodes in the order in which they are preferred, and in
// classes of nodes that no request can tell apart.
type machine struct {
	*Cluster
	order      []int32 // nodes by weight, then name
	rank       []int32 // the place of a node in order
	classOf    []int32 // by node
	classes    []class
	partitions []Partition // the cluster's, then those that only nodes name
	users      bool        // somewhere nodes are shared by jobs of one user only
	features   [][]string  // by node: those by which it differs from others, sorted
}

// class are nodes of the same capacity, features, partitions, state, sharing and reservations, which are
// also together in or out of every list of hosts. Which of them a job gets does not matter to
// any other, so that a plan counts them.
type class struct {
	nodes        []int32 // in order
	up           bool
	reservations []int32 // that keep its nodes
	partitions   []int32
	pool         int32
	views        []view // of a pool that is counted
	preferred    int32  // the place of the class where a job can choose
}

// node is any node of the class.
func (m *machine) node(class int32) *Node { return &m.Nodes[m.classes[class].nodes[0]] }

func newMachine(c *Cluster, requests []Request) *machine {
	m := &machine{Cluster: c}
	m.rankNodes()
	m.partition()
	m.tellingFeatures(requests)
	m.classOf = m.sameNodes()
	r := refinement{class: m.classOf, seen: make([]int32, len(c.Nodes))}
	for _, class := range m.classOf {
		r.count = max(r.count, class+1)
	}
	for i := range m.partitions {
		r.split(m.partitions[i].Nodes)
	}
	for i := range c.Reservations {
		if c.Follows(i) {
			continue
		}
		r.split(c.Reservations[i].Nodes)
	}
	for i := range requests {
		m.users = m.users || requests[i].Sharing == SingleUser
		if !requests[i].runs() {
			r.split(requests[i].Hosts)
			r.split(requests[i].Excluded)
		}
	}
	m.group(r.count)
	return m
}

// rankNodes orders nodes by weight, then name, so that the order in which a snapshot has them means nothing.
func (m *machine) rankNodes() {
	m.order = make([]int32, len(m.Nodes))
	m.rank = make([]int32, len(m.Nodes))
	for i := range m.order {
		m.order[i] = int32(i)
	}
	before := func(a, b int32) int {
		return cmp.Or(cmp.Compare(m.Nodes[a].Weight, m.Nodes[b].Weight), CompareNames(m.Nodes[a].Name, m.Nodes[b].Name),
			cmp.Compare(a, b))
	}
	if !slices.IsSortedFunc(m.order, before) {
		slices.SortFunc(m.order, before)
	}
	for place, node := range m.order {
		m.rank[node] = int32(place)
	}
}

// CompareNames orders n9 before n10: numbers by length, then by digits.
func CompareNames(a, b string) int {
	digits := func(s string) int {
		for i := 0; i < len(s); i++ {
			if s[i] < '0' || s[i] > '9' {
				return i
			}
		}
		return len(s)
	}
	for a != "" && b != "" {
		if n, k := digits(a), digits(b); n > 0 && k > 0 {
			x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:k], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(n, k)); c != 0 {
				return c
			}
			a, b = a[n:], b[k:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// partition lists the partitions: those of the cluster, and those that only nodes name.
func (m *machine) partition() {
	m.partitions = slices.Clone(m.Partitions)
	index := map[string]int{}
	for i := range m.partitions {
		p := &m.partitions[i]
		index[p.Name] = i
		p.Nodes = slices.DeleteFunc(slices.Clone(p.Nodes), func(n int32) bool { return n < 0 || int(n) >= len(m.Nodes) })
		m.users = m.users || p.Sharing == SingleUser
	}
	for i := range m.Nodes {
		m.users = m.users || m.Nodes[i].Sharing == SingleUser
		for _, name := range m.Nodes[i].Partitions {
			at, ok := index[name]
			if !ok {
				at = len(m.partitions)
				index[name] = at
				m.partitions = append(m.partitions, Partition{Name: name, Up: true})
			}
			if at >= len(m.Partitions) || len(m.Partitions[at].Nodes) == 0 {
				m.partitions[at].Nodes = append(m.partitions[at].Nodes, int32(i))
			}
		}
	}
}

// sameNodes numbers nodes by what they are themselves.
func (m *machine) sameNodes() []int32 {
	classOf := make([]int32, len(m.Nodes))
	known := map[string]int32{}
	var key []byte
	for i := range m.Nodes {
		key = appendList(m.Nodes[i].key(key[:0]), m.features[i])
		class, ok := known[string(key)]
		if !ok {
			class = int32(len(known))
			known[string(key)] = class
		}
		classOf[i] = class
	}
	return classOf
}

// mostFeatureSets bounds by how many different sets of features nodes are told apart whoever asks for them.
const mostFeatureSets = 64

// tellingFeatures finds the features by which nodes are told apart: all of them, so that what a job asks for does not
// move those before it. Where nearly every node has a set of its own it is those that some request asks for, else
// there would be as many classes as nodes.
func (m *machine) tellingFeatures(requests []Request) {
	m.features = make([][]string, len(m.Nodes))
	sets := map[string]bool{}
	var key []byte
	for i := range m.Nodes {
		m.features[i] = m.Nodes[i].Features
		if !slices.IsSorted(m.features[i]) {
			m.features[i] = slices.Sorted(slices.Values(m.features[i]))
		}
		if len(sets) <= mostFeatureSets {
			key = appendList(key[:0], m.features[i])
			sets[string(key)] = true
		}
	}
	if len(sets) <= mostFeatureSets {
		return
	}
	asked := map[string]bool{}
	for i := range requests {
		for _, a := range requests[i].Features.Alternatives {
			for _, f := range a.All {
				asked[f] = true
			}
		}
	}
	for i := range m.features {
		m.features[i] = slices.DeleteFunc(slices.Clone(m.features[i]), func(f string) bool { return !asked[f] })
	}
}

// key is the same for nodes that differ, but for features, in nothing a plan looks at.
func (n *Node) key(b []byte) []byte {
	b = n.Capacity.key(b)
	flags := byte(n.Sharing) << 1
	if n.Up {
		flags |= 1
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, n.Weight)
	if !n.Up {
		b = binary.AppendVarint(b, n.UpTime)
	}
	if n.Classes != nil {
		b = append(b, 1)
		for _, name := range sortedKeys(n.Classes) {
			b = appendText(b, name)
			b = binary.AppendVarint(b, n.Classes[name])
		}
	}
	return b
}

func (a *Amounts) key(b []byte) []byte {
	for _, v := range [...]int64{a.Procs, a.MemMB, a.SwapMB, a.DiskMB, int64(len(a.Gres))} {
		b = binary.AppendVarint(b, v)
	}
	for _, v := range a.Gres {
		b = binary.AppendVarint(b, v)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendList(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendText(b, s)
	}
	return b
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// refinement splits classes by sets of nodes.
type refinement struct {
	class []int32
	count int32
	seen  []int32 // the last set in which a node was
	round int32
}

// split parts the nodes of a set from the others of their classes.
func (r *refinement) split(set []int32) {
	if len(set) == 0 {
		return
	}
	r.round++
	part := map[int32]int32{}
	for _, node := range set {
		if node < 0 || int(node) >= len(r.class) || r.seen[node] == r.round {
			continue
		}
		r.seen[node] = r.round
		to, ok := part[r.class[node]]
		if !ok {
			to = r.count
			r.count++
			part[r.class[node]] = to
		}
		r.class[node] = to
	}
}

// group makes the classes, in the order of their first nodes.
func (m *machine) group(count int32) {
	number := make([]int32, count)
	for _, node := range m.order {
		at := number[m.classOf[node]] - 1
		if at < 0 {
			at = int32(len(m.classes))
			number[m.classOf[node]] = at + 1
			m.classes = append(m.classes, class{up: m.Nodes[node].Up || m.Nodes[node].UpTime > 0})
		}
		m.classOf[node] = at
		m.classes[at].nodes = append(m.classes[at].nodes, node)
	}
	for i := range m.partitions {
		m.mark(m.partitions[i].Nodes, func(c *class) { c.partitions = append(c.partitions, int32(i)) })
	}
	for i := 0; i < len(m.Reservations); {
		end := i + 1
		for end < len(m.Reservations) && m.Follows(end) {
			end++
		}
		m.mark(m.Reservations[i].Nodes, func(c *class) {
			for k := i; k < end; k++ {
				c.reservations = append(c.reservations, int32(k))
			}
		})
		i = end
	}
	m.prefer()
}

// mark visits once each class with nodes in a set.
func (m *machine) mark(set []int32, visit func(c *class)) {
	done := map[int32]bool{}
	for _, node := range set {
		if node >= 0 && int(node) < len(m.Nodes) && !done[m.classOf[node]] {
			done[m.classOf[node]] = true
			visit(&m.classes[m.classOf[node]])
		}
	}
}

// prefer orders classes where a job can choose: those of less weight first, then those with less to offer to
// others, so that what is rare stays free.
func (m *machine) prefer() {
	order := make([]int32, len(m.classes))
	for i := range order {
		order[i] = int32(i)
	}
	total := func(list []int64) (sum int64) {
		for _, v := range list {
			sum += v
		}
		return sum
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := m.node(a), m.node(b)
		return cmp.Or(cmp.Compare(x.Weight, y.Weight),
			cmp.Compare(total(x.Capacity.Gres), total(y.Capacity.Gres)),
			cmp.Compare(x.Capacity.Procs, y.Capacity.Procs), cmp.Compare(x.Capacity.MemMB, y.Capacity.MemMB),
			cmp.Compare(len(m.features[m.classes[a].nodes[0]]), len(m.features[m.classes[b].nodes[0]])), cmp.Compare(a, b))
	})
	for place, c := range order {
		m.classes[c].preferred = int32(place)
	}
}

// runs reports a request of a running job.
func (r *Request) runs() bool { return r.Running || r.Start > 0 || len(r.Allocated) > 0 }
