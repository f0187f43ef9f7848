package limit

// CheckAccrue asks whether the age of a row may begin to grow: nil, or the limit that has no room.
// The tightest limit of its QOS decides; only where they have none, the first association on the
// way up that has one (acct_policy_calc_accrue; recorded: limit-accrue).
func (s *Slurm) CheckAccrue(row int) *SlurmStop {
	e := &s.entries[row]
	var tightest *SlurmStop
	least, any := int64(0), false
	ask := func(r *rule, h int32) {
		n := *s.counter(h, atAccruing)
		if room := r.value - n; !any || room < least {
			least, any, tightest = room, true, nil
			if room <= 0 {
				tightest = s.stop(row, r, h, Full, SlurmStop{Value: r.value, InUse: n, Asks: 1})
			}
		}
	}
	for k := range e.qos {
		q := &e.qos[k]
		if q.qos < 0 {
			continue
		}
		rules := s.holders[q.qos].rules
		for i := range rules {
			if rules[i].kind.accrues() {
				ask(&rules[i], s.qosHolder(q, rules[i].kind))
			}
		}
	}
	for _, level := range s.chains[e.association] {
		if any {
			break
		}
		for i := range level.rules {
			if level.rules[i].kind.accrues() {
				ask(&level.rules[i], level.holder)
			}
		}
	}
	return tightest
}

// LimitsAccrual reports whether any limit on ages is set.
func (s *Slurm) LimitsAccrual() bool {
	for i := range s.limits {
		if k, ok := slurmKindOf(s.limits[i].Kind); ok && k.accrues() {
			return true
		}
	}
	return false
}

func (k slurmKind) accrues() bool { return k >= grpAccrue }
