package snapshot

import "strings"

// jsonLimits are the members of a QOS or an association that limit something, by the path to them
// (data_parser since 23.02): which limit it is in dumps' names.
var (
	jsonQOSLimits = map[string]string{
		"limits.max.active_jobs.count":            "GrpJobs",
		"limits.max.active_jobs.accruing":         "GrpJobsAccrue",
		"limits.max.jobs.count":                   "GrpSubmitJobs",
		"limits.max.wall_clock.per.qos":           "GrpWall",
		"limits.max.wall_clock.per.job":           "MaxWallDurationPerJob",
		"limits.max.jobs.active_jobs.per.account": "MaxJobsPA",
		"limits.max.jobs.active_jobs.per.user":    "MaxJobsPU",
		"limits.max.jobs.per.account":             "MaxSubmitJobsPA",
		"limits.max.jobs.per.user":                "MaxSubmitJobsPU",
		"limits.max.accruing.per.account":         "MaxJobsAccruePA",
		"limits.max.accruing.per.user":            "MaxJobsAccruePU",
		"limits.max.tres.total":                   "GrpTRES",
		"limits.max.tres.minutes.per.qos":         "GrpTRESMins",
		"limits.max.tres.minutes.total":           "GrpTRESRunMins",
		"limits.max.tres.minutes.per.job":         "MaxTRESMinsPerJob",
		"limits.max.tres.minutes.per.account":     "MaxTRESRunMinsPerAccount",
		"limits.max.tres.minutes.per.user":        "MaxTRESRunMinsPerUser",
		"limits.max.tres.per.account":             "MaxTRESPerAccount",
		"limits.max.tres.per.job":                 "MaxTRESPerJob",
		"limits.max.tres.per.node":                "MaxTRESPerNode",
		"limits.max.tres.per.user":                "MaxTRESPerUser",
		"limits.min.tres.per.job":                 "MinTRESPerJob",
	}
	jsonAssociationLimits = map[string]string{
		"max.jobs.per.count":         "GrpJobs",
		"max.jobs.per.accruing":      "GrpJobsAccrue",
		"max.jobs.per.submitted":     "GrpSubmitJobs",
		"max.jobs.per.wall_clock":    "MaxWallDurationPerJob",
		"max.jobs.active":            "MaxJobs",
		"max.jobs.accruing":          "MaxJobsAccrue",
		"max.jobs.total":             "MaxSubmitJobs",
		"max.per.account.wall_clock": "GrpWall",
		"max.tres.total":             "GrpTRES",
		"max.tres.group.minutes":     "GrpTRESMins",
		"max.tres.group.active":      "GrpTRESRunMins",
		"max.tres.minutes.per.job":   "MaxTRESMinsPerJob",
		"max.tres.per.job":           "MaxTRESPerJob",
		"max.tres.per.node":          "MaxTRESPerNode",
	}
)

// limitTree reads the value at a path and all that is in it.
func (c *slurmJSON) limitTree(path string, names map[string]string, l *slurmLimits) error {
	name, leaf := names[path]
	switch {
	case strings.HasSuffix(path, "min.priority_threshold"):
		n, err := c.integer(path)
		l.threshold = n
		return err
	case leaf && c.peek() == '[':
		l.stated = true
		list, err := c.tresRecords(path)
		for _, t := range list.value {
			l.add(name, t.Name, t.Count)
		}
		return err
	case leaf:
		l.stated = true
		n, err := c.integer(path)
		if n.known {
			l.add(name, "", n.value)
		}
		return err
	}
	return c.members(func(key []byte) error { return c.limitTree(path+"."+string(key), names, l) })
}

// jsonQOSFlags are the flags whose names in JSON are others than in sacctmgr.
var jsonQOSFlags = map[string]string{
	"PARTITION_MINIMUM_NODE": "PartitionMinNodes", "PARTITION_MAXIMUM_NODE": "PartitionMaxNodes", "PARTITION_TIME_LIMIT": "PartitionTimeLimit",
	"ENFORCE_USAGE_THRESHOLD": "EnforceUsageThreshold", "NO_RESERVE": "NoReserve", "REQUIRED_RESERVATION": "RequiresReservation", "DENY_LIMIT": "DenyOnLimit",
	"OVERRIDE_PARTITION_QOS": "OverPartQOS", "NO_DECAY": "NoDecay", "USAGE_FACTOR_SAFE": "UsageFactorSafe", "RELATIVE": "Relative",
}

// qosFlags reads flags under the names that sacctmgr has for them.
func (c *slurmJSON) qosFlags() (optional[[]string], error) {
	flags, err := c.commaList("flags")
	for i, f := range flags.value {
		if name, ok := jsonQOSFlags[strings.ToUpper(f)]; ok {
			flags.value[i] = name
		}
	}
	return flags, err
}
