package lower

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
)

// associations gathers the account tree of dumps and of the accounts that policy files draw. It
// is empty where none says anything of shares: then the snapshot has the tree.
func (l *lowering) associations(d *policy.Document) []ir.Association {
	g := &gathering{at: map[string]int{}}
	for _, f := range l.fronts {
		for _, a := range f.Associations {
			g.put(a)
		}
	}
	dumped := len(g.list)
	drawn := slices.ContainsFunc(d.Credentials, func(c policy.Credential) bool {
		return len(treeShares(&c)) > 0
	})
	if drawn {
		whole := slices.ContainsFunc(l.site, func(p *policy.Policy) bool { return p.Override })
		for i := range d.Credentials {
			l.draw(g, &d.Credentials[i], dumped, whole)
		}
	}
	if len(g.list) == 0 {
		return nil
	}
	g.complete(l.family == "slurm")
	return g.list
}

type gathering struct {
	list []ir.Association
	at   map[string]int // key → index
}

func (g *gathering) put(a ir.Association) {
	key := a.Key()
	if i, ok := g.at[key]; ok {
		g.list[i] = a
		return
	}
	g.at[key] = len(g.list)
	g.list = append(g.list, a)
}

// treeShares are a credential's shares of a tree, as opposed to its targets of windows.
func treeShares(c *policy.Credential) []policy.Setting {
	return slices.DeleteFunc(slices.Clone(c.Shares), func(s policy.Setting) bool { return s.Name != "shares" })
}

// draw enters a credential's block: an account, a user within one, or an association by its
// name. Whatever an account encloses belongs to the tree, with one share if it does not say.
func (l *lowering) draw(g *gathering, c *policy.Credential, dumped int, whole bool) {
	a := ir.Association{Shares: 1, Source: c.Object + " " + c.Name + " fairshare", Span: c.Span}
	shares := treeShares(c)
	switch {
	case c.Name == "DEFAULT":
		if len(shares) > 0 {
			l.diags.Errorf("fairshare-shares-place", shares[0].Span, "shares of %s DEFAULT belong to no account or user",
				c.Word).
				Note("an association without shares has 1, as in Slurm; write the shares of each that has others")
		}
		return
	case c.Object == "account":
		a.Account = strings.ToLower(c.Name) // as sacctmgr keeps it
		if a.Parent = strings.ToLower(c.Parent); a.Parent == "" && a.Account != "root" {
			a.Parent = "root"
		}
	case c.Object == "user" && c.Parent != "":
		a.Account, a.User = strings.ToLower(c.Parent), c.Name
	case c.Object == "association":
		if !l.named(c, &a) {
			return
		}
	default:
		if len(shares) > 0 {
			l.diags.Errorf("fairshare-shares-place", shares[0].Span,
				"shares of %s %s have no place in the account tree", c.Word, c.Name).
				Note("shares hang on an account, or on a user's place in one; write the user's block inside the " +
					"account's")
		}
		return
	}
	at, known := g.at[a.Key()]
	if known {
		old := g.list[at]
		a.Shares, a.Source, a.Span = old.Shares, old.Source, old.Span
		if c.Parent == "" {
			a.Parent = old.Parent // a block at the top level says nothing of the place
		}
		if at < dumped && !whole && !c.Override && (len(shares) > 0 || a.Parent != old.Parent) {
			l.needsOverride(c.Span, "association "+a.Key(), old.Span)
			return
		}
	}
	for _, s := range shares {
		if !l.readShares(s, &a) {
			return
		}
		a.Source, a.Span = c.Object+" "+c.Name+" fairshare shares", s.Span
	}
	g.put(a)
}

// named splits the name of an association block: account, account/user or account/user/partition.
func (l *lowering) named(c *policy.Credential, a *ir.Association) bool {
	parts := strings.Split(c.Name, "/")
	if len(parts) > 3 || slices.Contains(parts, "") {
		l.diags.Errorf("fairshare-shares-place", c.Span, "%q names no association", c.Name).
			Note("write ACCOUNT, ACCOUNT/USER or ACCOUNT/USER/PARTITION")
		return false
	}
	parts = append(parts, "", "")
	a.Account, a.User, a.Partition = strings.ToLower(parts[0]), parts[1], parts[2]
	if a.User == "" && a.Account != "root" {
		a.Parent = "root"
		for _, s := range c.Columns {
			if s.Name == "parent" {
				a.Parent = strings.ToLower(s.Value.Str)
			}
		}
	}
	return true
}

// maxShares is the largest number that Slurm does not mean something else by.
const maxShares = math.MaxUint32 - 2

func (l *lowering) readShares(s policy.Setting, a *ir.Association) bool {
	if s.Value.Type == schema.String { // "parent", or the parser had refused it
		a.Shares = ir.ParentShares
		return true
	}
	n := s.Value.Double
	if n < 0 || n > maxShares || n != math.Trunc(n) {
		l.diags.Errorf("fairshare-shares", s.Span, "%g are no shares", n).
			Note("shares are a whole number from 0 to %d, or \"parent\"", int64(maxShares))
		return false
	}
	a.Shares = int64(n)
	return true
}

// complete adds what every tree of Slurm has although no file has it: the root, and the user
// root in it, which is made with the cluster, has one share and takes part in all (observed).
func (g *gathering) complete(slurm bool) {
	if _, ok := g.at["root"]; !ok {
		g.put(ir.Association{Account: "root", Shares: 1})
	}
	if _, ok := g.at["root/root"]; !ok && slurm {
		g.put(ir.Association{Account: "root", User: "root", Shares: 1})
	}
}
