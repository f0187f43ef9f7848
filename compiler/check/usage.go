package check

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// usage looks at what usage blocks state, and whether a model counts it.
func (c *checker) usage() {
	windows := slices.ContainsFunc(c.p.Fairshare, func(f ir.Fairshare) bool {
		return f.Model == "windows" && f.Setting("usage").Value.Str != ""
	})
	tree := slices.ContainsFunc(c.p.Fairshare, func(f ir.Fairshare) bool { return slices.Contains(trees, f.Model) })
	for i := range c.p.Usage {
		u := &c.p.Usage[i]
		if !windows && !tree {
			c.diags.Warnf("usage-without-model", u.Span, "usage %q has no effect: the policy counts no usage", u.Name).
				Note("add a block to the policy: fairshare \"windows\" { interval = \"12h\" }, or fairshare \"fair_tree\" " +
					"{ half_life = \"7d\" }")
			continue
		}
		c.amounts(u, windows)
		for _, x := range u.Used {
			switch {
			case x.Object == "association" && !tree:
				c.diags.Errorf("usage-object", x.Span, "windows count no usage of an association, such as %s", x.Name).
					Note("write what users and accounts used: user = { … } and account = { … }")
			case x.Object != "association" && x.Object != "account" && !windows:
				c.diags.Errorf("usage-object", x.Span, "an account tree counts no usage of a %s, such as %s", x.Object, x.Name).
					Note("write what users used in an account: association = { \"ACCOUNT/USER\" = … }")
			default:
				continue
			}
			break // one is enough
		}
	}
}

// amounts refuses numbers that cannot be.
func (c *checker) amounts(u *ir.Usage, windows bool) {
	for _, x := range u.Used {
		if x.Amount < 0 {
			c.diags.Errorf("usage-amount", x.Span, "%s %s cannot have used %v", x.Object, x.Name, x.Amount).
				Note("write a number that is 0 or more")
			return
		}
	}
	if account, users, stated := overdrawn(u); account != "" {
		c.diags.Errorf("usage-amount", u.Span, "account %s cannot have used %v, as its users used %v", account, stated,
			users).
			Note("what an account used includes its users: write a greater number, or leave the account out")
		return
	}
	switch object, sum := u.Named(); {
	case len(u.Used) == 0 && u.Total == 0:
		c.diags.Errorf("usage-amount", u.Span, "usage %q states no amount", u.Name).
			Note("write who used how much, as in account = { physics = 3600 }")
	case windows && u.Total < sum:
		c.diags.Errorf("usage-amount", u.Span, "the total of usage %q is %v, but %s = { … } adds up to %v", u.Name, u.Total,
			object, sum).
			Note("leave total out, and it is that sum; write it where others used something too")
	}
}

// overdrawn is an account of a tree that used less than its users.
func overdrawn(u *ir.Usage) (account string, users, stated float64) {
	sums := map[string]float64{}
	for _, x := range u.Used {
		if x.Object == "association" {
			account, _, _ := strings.Cut(x.Name, "/")
			sums[account] += x.Amount
		}
	}
	for _, x := range u.Used {
		if x.Object == "account" && x.Amount < sums[x.Name] {
			return x.Name, sums[x.Name], x.Amount
		}
	}
	return "", 0, 0
}
