package oracle

import (
	"math"
	"math/big"
	"slices"
)

// Cluster is what Slurm's accounting knows, as plain lists: the second opinion on fairshare and limits reads
// no dump and keeps no tree, but looks for parents and siblings each time it needs them.
type Cluster struct {
	Associations []Association // in the order of the dump
	QOS          []ClusterQOS
	Jobs         []ClusterJob
	Now          int64
	NodeCPUs     int64 // of every node
	WholeNodes   bool  // every job has its nodes for itself (select/linear)
	Safe         bool  // AccountingStorageEnforce has it
	Pass         int64 // seconds between passes, the last one now; 0: usage is as of a pass without running jobs
}

// ParentShares is Fairshare=parent.
const ParentShares = -1

// Association is an account, or a user in one.
type Association struct {
	Account, Parent string // root has no parent; a user's is the account
	User            string // "" of an account
	Shares          int64
	Usage           float64 // a user's, in seconds
	Limits          map[string]int64
	Used            map[string]int64 // minutes, by "GrpWall" and "GrpTRESMins"
}

// Name is account or account/user.
func (a *Association) Name() string {
	if a.User == "" {
		return a.Account
	}
	return a.Account + "/" + a.User
}

// above is the association one level up; nil of root.
func (c *Cluster) above(a *Association) *Association {
	name := a.Parent
	if a.User != "" {
		name = a.Account
	}
	for i := range c.Associations {
		if x := &c.Associations[i]; x.User == "" && x.Account == name && name != "" {
			return x
		}
	}
	return nil
}

// path are an association and all above it.
func (c *Cluster) path(a *Association) (list []*Association) {
	for ; a != nil; a = c.above(a) {
		list = append(list, a)
	}
	return list
}

// competitor is the level that an association competes below: accounts that use their parent's
// shares are ignored.
func (c *Cluster) competitor(a *Association) *Association {
	up := c.above(a)
	for up != nil && c.above(up) != nil && up.Shares == ParentShares {
		up = c.above(up)
	}
	return up
}

// rivals are those that compete below an account, first in, first named, in the order of accounts.
func (c *Cluster) rivals(of *Association) (list []*Association) {
	var below func(account *Association)
	below = func(account *Association) {
		for i := range c.Associations {
			if x := &c.Associations[i]; c.above(x) == account {
				list = append(list, x)
				if x.User == "" && x.Shares == ParentShares {
					below(x)
				}
			}
		}
	}
	below(of)
	return list
}

func (c *Cluster) levelShares(a *Association) (sum int64) {
	for _, r := range c.rivals(c.competitor(a)) {
		sum += max(0, r.Shares)
	}
	return sum
}

// norm is the part of its level's shares that an association has.
func (c *Cluster) norm(a *Association) float64 {
	up := c.competitor(a)
	switch {
	case up == nil:
		return 0
	case a.Shares == ParentShares:
		return c.norm(up)
	}
	if sum := c.levelShares(a); sum > 0 {
		return float64(a.Shares) / float64(sum)
	}
	return 0
}

// used is the usage of all users at or below an association, as a long double: which siblings tie
// depends on its bits.
func (c *Cluster) used(a *Association) *big.Float {
	sum := long(0)
	for i := range c.Associations {
		if x := &c.Associations[i]; x.User != "" && slices.Contains(c.path(x), a) {
			sum.Add(sum, long(x.Usage))
		}
	}
	return sum
}

func long(x float64) *big.Float { return new(big.Float).SetPrec(64).SetFloat64(x) }

func infinite() *big.Float { return long(0).SetInf(false) }

// FairTree are the factors of users by name, as the page on Fair Tree ranks them. Accounts that tie
// are merged as that page says, or ranked one after the other as slurmctld does.
func (c *Cluster) FairTree(merge bool) map[string]float64 {
	users := 0
	for _, a := range c.Associations {
		if a.User != "" {
			users++
		}
	}
	ranks := &ranking{cluster: c, merge: merge, rank: users, next: users, of: map[string]int{}}
	ranks.below(c.rivals(&c.Associations[0]), false)
	factors := map[string]float64{}
	for name, rank := range ranks.of {
		factors[name] = float64(rank) / float64(users)
	}
	return factors
}

// hollow is the level of an account that uses its parent's shares: a number that stands for none
// (recorded: fs-parent-fairtree).
const hollow = 4294967294

func (c *Cluster) level(a *Association) *big.Float {
	used := c.used(a)
	switch {
	case a.Shares == ParentShares && a.User != "":
		return infinite()
	case a.Shares == ParentShares:
		return long(hollow)
	case c.norm(a) == 0:
		return long(0)
	case used.Sign() == 0:
		return infinite()
	}
	part := used.Quo(used, c.used(c.competitor(a)))
	return long(0).Quo(long(c.norm(a)), part)
}

type ranking struct {
	cluster    *Cluster
	merge      bool
	rank, next int
	of         map[string]int
}

// below ranks siblings, best level first, users before accounts. tied: the first of them ties with who came before.
func (r *ranking) below(siblings []*Association, tied bool) {
	level := r.cluster.level
	slices.SortStableFunc(siblings, func(a, b *Association) int {
		order := level(b).Cmp(level(a))
		if order == 0 && (a.User == "") != (b.User == "") {
			order = 1
			if a.User != "" {
				order = -1
			}
		}
		return order
	})
	for i := 0; i < len(siblings); i++ {
		x := siblings[i]
		if i > 0 {
			tied = level(siblings[i-1]).Cmp(level(x)) == 0
		}
		if x.User != "" {
			if !tied {
				r.rank = r.next
			}
			r.of[x.Name()] = r.rank
			r.next--
			continue
		}
		children := r.ranked(x)
		for r.merge && i+1 < len(siblings) && level(siblings[i+1]).Cmp(level(x)) == 0 {
			i++
			children = append(children, r.ranked(siblings[i])...)
		}
		r.below(children, tied)
	}
}

// ranked lists who is ranked below an account. An account that is skipped has none: its children compete further up.
func (r *ranking) ranked(account *Association) []*Association {
	if account.Shares == ParentShares {
		return nil
	}
	return r.cluster.rivals(account)
}

// Classic are the factors of users by name, 2^(−E/S/damp) of effective usage E and shares S.
func (c *Cluster) Classic(damp int64) map[string]float64 {
	factors := map[string]float64{}
	for i := range c.Associations {
		a := &c.Associations[i]
		if a.User == "" {
			continue
		}
		x := a
		if x.Shares == ParentShares {
			x = c.competitor(a)
		}
		if shares := c.classicShares(x); shares > 0 {
			factors[a.Name()] = math.Pow(2, -c.effective(x)/shares/float64(damp))
		} else {
			factors[a.Name()] = 0
		}
	}
	return factors
}

// classicShares multiplies the parts of the levels above.
func (c *Cluster) classicShares(a *Association) float64 {
	if c.above(a) == nil {
		return 1
	}
	if a.Shares == ParentShares {
		return c.classicShares(c.competitor(a))
	}
	return c.norm(a) * c.classicShares(c.competitor(a))
}

// effective is the usage of an association and its part of what its siblings used: that of an account as the last pass
// found it, that of a user as the pass had it when it came to the user's first waiting job, or left it without one
// (reference, slurm.md §11.1 and §11.26).
func (c *Cluster) effective(a *Association) float64 {
	up := c.competitor(a)
	if up == nil {
		return 1
	}
	done := 0 // of the jobs, those whose usage the pass has added
	if a.User != "" {
		done = c.firstWaiting(a)
	}
	own := 0.0
	if all := c.usedWhen(&c.Associations[0], done); all.Sign() > 0 {
		own, _ = long(0).Quo(c.usedWhen(a, done), all).Float64()
	}
	switch {
	case c.above(up) == nil:
		return own
	case a.Shares == ParentShares || c.levelShares(a) == 0:
		return c.effective(up)
	}
	return own + (c.effective(up)-own)*float64(a.Shares)/float64(c.levelShares(a))
}

// firstWaiting is the place of a user's first waiting job in the list, or its end.
func (c *Cluster) firstWaiting(a *Association) int {
	i := slices.IndexFunc(c.Jobs, func(j ClusterJob) bool {
		return j.Start == 0 && j.User == a.User &&
			j.Account == a.Account
	})
	if i < 0 {
		return len(c.Jobs)
	}
	return i
}

// usedWhen is the usage at or below an association when the last pass had added that of the first jobs of the list:
// what is stated without what the others ran since the pass before, a processor costing 1 a second.
func (c *Cluster) usedWhen(a *Association, first int) *big.Float {
	used := c.used(a)
	for _, j := range c.Jobs[first:] {
		i := slices.IndexFunc(c.Associations, func(x Association) bool { return x.User == j.User && x.Account == j.Account })
		if j.Start > 0 && slices.Contains(c.path(&c.Associations[i]), a) {
			used.Sub(used, long(float64(j.CPUs*min(c.Pass, c.Now-j.Start))))
		}
	}
	return used
}
