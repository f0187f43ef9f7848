package explain

import (
	"fmt"
	"math"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
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
