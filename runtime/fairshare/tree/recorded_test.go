package tree

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestRecordedRows compares every association row that real controllers have shown,
// column by column to the last printed digit.
func TestRecordedRows(t *testing.T) {
	rows, loose := 0, 0
	recordings(t, func(r *recorded) {
		usage := r.usage(t)
		for k := range r.Snapshots {
			s := &r.Snapshots[k]
			if len(s.Associations) == 0 {
				continue
			}
			rows += len(s.Associations)
			c := r.compute(s, usage[k])
			for i := range s.Associations {
				c.check(t, &s.Associations[i], i)
			}
		}
		loose += r.loose
	})
	if rows < 5000 || loose > rows/100 {
		t.Errorf("%d rows, %d of them with a level that the recorded usage does not determine to three digits", rows, loose)
	}
}

// printed is half a unit of the sixth decimal, and what reading decimals may add.
const printed = 0.5e-6 + 1e-12

// known is by node what is known of the usage that a snapshot's numbers were
// computed from.
type known struct {
	tree  *Tree
	usage []float64
	error float64 // of each user's
}

type comparison struct {
	known
	r       *recorded
	s       *recordedSnapshot
	classic bool
	old     Classic
	fair    FairTree
}

func (r *recorded) classic() (classic, oblivious bool) {
	flags := r.setting("PriorityFlags")
	oblivious = strings.Contains(flags, "DEPTH_OBLIVIOUS")
	return oblivious || strings.Contains(flags, "NO_FAIR_TREE"), oblivious
}

func (r *recorded) compute(s *recordedSnapshot, k known) *comparison {
	c := &comparison{known: k, r: r, s: s}
	var oblivious bool
	if c.classic, oblivious = r.classic(); c.classic {
		damp, _ := strconv.ParseInt(r.setting("FairShareDampeningFactor"), 10, 64)
		c.old.Compute(k.tree, k.usage, ClassicOptions{Damp: damp, DepthOblivious: oblivious, FirstPass: s.Tag == "t0"})
	} else {
		c.fair.Compute(k.tree, k.usage, FairTreeOptions{})
	}
	return c
}

func (c *comparison) check(t *testing.T, a *recordedRow, row int) {
	node := c.tree.Node(row)
	factors, effective := &c.fair.Factors, c.fair.EffectiveUsage
	if c.classic {
		factors, effective = &c.old.Factors, c.old.EffectiveUsage
	}
	compare := func(what string, want *float64, got, tolerance float64) {
		if want != nil && !(math.Abs(*want-got) <= tolerance) && *want != got {
			t.Errorf("%s %s: %s of %s is %v, recorded %v", c.r.name, c.s.Tag, what, label(&c.tree.Associations[node]), got,
				*want)
		}
	}
	compare("norm shares", a.Norm, factors.NormShares[node], printed)
	compare("norm usage", a.NormUsage, factors.NormUsage(node), printed)
	compare("effective usage", a.Effective, effective(node), printed)
	if c.classic {
		shown := c.old.Shown(node)
		if c.r.Version >= "25.11" {
			shown = factors.Factor[node]
		}
		compare("fairshare", a.Fairshare, shown, printed)
		return
	}
	compare("fairshare", a.Fairshare, factors.Factor[node], printed)
	if string(a.Level) != "null" { // blank with FairShare=parent and for the root
		tolerance := c.levelError(node)
		compare("level", number(t, a.Level), c.fair.LevelFS[node], printed+tolerance)
		if tolerance > 1e-3*c.fair.LevelFS[node] {
			c.r.loose++
		}
	}
}

// levelError bounds what a level can be off because usage was recorded with few
// decimals: a tiny usage in the denominator is known to few digits.
func (c *comparison) levelError(node int) float64 {
	level := c.fair.LevelFS[node]
	if math.IsInf(level, 1) || level == 0 {
		return 0
	}
	above := int(c.tree.FairshareParent[node])
	used, all := c.users(node)*c.error/c.usage[node], c.users(above)*c.error/c.usage[above]
	if used >= 1 {
		return math.Inf(1)
	}
	return level * ((1+all)/(1-used) - 1)
}

// users is how many users' errors add up in a node.
func (c *comparison) users(node int) float64 {
	if c.tree.IsUser(node) {
		return 1
	}
	return float64(c.tree.Users)
}

func number(t testing.TB, text json.RawMessage) *float64 {
	v, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	if err != nil {
		t.Fatal(err)
	}
	return &v
}

// usage is for each snapshot what its numbers were computed from: usage as the
// controller was given it, through all passes since; else what it had at the end; else
// its print with two decimals. Classic numbers go by the usage before a pass.
func (r *recorded) usage(t testing.TB) []known {
	passes := r.passes(t)
	classic, _ := r.classic()
	var out []known
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		tree := s.tree(t)
		switch {
		case k < len(passes) && classic:
			out = append(out, known{tree, passes[k].Before, 1e-6})
			continue
		case k < len(passes):
			out = append(out, known{tree, passes[k].Associations.Billing, 1e-6})
			continue
		}
		rows, exact := make([]float64, len(s.Associations)), 0.5e-2
		from := s
		if classic && k > 0 {
			from = &r.Snapshots[k-1]
		}
		final := map[string]float64{}
		if from == s && k == len(r.Snapshots)-1 {
			for _, l := range r.Final {
				final[key(l.Account, l.User, l.Partition)] = l.usage(t)
				exact = 0.5e-6
			}
		}
		for i, a := range from.Associations {
			rows[i] = Unstated
			if a.User != "" {
				rows[i] = a.Usage
			}
			if v, ok := final[key(a.Account, a.User, a.Partition)]; ok {
				rows[i] = v
			}
			if classic && k == 0 && r.Injected == nil {
				rows[i] = 0 // the first pass of a controller that knew of no usage
			}
		}
		usage, diags := tree.Load(rows)
		if len(diags) > 0 {
			t.Fatal(diags[0])
		}
		out = append(out, known{tree, usage, exact})
	}
	return out
}

func key(account, user, partition string) string {
	return fmt.Sprintf("%s/%s/%s", account, user, partition)
}
