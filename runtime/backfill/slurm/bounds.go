package slurm

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// setting is a setting as it stands in SchedulerParameters.
func (p *planner) setting(name string) string {
	s, n := p.in.Settings, int64(0)
	switch name {
	case "bf_interval":
		n = -1 // the only value that matters to a plan
	case "bf_window":
		n = s.WindowSeconds / 60
	case "bf_max_job_test":
		n = s.Tests
	case "bf_max_job_start":
		n = s.Starts
	case "bf_node_space_size":
		n = s.TableSize
	case "bf_max_job_array_resv":
		n = s.ArrayReservations
	case "bf_max_job_part":
		n = s.PerPartition
	case "bf_max_job_user":
		n = s.PerUser
	case "bf_max_job_user_part":
		n = s.PerUserPartition
	case "bf_max_job_assoc":
		n = s.PerAssociation
	case "bf_job_part_count_reserve":
		n = s.PartitionReserve
	case "bf_min_age_reserve":
		n = s.MinAgeSeconds
	case "bf_min_prio_reserve":
		n = s.MinPriority
	case "max_job_bf":
		n = s.BuiltinTests
	default:
		return name
	}
	return fmt.Sprintf("%s=%d", name, n)
}

// bind notes the setting by which a job gets no reservation: the first one that is in its way.
func (p *planner) bind(e *Entry, name string) {
	if j := &p.jobs[e.Request]; j.bound == "" && name != "" {
		j.bound = p.setting(name)
	}
}

// bindRest notes what ended the cycle before these entries.
func (p *planner) bindRest(queue []int32) {
	for _, entry := range queue {
		p.bind(&p.in.Entries[entry], p.stopped)
	}
}

// bounds are the numbers of jobs tested for each partition, user and so on.
type bounds struct {
	in   *Input
	part []int64
	user map[string]int64
	both map[[2]string]int64
	by   map[string]int64 // association
}

func newBounds(in *Input) bounds {
	return bounds{in: in, part: make([]int64, len(in.Cluster.Partitions)), user: map[string]int64{},
		both: map[[2]string]int64{}, by: map[string]int64{}}
}

// exceeded counts a job, unless one of the bounds is reached, which it names (_job_exceeds_max_bf_param). A bound on
// associations replaces that on users.
func (b *bounds) exceeded(e *Entry, r *backfill.Request) string {
	s := b.in.Settings
	var both [2]string
	if s.PerUserPartition > 0 {
		both = [2]string{r.User, b.in.Cluster.Partitions[e.Partition].Name}
	}
	byUser := s.PerUser > 0 && s.PerAssociation == 0
	full := func(n, most int64) bool { return most > 0 && n >= most }
	switch {
	case s.PerUserPartition > 0 && full(b.both[both], s.PerUserPartition):
		return "bf_max_job_user_part"
	case full(b.part[e.Partition], s.PerPartition):
		return "bf_max_job_part"
	case s.PerAssociation > 0 && full(b.by[e.Association], s.PerAssociation):
		return "bf_max_job_assoc"
	case byUser && full(b.user[r.User], s.PerUser):
		return "bf_max_job_user"
	}
	b.part[e.Partition]++
	if s.PerUserPartition > 0 {
		b.both[both]++
	}
	if byUser {
		b.user[r.User]++
	}
	if s.PerAssociation > 0 {
		b.by[e.Association]++
	}
	return ""
}
