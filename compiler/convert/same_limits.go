package convert

import (
	"slices"
	"strings"
)

// sameLimit is a limit of a policy, with Slurm's name of it.
type sameLimit struct {
	phase, counts, slurm string
	per                  []string
}

// sameLimits says which limit of Slurm counts what one of Maui counts, and for which credentials of Maui it does. A name
// with = is a limit on a resource. A partition's is that of its own QOS. Of two for one of Maui's the first is taken.
var sameLimits = []sameLimit{
	{"active", "jobs", "MaxJobs", []string{"user"}},
	{"active", "jobs", "GrpJobs", grouped},
	{"active", "procs", "GrpTRES=cpu", grouped},
	{"active", "nodes", "GrpTRES=node", grouped},
	{"active", "proc_seconds", "GrpTRESRunMins=cpu", grouped},
	{"active", "jobs", "MaxJobsPU", byUser},
	{"active", "procs", "MaxTRESPerUser=cpu", byUser},
	{"active", "nodes", "MaxTRESPerUser=node", byUser},
	{"job", "walltime", "MaxWallDurationPerJob", anybody},
	{"job", "procs", "MaxTRESPerJob=cpu", anybody},
	{"job", "nodes", "MaxTRESPerJob=node", anybody},
}

var (
	grouped = []string{"user", "account", "qos", "partition"}
	byUser  = []string{"partition user", "qos user"}
)

// ownLimits are limits that a policy file can have and Maui's cannot. "" is the whole cluster.
var ownLimits = slices.Concat(sameLimits, []sameLimit{
	{"active", "jobs", "GrpJobs", cluster},
	{"active", "procs", "GrpTRES=cpu", cluster},
	{"active", "nodes", "GrpTRES=node", cluster},
	{"active", "proc_seconds", "GrpTRESRunMins=cpu", cluster},
	{"active", "memory", "GrpTRES=mem", anybody},
	{"active", "gpus", "GrpTRES=gres/gpu", anybody},
	{"active", "memory", "MaxTRESPerUser=mem", byUser},
	{"active", "gpus", "MaxTRESPerUser=gres/gpu", byUser},
	{"active", "jobs", "MaxJobsPA", byAccount},
	{"active", "procs", "MaxTRESPerAccount=cpu", byAccount},
	{"active", "nodes", "MaxTRESPerAccount=node", byAccount},
	{"active", "memory", "MaxTRESPerAccount=mem", byAccount},
	{"active", "gpus", "MaxTRESPerAccount=gres/gpu", byAccount},
	{"active", "jobs", "MaxJobs", []string{"account user", "user account"}},
	{"active", "procs", "GrpTRES=cpu", nested},
	{"active", "nodes", "GrpTRES=node", nested},
	{"active", "memory", "GrpTRES=mem", nested},
	{"active", "gpus", "GrpTRES=gres/gpu", nested},
	{"active", "proc_seconds", "GrpTRESRunMins=cpu", nested},
	{"job", "memory", "MaxTRESPerJob=mem", anybody},
	{"job", "gpus", "MaxTRESPerJob=gres/gpu", anybody},
	{"job", "walltime", "MaxWallDurationPerJob", nested},
	{"job", "procs", "MaxTRESPerJob=cpu", nested},
	{"job", "nodes", "MaxTRESPerJob=node", nested},
	{"job", "memory", "MaxTRESPerJob=mem", nested},
	{"job", "gpus", "MaxTRESPerJob=gres/gpu", nested},
})

var (
	cluster   = []string{""}
	anybody   = slices.Concat(grouped, cluster)
	nested    = []string{"user account"} // a user's block inside an account's
	byAccount = []string{"partition account", "qos account"}
)

// slurmName is Slurm's name of a limit of these, "" if it has none.
func slurmName(limits []sameLimit, per []string, phase, counts string) string {
	for _, s := range limits {
		if s.phase == phase && s.counts == counts && slices.Contains(s.per, strings.Join(per, " ")) {
			return s.slurm
		}
	}
	return ""
}

// mauiMeaning is what a limit of Slurm's on a credential is to Maui; nil if it has none.
func mauiMeaning(object, slurm string) (phase, counts string, per []string) {
	for _, s := range sameLimits {
		for _, p := range s.per {
			if first, _, _ := strings.Cut(p, " "); s.slurm == slurm && first == object {
				return s.phase, s.counts, strings.Fields(p)
			}
		}
	}
	return "", "", nil
}
