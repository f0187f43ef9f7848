package replay

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// ConfiguredNodes are the machine that a policy describes itself (slurm.conf's NodeName records); nil if it describes
// none.
func ConfiguredNodes(p *program.Program) *column.Table {
	if p.Plan == nil || len(p.Plan.NodeRecords) == 0 {
		return nil
	}
	b := column.NewBuilder("node")
	for i := range p.Plan.NodeRecords {
		n := &p.Plan.NodeRecords[i]
		names, _ := slurmtext.ExpandHostlist(n.Hosts) // the program has no list that cannot be read
		for _, name := range names {
			b.Row()
			b.String("node.id", name)
			b.String("node.state", n.State)
			for _, c := range []struct {
				id schema.ColumnID
				n  int64
			}{{"node.procs", n.Procs}, {"node.procs_usable", n.Usable}, {"node.cores", n.Cores},
				{"node.cores_per_socket", n.CoresPerSocket},
				{"node.threads_per_core", n.ThreadsPerCore}, {"node.mem_mb", n.MemMB}, {"node.disk_mb", n.DiskMB},
				{"node.weight", n.Weight}} {
				b.Int(c.id, c.n)
			}
			b.List("node.features", n.Features)
			b.List("node.partitions", n.Partitions)
			b.String("node.gres", n.Gres)
		}
	}
	return b.Table()
}

// inPartitions puts nodes into the partitions that the policy has them in, where their own records do not say.
func inPartitions(nodes *column.Table, p *program.Program) *column.Table {
	known := ConfiguredNodes(p)
	if nodes == nil || known == nil || nodes.Column("node.partitions") != nil || nodes.Column("node.id") == nil {
		return nodes
	}
	partitions := map[string]schema.Value{}
	for row := range known.Rows {
		partitions[known.Value("node.id", row).Str] = known.Value("node.partitions", row)
	}
	b := column.NewBuilder("node")
	for row := range nodes.Rows {
		b.Row()
		b.List("node.partitions", partitions[nodes.Value("node.id", row).Str].List)
	}
	out := nodes.Copy()
	out.Put(b.Table().Column("node.partitions"))
	return out
}
