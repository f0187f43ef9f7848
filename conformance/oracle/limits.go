package oracle

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
)

// mauiCounts are what Maui's limits count, memory by its manual alone.
var mauiCounts = []string{"jobs", "procs", "nodes", "proc_seconds", "processor_equivalents", "walltime", "memory"}

// limitObjects are what limits may be written on; "" is the whole system.
var limitObjects = []string{"user", "group", "account", "partition", "qos", ""}

// amount is what a job adds to a count of a phase: what it asks for, or what is left of it while it runs
// and is counted with others.
func (q *queue) amount(job cells, counts, phase string) int64 {
	switch counts {
	case "jobs":
		return 1
	case "walltime":
		seconds := job["job.walltime_seconds"].Int
		if phase != "job" && runs(job) && job["job.start_time"].Known() {
			seconds = max(0, seconds-(q.snap.Now-job["job.start_time"].Int))
		}
		return int64(int32(seconds))
	case "proc_seconds":
		return int64(int32(q.amount(job, "procs", phase) * q.amount(job, "walltime", phase)))
	case "memory":
		return int64(int32(job["job.mem_mb"].Int))
	case "processor_equivalents":
		return int64(int32(int64(job["job.processor_equivalents"].Double)))
	}
	return int64(int32(job[schema.ColumnID("job."+counts)].Int))
}

// numberOf is a limit's number for a walk; 0: it has none.
func numberOf(l *ir.Limit, hard bool) int64 {
	f := l.Soft
	if hard {
		f = l.Hard
	}
	if f == nil || *f < 0 {
		return 0
	}
	return int64(*f)
}

// inForce is the limit that a job meets of those on one object, kept per some credentials, on one
// count in one phase: the override of its QOS, else the one that names its credentials most exactly,
// of equal ones the last.
func (q *queue) inForce(job cells, object string, per []string, counts, phase string) *ir.Limit {
	var own, override *ir.Limit
	best := 1
	for i := range q.policy.Limits {
		l := &q.policy.Limits[i]
		switch {
		case l.Counts != counts || l.Phase != phase || l.AtLeast:
		case l.Override && reaches(l, object) && names(job, l.Object) != "" && (l.Row == names(job, l.Object) || l.Others):
			override = l
		case !l.Override && l.Object == object && slices.Equal(l.Per, per):
			if r := exactness(l, job); r >= best {
				own, best = l, r
			}
		}
	}
	if override != nil && (own != nil || !override.Existing) {
		return override
	}
	return own
}

func names(job cells, object string) string { return job.text(schema.ColumnID("job." + object)) }

// reaches reports whether an override replaces limits on an object. One on single jobs replaces the
// system's.
func reaches(l *ir.Limit, object string) bool {
	switch {
	case l.Reach != nil:
		return slices.Contains(l.Reach, object)
	case l.Phase == "job":
		return object == ""
	}
	return object != ""
}

// exactness is 0 for a limit that does not mean the job, and greater the more of the job's credentials
// the limit names.
func exactness(l *ir.Limit, job cells) int {
	exact := 1
	switch {
	case l.Object == "" || l.Others:
	case l.Row == names(job, l.Object):
		exact += 100
	default:
		return 0
	}
	for i, name := range l.Cross {
		switch {
		case name == "":
		case name == names(job, l.Per[i+1]):
			exact++
		default:
			return 0
		}
	}
	return exact
}

// tooSmall reports whether a job asks for less than a limit of its credentials wants.
func (q *queue) tooSmall(job cells) bool {
	for _, object := range limitObjects {
		var own *ir.Limit
		best := 1
		for i := range q.policy.Limits {
			if l := &q.policy.Limits[i]; l.AtLeast && l.Object == object {
				if r := exactness(l, job); r >= best {
					own, best = l, r
				}
			}
		}
		if own != nil && !lacks(job, own.Per) && numberOf(own, true) != 0 &&
			q.amount(job, own.Counts, "job") < numberOf(own, true) {
			return true
		}
	}
	return false
}

// tooLarge reports whether a job alone breaks a limit on single jobs. Those of credentials, and the one
// on the run time of all jobs, hold a job as soon as it is loaded.
func (q *queue) tooLarge(job cells, loaded, hard bool) bool {
	if loaded && q.tooSmall(job) {
		return true
	}
	for _, object := range limitObjects {
		for _, counts := range mauiCounts {
			per := []string{object}
			if object == "" {
				per = nil
			}
			l := q.inForce(job, object, per, counts, "job")
			if l == nil || lacks(job, per) || loaded != (object != "" || counts == "walltime") {
				continue
			}
			if n := numberOf(l, hard); n != 0 && q.amount(job, counts, "job") > n {
				return true
			}
		}
	}
	return false
}

// exceeds reports whether a job, added to the others that count, breaks a limit of a phase.
func (q *queue) exceeds(job cells, counted []int, phase string, hard bool) bool {
	for _, object := range limitObjects {
		for _, per := range q.pers(object, phase) {
			for _, counts := range mauiCounts {
				l := q.inForce(job, object, per, counts, phase)
				if l == nil || numberOf(l, hard) == 0 || lacks(job, per) {
					continue
				}
				used := int64(0)
				for _, other := range counted {
					if sharesNames(job, q.jobs[other], per) {
						used = int64(int32(used + q.amount(q.jobs[other], counts, phase)))
					}
				}
				if int64(int32(used+q.amount(job, counts, phase))) > numberOf(l, hard) {
					return true
				}
			}
		}
	}
	return false
}

// pers are the ways in which limits on an object are kept: per its names, and per combinations with
// other credentials where the policy has such a limit.
func (q *queue) pers(object, phase string) [][]string {
	if object == "" {
		return [][]string{nil}
	}
	list := [][]string{{object}}
	for i := range q.policy.Limits {
		l := &q.policy.Limits[i]
		if l.Object == object && l.Phase == phase && !l.Override &&
			!slices.ContainsFunc(list, func(p []string) bool { return slices.Equal(p, l.Per) }) {
			list = append(list, l.Per)
		}
	}
	return list
}

func lacks(job cells, per []string) bool {
	return slices.ContainsFunc(per, func(object string) bool { return names(job, object) == "" })
}

func sharesNames(a, b cells, per []string) bool {
	return !slices.ContainsFunc(per, func(object string) bool { return names(a, object) != names(b, object) })
}
