package slurm

import (
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"maps"
	"slices"
)

// Clone makes counters of their own, for a plan that starts jobs.
func (s *Limits) Clone() *Limits {
	c := *s
	c.counts, c.requests, c.hidden, c.open = slices.Clone(s.counts), slices.Clone(s.requests), slices.Clone(s.hidden),
		slices.Clone(s.open)
	c.full = maps.Clone(s.full)
	c.hosts = make([]map[string]int32, len(s.hosts))
	for i, hosts := range s.hosts {
		c.hosts[i] = maps.Clone(hosts)
	}
	return &c
}

// CheckBeforeNodes asks the limits of a row that need no nodes (acct_policy_job_runnable_pre_select).
func (s *Limits) CheckBeforeNodes(row int) *Stop {
	clear(s.hidden)
	return s.walk(row, limitKind.beforeNodes)
}

// CheckWithNodes asks the others, for what the job would get (acct_policy_job_runnable_post_select).
func (s *Limits) CheckWithNodes(row int, got timeline.Got) (stop *Stop) {
	s.as(row, got, func() {
		clear(s.hidden)
		stop = s.walk(row, limitKind.withNodes)
	})
	return stop
}

// Start counts a row's job as running with what it gets; each task of an array once.
func (s *Limits) Start(row int, got timeline.Got) {
	job := int(s.o.RowJob[row])
	s.as(row, got, func() {
		s.eachHolderOf(row, func(h int32) {
			*s.counter(h, atJobs)++
			for t := range int32(len(s.tres)) {
				asks := s.asks(row, t)
				*s.inUse(h, t) += asks
				*s.reserved(h, t) += s.reserve(job, asks)
			}
			if s.nodeAt >= 0 && got.Hosts != nil {
				*s.inUse(h, int32(s.nodeAt)) -= s.request(job, int32(s.nodeAt))
				s.addHosts(h, job)
			}
		})
	})
}

// End takes out what Start has counted.
func (s *Limits) End(row int, got timeline.Got) {
	s.as(row, got, func() { s.remove(row) })
}

// as makes f see a job with what it gets.
func (s *Limits) as(row int, got timeline.Got, f func()) {
	job := int(s.o.RowJob[row])
	own := s.requests[job*len(s.tres) : (job+1)*len(s.tres)]
	kept, hosts := slices.Clone(own), s.jobs[job].hosts
	for t, name := range s.tres {
		switch {
		case name == "cpu" && got.Procs > 0:
			own[t] = got.Procs
		case name == "mem" && got.MemMB > 0:
			own[t] = got.MemMB
		case name == "node" && got.Nodes > 0:
			own[t] = got.Nodes
		}
	}
	s.jobs[job].hosts, s.exact, s.apart, s.procs = got.Hosts, got.Hosts != nil, got.Hosts == nil, got.Procs > 0
	f()
	copy(own, kept)
	s.jobs[job].hosts, s.exact, s.apart, s.procs = hosts, false, false, false
}

// NodesMax is the limit that gives the row's job the fewest nodes, nil if none bounds them: a job that wants more is
// not tried at all (acct_policy_get_max_nodes). What a QOS limits is not asked of associations.
func (s *Limits) NodesMax(row int) *Stop {
	if s.nodeAt < 0 {
		return nil
	}
	var least *Stop
	try := func(r *rule, h int32) {
		if v := s.value(row, r, h); int(r.tres) == s.nodeAt && (least == nil || v < least.Value) {
			least = s.stop(row, r, h, Above, Stop{Value: v})
		}
	}
	e, set := &s.entries[row], map[limitKind]bool{}
	for k := range e.qos {
		q := &e.qos[k]
		if q.qos < 0 {
			continue
		}
		said := map[limitKind]bool{}
		for _, kind := range []limitKind{maxTRESPA, maxTRESPerJob, maxTRESPU, grpTRES} {
			for i := range s.holders[q.qos].rules {
				if r := &s.holders[q.qos].rules[i]; r.kind == kind && int(r.tres) == s.nodeAt && !set[kind] {
					try(r, s.qosHolder(q, kind))
					said[kind] = true
				}
			}
		}
		for kind := range said {
			set[kind] = true
		}
	}
	for _, level := range s.chains[e.association] {
		grouped := false
		for i := range level.rules {
			r := &level.rules[i]
			own := r.kind == maxTRESPerJob && !set[maxTRESPA] && !set[maxTRESPerJob] && !set[maxTRESPU]
			if group := r.kind == grpTRES && !set[grpTRES]; own || group {
				try(r, level.holder)
				grouped = grouped || group && int(r.tres) == s.nodeAt
			}
		}
		if grouped { // only the first group's limit counts
			break
		}
	}
	return least
}
