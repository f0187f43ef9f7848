package manager_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/manager"
)

func TestEnvironment(t *testing.T) {
	user := []string{"PATH=/bin", "SQUEUE_USERS=me", "SLURM_CONF=/c", "SPRIO_FORMAT=x", "SLURM_CLUSTERS=two",
		"PBS_QSTAT_EXECONLY=1", "PBS_DEFAULT=h", "SACCT_FORMAT=", "HOME=SQUEUE_"}
	want := []string{"PATH=/bin", "SLURM_CONF=/c", "SLURM_CLUSTERS=two", "PBS_DEFAULT=h", "HOME=SQUEUE_"}
	if got := manager.Environment(user); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if user[1] != "SQUEUE_USERS=me" {
		t.Error("the list of the caller changed")
	}
}
