package tree

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
)

// exampleTree reads the tree of an example. Usage that is given as a part of the
// machine without naming all of it is completed by a user of root without shares.
func (e *example) tree(t testing.TB) (tree *Tree, usage []float64, node map[string]int) {
	var in struct {
		Tree []struct {
			ID, Parent, Type string
			Shares           json.RawMessage
			Usage            float64 `json:"usage_raw"`
		}
		Normalized map[string]float64 `json:"normalized_usage"`
	}
	e.inputs(t, &in)
	var rows []Association
	var used []float64
	rest := 1.0
	for _, x := range in.Tree {
		a := Association{Account: x.ID, Parent: x.Parent}
		u := Unstated
		if x.Type == "user" {
			a, u = Association{Account: x.Parent, User: x.ID}, x.Usage
			if part, ok := in.Normalized[x.ID]; ok {
				u = part
				rest -= part
			}
		}
		if a.Shares = ParentShares; string(x.Shares) != `"parent"` {
			a.Shares, _ = strconv.ParseInt(string(x.Shares), 10, 64)
		}
		rows, used = append(rows, a), append(used, u)
	}
	if in.Normalized != nil {
		rows, used = append(rows, Association{Account: "root", User: "others"}), append(used, rest)
	}
	tree, diags := New(rows)
	if len(diags) > 0 {
		t.Fatal(e.ID, diags[0])
	}
	usage, diags = tree.Load(used)
	if len(diags) > 0 {
		t.Fatal(e.ID, diags[0])
	}
	node = map[string]int{}
	for row, x := range in.Tree {
		node[x.ID] = tree.Node(row)
	}
	return tree, usage, node
}

// expectations are by result and name, or by name and result.
func (e *example) expectations(t testing.TB) map[string]map[string]any {
	var raw map[string]map[string]json.RawMessage
	decode(t, e.ID, e.Expected, &raw)
	out := map[string]map[string]any{}
	put := func(what, name string, text json.RawMessage) {
		if out[what] == nil {
			out[what] = map[string]any{}
		}
		var v any
		decode(t, e.ID, text, &v)
		out[what][name] = v
	}
	for what, names := range raw {
		for name, text := range names {
			if what != "by_id" {
				put(what, name, text)
				continue
			}
			var each map[string]json.RawMessage
			decode(t, e.ID, text, &each)
			for what, text := range each {
				put(what, name, text)
			}
		}
	}
	return out
}

func (e *example) check(t *testing.T, columns map[string]func(node int) float64, node map[string]int) {
	checked := 0
	for what, names := range e.expectations(t) {
		column := columns[what]
		if column == nil {
			continue
		}
		for name, v := range names {
			if v == "parent" {
				continue // sshare leaves it blank
			}
			if s, ok := v.(string); ok {
				v, _ = strconv.ParseFloat(strings.TrimSpace(s), 64)
			}
			e.compare(t, what, name, column(node[name]), v.(float64))
			checked++
		}
	}
	if checked == 0 {
		t.Errorf("%s: nothing checked", e.ID)
	}
}

func (f *Factors) columns(effective func(int) float64) map[string]func(int) float64 {
	return map[string]func(int) float64{
		"norm_shares":     func(i int) float64 { return f.NormShares[i] },
		"norm_usage":      f.NormUsage,
		"usage_raw":       func(i int) float64 { return f.Usage[i] },
		"effective_usage": effective,
		"fairshare":       func(i int) float64 { return f.Factor[i] },
	}
}

func classicExample(t *testing.T, e *example) {
	tree, usage, node := e.tree(t)
	var in struct {
		Damp int64 `json:"FairShareDampeningFactor"`
	}
	e.inputs(t, &in)
	var c Classic
	c.Compute(tree, usage, ClassicOptions{Damp: in.Damp, DepthOblivious: e.Kind == "fairshare_depth_oblivious"})
	e.check(t, c.columns(c.EffectiveUsage), node)
}

func fairTreeExample(t *testing.T, e *example) {
	tree, usage, node := e.tree(t)
	var observed, documented FairTree
	observed.Compute(tree, usage, FairTreeOptions{})
	documented.Compute(tree, usage, FairTreeOptions{MergeTies: true})
	columns := observed.columns(observed.EffectiveUsage)
	columns["level_fs"] = func(i int) float64 { return observed.LevelFS[i] }
	columns["rank"] = func(i int) float64 { return float64(observed.Rank(i)) }
	columns["as_implemented"] = columns["fairshare"]
	columns["as_documented"] = func(i int) float64 { return documented.Factor[i] }
	e.check(t, columns, node)
}

// The user of the manual's tree whose usage is three times the shares has exactly 1/8: the
// plain formula gives 0.12500000000000003, and elsewhere as much less, which
// costs a priority.
func TestPowersOfTwoAreExact(t *testing.T) {
	tree, usage, node := drawn(t, `root
  @others 0 30
  A 40
    B 30
      @User1 1 20
    C 10
      @User2 1 25
      @User3 1 0
  D 60
    @User4 1 25
`)
	var c Classic
	c.Compute(tree, usage, ClassicOptions{})
	i := node["@User3"]
	if plain := math.Exp2(-c.EffectiveUsage(i) / c.NormShares[i]); plain == 0.125 || c.Factor[i] != 0.125 {
		t.Errorf("factor %v, plain formula %v", c.Factor[i], plain)
	}
}
