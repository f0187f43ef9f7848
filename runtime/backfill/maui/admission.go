package maui

import (
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// affinity is how much a job wants a node, by the reservations that it may use there. Nodes are chosen by
// falling affinity.
type affinity uint8

const (
	negative affinity = iota // a reservation that takes the job only if it must
	none
	neutral
	positive // a reservation for the job, or one of its own (recorded: b08, n07)
)

// admitter says who may use a standing reservation: whoever is on one of its lists, unless an entry denies it or he is
// not what every entry marked as required says.
func admitter(spec *program.StandingReservation) func(*Job) (affinity, bool) {
	return func(j *Job) (affinity, bool) {
		found, odd, ok := neutral, 0, false
		if spec.MaxTimeSeconds > 0 && j.WalltimeSeconds <= spec.MaxTimeSeconds {
			ok = true
		}
		for i := range spec.Admits {
			a := &spec.Admits[i]
			matches := a.Name == nameOf(a.Object, j) || a.Name == "ALL" || a.Name == "[ALL]"
			switch {
			case a.Only && !matches, a.Deny && matches:
				return none, false
			case a.Deny || !matches:
				continue
			}
			if a.Xor {
				odd++
			}
			switch {
			case a.Affinity == "-" && !ok:
				found = negative
			case a.Affinity == "-":
			case a.Affinity == "=":
				found = max(found, neutral)
			default:
				found = positive
			}
			ok = true
		}
		return found, ok && odd < 2
	}
}

func nameOf(object string, j *Job) string {
	switch object {
	case "user":
		return j.User
	case "group":
		return j.Group
	case "account":
		return j.Account
	case "qos":
		return j.QOS
	case "class":
		return j.Class
	}
	return ""
}

// serves is how a reservation serves a job that begins at a time: if it admits it, unless he would be in it for longer
// than its TIMELIMIT.
func (s *standing) serves(j *Job, at int64) (affinity, bool) {
	want, ok := s.admits(j)
	if ok && s.limit > 0 && min(s.end, profile.End(at, j.WalltimeSeconds))-max(s.start, at) > s.limit {
		return none, false
	}
	return want, ok
}

// limits reports a reservation that admits a job at some times and not at others.
func (s *standing) limits(j *Job) bool {
	if s.limit <= 0 || j.WalltimeSeconds <= s.limit || s.end-s.start <= s.limit {
		return false
	}
	_, ok := s.admits(j)
	return ok
}

// closed is the time with which a job may have nothing in common that a reservation admits at some times: all but the
// limit at either end. Where the limit is longer than half of the reservation that is a little more than is needed.
func (s *standing) closed() (from, to int64) {
	if s.end >= forever {
		return s.start + s.limit, s.end
	}
	from, to = s.start+s.limit, s.end-s.limit
	return min(from, to), max(from, to)
}

// wants is how much a job that begins at a time wants a node: by its own reservation, and by those that it may use,
// even if they begin after its end, before the node first has no room for it (maui.md §9 P4; recorded: n08).
func (p *Planner) wants(n *node, j *Job, spans []span, begin int64) affinity {
	if p.own[n.index] == j.Job+1 {
		return positive
	}
	if len(n.standing) == 0 {
		return none
	}
	full := forever
	for _, s := range spans {
		if s.end > begin && s.tasks == 0 {
			full = s.start
			break
		}
	}
	best := none
	for _, s := range n.standing {
		want, ok := s.serves(j, begin)
		if !ok || s.start >= full || s.end <= begin {
			continue
		}
		if want == negative && best == none || want > best && want != negative {
			best = want
		}
	}
	return best
}
