package slurm

import (
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// licenses counts the licences of the cluster.
type licenses struct {
	names []string
	all   []int64
	total []int64 // without those for which no input says who has them
	used  []int64
}

func newLicenses(in *Input) licenses {
	l := licenses{names: slices.Sorted(maps.Keys(in.Cluster.Licenses))}
	for _, name := range l.names {
		l.all = append(l.all, in.Cluster.Licenses[name])
		l.total = append(l.total, in.Cluster.Licenses[name]-in.Cluster.Elsewhere[name])
	}
	l.used = make([]int64, len(l.names))
	for k := range in.Running {
		l.start(&in.Running[k])
	}
	return l
}

func (l *licenses) start(r *backfill.Request) {
	for k, name := range l.names {
		l.used[k] += r.Licenses[name]
	}
}

func (l *licenses) stop(r *backfill.Request) {
	for k, name := range l.names {
		l.used[k] -= r.Licenses[name]
	}
}

// suffice reports that a job could have its licences out of those that are free. What the cluster does not know of,
// no job gets.
func (l *licenses) suffice(r *backfill.Request, free []int64) bool {
	for name, n := range r.Licenses {
		k, ok := slices.BinarySearch(l.names, name)
		if n > 0 && (!ok || n > free[k]) {
			return false
		}
	}
	return true
}

// freeLicenses are those that neither running jobs nor reservations have at a time, as far as a job may not use these.
func (p *planner) freeLicenses(r *backfill.Request, at, seconds int64) []int64 {
	l := &p.licenses
	free := make([]int64, len(l.names))
	for k := range free {
		free[k] = l.total[k] - l.used[k]
	}
	for k := range p.in.Cluster.Reservations {
		v := &p.in.Cluster.Reservations[k]
		if v.Start >= at+seconds || v.End <= at || v.Name == r.Reservation && r.Reservation != "" {
			continue
		}
		for i, name := range l.names {
			free[i] -= v.Licenses[name]
		}
	}
	return free
}

// never names a licence if a job wants more than there are; "" if there is none.
func (l *licenses) never(r *backfill.Request) string {
	for _, name := range slices.Sorted(maps.Keys(r.Licenses)) {
		k, ok := slices.BinarySearch(l.names, name)
		if n := r.Licenses[name]; n > 0 && (!ok || n > l.all[k]) {
			return name
		}
	}
	return ""
}

// taker takes a job's licences out of a slot of the map.
func (l *licenses) taker(r *backfill.Request) func(free []int64) {
	if len(r.Licenses) == 0 {
		return nil
	}
	return func(free []int64) {
		for k, name := range l.names {
			free[k] -= r.Licenses[name]
		}
	}
}
