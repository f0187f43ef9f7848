package slurm

import (
	"github.com/fairway-sched/fairway/runtime/limit"
)

// Add counts a job as running: in its association and all above, in its QOS and its partition's, and
// in what its user and account have there.
func (s *Limits) Add(job int) {
	s.eachHolder(job, func(h int32) {
		*s.counter(h, atJobs)++
		for t := range int32(len(s.tres)) {
			*s.inUse(h, t) += s.request(job, t)
			*s.reserved(h, t) += s.reserve(job, s.request(job, t))
		}
		if s.nodeAt >= 0 && len(s.jobs[job].hosts) > 0 {
			s.addHosts(h, job)
		}
	})
}

// Remove takes a job out that Add has counted: it is ended so that another can start (deallocate_nodes).
func (s *Limits) Remove(job int) { s.remove(int(s.o.JobRow[job])) }

func (s *Limits) remove(row int) {
	job := int(s.o.RowJob[row])
	s.eachHolderOf(row, func(h int32) {
		*s.counter(h, atJobs)--
		for t := range int32(len(s.tres)) {
			if int(t) != s.nodeAt || len(s.jobs[job].hosts) == 0 {
				*s.inUse(h, t) -= s.request(job, t)
			}
			*s.reserved(h, t) -= s.reserve(job, s.request(job, t))
		}
		if s.nodeAt >= 0 && len(s.jobs[job].hosts) > 0 {
			s.removeHosts(h, job)
		}
	})
}

// addHosts: nodes that a group already has do not count again (_get_unique_job_node_cnt).
func (s *Limits) addHosts(h int32, job int) {
	if s.hosts[h] == nil {
		s.hosts[h] = map[string]int32{}
	}
	alone := s.alone(s.o.JobRow[job])
	for _, host := range s.jobs[job].hosts {
		s.hosts[h][host]++
		if alone || s.o.Full != nil && s.o.Full(host) {
			s.full[host] = true
		}
	}
	*s.inUse(h, int32(s.nodeAt)) = int64(len(s.hosts[h]))
	s.open[h] = -1
}

// removeHosts: a node that another job of the group has still counts.
func (s *Limits) removeHosts(h int32, job int) {
	for _, host := range s.jobs[job].hosts {
		if s.hosts[h][host]--; s.hosts[h][host] <= 0 {
			delete(s.hosts[h], host)
			*s.inUse(h, int32(s.nodeAt))--
		}
		delete(s.full, host)
	}
	s.open[h] = -1
}

// openHosts are the nodes of a group that another of its jobs may be put on.
func (s *Limits) openHosts(h int32) int64 {
	if s.open[h] < 0 {
		s.open[h] = 0
		for host := range s.hosts[h] {
			if !s.full[host] {
				s.open[h]++
			}
		}
	}
	return s.open[h]
}

// reserve is what a running job that has an amount of a TRES may still use of it, in seconds, times its usage factor.
func (s *Limits) reserve(job int, amount int64) int64 {
	j := &s.jobs[job]
	whole := limit.Product(amount, j.left)
	if j.factor != 1 {
		return clamp(limit.Truncate(float64(whole) * j.factor))
	}
	return clamp(whole)
}

// AddSubmitted counts a job as present: each task of an array for one.
func (s *Limits) AddSubmitted(job int) {
	s.eachHolder(job, func(h int32) { *s.counter(h, atSubmitted) += s.jobs[job].tasks })
}

// AddAccruing counts a waiting job whose age grows: each task of an array for one (recorded:
// backfill-max-job-part-array, eligible-age).
func (s *Limits) AddAccruing(job int) { s.AddAccruingTasks(job, s.jobs[job].tasks) }

// AddAccruingTasks counts some tasks of an array, those that are split off since there is room for them.
func (s *Limits) AddAccruingTasks(job int, tasks int64) {
	s.eachHolder(job, func(h int32) { *s.counter(h, atAccruing) += tasks })
}

// Tasks is how many jobs a job counts for: the tasks of an array.
func (s *Limits) Tasks(job int) int64 { return s.jobs[job].tasks }

// eachHolder visits what counts a job, each once.
func (s *Limits) eachHolder(job int, visit func(h int32)) {
	s.eachHolderOf(int(s.o.JobRow[job]), visit)
}

// eachHolderOf visits what counts the job when it runs in the partition of this row.
func (s *Limits) eachHolderOf(row int, visit func(h int32)) {
	e := &s.entries[row]
	for h := e.association; h >= 0; h = s.holders[h].above {
		visit(h)
	}
	for _, q := range e.qos {
		if q.qos >= 0 {
			visit(q.qos)
			visit(q.user)
			visit(q.account)
		}
	}
}

// clamp keeps sums of amounts within what an int64 holds.
func clamp(x int64) int64 { return min(max(x, -limit.Most), limit.Most) }
