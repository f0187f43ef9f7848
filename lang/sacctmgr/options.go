package sacctmgr

import "strings"

// kind says how an option's value is read.
type kind int

const (
	text         kind = iota
	name              // of another object: lower case
	names             // comma list, lower case
	number            // whole number; -1 clears
	decimal           // number with a fraction
	minutes           // time string, rounded up to minutes; -1 clears
	seconds           // time string in seconds
	shares            // number or parent
	tres              // TRES list
	oldTRES           // number of one TRES, from before 15.08
	qosFlagNames      // comma list of flags of a QOS
)

// option is one option of a flat file. sacctmgr takes any beginning of the name
// that has at least short letters; where two options fit, the first listed.
type option struct {
	name  string
	short int
	kind  kind
	alias string // the option it stands for, if another
	tres  string // for oldTRES: which TRES of alias
}

// assocOptions are those of Cluster, Account and User lines (sacctmgr's
// set-association-record and flat-file option parsers). Old options per TRES
// are kept as the TRES lists they became.
var assocOptions = []option{
	{name: "AdminLevel", short: 2, kind: text},
	{name: "Coordinator", short: 2, kind: names},
	{name: "Classification", short: 2, kind: text},
	{name: "DefaultAccount", short: 8, kind: name},
	{name: "DefaultQOS", short: 8, kind: name},
	{name: "DefaultWCKey", short: 8, kind: name},
	{name: "Description", short: 3, kind: text},
	{name: "Comment", short: 3, kind: text},
	{name: "Flags", short: 2, kind: names},
	{name: "Fairshare", short: 1, kind: shares},
	{name: "Shares", short: 1, kind: shares, alias: "Fairshare"},
	{name: "GrpCPUMins", short: 7, kind: oldTRES, alias: "GrpTRESMins", tres: "cpu"},
	{name: "GrpCPURunMins", short: 7, kind: oldTRES, alias: "GrpTRESRunMins", tres: "cpu"},
	{name: "GrpCPUs", short: 7, kind: oldTRES, alias: "GrpTRES", tres: "cpu"},
	{name: "GrpJobs", short: 4, kind: number},
	{name: "GrpJobsAccrue", short: 8, kind: number},
	{name: "GrpMemory", short: 4, kind: oldTRES, alias: "GrpTRES", tres: "mem"},
	{name: "GrpNodes", short: 4, kind: oldTRES, alias: "GrpTRES", tres: "node"},
	{name: "GrpSubmitJobs", short: 4, kind: number},
	{name: "GrpTRES", short: 7, kind: tres},
	{name: "GrpTRESMins", short: 8, kind: tres},
	{name: "GrpTRESRunMins", short: 8, kind: tres},
	{name: "GrpWall", short: 4, kind: minutes},
	{name: "MaxCPUMinsPerJob", short: 7, kind: oldTRES, alias: "MaxTRESMinsPerJob", tres: "cpu"},
	{name: "MaxCPURunMins", short: 7, kind: oldTRES, alias: "MaxTRESRunMins", tres: "cpu"},
	{name: "MaxCPUsPerJob", short: 7, kind: oldTRES, alias: "MaxTRESPerJob", tres: "cpu"},
	{name: "MaxJobs", short: 4, kind: number},
	{name: "MaxJobsAccrue", short: 8, kind: number},
	{name: "MaxNodesPerJob", short: 4, kind: oldTRES, alias: "MaxTRESPerJob", tres: "node"},
	{name: "MinPrioThresh", short: 4, kind: number},
	{name: "MaxSubmitJobs", short: 4, kind: number},
	{name: "MaxTRESPerJob", short: 7, kind: tres},
	{name: "MaxTRESPerNode", short: 11, kind: tres},
	{name: "MaxTRESMinsPerJob", short: 8, kind: tres},
	{name: "MaxTRESRunMins", short: 8, kind: tres},
	{name: "MaxWallDurationPerJob", short: 4, kind: minutes},
	{name: "Organization", short: 1, kind: text},
	{name: "Partition", short: 3, kind: text},
	{name: "Priority", short: 2, kind: number},
	{name: "QOS", short: 1, kind: names},
	{name: "QosLevel", short: 1, kind: names, alias: "QOS"},
	{name: "WCKeys", short: 2, kind: names},
}

// qosOptions are those of the QOS lines that dumps have since 25.x.
var qosOptions = []option{
	{name: "Description", short: 1, kind: text},
	{name: "Flags", short: 2, kind: qosFlagNames},
	{name: "GraceTime", short: 3, kind: seconds},
	{name: "GrpCPUMins", short: 7, kind: oldTRES, alias: "GrpTRESMins", tres: "cpu"},
	{name: "GrpCPURunMins", short: 7, kind: oldTRES, alias: "GrpTRESRunMins", tres: "cpu"},
	{name: "GrpCPUs", short: 7, kind: oldTRES, alias: "GrpTRES", tres: "cpu"},
	{name: "GrpJobs", short: 4, kind: number},
	{name: "GrpJobsAccrue", short: 8, kind: number},
	{name: "GrpMemory", short: 4, kind: oldTRES, alias: "GrpTRES", tres: "mem"},
	{name: "GrpNodes", short: 4, kind: oldTRES, alias: "GrpTRES", tres: "node"},
	{name: "GrpSubmitJobs", short: 4, kind: number},
	{name: "GrpTRES", short: 7, kind: tres},
	{name: "GrpTRESMins", short: 8, kind: tres},
	{name: "GrpTRESRunMins", short: 8, kind: tres},
	{name: "GrpWall", short: 4, kind: minutes},
	{name: "LimitFactor", short: 4, kind: decimal},
	{name: "MaxCPUMinsPerJob", short: 7, kind: oldTRES, alias: "MaxTRESMinsPerJob", tres: "cpu"},
	{name: "MaxCPUsPerJob", short: 7, kind: oldTRES, alias: "MaxTRESPerJob", tres: "cpu"},
	{name: "MaxCPUsPerUser", short: 11, kind: oldTRES, alias: "MaxTRESPerUser", tres: "cpu"},
	{name: "MaxJobsPU", short: 4, kind: number},
	{name: "MaxJobsPerUser", short: 4, kind: number, alias: "MaxJobsPU"},
	{name: "MaxJobsPA", short: 9, kind: number},
	{name: "MaxJobsPerAccount", short: 11, kind: number, alias: "MaxJobsPA"},
	{name: "MaxJobsAccruePU", short: 8, kind: number},
	{name: "MaxJobsAccruePerUser", short: 8, kind: number, alias: "MaxJobsAccruePU"},
	{name: "MaxJobsAccruePA", short: 15, kind: number},
	{name: "MaxJobsAccruePerAccount", short: 17, kind: number, alias: "MaxJobsAccruePA"},
	{name: "MaxNodesPerJob", short: 4, kind: oldTRES, alias: "MaxTRESPerJob", tres: "node"},
	{name: "MaxNodesPerUser", short: 12, kind: oldTRES, alias: "MaxTRESPerUser", tres: "node"},
	{name: "MaxSubmitJobsPU", short: 4, kind: number},
	{name: "MaxSubmitJobsPerUser", short: 4, kind: number, alias: "MaxSubmitJobsPU"},
	{name: "MaxSubmitJobsPA", short: 15, kind: number},
	{name: "MaxSubmitJobsPerAccount", short: 17, kind: number, alias: "MaxSubmitJobsPA"},
	{name: "MaxTRESPerJob", short: 7, kind: tres},
	{name: "MaxTRESPerNode", short: 11, kind: tres},
	{name: "MaxTRESPerUser", short: 11, kind: tres},
	{name: "MaxTRESPU", short: 9, kind: tres, alias: "MaxTRESPerUser"},
	{name: "MaxTRESPerAccount", short: 11, kind: tres},
	{name: "MaxTRESPA", short: 9, kind: tres, alias: "MaxTRESPerAccount"},
	{name: "MaxTRESMinsPerJob", short: 8, kind: tres},
	{name: "MaxTRESRunMinsPerUser", short: 8, kind: tres},
	{name: "MaxTRESRunMinsPU", short: 8, kind: tres, alias: "MaxTRESRunMinsPerUser"},
	{name: "MaxTRESRunMinsPerAccount", short: 18, kind: tres},
	{name: "MaxTRESRunMinsPA", short: 16, kind: tres, alias: "MaxTRESRunMinsPerAccount"},
	{name: "MaxWallDurationPerJob", short: 4, kind: minutes},
	{name: "MinCPUsPerJob", short: 7, kind: oldTRES, alias: "MinTRESPerJob", tres: "cpu"},
	{name: "MinPrioThresh", short: 4, kind: number},
	{name: "MinTRESPerJob", short: 7, kind: tres},
	{name: "PreemptMode", short: 8, kind: text},
	{name: "PreemptExemptTime", short: 8, kind: seconds},
	{name: "Preempt", short: 7, kind: names},
	{name: "Priority", short: 3, kind: number},
	{name: "UsageFactor", short: 6, kind: decimal},
	{name: "UsageThreshold", short: 6, kind: decimal},
}

func optionsOf(object string) []option {
	if object == "QOS" {
		return qosOptions
	}
	return assocOptions
}

// findOption looks for the whole name first and then for what it may be short for.
func findOption(table []option, key string) (found option, abbreviated, ok bool) {
	for _, o := range table {
		if strings.EqualFold(o.name, key) {
			return o, false, true
		}
	}
	for _, o := range table {
		if len(key) >= o.short && len(key) < len(o.name) && strings.EqualFold(o.name[:len(key)], key) {
			return o, true, true
		}
	}
	return option{}, false, false
}

// canonical is the option's name in a dump of today.
func (o option) canonical() string {
	if o.alias != "" {
		return o.alias
	}
	return o.name
}

func optionNames(table []option) (list []string) {
	for _, o := range table {
		list = append(list, o.name)
	}
	return list
}
