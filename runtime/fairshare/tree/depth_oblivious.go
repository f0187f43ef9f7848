package tree

import "math"

// unsetUsage is the normalised usage of an association that the controller has not
// yet looked at: NO_VAL.
const unsetUsage = 0xfffffffe

// depthOblivious is the effective usage of PriorityFlags=DEPTH_OBLIVIOUS, which is
// to let the depth of an account matter less: usage over shares of the account above
// times that of the association among its siblings, the latter damped when the two
// pull in different directions (priority_multifactor.c: _depth_oblivious_set_usage_efctv).
func (c *Classic) depthOblivious(i int) float64 {
	t := c.Tree
	p := t.FairshareParent[i]
	if p < 0 {
		return 1
	}
	used, shares := c.NormUsage(i), c.NormShares[i]
	if t.shares[i] == ParentShares {
		if p == 0 {
			return used
		}
		return c.used[p]
	}
	siblings := c.siblings[p].users.used + c.siblings[p].accounts.used
	if c.options.FirstPass {
		siblings = c.siblings[p].firstPass(used, t.isUser[i])
	}
	aboveUsed, aboveShares := c.used[p], c.NormShares[p]
	if p == 0 || used == 0 || shares == 0 || aboveUsed == 0 || aboveShares == 0 {
		return used
	}
	above := aboveUsed / aboveShares
	local := used / shares / (siblings / aboveShares)
	weight := 1.0
	if math.Log(above)*math.Log(local) < 0 {
		weight = 1 / (1 + math.Pow(5*math.Log(above), 2))
	}
	return above * math.Pow(local, weight) * shares
}

// siblings are what competes below an account with shares of its own.
type siblings struct{ users, accounts group }

type group struct {
	used   float64 // normalised usage of all
	count  int
	passed float64 // of those the first pass came by
	left   int     // how many it has yet to come by
}

func (s *siblings) group(user bool) *group {
	if user {
		return &s.users
	}
	return &s.accounts
}

func (c *Classic) sumSiblings() {
	t := c.Tree
	c.siblings = resized(c.siblings, t.Len())
	clear(c.siblings)
	for i := 1; i < t.Len(); i++ {
		if t.shares[i] != ParentShares {
			g := c.siblings[t.FairshareParent[i]].group(t.isUser[i])
			g.used += c.NormUsage(i)
			g.count++
			g.left++
		}
	}
}

// firstPass comes by a sibling and returns the sum as it looks then. The first pass
// after a start looks at all accounts, later at the users, in tree order; the
// usage of those still to come is unset and spoils the sum (observed, 22.05 and 25.11).
func (s *siblings) firstPass(used float64, user bool) float64 {
	g := s.group(user)
	g.passed += used
	g.left--
	unset := float64(g.left)
	if user {
		return g.passed + s.accounts.used + unset*unsetUsage
	}
	return g.passed + (unset+float64(s.users.count))*unsetUsage
}
