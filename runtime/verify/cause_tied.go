package verify

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
)

const sortedByName = "slurmctld has sorted its associations by name, as it does whenever one is added or moved " +
	"while it runs; only after a restart they are in the order of the database (lft)"

// tiedLevels computes Fair Tree again with associations in another order: all by name, or those whose levels
// are the same within what usage may be off by in the order of the factors that sshare printed.
func tiedLevels(q *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	r := k.result
	if r.Tree == nil || r.Tree.FairTree == nil {
		return nil, nil
	}
	value := func(factors []float64) func(x *reading, value float64) float64 {
		return func(x *reading, value float64) float64 {
			if x.association != "" {
				if x.field == "fairshare" {
					return factors[x.row]
				}
				return value
			}
			node, ok := r.Tree.Node(jobText(r, "job.association", x.job))
			if !ok {
				return value
			}
			return withFactor(r, x, value, factors[node])
		}
	}
	var sorted func(*reading, float64) float64
	if factors := byName(r); factors != nil {
		sorted = value(factors)
		if q.contradicted(k, func(x *reading) float64 { return sorted(x, x.ours) }) {
			sorted = nil
		}
	}
	printed := newPrintedShares(r, q.snapshot.Credentials["association"])
	asked := askedNodes(r, q.open)
	orders := slices.DeleteFunc([]*ties{listedAsPrinted(r, printed, asked), usedAsPrinted(r, printed, asked)},
		func(t *ties) bool {
			if t.factors == nil {
				return true
			}
			ordered := value(t.factors)
			return q.contradicted(k, func(x *reading) float64 { return ordered(x, x.ours) })
		})
	return func(s *subject) (list []assumption) {
		if sorted != nil {
			list = append(list, assumption{c, sortedByName, sorted})
		}
		key := s.association()
		for _, t := range orders {
			if node, ok := r.Tree.Node(key); ok {
				if rival := t.rival(r, node); rival >= 0 {
					why := "the level of " + key + ", or of an account above it, is as good as that of " + r.Tree.Key(int(rival)) +
						": " + t.why
					list = append(list, assumption{c, why, value(t.factors)})
				}
			}
		}
		return list
	}, nil
}

// association is the one that a subject is of, or that its job belongs to.
func (s *subject) association() string {
	if key := s.readings[0].association; key != "" {
		return key
	}
	return jobText(s.check.result, "job.association", s.job)
}

// askedNodes are the associations of subjects, and all accounts above these.
func askedNodes(r *evaluation.Result, list []*subject) map[int32]bool {
	asked := map[int32]bool{}
	for _, s := range list {
		if node, ok := r.Tree.Node(s.association()); ok {
			for at := int32(node); at > 0 && !asked[at]; at = r.Tree.Tree.FairshareParent[at] {
				asked[at] = true
			}
		}
	}
	return asked
}

// byName are the factors, by node, that come of associations sorted by name; nil where they are so anyway.
func byName(r *evaluation.Result) []float64 {
	if !r.Tree.Placed {
		return nil
	}
	return inOrder(r, r.Tree.Listed())
}

// inOrder are the factors, by node, that come of associations in another order.
func inOrder(r *evaluation.Result, nodes []int) []float64 {
	rows, usage := make([]tree.Association, len(nodes)), make([]float64, len(nodes))
	for i, node := range nodes {
		rows[i] = r.Tree.Tree.Associations[node]
	}
	sorted, _ := tree.New(rows) // has been made of the same rows before
	if sorted == nil || sorted.Len() != len(nodes) {
		return nil
	}
	for i, node := range nodes {
		usage[sorted.Node(i)] = r.Tree.FairTree.Usage[node]
	}
	f := &tree.FairTree{}
	f.Compute(sorted, usage, tree.FairTreeOptions{MergeTies: r.Program.Documented("fair_tree_ties")})
	factors := make([]float64, len(nodes))
	for i, node := range nodes {
		factors[node] = f.Factor[sorted.Node(i)]
	}
	return factors
}

// ties are competitors who may be in several orders.
type ties struct {
	factors []float64     // by node: Fair Tree's if they are in the order that was printed; nil if there are none
	rivals  map[int]int32 // of a node with such a competitor: one of these
	why     string
}

// rival competes with an association, or with an account above it; −1 if nothing does.
func (g *ties) rival(r *evaluation.Result, node int) int32 {
	for ; node > 0; node = int(r.Tree.Tree.FairshareParent[node]) {
		if rival, ok := g.rivals[node]; ok {
			return rival
		}
	}
	return -1
}

// put notes a group of competitors.
func (g *ties) put(group []int32) {
	for i, node := range group {
		g.rivals[int(node)] = group[(i+1)%len(group)]
	}
}

// listedAsPrinted puts competitors of the same level in an order in which the controller may have them, where no
// input says which order that is: that of the factors that sshare printed.
func listedAsPrinted(r *evaluation.Result, p *printedShares, asked map[int32]bool) *ties {
	t, level := r.Tree.Tree, r.Tree.FairTree.LevelFS
	out := &ties{rivals: map[int]int32{},
		why: "they go by the database's order, which `scontrol show assoc_mgr` (Lft) or `sacctmgr show assoc` with the " +
			"column LFT would tell"}
	if r.Tree.Placed || r.Program.Version == "" || r.Program.Version >= "23.11" {
		return out
	}
	nodes := make([]int, t.Len())
	for node := range nodes {
		nodes[node] = node
	}
	for account := range t.Len() {
		for _, group := range competitors(r, account, func(a, b int32) bool { return level[a] == level[b] }) {
			if p.misses(r, group, asked) {
				continue
			}
			out.put(group)
			places := slices.Sorted(slices.Values(group))
			slices.SortStableFunc(group, func(a, b int32) int {
				return cmp.Or(cmp.Compare(p.best[b], p.best[a]), cmp.Compare(p.worst[b], p.worst[a]))
			})
			for i, node := range group {
				nodes[places[i]] = int(node)
			}
		}
	}
	if len(out.rivals) > 0 {
		out.factors = inOrder(r, nodes)
	}
	return out
}

// apartByLess is how much of usage puts two competitors into an order.
const apartByLess = 1e-9

// usedAsPrinted puts competitors whose levels are as good as equal in the order of the factors that sshare
// printed, by usage that would be printed alike.
func usedAsPrinted(r *evaluation.Result, p *printedShares, asked map[int32]bool) *ties {
	t, f := r.Tree.Tree, r.Tree.FairTree
	out := &ties{rivals: map[int]int32{},
		why: "only the file assoc_usage in the controller's StateSaveLocation has more digits of usage than hundredths"}
	if p.unit == 1 {
		out.why = "usage in whole seconds does not tell them apart; `scontrol show assoc_mgr` prints hundredths"
	}
	usage := slices.Clone(f.Usage)
	for account := range t.Len() {
		for _, group := range competitors(r, account, func(a, b int32) bool { return p.alike(r, a, b) }) {
			if p.misses(r, group, asked) {
				continue
			}
			slices.SortStableFunc(group, func(a, b int32) int { return cmp.Compare(p.best[b], p.best[a]) })
			level := func(a, b int32) int {
				if math.IsNaN(p.level[a]) || math.IsNaN(p.level[b]) {
					return 0
				}
				return cmp.Compare(p.level[b], p.level[a])
			}
			if !slices.IsSortedFunc(group, level) {
				continue // what was printed of their levels is another order
			}
			out.put(group)
			perShare := usage[group[0]] / f.NormShares[group[0]]
			if perShare == 0 {
				perShare = apartByLess
			}
			for i, node := range group {
				if i > 0 && p.best[node] != p.best[group[i-1]] {
					perShare *= 1 + apartByLess
				}
				usage[node] = perShare * f.NormShares[node]
			}
		}
	}
	if len(out.rivals) > 0 {
		ordered := &tree.FairTree{}
		ordered.Compute(t, usage, tree.FairTreeOptions{MergeTies: r.Program.Documented("fair_tree_ties")})
		out.factors = ordered.Factor
	}
	return out
}

// competitors are those below an account who are alike, two or more in a group, as their levels go.
func competitors(r *evaluation.Result, account int, alike func(a, b int32) bool) (groups [][]int32) {
	t, level := r.Tree.Tree, r.Tree.FairTree.LevelFS
	if t.IsUser(account) {
		return nil
	}
	var list []int32
	for _, node := range t.FairshareChildren(account) {
		if _, ok := r.Tree.Level(int(node)); ok && !t.UsesParent(int(node)) {
			list = append(list, node)
		}
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(level[b], level[a]) })
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && alike(list[to-1], list[to]) {
			to++
		}
		if to-from > 1 {
			groups = append(groups, list[from:to])
		}
		from = to
	}
	return groups
}

// printedShares is what sshare printed, by node; NaN where it printed nothing.
type printedShares struct {
	best, worst []float64 // factors of the users of an association
	level       []float64
	unit        float64 // that the last digit of usage is worth
}

func newPrintedShares(r *evaluation.Result, table *column.Table) *printedShares {
	t := r.Tree.Tree
	p := &printedShares{unit: usageUnit(table)}
	for _, column := range []*[]float64{&p.best, &p.worst, &p.level} {
		*column = slices.Repeat([]float64{math.NaN()}, t.Len())
	}
	names, factors, levels := table.Column("association.name"), table.Column("association.fairshare_factor"),
		table.Column("association.level_fairshare")
	if names == nil || factors == nil {
		return p
	}
	for row, code := range names.Codes {
		node, ok := r.Tree.Node(names.Dict[code])
		if !ok {
			continue
		}
		if levels != nil && !levels.Missing.Get(row) {
			p.level[node] = levels.Doubles[row]
		}
		if factors.Missing.Get(row) || !t.IsUser(node) {
			continue
		}
		for at := int32(node); at > 0; at = t.FairshareParent[at] {
			if !(p.best[at] >= factors.Doubles[row]) {
				p.best[at] = factors.Doubles[row]
			}
			if !(p.worst[at] <= factors.Doubles[row]) {
				p.worst[at] = factors.Doubles[row]
			}
		}
	}
	return p
}

// misses reports a group that no job asks for, or where sshare does not print where one is, or prints another
// level than ours.
func (p *printedShares) misses(r *evaluation.Result, group []int32, asked map[int32]bool) bool {
	return !slices.ContainsFunc(group, func(node int32) bool { return asked[node] }) ||
		slices.ContainsFunc(group, func(node int32) bool {
			level := r.Tree.FairTree.LevelFS[node]
			off := p.level[node] != level && math.Abs(p.level[node]-level) > halfOfSixth+levelSlack(r, int(node), level, p.unit)
			return math.IsNaN(p.best[node]) || off
		})
}

// alike reports two competitors whose order no digit of our inputs tells: sshare may print more of a level
// than of the usage that it follows from. A level that was printed
// as infinite says that there is no usage at all.
func (p *printedShares) alike(r *evaluation.Result, a, b int32) bool {
	x, y, shares := r.Tree.FairTree.LevelFS[a], r.Tree.FairTree.LevelFS[b], r.Tree.FairTree.NormShares
	if shares[a] <= 0 || shares[b] <= 0 || x != y &&
		!(math.Abs(x-y) <= levelSlack(r, int(a), x, p.unit)+levelSlack(r, int(b), y, p.unit)) {
		return false
	}
	one, other := p.level[a], p.level[b]
	return math.IsNaN(one) || math.IsNaN(other) || !math.IsInf(one, 1) && !math.IsInf(other, 1)
}

// nodesFirst reports a job that a limit stops and that shows that it waits for nodes, where it may: limits on TRES are
// asked once nodes are found. It waits for priority if another job of its partition waits for nodes before it, and for
// resources unless the idle nodes hold it.
func (c *comparison) nodesFirst(job int, r *evaluation.Result, word string) bool {
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		partition := rowText(r, "job.partition", row)
		switch {
		case word == "Priority":
			if highest, ok := c.highestWaiting(r)[partition]; ok && highest > r.Priority[row] {
				return true
			}
		case slices.Contains(plannerReasons, word) || strings.HasPrefix(word, "ReqNodeNotAvail"):
			if r.Snapshot.Nodes != nil && r.Snapshot.Nodes.Rows > 0 && !idleNodesHold(r, job, partition) {
				return true
			}
		}
	}
	return false
}

// highestWaiting is the highest priority, by partition, of the jobs that may start and so wait for nodes. With
// assoc_limit_stop a job that a limit stops holds its partition up, too.
func (c *comparison) highestWaiting(r *evaluation.Result) map[string]int64 {
	if highest := c.inFront[r]; highest != nil {
		return highest
	}
	highest := map[string]int64{}
	for job, state := range r.State {
		why := r.Why[int32(job)]
		stops := r.Program.Slurm.LimitStop && why != nil && why.Slurm != nil
		if state != evaluation.Eligible && !stops {
			continue
		}
		first, end := r.Entries(job)
		for row := first; row < end; row++ {
			if stops || r.Barred[int32(row)] == nil {
				partition := rowText(r, "job.partition", row)
				highest[partition] = max(highest[partition], r.Priority[row])
			}
		}
	}
	if c.inFront == nil {
		c.inFront = map[*evaluation.Result]map[string]int64{}
	}
	c.inFront[r] = highest
	return highest
}

// idleNodesHold reports a job that the idle nodes of a partition hold, as far as processors tell.
func idleNodesHold(r *evaluation.Result, job int, partition string) bool {
	for _, id := range particular {
		if v := r.Jobs.Value(id, job); v.Known() && (v.Str != "" || v.Int != 0 || len(v.List) > 0) {
			return false
		}
	}
	nodes := r.Snapshot.Nodes
	var procs []int64
	for node := range nodes.Rows {
		if strings.EqualFold(nodes.Value("node.state", node).Str, "idle") &&
			slices.Contains(nodes.Value("node.partitions", node).List, partition) {
			procs = append(procs, nodes.Value("node.procs", node).Int)
		}
	}
	slices.SortFunc(procs, func(a, b int64) int { return cmp.Compare(b, a) })
	count, sum := max(1, r.Jobs.Int("job.nodes", job)), int64(0)
	if int64(len(procs)) < count {
		return false
	}
	for _, n := range procs[:count] {
		sum += n
	}
	return sum >= r.Jobs.Int("job.procs", job)
}

// particular are requests that some nodes meet and others do not.
var particular = []schema.ColumnID{"job.features", "job.hosts", "job.excluded_hosts", "job.reservation",
	"job.gres_per_node", "job.gres_per_task", "job.gres_per_job"}
