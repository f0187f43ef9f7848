package mauiplan

import "slices"

// eligible are the jobs of the HARD or the SOFT list (§4.5): in the order of priority, those whose idle and active
// limits allow them. Every job that passes is idle usage for the later ones; active usage is of jobs that ran
// before.
func (t *twin) eligible(waiting []*Job, hard bool) []*Job {
	var out []*Job
	for _, j := range waiting {
		if t.size(j) > t.upProcs("") {
			t.defer_(j)
			continue
		}
		if t.deferred[j] || !t.within(j, hard) || !t.allowed(j, hard, true, out) {
			continue
		}
		out = append(out, j)
	}
	return out
}

// defer_ sets a job aside (NoResources).
func (t *twin) defer_(j *Job) {
	if !t.deferred[j] {
		t.deferred[j] = true
		t.release(j)
		t.plan.Deferred = append(t.plan.Deferred, j.ID)
		if t.putOff[j] {
			t.plan.PutOff = append(t.plan.PutOff, j.ID)
		}
	}
}

// upProcs are the processors of the nodes that are up, in a partition or ("") in all.
func (t *twin) upProcs(partition string) int64 {
	n := int64(0)
	for k := range t.Nodes {
		if t.up(k) && (partition == "" || t.Nodes[k].Partition == partition) {
			n += t.Nodes[k].Procs
		}
	}
	return n
}

// within tells whether active limits let the job start beside all that runs by now (§4.1, §4.4).
func (t *twin) within(j *Job, hard bool) bool {
	using := slices.Clone(t.ran)
	for s := range t.started {
		using = append(using, s)
	}
	return t.allowed(j, hard, false, using)
}

// allowed tells whether every limit lets the job in beside those that use it already.
func (t *twin) allowed(j *Job, hard, idle bool, using []*Job) bool {
	for _, per := range []string{"user", "group", "account", "class", "qos", "class+user"} {
		for _, of := range []string{"JOB", "PROC", "NODE", "PS", "WC"} {
			limit := t.limit(j, per, of, hard, idle)
			if limit <= 0 {
				continue
			}
			sum := t.quantity(j, of)
			for _, u := range using {
				if credential(u, per) == credential(j, per) {
					sum += t.quantity(u, of)
				}
			}
			if sum > limit {
				return false
			}
		}
	}
	return true
}

func credential(j *Job, per string) string {
	return map[string]string{
		"user": j.User, "group": j.Group, "account": j.Account, "class": j.Class, "qos": j.QOS,
		"class+user": j.Class + " " + j.User,
	}[per]
}

// limit is the own value where its hard number is not 0, else that of DEFAULT (§4.2); idle limits have DEFAULT for
// users alone (§4.1), classes have none.
func (t *twin) limit(j *Job, per, of string, hard, idle bool) int64 {
	if of == "JOB" && slices.Contains(j.Flags, "IGNJOBPERUSER") && !idle {
		return 0
	}
	names := []string{credential(j, per)}
	if per == "class+user" {
		names = []string{j.Class}
	}
	if per == "user" || !idle && (per == "group" || per == "account" || per == "qos") {
		names = append(names, "DEFAULT")
	}
	if idle {
		of = "I" + of
	}
	for _, name := range names {
		for _, l := range t.Rules.Limits {
			if l.Per == per && l.Name == name && l.Of == of && l.Hard != 0 {
				if hard {
					return l.Hard
				}
				return l.Soft
			}
		}
	}
	return 0
}

// quantity is what a job counts against a limit (§4.1); running jobs under whole-node access count whole nodes, those
// started in this iteration what they asked for (P21).
func (t *twin) quantity(j *Job, of string) int64 {
	procs, seconds := t.size(j), j.Seconds
	if j.RunsOn != nil {
		seconds += j.Started
		if t.whole() {
			procs = 0
			for _, s := range j.RunsOn {
				procs += t.Nodes[s.Node].Procs
			}
		} else {
			procs = j.Tasks * j.ProcsPerTask
		}
	}
	switch of {
	case "JOB":
		return 1
	case "PROC":
		return procs
	case "NODE":
		return j.NodeCount
	case "PS":
		return procs * seconds
	}
	return seconds
}
