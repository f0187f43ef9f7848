package slurm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// nodes keeps what the file says of its nodes. A NodeName record makes as many records as it has runs of nodes that are
// in the same partitions and of one state.
func (f *reader) nodes(cfg *slurmconf.Config) {
	partitions := make([][]string, len(cfg.Nodes))
	for i := range cfg.Partitions {
		for _, node := range cfg.Partitions[i].Nodes {
			partitions[node] = append(partitions[node], cfg.Partitions[i].Name)
		}
	}
	down := map[string]string{}
	for _, d := range cfg.DownNodes {
		for _, name := range d.Nodes {
			down[name] = d.State
		}
	}
	for from := 0; from < len(cfg.Nodes); {
		first := &cfg.Nodes[from]
		end, names := from, []string(nil)
		for ; end < len(cfg.Nodes) && cfg.Nodes[end].NodeSpec == first.NodeSpec &&
			slices.Equal(partitions[end], partitions[from]) && down[cfg.Nodes[end].Name] == down[first.Name]; end++ {
			names = append(names, cfg.Nodes[end].Name)
		}
		r := nodeRecord(first.NodeSpec)
		r.Hosts, r.Partitions = slurmtext.CompressHostlist(names), partitions[from]
		if state := down[first.Name]; state != "" {
			r.State = nodeState(state)
		}
		f.NodeRecords = append(f.NodeRecords, r)
		from = end
	}
}

// nodeRecord is what a NodeName record says of each of its nodes.
func nodeRecord(n *slurmconf.NodeSpec) ir.NodeRecord {
	r := ir.NodeRecord{Procs: int64(n.CPUs), Usable: int64(n.CPUs), Cores: int64(n.Sockets) * int64(n.CoresPerSocket),
		CoresPerSocket: int64(n.CoresPerSocket), ThreadsPerCore: int64(n.ThreadsPerCore), MemMB: int64(n.RealMemoryMB),
		DiskMB: int64(n.TmpDiskMB),
		Weight: int64(n.Weight), Features: n.Features, State: nodeState(n.State)}
	if kept := int64(n.CoreSpecCount) * max(1, r.Procs/max(1, r.Cores)); kept > 0 {
		r.Usable = max(0, r.Procs-kept)
	}
	var gres []string
	for _, g := range n.Gres {
		name := g.Name
		if g.Type != "" {
			name += ":" + g.Type
		}
		gres = append(gres, fmt.Sprintf("%s:%d", name, g.Count))
	}
	r.Gres = strings.Join(gres, ",")
	return r
}

// nodeState: nodes of an unknown state are idle once they have registered.
func nodeState(text string) string {
	if text == "" || strings.EqualFold(text, "UNKNOWN") {
		return ir.NodeIdle
	}
	return strings.ToUpper(text)
}
