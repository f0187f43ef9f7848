package slurmconf

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Config is what slurmctld holds after reading the configuration. Only what
// the site set is here; Default knows the rest.
type Config struct {
	Version     string // release branch
	ClusterName string // lower case, as Slurm stores it
	Params      []Param
	Refused     []string  // global keys with a value that Slurm does not take: their findings say so
	Records     []*Record // every record but the DEFAULT ones, in file order
	Nodes       []Node
	NodeSets    []NodeSet
	Partitions  []Partition
	DownNodes   []DownNodes
}

// Param is a global key. Value is the one that counts; All has every
// occurrence of a key that accumulates, and just Value for the others.
type Param struct {
	Name string
	Value
	All []Value
}

// Param finds a global key that the site set.
func (c *Config) Param(name string) (Param, bool) {
	for _, p := range c.Params {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Param{}, false
}

// Text is the site's text of a global key, or else the default.
func (c *Config) Text(name string) string {
	if p, ok := c.Param(name); ok {
		return p.Text
	}
	text, _ := Default(name, c.Version)
	return text
}

// Record is one record line with what it inherits from DEFAULT lines.
type Record struct {
	Kind  string // NodeName, PartitionName, NodeSet, DownNodes …
	Name  Word
	Span  source.Span
	Attrs []Attr // own ones in line order, then inherited ones
}

// Attr is one key of a record.
type Attr struct {
	Name string // as the table spells it
	Value
}

// Get finds a key of the record, own or inherited.
func (r *Record) Get(name string) (Value, bool) {
	for _, a := range r.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return Value{}, false
}

// Node is one node; those of a record line share its spec.
type Node struct {
	Name string
	*NodeSpec
}

// NodeSpec is what a NodeName line says about each of its nodes.
type NodeSpec struct {
	Record                                                *Record
	CPUs, Boards, Sockets, CoresPerSocket, ThreadsPerCore int // Sockets counts all boards
	CoreSpecCount                                         int
	RealMemoryMB, MemSpecLimitMB, TmpDiskMB               uint64
	Weight                                                uint64
	Gres                                                  []Gres
	Features                                              []string
	State                                                 string
}

// Gres is one generic resource of a node.
type Gres struct {
	Name, Type string // Type may be empty
	Count      uint64
	NoConsume  bool
}

// NodeSet is a named set of nodes, as indexes into Config.Nodes.
type NodeSet struct {
	Name   string
	Record *Record
	Nodes  []int
}

// DownNodes is a record that overrides the state of nodes.
type DownNodes struct {
	Record        *Record
	Nodes         []string
	State, Reason string
}

// Partition is one partition. A Value with the zero span is Slurm's default.
type Partition struct {
	Name                             string
	Record                           *Record
	Nodes                            []int // indexes into Config.Nodes, in their order
	Default                          bool
	State                            string // UP, DOWN, DRAIN, INACTIVE
	PriorityJobFactor, PriorityTier  Value
	MaxTimeMinutes                   Value
	DefaultTimeMinutes               Value // not set: MaxTime is used
	MinNodes, MaxNodes               Value
	MaxCPUsPerNode, MaxCPUsPerSocket Value
	QOS                              Value
	AllowAccounts, DenyAccounts      []string // nil AllowAccounts and AllowQOS mean all; lower case
	AllowQOS, DenyQOS                []string
	AllowGroups                      []string
	OverSubscribe                    string // NO, EXCLUSIVE, YES, FORCE
	MaxShare                         int
	DefMemPerCPUMB, DefMemPerNodeMB  Value // 0 is unlimited, not set is the global one
	MaxMemPerCPUMB, MaxMemPerNodeMB  Value
	TRESBillingWeights               []slurmtext.TRESWeight
	TotalNodes                       int
	TotalCPUs                        int
	// cpu, mem (MB), node, billing, gres/NAME, gres/NAME:TYPE, license/NAME
	TRES slurmtext.TRESList
}
