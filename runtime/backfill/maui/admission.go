package maui

import "github.com/fairway-sched/fairway/runtime/program"

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
		if spec.TimeLimitSeconds > 0 && j.WalltimeSeconds > spec.TimeLimitSeconds {
			return none, false
		}
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

// wants is how much a job wants a node: by its own reservation, and by those reservations that it may use and that
// are in force when room for it begins or grows (recorded: n08).
func (p *Planner) wants(n *node, j *Job, spans []span) affinity {
	if p.own[n.index] == j.Job+1 {
		return positive
	}
	best := none
	for _, s := range n.standing {
		want, ok := s.admits(j)
		if !ok {
			continue
		}
		for _, at := range spans {
			if at.start >= s.start && at.start < s.end {
				if want == negative && best == none || want > best && want != negative {
					best = want
				}
				break
			}
		}
	}
	return best
}
