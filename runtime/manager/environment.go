package manager

import (
	"slices"
	"strings"
)

// changing are the beginnings of variables by which a user's shell changes what the commands print: filters and
// formats (squeue(1), sinfo(1), sprio(1), sshare(1), sacct(1), sacctmgr(1), scontrol(1), ENVIRONMENT; TORQUE's
// qstat). SLURM_CONF, SLURM_CLUSTERS and PBS_DEFAULT say who is asked, and stay.
var changing = []string{"SQUEUE_", "SINFO_", "SPRIO_", "SSHARE_", "SACCT_", "SACCTMGR_", "SCONTROL_", "PBS_QSTAT_"}

// Environment is what commands get of a user's environment, so that they print the same from every shell, and
// never a part of the queue as if it were all of it.
func Environment(user []string) []string {
	return slices.DeleteFunc(slices.Clone(user), func(variable string) bool {
		return slices.ContainsFunc(changing, func(begin string) bool { return strings.HasPrefix(variable, begin) })
	})
}
