package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// noNode stands for a column that is no association's fairshare.
const noNode = -1

// nodeBehind finds the node of the account tree that a fairshare column was read of.
func nodeBehind(r *evaluation.Result, id schema.ColumnID, row int) int {
	if r.Tree == nil || id != "association.fairshare_factor" {
		return noNode
	}
	node, ok := r.Tree.Node(r.Rows.Text("job.association", row))
	if !ok {
		return noNode
	}
	return node
}

// treePath says how an association came by its factor, level by level.
func (t *tree) treePath(r *evaluation.Result, node int) {
	s := r.Tree
	steps := s.Steps(node)
	if s.FairTree == nil {
		t.classicPath(r, node)
		return
	}
	t.line(4, "rank %d of %d: Fair Tree goes down from the root, at each level by shares over usage",
		s.FairTree.Rank(node), s.Tree.Users)
	for k := range steps {
		step := &steps[k]
		line := fmt.Sprintf("%s: %s", source.Plain(s.Key(int(step.Node))), standing(s, int(step.Node)))
		t.line(5, "%s%s", line, atPlace(s.Tree.Associations[step.Node].Span.String()))
		switch {
		case step.Shares == program.ParentShares:
			t.line(6, "it uses its parent's shares, so its level is above all")
		case step.NormShares == 0:
			t.line(6, "without shares its level is 0")
		case step.Usage == 0:
			t.line(6, "%s; nothing was used", sharesText(step.Shares, step.LevelShares))
		default:
			t.line(6, "%s; usage %s of %s", sharesText(step.Shares, step.LevelShares), form.Exact(step.Usage),
				form.Exact(s.Factors().Usage[s.Tree.FairshareParent[step.Node]]))
		}
	}
}

// standing is a node's level and place among those it competes with.
func standing(s *evaluation.TreeShares, node int) string {
	level := s.FairTree.LevelFS[node]
	place, ties, rivals := 1, 0, s.Tree.FairshareChildren(int(s.Tree.FairshareParent[node]))
	for _, other := range rivals {
		p, ok := s.FairTree.Part(node, int(other))
		if !ok {
			continue
		}
		if p.Order > 0 {
			place++
		}
		if p.Tied {
			ties++
		}
	}
	text := fmt.Sprintf("level %s, number %d of %d", levelText(level), place, len(rivals))
	if ties > 0 {
		text += fmt.Sprintf(", level with %s", howMany(ties, "other"))
	}
	return text
}

func levelText(level float64) string {
	if math.IsInf(level, 1) {
		return "inf"
	}
	return form.Exact(level)
}

func sharesText(shares, of int64) string { return fmt.Sprintf("%d of %d shares", shares, of) }

func howMany(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// classicPath: usage is between one's own and one's part of the account's.
func (t *tree) classicPath(r *evaluation.Result, node int) {
	s := r.Tree
	factors := s.Factors()
	damp := ""
	if s.Model.Damp > 1 {
		damp = fmt.Sprintf(", dampened by %d", s.Model.Damp)
	}
	t.line(4, "2^−(usage/shares) = 2^−(%s / %s)%s", form.Exact(s.EffectiveUsage(node)),
		form.Exact(factors.NormShares[node]), damp)
	if s.Tree.UsesParent(node) {
		t.line(4, "it uses its parent's shares, and takes the factor of the level at which it competes")
	}
	for _, step := range s.Classic.Steps(node) {
		shares := "its parent's shares"
		if step.Shares != program.ParentShares {
			shares = sharesText(step.Shares, step.LevelShares)
		}
		t.line(5, "%s: %s, of the machine %s; usage %s, of all %s; effective %s%s",
			source.Plain(s.Key(int(step.Node))), shares, form.Exact(step.NormShares),
			form.Exact(step.Usage), form.Exact(step.NormUsage), form.Exact(step.EffectiveUsage),
			atPlace(s.Tree.Associations[step.Node].Span.String()))
	}
	if added := s.AddedByLastPass(node); added > 0 {
		t.line(4, "usage is what the last pass read when it came by, which is what classic factors go by: for running "+
			"jobs it then added %s here, and sshare shows the sum, %s",
			form.Exact(added), form.Exact(s.Ledger.Associations.Billing[node]))
	}
	if s.Model.Algorithm == program.DepthOblivious {
		t.line(4, "DEPTH_OBLIVIOUS: effective usage weighs that of the account above against that among siblings")
	}
}

// billing is what a job costs each second.
type billing struct {
	PerSecond   float64     `json:"per_second"`
	UsageFactor float64     `json:"usage_factor"`
	Rule        string      `json:"rule"`
	Parts       []billPart  `json:"parts"`
	Source      source.Span `json:"source"`

	qos string
}

type billPart struct {
	TRES   string  `json:"tres"`
	Count  float64 `json:"count"`
	Weight float64 `json:"weight"`
	Value  float64 `json:"value"`
	OfNode bool    `json:"in_maximum"`
}

func billingOf(r *evaluation.Result, job int) *billing {
	b, ok := shares.Billed(r, job)
	if !ok || r.Tree == nil {
		return nil
	}
	x := &billing{PerSecond: b.Total, UsageFactor: b.UsageFactor, Rule: b.Rule, Source: b.Span, qos: b.QOS}
	for _, p := range b.Parts {
		x.Parts = append(x.Parts, billPart(p))
	}
	return x
}

func (b *billing) text(runs bool) string {
	verb := "would be charged"
	if runs {
		verb = "is charged"
	}
	var largest, sum []string
	for _, p := range b.Parts {
		text := fmt.Sprintf("%s %s", p.TRES, form.Exact(p.Count))
		if p.Weight != 1 {
			text += " × " + form.Exact(p.Weight)
		}
		if p.OfNode {
			largest = append(largest, text)
		} else {
			sum = append(sum, text)
		}
	}
	if len(largest) > 1 {
		sum = append([]string{"the largest of " + form.Joined(largest)}, sum...)
	} else {
		sum = append(largest, sum...)
	}
	text := fmt.Sprintf("usage: it %s %s a second", verb, form.Exact(float64(b.PerSecond*b.UsageFactor)))
	if len(sum) > 0 {
		text += ": " + strings.Join(sum, " + ")
	}
	if b.UsageFactor != 1 {
		text += fmt.Sprintf(", times %s, the UsageFactor of QOS %s", form.Exact(b.UsageFactor), source.Plain(b.qos))
	}
	return text + atPlace(b.Source.String())
}

// treeParting says at which level one association of two jobs overtakes the other.
func (t *tree) treeParting(p *pair) {
	s := p.r.Tree
	if s == nil || s.FairTree == nil {
		return
	}
	a := nodeBehind(p.r, "association.fairshare_factor", int(p.r.RankRow[p.first]))
	b := nodeBehind(p.r, "association.fairshare_factor", int(p.r.RankRow[p.second]))
	if a < 0 || b < 0 || a == b {
		return
	}
	part, ok := s.FairTree.Part(a, b)
	if !ok {
		return
	}
	above := s.Tree.FairshareParent[part.A]
	better, worse, winner := int(part.A), int(part.B), p.first
	if part.Order > 0 {
		better, worse, winner = worse, better, p.second
	}
	t.line(0, "\nfairshare of the two parts below %s", source.Plain(s.Key(int(above))))
	t.line(1, "%s has level %s, %s has %s", source.Plain(s.Key(better)), levelText(s.FairTree.LevelFS[better]),
		source.Plain(s.Key(worse)), levelText(s.FairTree.LevelFS[worse]))
	if part.Tied {
		t.line(1, "that is a tie: users go before accounts, else the order of sshare decides")
	}
	t.line(1, "so the user of %s has rank %d of %d, the other %d", p.id(winner),
		max(s.FairTree.Rank(a), s.FairTree.Rank(b)), s.Tree.Users, min(s.FairTree.Rank(a), s.FairTree.Rank(b)))
}

// shareBehind finds the credential that a fairshare column was read of, nil for other columns.
func shareBehind(r *evaluation.Result, id schema.ColumnID, row int) *eval.ShareRow {
	doc := schema.Lookup(id)
	object := slices.Index(fairshare.Objects[:], id.Object())
	if r.Windows == nil || doc == nil || object < 0 || doc.Origin != schema.Model && id.Name() != "fairshare_target" {
		return nil
	}
	name := r.Rows.Value(schema.ObjectByName(id.Object()).Key, row).Str
	x := &eval.ShareRow{Object: object, Name: name, Share: r.Windows.Of(object, name)}
	if x.Share.Target != fairshare.NoTarget {
		x.Target = &r.Windows.Model.Targets[x.Share.Target]
	}
	return x
}

// share says how a credential's part came about: its target, what it used in which window, and
// what follows.
func (t *tree) share(r *evaluation.Result, x *eval.ShareRow) {
	s := r.Windows
	word := fairshare.Objects[x.Object]
	if word == "partition" {
		word = r.Facts.Partitions.Word()
	}
	if x.Name == "" {
		t.line(4, "the job has no %s, so this adds nothing", word)
		return
	}
	if !s.Active() {
		t.line(4, "no usage is recorded, so this adds nothing")
		return
	}
	unit := "processor-seconds"
	if s.Model.Usage == fairshare.DedicatedPESeconds {
		unit = "seconds of processor equivalents"
	}
	t.line(4, "%s %s used %s percent: %s of %s %s, older windows decayed", word, source.Plain(x.Name),
		form.Exact(x.Share.Percent), form.Exact(x.Share.Usage), form.Exact(s.Total), unit)
	for k, w := range s.Windows {
		if w.Total != 0 {
			t.line(5, "from %s: %s of %s, times %s", time.Unix(w.StartTime, 0).UTC().Format("2006-01-02 15:04:05Z"),
				form.Exact(s.InWindow(x.Object, x.Name, k)), form.Exact(w.Total), form.Exact(w.Weight))
		}
	}
	t.target(r, x, word)
}

// target says what the credential should get, and what being off it is worth.
func (t *tree) target(r *evaluation.Result, x *eval.ShareRow, word string) {
	target := x.Target
	if target == nil {
		t.line(4, "it has no target, so this adds nothing")
		return
	}
	whose := target.Source + atPlace(target.Span.String())
	if target.Others && x.Name != target.Name {
		whose += ", of every " + word + " without a target"
	}
	switch target.Kind {
	case "cap":
		t.line(4, "%s: a cap of %s keeps jobs from starting and adds nothing", whose, form.Exact(target.Value))
		return
	case "relative_cap":
		t.line(4, "%s: a cap of %s percent keeps jobs from starting and adds nothing", whose, form.Exact(target.Value))
		return
	}
	bound := map[string]string{"floor": ", a floor, which never lowers",
		"ceiling": ", a ceiling, which never raises"}[target.Kind]
	t.line(4, "%s: %s percent%s", whose, form.Exact(target.Value), bound)
	switch value, percent := form.Exact(target.Value), form.Exact(x.Share.Percent); {
	case r.Windows.Model.Ratio:
		t.line(4, "1 − %s / %s is counted as %s", percent, value, form.Exact(x.Share.Delta))
	case r.Program.Documented("report_sign"):
		t.line(4, "usage − target = %s − %s = %s; %s is counted", percent, value,
			form.Exact(x.Share.Percent-target.Value), form.Exact(x.Share.Delta))
	default:
		t.line(4, "%s − %s is counted as %s", value, percent, form.Exact(x.Share.Delta))
	}
}
