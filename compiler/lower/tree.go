package lower

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/slurm"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// treeModels are the fairshare models that share by an account tree.
var treeModels = []string{"fair_tree", "classic", "depth_oblivious"}

// treeParams are the settings of a tree's block that are parameters of slurm.conf too.
var treeParams = []struct{ name, param string }{
	{"half_life", "PriorityDecayHalfLife"}, {"calc_period", "PriorityCalcPeriod"},
	{"reset_period", "PriorityUsageResetPeriod"}, {"dampening_factor", "FairShareDampeningFactor"},
}

// treeBlock makes the tree's block of a policy that uses slurm set the parameters that
// it stands for, so that there is one truth, as windowsBlock does.
func (l *lowering) treeBlock(d *policy.Document) {
	if l.family != "slurm" {
		return
	}
	for _, f := range d.Fairshare {
		if !slices.Contains(treeModels, f.Name) {
			continue
		}
		block := blockSettings(f)
		for _, p := range treeParams {
			if s, ok := block[p.name]; ok {
				l.setWindowParam(f, p.param, treeValue(s.Value, l.params.by[p.param].Type), s.Span)
			}
		}
	}
}

// treeValue is a block's value as slurm.conf has it: words in capitals, whole numbers.
func treeValue(v schema.Value, t schema.Type) schema.Value {
	if v.Type == schema.String {
		return schema.StringValue(strings.ToUpper(v.Str))
	}
	return asType(v, t)
}

// tree makes the policy's account tree: Slurm's by its parameters, one of a policy from
// scratch by its block with Slurm's defaults. A policy without tree has none.
func (l *lowering) tree(d *policy.Document) (tree ir.Fairshare, ok bool) {
	var blocks []policy.Fairshare
	for _, f := range d.Fairshare {
		if slices.Contains(treeModels, f.Name) {
			blocks = append(blocks, f)
		}
	}
	if len(blocks) > 1 {
		l.diags.Errorf("fairshare-two-trees", blocks[1].Span, "the policy has both %s and %s", blocks[0].Name,
			blocks[1].Name).
			NoteAt(blocks[0].Span, "the other one").
			Note("a cluster has one account tree and one way to share by it; remove one of the two")
		return tree, false
	}
	switch {
	case l.family == "slurm" && l.use == "slurm" && l.ticketBased() && len(blocks) == 0:
		return tree, false
	case l.family == "slurm" && l.use == "slurm":
		tree = l.slurmTree()
	case l.family == "" && len(blocks) > 0:
		tree = scratchTree(blocks[0])
	case len(blocks) > 0:
		l.diags.Errorf("fairshare-model-family", blocks[0].Span, "a policy that uses %s does not share by a tree",
			l.use).
			Note("priority/multifactor of Slurm and policies from scratch do; remove the block")
		return tree, false
	default:
		return tree, false
	}
	if len(blocks) > 0 && tree.Model != blocks[0].Name {
		b := blocks[0]
		if set := l.params.by["PriorityFlags"]; l.family == "slurm" && !set.Set.IsZero() && !b.Override &&
			!slices.ContainsFunc(
				l.site,
				func(s *policy.Policy) bool { return s.Override },
			) && flagsChoose(set.Value.Str) {
			l.needsOverride(b.Span, "the fairshare algorithm", set.Set)
		}
		tree.Model, tree.Span = b.Name, b.Span
	}
	tree.Billing = l.billing()
	l.billed(&tree)
	tree.Associations = l.associations(d)
	return tree, true
}

// flagsChoose reports PriorityFlags that say themselves how to share.
func flagsChoose(flags string) bool {
	return slurmconf.HasFlag(flags, "FAIR_TREE") || slurmconf.HasFlag(flags, "DEPTH_OBLIVIOUS")
}

// ticketBased says of PriorityFlags=TICKET_BASED, which 2.6 to 14.11 had, that recorded factors
// are taken.
func (l *lowering) ticketBased() bool {
	set := l.params.by["PriorityFlags"]
	flags := slurmconf.ParsePriorityFlags(set.Value.Str, l.out.Version)
	if !flags.TicketBased || flags.FairTree {
		return false
	}
	l.diags.Infof("fairshare-ticket-based", set.Set, "the ticket-based fairshare of Slurm %s is not computed",
		l.out.Version).
		Note("the factors that sshare recorded are taken; 15.08 removed the flag")
	return true
}

// slurmTree reads the parameters.
func (l *lowering) slurmTree() ir.Fairshare {
	set := l.params.by["PriorityFlags"]
	flags := slurmconf.ParsePriorityFlags(set.Value.Str, l.out.Version)
	out := ir.Fairshare{Model: "classic", Span: set.Set}
	switch {
	case flags.FairTree: // before 19.05 it wins over DEPTH_OBLIVIOUS, later it is what neither flag asks for
		out.Model = "fair_tree"
	case flags.DepthOblivious:
		out.Model = "depth_oblivious"
	}
	bill := "sum"
	switch {
	case flags.MaxTRESGres:
		bill = "max_gres"
	case flags.MaxTRES:
		bill = "max"
	}
	for _, p := range treeParams {
		param := l.params.by[p.param]
		out.Settings = append(
			out.Settings,
			ir.Setting{Name: p.name, Value: param.Value, Unit: param.Unit, Span: param.Set},
		)
	}
	out.Settings = append(
		out.Settings,
		ir.Setting{Name: "billing", Value: schema.StringValue(bill), Span: set.Set},
		ir.Setting{Name: "calculate_running", Value: schema.BoolValue(flags.CalculateRunning), Span: set.Set},
		ir.Setting{Name: "incr_only", Value: schema.BoolValue(flags.IncrOnly), Span: set.Set},
		ir.Setting{
			Name:  "tres",
			Value: schema.ListValue(trackedTRES(l.params.by["AccountingStorageTRES"].Value.Str, l.out.Version)),
		},
	)
	return out
}

// trackedTRES lists what a cluster counts: what every cluster does, then what the site adds, in
// its order. Since 23.02 gres/gpu brings two more with it, which come after all of gres/gpu
// (observed in 25.11, not in 22.05).
func trackedTRES(added, version string) []string {
	list, gpus := slices.Clone(slurmtext.FixedTRES()), 0
	for _, name := range strings.Split(added, ",") {
		kind, rest, _ := strings.Cut(strings.TrimSpace(name), "/")
		if name = strings.ToLower(kind); rest != "" {
			name += "/" + rest
		}
		if name == "" || slices.Contains(list, name) {
			continue
		}
		list = append(list, name)
		if name == "gres/gpu" || gpus > 0 && strings.HasPrefix(name, "gres/gpu:") {
			gpus = len(list)
		}
	}
	if gpus > 0 && versionNumber(version) >= 2302 {
		list = slices.Insert(list, gpus, "gres/gpumem", "gres/gpuutil")
	}
	return list
}

// scratchTree: what a block leaves out is as Slurm has it.
func scratchTree(f policy.Fairshare) ir.Fairshare {
	block := blockSettings(f)
	out := ir.Fairshare{Model: f.Name, Span: f.Span}
	for _, p := range treeParams {
		value := slurmDefault(p.param, slurm.Type(slurm.Param(p.param).Type), slurmconf.Newest())
		set := ir.Setting{Name: p.name, Value: value, Unit: slurm.Param(p.param).Unit}
		if s, ok := block[p.name]; ok {
			set.Value, set.Span = treeValue(s.Value, value.Type), s.Span
		}
		out.Settings = append(out.Settings, set)
	}
	out.Settings = append(out.Settings, ir.Setting{Name: "billing", Value: schema.StringValue("sum")},
		ir.Setting{Name: "tres", Value: schema.ListValue(slices.Clone(slurmtext.FixedTRES()))})
	return out
}

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
				Note("shares belong to an account, or to a user's place in one; write the user's block inside the " +
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
