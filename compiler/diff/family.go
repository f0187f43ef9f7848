package diff

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
)

// family is what is known of a scheduler's policies beside what they mean.
type family struct {
	// groups are what parameters affect that no expression reads, by the longest beginning of their names.
	groups  map[Group]string
	lists   []string          // parameters that hold words in any order
	endings []string          // such parameters too, by the end of their names
	choices []string          // of these, those that are one choice, or a plugin's own
	windows map[string]string // the parameters that settings of its fairshare windows are

	// counterparts are its terms that count what a term of Slurm counts: a site that moves from one to the other sees
	// weight against weight. Their factors have other units, which is reported too.
	counterparts map[string]string
	columns      string   // the object with columns that are keys of its file
	computed     []string // keys of that object that the scheduler counts itself
	ownWeights   bool     // users, groups and the like may have weights of their own
	ownReasons   bool     // the site chose the reasons of its limits
	basic        string   // the PriorityType that weighs nothing
}

var families = map[string]family{
	"": {ownReasons: true},
	"slurm": {
		groups: map[Group]string{
			Fairshare: "PriorityDecay PriorityUsage PriorityCalc PriorityFlags FairShareDampeningFactor " +
				"AccountingStorageTRES",
			Other:    "PrioritySiteFactor",
			Priority: "Priority",
			Limits:   "EnforcePartLimits MaxJobCount MaxArraySize",
			Queue:    "Preempt",
			Planning: "SchedulerType SelectType KillWait OverTimeLimit Licenses",
		},
		// slurm.conf(5): "multiple options may be comma separated"; each is looked up wherever it is.
		lists: []string{"AccountingStorageEnforce", "AccountingStorageTRES", "GresTypes", "PrivateData",
			"PropagateResourceLimits", "PropagateResourceLimitsExcept"},
		endings:  []string{"Parameters", "Params", "Param", "Flags"},
		choices:  []string{"SelectTypeParameters", "PrioritySiteFactorParameters", "PriorityParameters"},
		columns:  "partition",
		computed: []string{"TotalNodes", "TotalCPUs", "TRES"},
		basic:    "priority/basic",
	},
	"maui": {
		groups: map[Group]string{
			Fairshare:   "FS",
			Limits:      "MAX SYSTEM",
			Credentials: "USERCFG",
			Planning:    "RESERVATION BACKFILL BF RES NODE JOBNODEMATCH",
			Queue:       "DEFERTIME JOBPRIO ENABLE REJECT",
			Priority:    "QUEUETIME XF",
		},
		windows: map[string]string{
			"usage": "FSPOLICY", "ratio": "FSPOLICY", "interval": "FSINTERVAL", "depth": "FSDEPTH", "decay": "FSDECAY",
		},
		counterparts: map[string]string{
			"service/queuetime":  "age/age",
			"credential/qos":     "qos/qos",
			"credential/class":   "partition/partition",
			"resource/proc":      "jobsize/jobsize",
			"fairshare/fsuser":   "fairshare/fairshare",
			"credential/account": "assoc/assoc",
		},
		ownWeights: true,
	},
}

func familyOf(p *ir.Policy) family { return families[p.Family] }

// keys reports a column that is a key of the scheduler's file.
func (f family) keys(id schema.ColumnID, column *schema.Column) bool {
	return f.columns != "" && id.Object() == f.columns && !slices.Contains(f.computed, column.Slurm)
}

// isList reports a parameter that holds words in any order.
func isList(p *ir.Policy, name string) bool {
	f := familyOf(p)
	ends := slices.ContainsFunc(f.endings, func(end string) bool { return strings.HasSuffix(name, end) })
	return !slices.Contains(f.choices, name) && (ends || slices.Contains(f.lists, name))
}

// groupOf is what a parameter affects by its name.
func groupOf(p *ir.Policy, name string) Group {
	best, group := 0, Other
	for g, names := range familyOf(p).groups {
		for begin := range strings.FieldsSeq(names) {
			if strings.HasPrefix(name, begin) && len(begin) > best {
				best, group = len(begin), g
			}
		}
	}
	if strings.HasSuffix(name, "WEIGHT") || strings.HasSuffix(name, "CAP") {
		return Priority
	}
	return group
}
