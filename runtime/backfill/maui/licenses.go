package maui

import (
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// licenses are those of the cluster as seen by jobs that the same reservations of licences admit. Maui itself has
// licences as generic resources of a node of its own, GLOBAL; here they are counted beside the nodes.
type licenses struct {
	key  string
	free map[string]*profile.Steps
	ends []int64 // when there may be more of them
}

// newLicenses gives every job that asks for licences its view of them.
func (p *Planner) newLicenses(c *backfill.Cluster) {
	p.licensesOf = make([]*licenses, len(p.jobs))
	for job := range p.jobs {
		j := &p.jobs[job]
		if len(j.Licenses) == 0 {
			continue
		}
		var key []byte
		for i := range c.Reservations {
			if r := &c.Reservations[i]; len(r.Licenses) > 0 && (r.Admits == nil || !r.Admits(&j.Request)) {
				key = append(key, byte(i), byte(i>>8), byte(i>>16))
			}
		}
		at := slices.IndexFunc(p.licenses, func(l *licenses) bool { return l.key == string(key) })
		if at < 0 {
			l := &licenses{key: string(key), free: map[string]*profile.Steps{}}
			for name, total := range c.Licenses {
				l.free[name] = profile.NewSteps(p.now, min(total-c.Elsewhere[name], plentiful))
			}
			for k := 0; k < len(key); k += 3 {
				r := &c.Reservations[int(key[k])|int(key[k+1])<<8|int(key[k+2])<<16]
				l.add(r.Licenses, r.Start, r.End, 1)
			}
			at = len(p.licenses)
			p.licenses = append(p.licenses, l)
		}
		p.licensesOf[job] = p.licenses[at]
	}
}

// add takes licences for a time (sign 1), or gives them back.
func (l *licenses) add(wants map[string]int64, from, to, sign int64) {
	for name, n := range wants {
		if steps := l.free[name]; steps != nil {
			steps.Add(from, to, sign*min(n, plentiful))
		}
	}
	if at, known := slices.BinarySearch(l.ends, to); !known {
		l.ends = slices.Insert(l.ends, at, to)
	}
}

// license gives a job its licences for a time, or takes them back.
func (p *Planner) license(job int32, from, to, sign int64) {
	if j := &p.jobs[job]; len(j.Licenses) > 0 {
		for _, l := range p.licenses {
			l.add(j.Licenses, max(from, p.now), to, sign)
		}
	}
}

// licensed is the first time from one on and before another at which a job may begin as far as licences go.
func (p *Planner) licensed(j *Job, after, before int64) (int64, bool) {
	if len(j.Licenses) == 0 {
		return after, true
	}
	l := p.licensesOf[j.Job]
	for again := true; again; {
		again = false
		for name, n := range j.Licenses {
			steps := l.free[name]
			if n <= 0 {
				continue
			}
			if steps == nil {
				return 0, false
			}
			at, ok := steps.FirstFit(after, before, max(1, j.WalltimeSeconds), min(n, plentiful))
			if !ok {
				return 0, false
			}
			again, after = again || at > after, at
		}
	}
	return after, true
}

// awaited says which licences a job waits for that begins at a time and has not got any yet.
func (p *Planner) awaited(j *Job, at int64) (list []backfill.Wait) {
	for _, name := range slices.Sorted(maps.Keys(j.Licenses)) {
		steps, n := p.licensesOf[j.Job].free[name], min(j.Licenses[name], plentiful)
		if n <= 0 || steps == nil || at <= p.now {
			continue
		}
		if _, free := steps.FirstFit(at-1, at, max(1, j.WalltimeSeconds), n); !free {
			list = append(list, backfill.Wait{Kind: backfill.WaitLicense, Job: -1, Name: name, Until: at})
		}
	}
	return list
}

// elsewhere says which licences a job waits for that no job is known to have.
func (p *Planner) elsewhere(j *Job) (list []backfill.Wait) {
	for _, name := range slices.Sorted(maps.Keys(j.Licenses)) {
		if n, all := j.Licenses[name], p.cluster.Licenses[name]; n <= all && n > all-p.cluster.Elsewhere[name] {
			list = append(list, backfill.Wait{Kind: backfill.WaitElsewhere, Job: -1, Name: name})
		}
	}
	return list
}

// openings are the times at which a job may get licences that it could not have before.
func (p *Planner) openings(j *Job) (list []change) {
	if len(j.Licenses) == 0 {
		return nil
	}
	for _, at := range p.licensesOf[j.Job].ends {
		if at > p.now && at < forever {
			list = append(list, change{at: at, opens: true})
		}
	}
	return list
}
