package slurm

import "strings"

// limitKind is one of the limits that slurmctld knows. Their order is that in which limits of one
// association or QOS are asked: first those that need no nodes (acct_policy_job_runnable_pre_select),
// then those on TRES (…_post_select), then those on submission and on ages.
type limitKind uint8

const (
	grpJobs limitKind = iota
	grpWall
	maxJobsPA
	maxJobsPU
	maxJobs
	maxWall

	grpTRESMins
	grpTRES
	grpTRESRunMins
	maxTRESMinsPerJob
	maxTRESPerJob
	maxTRESPerNode
	minTRESPerJob
	maxTRESPA
	maxTRESPU
	maxRunMinsPA
	maxRunMinsPU

	grpSubmit
	maxSubmitPA
	maxSubmitPU
	maxSubmit

	grpAccrue
	maxAccruePA
	maxAccruePU
	maxAccrue

	kinds
)

// who says whose jobs a limit looks at.
type who uint8

const (
	whole     who = iota // all of the association or QOS
	own                  // those of one association, which accounts hand down to users
	byUser               // those of one user in a QOS
	byAccount            // those of one account in a QOS
	alone                // the job alone; handed down too
)

// kindDoc describes a kind: its name in dumps, and whose jobs it looks at.
var kindDocs = [kinds]struct {
	name string
	who  who
	tres bool
}{
	grpJobs:           {"GrpJobs", whole, false},
	grpWall:           {"GrpWall", whole, false},
	maxJobsPA:         {"MaxJobsPA", byAccount, false},
	maxJobsPU:         {"MaxJobsPU", byUser, false},
	maxJobs:           {"MaxJobs", own, false},
	maxWall:           {"MaxWallDurationPerJob", alone, false},
	grpTRESMins:       {"GrpTRESMins", whole, true},
	grpTRES:           {"GrpTRES", whole, true},
	grpTRESRunMins:    {"GrpTRESRunMins", whole, true},
	maxTRESMinsPerJob: {"MaxTRESMinsPerJob", alone, true},
	maxTRESPerJob:     {"MaxTRESPerJob", alone, true},
	maxTRESPerNode:    {"MaxTRESPerNode", alone, true},
	minTRESPerJob:     {"MinTRESPerJob", alone, true},
	maxTRESPA:         {"MaxTRESPerAccount", byAccount, true},
	maxTRESPU:         {"MaxTRESPerUser", byUser, true},
	maxRunMinsPA:      {"MaxTRESRunMinsPerAccount", byAccount, true},
	maxRunMinsPU:      {"MaxTRESRunMinsPerUser", byUser, true},
	grpSubmit:         {"GrpSubmitJobs", whole, false},
	maxSubmitPA:       {"MaxSubmitJobsPA", byAccount, false},
	maxSubmitPU:       {"MaxSubmitJobsPU", byUser, false},
	maxSubmit:         {"MaxSubmitJobs", own, false},
	grpAccrue:         {"GrpJobsAccrue", whole, false},
	maxAccruePA:       {"MaxJobsAccruePA", byAccount, false},
	maxAccruePU:       {"MaxJobsAccruePU", byUser, false},
	maxAccrue:         {"MaxJobsAccrue", own, false},
}

func (k limitKind) String() string { return kindDocs[k].name }

// inherited: the nearest association up the tree that sets it counts, for the user alone.
func (k limitKind) inherited() bool {
	w := kindDocs[k].who
	return w == own || w == alone
}

// beforeNodes are asked before nodes are chosen, withNodes with the TRES that these give.
func (k limitKind) beforeNodes() bool { return k <= maxWall }
func (k limitKind) withNodes() bool   { return k > maxWall && k <= maxRunMinsPU }

// minutes: the limit is on time, or on a resource times time.
func (k limitKind) minutes() bool {
	return strings.Contains(k.String(), "Mins") || k == grpWall || k == maxWall
}

// kindOf finds a kind by its name in dumps; ok is false for MaxTRESRunMins of associations,
// which is stored and never asked.
func kindOf(name string) (limitKind, bool) {
	for k := range kinds {
		if kindDocs[k].name == name {
			return k, true
		}
	}
	return 0, false
}

// submitOrder is the order in which limits are asked when a job is submitted
// (acct_policy_validate).
var submitOrder = []limitKind{maxTRESPA, maxTRESPU, grpTRES, grpSubmit, maxTRESMinsPerJob, grpTRESMins, grpTRESRunMins,
	maxRunMinsPA, maxRunMinsPU,
	maxWall, grpWall, maxTRESPerJob, maxTRESPerNode, maxSubmitPA, maxSubmitPU, maxSubmit, minTRESPerJob}

// IsKind reports the name of a limit of Slurm, on a resource or not. MaxTRESRunMins of
// associations is one that is stored and never asked.
func IsKind(name string, tres bool) bool {
	if name == "MaxTRESRunMins" {
		return tres
	}
	k, ok := kindOf(name)
	return ok && kindDocs[k].tres == tres
}
