package counterexample

import (
	"reflect"
	"slices"
)

// shrink leaves out jobs, then what is special about them, as long as the policies differ in the same way.
func (s *Search) shrink(e *Example, kinds []Kind) *Example {
	try := func(q *Queue) bool {
		smaller, err := s.evaluate(q)
		if err != nil {
			return false
		}
		if smaller.compare(kinds); smaller.Kind > e.Kind {
			return false
		}
		e = smaller
		return true
	}
	for size := len(e.Queue.Jobs) / 2; size > 0; size /= 2 {
		for i := 0; i < len(e.Queue.Jobs); {
			q := *e.Queue
			q.Jobs = slices.Delete(slices.Clone(q.Jobs), i, min(i+size, len(q.Jobs)))
			if len(q.Jobs) == 0 || !try(&q) {
				i += size
			}
		}
	}
	for i := 0; i < len(e.Queue.Used); {
		q := *e.Queue
		if q.Used = slices.Delete(slices.Clone(q.Used), i, i+1); !try(&q) {
			i++
		}
	}
	for i := 0; i < len(e.Queue.Recorded); {
		q := *e.Queue
		if q.Recorded = slices.Delete(slices.Clone(q.Recorded), i, i+1); !try(&q) {
			i++
		}
	}
	for again := true; again; {
		again = false
		for i := range e.Queue.Jobs {
			for _, simplify := range s.simpler(e.Queue.Jobs[0]) {
				q := *e.Queue
				q.Jobs = slices.Clone(q.Jobs)
				waited := q.Jobs[i].waited()
				simplify(&q.Jobs[i], &waited)
				q.Jobs[i] = q.Jobs[i].complete(waited)
				if !reflect.DeepEqual(q.Jobs[i], e.Queue.Jobs[i]) && try(&q) {
					again = true
				}
			}
		}
	}
	q := *e.Queue
	q.Jobs = slices.Clone(q.Jobs)
	for i := range q.Jobs {
		q.Jobs[i].ID = i + 1
	}
	try(&q)
	return e
}

// simpler are the ways to make a job more ordinary: by plain values, by those of the first job, and by numbers
// half as far from the plain ones. None undoes another, so that they come to an end.
func (s *Search) simpler(like Job) []func(*Job, *int64) {
	plain := s.plain()
	list := []func(j *Job, waited *int64){
		func(j *Job, _ *int64) { j.State = pending },
		func(j *Job, _ *int64) { j.Nice = 0 },
		func(j *Job, _ *int64) { j.GPUs = 0 },
		func(j *Job, _ *int64) { j.SwapMB = 0 },
		func(j *Job, _ *int64) { j.DiskMB = 0 },
		func(j *Job, _ *int64) { j.BypassCount = 0 },
		func(j *Job, _ *int64) { j.Features = nil },
		func(j *Job, _ *int64) { j.Licenses = "" },
		func(j *Job, _ *int64) { j.Group = plain.Group },
		func(j *Job, _ *int64) {
			if j.QOS = plain.QOS; s.Vocabulary.AlwaysQOS {
				j.QOS = like.QOS
			}
		},
		func(j *Job, _ *int64) {
			if c := s.partition(like.Partition); j.Nodes <= c.Nodes && j.Procs <= max(1, j.Nodes)*c.NodeProcs {
				j.Partition = like.Partition
			}
		},
		func(j *Job, _ *int64) { j.Procs, j.Nodes, j.MemMB = 1, 1, 1024 },
		func(j *Job, _ *int64) { j.Nodes = 1; j.Procs = min(j.Procs, s.partition(j.Partition).NodeProcs) },
		func(j *Job, _ *int64) { j.MemMB = 1024 },
		func(j *Job, _ *int64) { j.WalltimeSeconds = 3600 },
		func(_ *Job, waited *int64) { *waited = 3600 },
		func(j *Job, _ *int64) { j.Procs = max(1, j.Nodes, j.Procs/2) },
		func(j *Job, _ *int64) { j.WalltimeSeconds = halfway(j.WalltimeSeconds, 60) },
		func(_ *Job, waited *int64) { *waited = halfway(*waited, 60) },
	}
	if len(s.Vocabulary.Members) > 0 {
		return append(list, func(j *Job, _ *int64) { j.User, j.Account = like.User, like.Account })
	}
	return append(list, func(j *Job, _ *int64) { j.Account = plain.Account },
		func(j *Job, _ *int64) { j.User = plain.User },
		func(j *Job, _ *int64) {
			if j.Account != plain.Account {
				j.Account = like.Account
			}
		},
		func(j *Job, _ *int64) {
			if j.User != plain.User {
				j.User = like.User
			}
		})
}

// plain is a job that no policy mentions.
func (s *Search) plain() Job {
	j := Job{User: stranger}
	if len(s.Vocabulary.Groups) > 0 {
		j.Group = stranger
	}
	return j
}

// halfway is a number half as far from an hour, in whole steps.
func halfway(seconds, step int64) int64 {
	if seconds <= 3600 {
		return seconds
	}
	return 3600 + (seconds-3600)/2/step*step
}

// partition finds a partition by its name.
func (s *Search) partition(name string) Partition {
	i := slices.IndexFunc(s.Vocabulary.Partitions, func(p Partition) bool { return p.Name == name })
	return s.Vocabulary.Partitions[max(0, i)]
}
