package slurm

// CheckSubmit asks whether a row may be submitted: nil, or the first limit for which slurmctld
// rejects it (acct_policy_validate). Limits on the number of jobs present always reject; all others
// only where a QOS says DenyOnLimit, or where the job has no QOS. Without that the job is
// accepted and waits.
func (s *Limits) CheckSubmit(row int) *Stop {
	clear(s.hidden)
	e := &s.entries[row]
	for k := range e.qos {
		q := &e.qos[k]
		if q.qos < 0 {
			continue
		}
		rules := s.holders[q.qos].submit
		for i := range rules {
			r := &rules[i]
			if s.isHidden(r) {
				continue
			}
			if stop := s.testSubmit(row, r, s.qosHolder(q, r.kind)); stop != nil {
				return stop
			}
		}
		for i := range rules {
			s.hide(&rules[i])
		}
	}
	for _, level := range s.chains[e.association] {
		for i := range level.submit {
			r := &level.submit[i]
			if s.isHidden(r) {
				continue
			}
			if stop := s.testSubmit(row, r, level.holder); stop != nil {
				return stop
			}
		}
	}
	return nil
}

// testSubmit looks at the job alone, but for the number of jobs: what others use passes.
func (s *Limits) testSubmit(row int, r *rule, h int32) *Stop {
	e, job := &s.entries[row], int(s.o.RowJob[row])
	limit := s.value(row, r, h)
	switch r.kind {
	case grpSubmit, maxSubmitPA, maxSubmitPU, maxSubmit:
		if n, tasks := *s.counter(h, atSubmitted), s.jobs[job].tasks; n+tasks > limit {
			return s.stop(row, r, h, Over, Stop{Value: limit, InUse: n, Asks: tasks})
		}
		return nil
	}
	if !e.strict {
		return nil
	}
	asks, test := int64(0), Above
	switch r.kind {
	case maxTRESPA, maxTRESPU, grpTRES, maxTRESPerJob:
		asks = s.request(job, r.tres)
	case maxTRESPerNode:
		asks = s.perNode(row, r.tres, s.request(job, r.tres))
	case minTRESPerJob:
		asks, test = s.request(job, r.tres), Below
	case grpTRESMins:
		if !s.o.Safe || !e.stated {
			return nil
		}
		asks = s.need(row, s.request(job, r.tres))
	case maxTRESMinsPerJob, grpTRESRunMins, maxRunMinsPA, maxRunMinsPU:
		if !e.stated {
			return nil // such a job gets a time limit that fits
		}
		asks = s.need(row, s.request(job, r.tres))
	case maxWall, grpWall:
		if !e.stated {
			return nil
		}
		asks = e.minutes
	}
	if test == Above && asks > limit || test == Below && asks < limit {
		return s.stop(row, r, h, test, Stop{Value: limit, Asks: asks})
	}
	return nil
}
