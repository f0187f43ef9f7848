package ir

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Facts are what the site's files say in the scheduler's own words, also where nothing is
// computed from it: lint's rules ask for settings that the policy itself has no use for.
type Facts struct {
	Records  []Record // of maui.cfg and slurm.conf in the order of the file, then those of dumps
	Declared []Declared
	Words    []Word    // of Slurm's version, where it matters to whoever compares
	Refused  []string  // keys of slurm.conf whose value is none that Slurm takes: they are set to an unknown value
	Partial  bool      // an included file was not read: what is missing may be there
	Dumped   bool      // a dump of the accounts was given
	Clusters []Cluster // the dumps are of
}

// Cluster is one that a dump names.
type Cluster struct {
	Name string // lower case, as Slurm keeps it
	Span source.Span
}

// Record is one object. The settings of no object are those of a Record without Kind.
type Record struct {
	Kind, Name string // USERCFG amy, PartitionName debug, QOS normal, association physics/amy
	Attrs      []Attr
	Nodes      []int32 // of a partition: its nodes, as numbers in the order of the file
	Count      int     // of nodes: how many are alike
	Machine    *Machine
	Span       source.Span
}

// Machine is what each node of a NodeName record has, with what Slurm assumes where nothing is given.
type Machine struct {
	CPUs, Cores int64
	Counted     bool   // processors, sockets or cores are written
	MemoryMB    Amount // RealMemory
	SystemMB    Amount // MemSpecLimit
	SystemCores Amount // CoreSpecCount
	State       string // its words, joined by +
	Features    []string
	Lists       []Attr   // Feature and Features, those there are, as they are written
	Gres        []string // names without types
}

// Amount is a number and where it was set.
type Amount struct {
	Number int64
	Set    source.Span
}

// Attr is one setting of a record.
type Attr struct {
	Name, Index string // Index is what is in brackets, for Maui
	Text        string // as written
	Value       schema.Value
	Soft, Hard  int64  // of Maui's limits
	Kind        string // of Maui's fairshare targets: target, floor, ceiling, cap, relative_cap
	Infinite    bool   // UNLIMITED
	Inherited   bool   // from a DEFAULT record
	Old         bool   // it was set by an old-style parameter
	Span        source.Span
}

// Declared is a parameter that a policy file declares.
type Declared struct {
	Name string
	Read bool // an expression or another block mentions it
	Span source.Span
}

// Word is a key of slurm.conf that has another name today, or a word of a list of options: one that has another name or
// is in another list today, or any of PriorityFlags.
type Word struct {
	List string // SchedulerParameters, PriorityFlags; "" for a key
	Name string
	Now  string // CredType, or DependencyParameters=kill_invalid_depend; "" if it keeps its name
}

// Attr finds a setting of the record without index; nil if it has none, or if there is no record.
func (r *Record) Attr(name string) *Attr {
	if r == nil {
		return nil
	}
	for i := range r.Attrs {
		if a := &r.Attrs[i]; a.Name == name && a.Index == "" {
			return a
		}
	}
	return nil
}

// Number is the setting as a number, 0 where it is not set.
func (a *Attr) Number() float64 {
	if a == nil {
		return 0
	}
	return a.Value.Number()
}

// Is reports whether the setting is a word, whatever its case.
func (a *Attr) Is(word string) bool { return a != nil && strings.EqualFold(a.Text, word) }

// List is the setting as the words of a comma list.
func (a *Attr) List() []string {
	if a == nil {
		return nil
	}
	if a.Value.Type == schema.StringList {
		return a.Value.List
	}
	return strings.FieldsFunc(a.Text, func(r rune) bool { return r == ',' || r == ' ' })
}
