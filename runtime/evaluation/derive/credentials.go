package derive

import (
	"slices"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
)

// Credentials are what holds ask of partitions and accounts that follows from other columns.
func Credentials(run *evaluation.Run) score.Model {
	r := run.Result
	values := evaluation.NewValues(r.Program, r.Snapshot)
	nodes := r.Snapshot.Nodes
	if before := run.Before; before != nil && before.NodesOf != nil && before.Snapshot.Nodes == nodes {
		run.NodesOf = before.NodesOf
	} else {
		run.NodesOf = sync.OnceValues(func() (map[string][]string, bool) { return NodesByPartition(nodes) })
	}
	var above map[string]string
	of := map[schema.ColumnID]func(name string) schema.Value{
		"partition.present_state": func(name string) schema.Value {
			return schema.StringValue(strings.ToUpper(values.Of("partition.state", name).Str))
		},
		"partition.qos_flags": func(name string) schema.Value {
			return schema.ListValue(evaluation.FlagWords(values.Of("qos.flags", values.Of("partition.qos", name).Str).List))
		},
		"partition.node_names": func(name string) schema.Value {
			nodes, listed := run.NodesOf()
			if !listed {
				return schema.Value{}
			}
			return schema.ListValue(nodes[name])
		},
		"account.path": func(name string) schema.Value {
			if above == nil {
				above = values.Parents(r.Program.Tree)
			}
			return accountPath(above, name)
		},
	}
	return func(b *score.Binder, id, key schema.ColumnID) *column.Column {
		if of[id] == nil {
			return nil
		}
		return b.Derived(id, key, of[id])
	}
}

// NodesByPartition names the nodes of each partition; listed is false where no node says which it is in.
func NodesByPartition(nodes *column.Table) (names map[string][]string, listed bool) {
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
func accountPath(above map[string]string, account string) schema.Value {
	if account == "" {
		return schema.Value{}
	}
	path := []string{strings.ToLower(account)}
	for {
		parent := above[path[len(path)-1]]
		if parent == "" || slices.Contains(path, parent) {
			return schema.ListValue(path)
		}
		path = append(path, parent)
	}
}
