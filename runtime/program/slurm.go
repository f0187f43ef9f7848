package program

import "strings"

// Slurm is what slurmctld enforces besides its formula: which limits count and how; nil for
// policies of other families. The checks themselves are Go (runtime/limit, runtime/family/slurm).
type Slurm struct {
	Associations    bool    // AccountingStorageEnforce: a job needs an association
	Limits          bool    // those of associations and QOS count
	QOS             bool    // a job needs a QOS that its association may use
	Safe            bool    // a job starts only if minutes of TRES and time suffice to its end
	LimitStop       bool    // SchedulerParameters=assoc_limit_stop: limits are asked once nodes are found
	PartitionLimits string  // EnforcePartLimits: NO, ANY or ALL
	AccrueAlways    bool    // PriorityFlags=ACCRUE_ALWAYS
	FairTree        bool    // fairshare by Fair Tree
	FairshareWeight float64 // PriorityWeightFairshare
	// PreemptType: qos or partition_prio, whose preemptors come first; "" where nothing is preempted
	Preempt         string
	PreemptWithin   bool     // PreemptMode=WITHIN: among jobs of one QOS the higher priority preempts
	PreemptPriority bool     // PreemptMode=PRIORITY: only a job of higher priority preempts
	TRES            []string // those tracked, in the order in which limits on them are asked
	Complete        []string // objects, association or qos, that the policy lists completely: no snapshot adds to them
}

// String is the golden form, without what is off: slurm enforce=associations,limits,safe.
func (s *Slurm) String() string {
	var enforced, rest []string
	for _, f := range []struct {
		name string
		on   bool
	}{{"associations", s.Associations}, {"limits", s.Limits}, {"qos", s.QOS}, {"safe", s.Safe}} {
		if f.on {
			enforced = append(enforced, f.name)
		}
	}
	for _, f := range []struct{ name, value string }{{"enforce", strings.Join(enforced, ",")},
		{"partition_limits", s.PartitionLimits},
		{"complete", strings.Join(s.Complete, ",")}} {
		if f.value != "" {
			rest = append(rest, f.name+"="+f.value)
		}
	}
	for _, f := range []struct {
		name string
		on   bool
	}{{"preempt=" + s.Preempt, s.Preempt != ""}, {"preempt_within", s.PreemptWithin},
		{"preempt_priority", s.PreemptPriority}} {
		if f.on {
			rest = append(rest, f.name)
		}
	}
	if s.LimitStop {
		rest = append(rest, "limit_stop")
	}
	if s.AccrueAlways {
		rest = append(rest, "accrue_always")
	}
	return "slurm " + strings.Join(rest, " ")
}
