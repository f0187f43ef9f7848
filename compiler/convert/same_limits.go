package convert

import (
	"slices"
	"strings"
)

// sameLimits says which limit of Slurm counts what one of Maui counts, and for which credentials of Maui it does. A name
// with = is a limit on a resource. A partition's is that of its own QOS. Of two for one of Maui's the first is taken.
var sameLimits = []struct {
	phase, counts, slurm string
	per                  []string
}{
	{"active", "jobs", "MaxJobs", []string{"user"}},
	{"active", "jobs", "GrpJobs", grouped},
	{"active", "procs", "GrpTRES=cpu", grouped},
	{"active", "nodes", "GrpTRES=node", grouped},
	{"active", "proc_seconds", "GrpTRESRunMins=cpu", grouped},
	{"active", "jobs", "MaxJobsPU", byUser},
	{"active", "procs", "MaxTRESPerUser=cpu", byUser},
	{"active", "nodes", "MaxTRESPerUser=node", byUser},
	{"job", "walltime", "MaxWallDurationPerJob", grouped},
	{"job", "procs", "MaxTRESPerJob=cpu", grouped},
	{"job", "nodes", "MaxTRESPerJob=node", grouped},
}

var (
	grouped = []string{"user", "account", "qos", "partition"}
	byUser  = []string{"partition user", "qos user"}
)

// slurmName is Slurm's name of a limit of Maui's, "" if it has none.
func slurmName(per []string, phase, counts string) string {
	for _, s := range sameLimits {
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
