package slurm

import "strings"

// reason is the pending reason that squeue prints for a limit. Slurm's names follow no one
// rule: each row is what it has for processors, memory, nodes, and for all else with % in its
// place (job_reason_string; the list of reasons by version is in the library).
func reason(k limitKind, object, tres string, version int) string {
	if version < 1411 {
		return oldReason(k, object)
	}
	row, ok := reasons[reasonKey{k, object}]
	if !ok {
		return ""
	}
	word := ""
	switch kind, _, _ := strings.Cut(tres, "/"); kind {
	case "":
		return row.other
	case "cpu":
		word = row.cpu
	case "mem":
		word = row.mem
	case "node":
		word = row.node
	case "energy":
		word = strings.Replace(row.other, "%", "Energy", 1)
	case "billing":
		word = strings.Replace(row.other, "%", "Billing", 1)
	case "gres":
		word = strings.Replace(row.other, "%", "GRES", 1)
	case "license":
		word = strings.Replace(row.other, "%", "License", 1)
	case "bb":
		word = strings.Replace(row.other, "%", "BB", 1)
		if k == maxTRESMinsPerJob && object == "qos" {
			word = "AssocMaxBBMinutesPerJob" // sic
		}
	default:
		word = strings.Replace(row.other, "%", "Unknown", 1)
	}
	if word == "" {
		word = strings.Replace(row.other, "%", "Node", 1)
	}
	if version < 1508 {
		if old, ok := renamedReasons[word]; ok {
			return old
		}
	}
	return word
}

type reasonKey struct {
	kind   limitKind
	object string
}

// reasonRow: node is empty where nodes follow the rule for all else.
type reasonRow struct{ cpu, mem, node, other string }

var reasons = map[reasonKey]reasonRow{
	{grpJobs, "association"}:        {other: "AssocGrpJobsLimit"},
	{grpWall, "association"}:        {other: "AssocGrpWallLimit"},
	{maxJobs, "association"}:        {other: "AssocMaxJobsLimit"},
	{maxWall, "association"}:        {other: "AssocMaxWallDurationPerJobLimit"},
	{grpTRESMins, "association"}:    {"AssocGrpCPUMinutesLimit", "AssocGrpMemMinutes", "", "AssocGrp%Minutes"},
	{grpTRES, "association"}:        {"AssocGrpCpuLimit", "AssocGrpMemLimit", "AssocGrpNodeLimit", "AssocGrp%"},
	{grpTRESRunMins, "association"}: {"AssocGrpCPURunMinutesLimit", "AssocGrpMemRunMinutes", "", "AssocGrp%RunMinutes"},
	{maxTRESMinsPerJob, "association"}: {"AssocMaxCpuMinutesPerJobLimit", "AssocMaxMemMinutesPerJob", "",
		"AssocMax%MinutesPerJob"},
	{maxTRESPerJob, "association"}: {"AssocMaxCpuPerJobLimit", "AssocMaxMemPerJob", "AssocMaxNodePerJobLimit",
		"AssocMax%PerJob"},
	{maxTRESPerNode, "association"}: {"AssocMaxCpuPerNode", "AssocMaxMemPerNode", "", "AssocMax%PerNode"},
	{grpSubmit, "association"}:      {other: "AssocGrpSubmitJobsLimit"},
	{maxSubmit, "association"}:      {other: "AssocMaxSubmitJobLimit"},

	{grpJobs, "qos"}:           {other: "QOSGrpJobsLimit"},
	{grpWall, "qos"}:           {other: "QOSGrpWallLimit"},
	{maxJobsPA, "qos"}:         {other: "MaxJobsPerAccount"},
	{maxJobsPU, "qos"}:         {other: "QOSMaxJobsPerUserLimit"},
	{maxWall, "qos"}:           {other: "QOSMaxWallDurationPerJobLimit"},
	{grpTRESMins, "qos"}:       {"QOSGrpCPUMinutesLimit", "QOSGrpMemoryMinutes", "", "QOSGrp%Minutes"},
	{grpTRES, "qos"}:           {"QOSGrpCpuLimit", "QOSGrpMemLimit", "QOSGrpNodeLimit", "QOSGrp%"},
	{grpTRESRunMins, "qos"}:    {"QOSGrpCPURunMinutesLimit", "QOSGrpMemoryRunMinutes", "", "QOSGrp%RunMinutes"},
	{maxTRESMinsPerJob, "qos"}: {"QOSMaxCpuMinutesPerJobLimit", "QOSMaxMemoryMinutesPerJob", "", "QOSMax%MinutesPerJob"},
	{maxTRESPerJob, "qos"}:     {"QOSMaxCpuPerJobLimit", "QOSMaxMemoryPerJob", "QOSMaxNodePerJobLimit", "QOSMax%PerJob"},
	{maxTRESPerNode, "qos"}:    {"QOSMaxCpuPerNode", "QOSMaxMemoryPerNode", "", "QOSMax%PerNode"},
	{minTRESPerJob, "qos"}:     {"QOSMinCpuNotSatisfied", "QOSMinMemory", "", "QOSMin%"},
	{maxTRESPA, "qos"}:         {"MaxCpuPerAccount", "MaxMemoryPerAccount", "", "Max%PerAccount"},
	{maxTRESPU, "qos"}: {"QOSMaxCpuPerUserLimit", "QOSMaxMemoryPerUser", "QOSMaxNodePerUserLimit",
		"QOSMax%PerUser"},
	{maxRunMinsPA, "qos"}: {"MaxCpuRunMinsPerAccount", "MaxMemoryRunMinsPerAccount", "", "Max%RunMinsPerAccount"},
	{maxRunMinsPU, "qos"}: {"MaxCpuRunMinsPerUser", "MaxMemoryRunMinsPerUser", "", "Max%RunMinsPerUser"},
	{grpSubmit, "qos"}:    {other: "QOSGrpSubmitJobsLimit"},
	{maxSubmitPA, "qos"}:  {other: "MaxSubmitJobsPerAccount"},
	{maxSubmitPU, "qos"}:  {other: "QOSMaxSubmitJobPerUserLimit"},
}

// renamedReasons are the names that some reasons had before TRES came in 15.08.
var renamedReasons = map[string]string{
	"AssocGrpCPUMinutesLimit":       "AssocGrpCPUMinsLimit",
	"AssocGrpCPURunMinutesLimit":    "AssocGrpCPURunMinsLimit",
	"AssocGrpMemLimit":              "AssocGrpMemoryLimit",
	"AssocGrpNodeLimit":             "AssocGrpNodesLimit",
	"AssocMaxCpuMinutesPerJobLimit": "AssocMaxCpusMinsPerJobLimit",
	"AssocMaxCpuPerJobLimit":        "AssocMaxCpusPerJobLimit",
	"AssocMaxNodePerJobLimit":       "AssocMaxNodesPerJobLimit",
	"QOSGrpCPUMinutesLimit":         "QOSGrpCPUMinsLimit",
	"QOSGrpCPURunMinutesLimit":      "QOSGrpCPURunMinsLimit",
	"QOSGrpMemLimit":                "QOSGrpMemoryLimit",
	"QOSGrpNodeLimit":               "QOSGrpNodesLimit",
	"QOSMaxCpuMinutesPerJobLimit":   "QOSMaxCpusMinsPerJobLimit",
	"QOSMaxCpuPerJobLimit":          "QOSMaxCpusPerJobLimit",
	"QOSMaxNodePerJobLimit":         "QOSMaxNodesPerJobLimit",
	"QOSMinCpuNotSatisfied":         "QOSMinCPUsNotSatisfied",
	"QOSMaxCpuPerUserLimit":         "QOSMaxCpusPerUserLimit",
	"QOSMaxNodePerUserLimit":        "QOSMaxNodesPerUserLimit",
}

// oldReason: before 14.11 there were three words for all limits of an association, and
// three for those of a QOS.
func oldReason(k limitKind, object string) string {
	word := "ResourceLimit"
	switch {
	case k == maxWall || k == grpWall:
		word = "TimeLimit"
	case !kindDocs[k].tres:
		word = "JobLimit"
	}
	if object == "qos" {
		return "QOS" + word
	}
	return "Association" + word
}
