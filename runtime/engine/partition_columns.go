package engine

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// partitionColumns are what holds ask of partitions and accounts that follows from other columns. g is nil where no
// slurmctld asks.
func (r *Result) partitionColumns(g *slurmGuard) map[schema.ColumnID]func(name string) schema.Value {
	if g == nil {
		g = &slurmGuard{result: r, values: newCredentialValues(r.Program, r.Snapshot)}
	}
	nodes, listed := nodesByPartition(r.Snapshot.Nodes)
	return map[schema.ColumnID]func(name string) schema.Value{
		"partition.present_state": g.presentState,
		"partition.qos_flags": func(name string) schema.Value {
			return schema.ListValue(flagWords(g.values.of("qos.flags", g.values.of("partition.qos", name).Str).List))
		},
		"partition.node_names": func(name string) schema.Value {
			if !listed {
				return schema.Value{}
			}
			return schema.ListValue(nodes[name])
		},
		"account.path": g.accountPath,
	}
}

// presentState is the state of a partition in which commands have left it, as far as anything says.
func (g *slurmGuard) presentState(name string) schema.Value {
	for i := range g.partitions {
		if g.partitions[i].name == name {
			return schema.StringValue(g.partitions[i].state)
		}
	}
	return schema.StringValue(strings.ToUpper(g.values.of("partition.state", name).Str))
}

// nodesByPartition names the nodes of each partition; listed is false where no node says which it is in.
func nodesByPartition(nodes *column.Table) (names map[string][]string, listed bool) {
	ids, in := nodes.Column("node.id"), nodes.Column("node.partitions")
	if ids == nil || in == nil {
		return nil, false
	}
	names = map[string][]string{}
	for row := range nodes.Rows {
		for _, partition := range in.Lists[in.Codes[row]] {
			names[partition] = append(names[partition], ids.Dict[ids.Codes[row]])
		}
	}
	return names, true
}

// accountPath is an account with those above it.
func (g *slurmGuard) accountPath(account string) schema.Value {
	if account == "" {
		return schema.Value{}
	}
	if g.above == nil {
		g.above = g.parents()
	}
	path := []string{strings.ToLower(account)}
	for range maxAccounts {
		parent := g.above[path[len(path)-1]]
		if parent == "" || slices.Contains(path, parent) {
			break
		}
		path = append(path, parent)
	}
	return schema.ListValue(path)
}
