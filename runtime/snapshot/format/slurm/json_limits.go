package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// limitedMembers are the members of QOS or associations with those that limit something.
func limitedMembers(o *slurmObject, limits string) *jsonMember {
	root := o.fields.members("json")
	limitNames.each(limits, func(s slot, path, _ string) {
		name := limitNames.lines[s][0]
		root.add(path, 0, func(c *slurmJSON, r *slurmRecord, _ slot, path string) error {
			r.limits.stated = true
			if c.Peek() == '[' {
				list, err := c.tresList(path)
				for _, t := range list {
					r.limits.add(name, t.Name, t.Count)
				}
				return err
			}
			n, err := c.integer(path)
			if n.Known() {
				r.limits.add(name, "", n.Int)
			}
			return err
		})
	})
	return root
}

// jsonQOSFlags are the flags whose names in JSON are others than in sacctmgr.
var jsonQOSFlags = map[string]string{
	"PARTITION_MINIMUM_NODE": "PartitionMinNodes", "PARTITION_MAXIMUM_NODE": "PartitionMaxNodes",
	"PARTITION_TIME_LIMIT":    "PartitionTimeLimit",
	"ENFORCE_USAGE_THRESHOLD": "EnforceUsageThreshold", "NO_RESERVE": "NoReserve",
	"REQUIRED_RESERVATION": "RequiresReservation", "DENY_LIMIT": "DenyOnLimit",
	"OVERRIDE_PARTITION_QOS": "OverPartQOS", "NO_DECAY": "NoDecay", "USAGE_FACTOR_SAFE": "UsageFactorSafe",
	"RELATIVE": "Relative",
}

// qosFlags reads flags under the names that sacctmgr has for them.
func (c *slurmJSON) qosFlags(field string) (schema.Value, error) {
	flags, err := c.commaList(field)
	for i, f := range flags.List {
		if name, ok := jsonQOSFlags[strings.ToUpper(f)]; ok {
			flags.List[i] = name
		}
	}
	return flags, err
}
