package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/program"
)

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

// Stop is the first of Slurm's limits that a job does not pass, with the comparison that failed.
type Stop struct {
	Limit  *program.Limit // its Span is zero where a snapshot recorded it
	Level  string         // partition QOS, QOS, association; "account above" for an association up the tree
	Object string         // qos or association
	Name   string         // its name: normal, physics/amy
	Who    string         // the user or account that a limit of a QOS counts for; "" for all
	Kind   string         // Slurm's name: GrpTRES
	TRES   string         // the resource; "" for limits on jobs and time
	Test   Test
	Value  int64  // the limit, times LimitFactor where that counts
	InUse  int64  // what running jobs have, or what was used up in minutes
	Runs   int64  // safe limits: minutes that running jobs may still use
	Asks   int64  // what the job adds
	Reason string // Slurm's word

	holder int32
}

// Test is the comparison that failed.
type Test uint8

// The tests: Full, no room for one more; Over, together more than the limit; UsedUp, the limit is
// used up already; Unsafe, it would be before the job ends; Above, the job alone is more; Below,
// the job is less than it must be.
const (
	Full Test = iota
	Over
	UsedUp
	Unsafe
	Above
	Below
)

func (t Test) String() string {
	return [...]string{"full", "over", "used_up", "unsafe", "above", "below"}[t]
}

// WithNodes reports a limit that is asked once it is known which nodes a job would get.
func (s *Stop) WithNodes() bool {
	k, ok := kindOf(s.Kind)
	return ok && k.withNodes()
}

// Whose names what the limit is set on and the user or account it counts for: association physics/amy, QOS normal, for
// user amy.
func (s *Stop) Whose() string {
	text := strings.TrimSuffix(s.Level, " above") + " " + s.Name
	if s.Who != "" {
		text += ", for " + s.Who
	}
	return text
}
