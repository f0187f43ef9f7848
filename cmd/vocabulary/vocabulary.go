// Package vocabulary gathers what two policies speak of.
//
// In: a policy and what it became. Out: the names and numbers by which generated queues meet both. `fairway convert`
// looks for counter-examples with it, and so do the laws of converting.
package vocabulary

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/counterexample"
)

// vocabulary gathers what policies speak of, for generated jobs to meet it.
type vocabulary struct {
	counterexample.Vocabulary
	partitions []string
	reads      bool               // a term goes by what associations have
	nodes      bool               // nodes are counted
	sized      bool               // Slurm's job size counts them, which takes each job to have one
	nice       bool               // a term of the policy's own goes by nice values
	seen       map[[2]string]bool // kinds and names that are in their lists
}

// schedulers is what a policy's scheduler brings into the queues; "" is a policy from scratch.
var schedulers = map[string]struct {
	database bool // associations, QOS and the nodes of partitions are the site's own, and users give nice values
	scratch  bool // nice values count by the policy's own terms alone
}{"slurm": {database: true}, "": {scratch: true}}

func hasDatabase(p *ir.Policy) bool { return schedulers[p.Family].database }

// Of is the vocabulary of a policy and of what it became. A job is one that the first policy's site could have.
func Of(before, after *ir.Policy) counterexample.Vocabulary {
	v := &vocabulary{seen: map[[2]string]bool{}}
	var site []string // QOS of the first policy's
	for _, p := range []*ir.Policy{before, after} {
		v.tables(p)
		v.limits(p)
		v.shares(p)
		v.params(p)
		v.expressions(p)
		v.sized = v.sized || hasDatabase(p) && weighs(p, "job.nodes")
		if p == before {
			site = slices.Clone(v.QOS)
		}
	}
	v.QOS = site // what was written can have more, for limits of a partition and for lists
	if hasDatabase(before) {
		made := v.Members
		v.Members = nil // those that were made up are none of the site's
		if v.shares(before); len(v.Members) == 0 {
			v.Members = made
		}
	}
	for _, list := range []*[]string{&v.Users, &v.Groups, &v.Accounts, &v.QOS, &v.Features, &v.Licenses} {
		slices.Sort(*list)
	}
	const decade = 10 * 365 * 86400
	// what is longer is without end
	v.WalltimesSeconds = slices.DeleteFunc(v.WalltimesSeconds, func(n int64) bool { return n > decade })
	slurm := after
	if hasDatabase(before) && (!hasDatabase(after) || len(rowNames(before, "partition.nodes")) > 0) {
		slurm = before
	}
	v.cluster(slurm)
	v.Nice = hasDatabase(before) || v.nice
	v.Nodeless = v.nodes && !v.sized
	slurmTree := len(rowNames(slurm, "association.parent")) > 0 && (!hasDatabase(before) || hasTree(before))
	v.Shares = v.reads && !slurmTree
	v.Associations = v.Shares || slurmTree
	v.Priorities = hasDatabase(before) && len(rowNames(before, "association.priority")) > 0
	if hasDatabase(before) {
		v.AlwaysQOS = true // DefaultQOS, or normal (sacctmgr.1)
		listed := rowNames(before, "qos.priority")
		if len(v.QOS) == 0 {
			v.QOS = []string{"normal", "urgent"}
		}
		for _, name := range v.QOS {
			if !slices.Contains(listed, name) {
				v.RecordedQOS = append(v.RecordedQOS, name)
			}
		}
	}
	return v.Vocabulary
}

// hasTree reports a policy that says who shares together. In one that does not it is the snapshot's matter.
func hasTree(p *ir.Policy) bool {
	return slices.ContainsFunc(p.Fairshare, func(f ir.Fairshare) bool { return len(f.Associations) > 0 })
}

// cluster are Slurm's partitions with the nodes that its policy lists, or a cluster of 16 nodes.
func (v *vocabulary) cluster(p *ir.Policy) {
	const nodes, procs, mem = 16, 64, 65536
	numbers := func(column schema.ColumnID) map[string]int64 {
		m := map[string]int64{}
		for i := range p.Tables {
			if p.Tables[i].Column == column {
				for _, r := range p.Tables[i].Rows {
					m[r.Name] = int64(r.Value.Number())
				}
			}
		}
		return m
	}
	if hasDatabase(p) {
		count, total, memory, gpus := numbers("partition.nodes"), numbers("partition.procs"), numbers("partition.tres(mem)"),
			numbers("partition.tres(gres/gpu)")
		roots := numbers("partition.root_only") // in which users may not submit jobs
		for _, name := range rowNames(p, "partition.nodes") {
			part := counterexample.Partition{Name: name, Nodes: count[name], NodeProcs: procs, NodeMemMB: mem}
			if part.Nodes <= 0 || roots[name] != 0 {
				continue
			}
			part.NodeProcs, part.NodeGPUs = max(1, total[name]/part.Nodes), gpus[name]/part.Nodes
			if m := memory[name] / part.Nodes; m > 1 { // 1 is slurm.conf's for memory that is not known
				part.NodeMemMB = m
			}
			v.Partitions = append(v.Partitions, part)
		}
	}
	if hasDatabase(p) && len(v.Partitions) > 0 {
		return
	}
	slices.Sort(v.partitions)
	for _, name := range append([]string{"batch"}, v.partitions...) {
		v.Partitions = append(v.Partitions,
			counterexample.Partition{Name: name, Nodes: nodes, NodeProcs: procs, NodeMemMB: mem, NodeGPUs: 4})
	}
}

func rowNames(p *ir.Policy, column schema.ColumnID) (names []string) {
	for i := range p.Tables {
		if p.Tables[i].Column == column {
			for _, r := range p.Tables[i].Rows {
				names = append(names, r.Name)
			}
		}
	}
	return names
}

// name adds the name of a credential.
func (v *vocabulary) name(object string, names ...string) {
	list := map[string]*[]string{"user": &v.Users, "group": &v.Groups, "account": &v.Accounts, "qos": &v.QOS,
		"partition": &v.partitions, "features": &v.Features}[object]
	for _, name := range names {
		// Slurm's words come before a name, Maui's after the list
		name = strings.TrimRight(strings.TrimLeft(name, "+-"), "&^")
		if list == nil || name == "" || name == "DEFAULT" || name == "root" || name == "ALL" ||
			v.seen[[2]string{object, name}] {
			continue
		}
		v.seen[[2]string{object, name}] = true
		*list = append(*list, name)
	}
}

// near adds a number to those that jobs come near to.
func near(list *[]int64, n float64) {
	if n := int64(n); n > 0 && n < 1<<40 && !slices.Contains(*list, n) {
		*list = append(*list, n)
	}
}

func (v *vocabulary) tables(p *ir.Policy) {
	for i := range p.Tables {
		t := &p.Tables[i]
		object, column := t.Column.Object(), t.Column.Name()
		for _, r := range t.Rows {
			v.name(object, r.Name)
			if kind, _, ok := strings.Cut(column, "_"); ok && r.Value.Type == schema.StringList {
				v.name(map[string]string{"accounts": "account", "groups": "group", "qos": "qos"}[kind], r.Value.List...)
			}
			switch {
			case !r.Value.Known():
			case column == "qos_default":
				v.name("qos", r.Value.Str)
			case strings.HasPrefix(column, "walltime_"):
				near(&v.WalltimesSeconds, r.Value.Number())
			case column == "nodes_max" || column == "nodes_min":
				near(&v.Nodes, r.Value.Number())
			case column == "queue_time_target_seconds":
				near(&v.WaitsSeconds, r.Value.Number())
			}
		}
	}
}

func (v *vocabulary) limits(p *ir.Policy) {
	for i := range p.Limits {
		l := &p.Limits[i]
		v.name(l.Object, l.Row)
		for k, name := range l.Cross {
			if k+1 < len(l.Per) {
				v.name(l.Per[k+1], name)
			}
		}
		minutes := 1.0
		if l.Kind != "" {
			minutes = 60 // Slurm's are minutes
		}
		for _, bound := range []*float64{l.Soft, l.Hard} {
			if bound == nil {
				continue
			}
			switch what := strings.TrimPrefix(l.Counts, "TRES="); {
			case strings.Contains(l.Kind, "Mins") || what == "proc_seconds":
				near(&v.ProcSeconds, *bound*minutes)
			case what == "walltime" || what == "wall" || strings.Contains(l.Kind, "Wall"):
				near(&v.WalltimesSeconds, *bound*minutes)
			case what == "procs" || what == "cpu":
				near(&v.Procs, *bound)
				v.ListNodes = true // jobs that have nodes whole count with all processors of these
			case what == "processor_equivalents":
				near(&v.Procs, *bound)
				v.ListNodes = true
			case what == "nodes" || what == "node":
				near(&v.Nodes, *bound)
				v.nodes = true
			case what == "memory" || what == "mem":
				near(&v.MemMB, *bound)
			case what == "gpus" || what == "gres/gpu":
				near(&v.GPUs, *bound)
			case what == "jobs" || what == "submit":
				near(&v.Counts, *bound)
				if *bound == 0 {
					near(&v.Counts, 1)
				}
			}
		}
	}
}

func (v *vocabulary) shares(p *ir.Policy) {
	for i := range p.Fairshare {
		v.Usage = true
		for _, t := range p.Fairshare[i].Targets {
			v.name(t.Object, t.Name)
		}
		for _, a := range p.Fairshare[i].Associations {
			v.name("account", a.Account)
			v.name("user", a.User)
			if a.User != "" && a.User != "root" {
				v.Members = append(v.Members, [2]string{a.Account, a.User})
			}
		}
	}
	if !hasDatabase(p) {
		v.Members = nil
	}
}

func (v *vocabulary) params(p *ir.Policy) {
	for i := range p.Params {
		param := &p.Params[i]
		n := param.Value.Number()
		switch {
		case param.Set.IsZero():
		case param.Unit == "seconds", param.Name == "PriorityMaxAge":
			near(&v.WaitsSeconds, n)
		case param.Unit == "minutes", param.Name == "QUEUETIMECAP":
			near(&v.WaitsSeconds, 60*n)
		case param.Name == "Licenses":
			for _, entry := range strings.Split(param.Value.Str, ",") {
				name, _, _ := strings.Cut(entry, ":")
				if name = strings.TrimSpace(name); name != "" {
					v.Licenses = append(v.Licenses, name)
				}
			}
		}
	}
}

// expressions gathers the constants of each expression for the columns that it reads.
func (v *vocabulary) expressions(p *ir.Policy) {
	for i := range p.Components {
		for k := range p.Components[i].Terms {
			if t := &p.Components[i].Terms[k]; !t.Weight.IsZero() && !p.Components[i].Weight.IsZero() {
				v.expression(t.Factor.Expr)
				v.expression(t.Weight.Expr)
				v.nice = v.nice || schedulers[p.Family].scratch && slices.Contains(t.Factor.Expr.Columns(), "job.nice")
			}
		}
	}
	for _, h := range p.Holds {
		v.expression(h.When.Expr)
	}
	for _, o := range p.Finish.Overrides {
		v.expression(o.When.Expr)
	}
	for _, l := range p.Limits {
		v.expression(l.When.Expr)
	}
}

// weighs reports that a term of the formula reads a column.
func weighs(p *ir.Policy, id schema.ColumnID) bool {
	for i := range p.Components {
		for k := range p.Components[i].Terms {
			if t := &p.Components[i].Terms[k]; !t.Weight.IsZero() && !p.Components[i].Weight.IsZero() &&
				slices.Contains(t.Factor.Expr.Columns(), id) {
				return true
			}
		}
	}
	return false
}

// constant is a string or a number in the text of an expression.
var constant = regexp.MustCompile(`'([^']*)'|"([^"]*)"|\b([0-9]+(?:\.[0-9]+)?)\b`)

func (v *vocabulary) expression(e *expr.Expr) {
	var words []string
	numbers := []float64{1}
	e.Walk(func(n *expr.Expr) {
		switch {
		case n.Op == expr.Opaque: // a string is read as text
			for _, m := range constant.FindAllStringSubmatch(n.Text, -1) {
				if x, err := strconv.ParseFloat(m[3], 64); err == nil {
					numbers = append(numbers, x)
				} else {
					words = append(words, m[1]+m[2])
				}
			}
		case n.Op != expr.Const:
		case n.Type == schema.String:
			words = append(words, n.Value.Str)
		case n.Type == schema.StringList:
			words = append(words, n.Value.List...)
		case n.Type == schema.Int || n.Type == schema.Double:
			numbers = append(numbers, n.Value.Number())
		}
	})
	for _, id := range e.Columns() {
		if id == "association.fairshare_factor" || id == "association.priority" {
			v.reads = true
		}
		if id.Object() != "job" {
			continue
		}
		name := id.Name()
		if key := id.Key(); name == "tres" {
			name = "tres " + key
		}
		c, known := columns[name]
		switch {
		case !known:
			if id.Name() != "tres" {
				v.name(name, words...)
			}
			continue
		case c.marks != nil:
			*c.marks(v) = true
		}
		for _, n := range numbers {
			if c.list != nil {
				near(c.list(v), n*max(1, c.times))
			}
		}
	}
}

// columns are those of jobs whose numbers are drawn, by their names.
var columns = map[string]struct {
	list  func(v *vocabulary) *[]int64 // of numbers that jobs come near to
	times float64                      // of the list's unit in the column's, 1 if not set
	marks func(v *vocabulary) *bool    // what jobs then have
}{
	"processor_equivalents": {marks: func(v *vocabulary) *bool { return &v.ListNodes }},
	"swap_mb":               {marks: func(v *vocabulary) *bool { return &v.Swap }},
	"disk_mb":               {marks: func(v *vocabulary) *bool { return &v.Disk }},
	"bypass_count":          {marks: func(v *vocabulary) *bool { return &v.Bypass }},
	"procs":                 {list: func(v *vocabulary) *[]int64 { return &v.Procs }},
	"nodes":                 {list: nodes, marks: counted},
	"tres node":             {list: nodes, marks: counted},
	"walltime_seconds":      {list: func(v *vocabulary) *[]int64 { return &v.WalltimesSeconds }},
	"queue_seconds":         {list: waits},
	"accrue_seconds":        {list: waits},
	"eligible_seconds":      {list: waits},
	"submit_seconds":        {list: waits},
	"queue_minutes":         {list: waits, times: 60},
	"mem_mb":                {list: memory},
	"tres mem":              {list: memory},
	"gpus":                  {list: gpus},
	"tres gres/gpu":         {list: gpus},
}

func nodes(v *vocabulary) *[]int64  { return &v.Nodes }
func counted(v *vocabulary) *bool   { return &v.nodes }
func waits(v *vocabulary) *[]int64  { return &v.WaitsSeconds }
func memory(v *vocabulary) *[]int64 { return &v.MemMB }
func gpus(v *vocabulary) *[]int64   { return &v.GPUs }
