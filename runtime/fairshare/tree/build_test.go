package tree

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

var (
	root    = Association{Account: "root"}
	physics = Association{Account: "physics", Parent: "root", Shares: 3}
	optics  = Association{Account: "optics", Parent: "physics", Shares: ParentShares}
	amy     = Association{Account: "physics", User: "amy", Shares: 1}
	bob     = Association{Account: "optics", User: "bob", Shares: 2}
)

func under(parent string, a Association) Association {
	a.Parent = parent
	return a
}

// faulty has, for each code, rows that it is reported for.
func faulty() map[string][]Association {
	deep := []Association{root}
	for i := range 1002 {
		deep = append(deep, Association{Account: strconv.Itoa(i), Parent: deep[i].Account})
	}
	many := []Association{root}
	for i := range 200 {
		many = append(many, Association{Account: "nowhere", User: strconv.Itoa(i)})
	}
	negative := physics
	negative.Shares = -5
	return map[string][]Association{
		"tree-bad-shares": {root, negative},
		"tree-bad-usage":  {root, physics, amy}, // with a usage of -1
		"tree-cycle": {root, under("b", Association{Account: "a"}), under("a", Association{Account: "b"}),
			{Account: "b", User: "amy"}},
		"tree-more-findings":        many,
		"tree-no-root":              {physics},
		"tree-repeated-association": {root, physics, amy, amy},
		"tree-second-root":          {root, under("", physics)},
		"tree-too-deep":             deep,
		"tree-usage-too-small":      {root, physics, amy}, // with 10 and 500
		"tree-unknown-parent":       {root, physics, {Account: "physcis", User: "amy"}},
	}
}

// TestCodes looks for each documented code, its severity, its place and what to do.
func TestCodes(t *testing.T) {
	examples := faulty()
	file := source.NewFile("assoc", []byte(strings.Repeat("x\n", 2000)))
	for _, c := range pages.In("trees") {
		rows := examples[c.Code]
		for i := range rows {
			rows[i].Span = file.Span(2*i, 2*i+1)
		}
		tree, diags := New(rows)
		switch c.Code {
		case "tree-bad-usage":
			_, diags = tree.Load([]float64{Unstated, Unstated, -1})
		case "tree-usage-too-small":
			_, diags = tree.Load([]float64{Unstated, 10, 500})
		}
		i := slices.IndexFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == c.Code })
		if i < 0 {
			t.Errorf("%s is not reported: %v", c.Code, diags)
			continue
		}
		d := diags[i]
		if d.Severity != c.Severity || len(d.Notes) == 0 || d.Span.File == nil || strings.HasSuffix(d.Message, ".") {
			t.Errorf("%s is reported as %s %q %v at %s", c.Code, d.Severity, d.Message, d.Notes, d.Span)
		}
	}
	text := regexp.MustCompile(`"(tree-[a-z-]+)"`)
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range text.FindAllStringSubmatch(string(source), -1) {
			if !slices.ContainsFunc(pages.In("trees"), func(c *pages.Page) bool { return c.Code == m[1] }) {
				t.Errorf("%s: %s has no page", name, m[1])
			}
		}
	}
}

func TestNew(t *testing.T) {
	rows := []Association{bob, amy, optics, physics, root}
	tree, diags := New(rows)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	var got []string
	for i := range tree.Len() {
		a := tree.Associations[i]
		got = append(got, strconv.Itoa(int(tree.Depth[i]))+a.Account+"/"+a.User)
		if tree.Row[tree.Node(i)] != int32(i) {
			t.Errorf("row %d is node %d of row %d", i, tree.Node(i), tree.Row[tree.Node(i)])
		}
	}
	if want := "0root/ 1physics/ 2physics/amy 2optics/ 3optics/bob"; strings.Join(got, " ") != want {
		t.Errorf("tree is %v, want %s", got, want)
	}
	// optics has its parent's shares, so bob competes with amy.
	if got := tree.FairshareChildren(1); !slices.Equal(got, []int32{2, 3, 4}) {
		t.Errorf("physics has %v below it", got)
	}
	if got := tree.LevelShares(tree.Node(0)); got != 3 || !tree.UsesParent(tree.Node(2)) || tree.LevelShares(0) != 0 {
		t.Errorf("bob competes for %d shares", got)
	}
	if got := tree.Path(tree.Node(0)); !slices.Equal(got, []int32{1, 4}) {
		t.Errorf("bob competes through %v", got)
	}
}

// Rows without a place are left out with what is below them; the rest stays.
func TestNewLeavesOut(t *testing.T) {
	rows := []Association{root, physics, amy, optics, bob}
	rows[3].Parent = "physcis"
	tree, diags := New(rows)
	if len(diags) != 1 || diags[0].Code != "tree-unknown-parent" || diags[0].Fix == nil ||
		diags[0].Fix.NewText != "physics" {
		t.Errorf("reported: %v", diags)
	}
	if tree.Len() != 3 || tree.Users != 1 || tree.Node(3) != -1 || tree.Node(4) != -1 {
		t.Errorf("%d nodes with %d users", tree.Len(), tree.Users)
	}
	if _, diags := New(faulty()["tree-cycle"]); len(diags) != 1 ||
		!strings.Contains(diags[0].Notes[0].Text, "b, a are above") {
		t.Errorf("reported: %v", diags)
	}
	if tree, diags := New(nil); tree != nil || len(diags) != 1 {
		t.Errorf("no rows make %v, %v", tree, diags)
	}
}

func TestLoad(t *testing.T) {
	tree, _ := New([]Association{bob, amy, optics, physics, root})
	for _, c := range []struct{ rows, want []float64 }{
		{[]float64{5, 7, Unstated, Unstated, Unstated}, []float64{12, 12, 7, 5, 5}},
		{[]float64{5, Unstated, Unstated, Unstated, Unstated}, []float64{5, 5, 0, 5, 5}},
		// deleted users have used the rest
		{[]float64{5, 7, 6, Unstated, 20}, []float64{20, 13, 7, 6, 5}},
		{[]float64{5.01, 7.01, 5, 12.02, 12.01}, []float64{12.02, 12.02, 7.01, 5.01, 5.01}}, // rounded
		{[]float64{5, math.Inf(1), Unstated, Unstated, Unstated}, []float64{5, 5, 0, 5, 5}},
		{[]float64{5, 700, Unstated, 6, Unstated}, []float64{705, 705, 700, 5, 5}},
	} {
		got, diags := tree.Load(c.rows)
		if !slices.EqualFunc(got, c.want, near) || len(diags) > 0 != (c.rows[1] > 100) {
			t.Errorf("%v makes %v, want %v; %v", c.rows, got, c.want, diags)
		}
	}
	column := []float64{9, 9, 7, 9, 5}
	if tree.RollUp(column); !slices.Equal(column, []float64{12, 12, 7, 5, 5}) {
		t.Errorf("rolled up: %v", column)
	}
}
