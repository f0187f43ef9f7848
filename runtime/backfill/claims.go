package backfill

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// claim is what a reservation keeps of one node, or of a licence, from those that it does not admit.
// Jobs that it admits use up what is kept: others see the larger of both, not the sum.
type claim struct {
	reservation int32
	complement  bool // what is not of the reservation, kept from those that asked for it
	from, to    int64
	amounts     []int64
	inside      []profile.Span // jobs that it is kept for
}

// holds reports a job for which the claim is kept.
func (c *claim) holds(admits []bool) bool { return admits[c.reservation] != c.complement }

// withClaims calls add with what a span takes beside what claims have taken already.
func withClaims(claims []*claim, admits []bool, s profile.Span, add func(s profile.Span)) {
	for i, c := range claims {
		from, to := max(s.From, c.from), min(s.To, c.to)
		if from >= to || !c.holds(admits) {
			continue
		}
		before, after := s, s
		before.To, after.From = from, to
		for _, rest := range []profile.Span{before, after} {
			if rest.From < rest.To {
				withClaims(claims[i+1:], admits, rest, add)
			}
		}
		s.From, s.To = from, to
		c.take(s, add)
		return
	}
	add(s)
}

// take enters a span that lies in the claim, piece by piece.
func (c *claim) take(s profile.Span, add func(s profile.Span)) {
	bounds := []int64{s.From, s.To}
	for _, o := range c.inside {
		for _, at := range [...]int64{o.From, o.To} {
			if at > s.From && at < s.To {
				bounds = append(bounds, at)
			}
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	for i := range bounds[1:] {
		piece := s
		piece.From, piece.To = bounds[i], bounds[i+1]
		used := make([]int64, len(s.Amounts))
		for _, o := range c.inside {
			if o.From <= piece.From && o.To > piece.From {
				for d, a := range o.Amounts {
					used[d] += a
				}
			}
		}
		piece.Amounts = make([]int64, len(s.Amounts))
		for d, a := range s.Amounts {
			piece.Amounts[d] = max(c.amounts[d], used[d]+a) - max(c.amounts[d], used[d])
		}
		add(piece)
	}
	c.inside = append(c.inside, s)
}

// remember notes, while a plan is tried, who uses claims.
func (p *planner) remember(claims []*claim) {
	if !p.trial {
		return
	}
	for _, c := range claims {
		n := len(c.inside)
		p.undo = append(p.undo, func() { c.inside = c.inside[:n] })
	}
}
