package tree

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestFixtures draws small trees and shows what becomes of them. A fixture says in
// "tree" who is where, two blanks a level: an account with its shares, or @user with
// shares and usage; in "run" which models are computed, and pairs of users to part.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]*txtar.File{}
			for i := range archive.Files {
				parts[archive.Files[i].Name] = &archive.Files[i]
			}
			got := runFixture(t, string(parts["tree"].Data), string(parts["run"].Data))
			if want := parts["want"]; string(want.Data) == got {
				return
			} else if !*update {
				t.Errorf("got:\n%s\nwant:\n%s", got, want.Data)
				return
			} else {
				want.Data = []byte(got)
			}
			if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func runFixture(t *testing.T, drawing, script string) string {
	tree, usage, node := drawn(t, drawing)
	var out strings.Builder
	var fair FairTree
	for line := range strings.Lines(script) {
		words := strings.Fields(line)
		has := func(word string) bool { return strings.Contains(line, " "+word) }
		switch words[0] {
		case "fair_tree":
			fair.Compute(tree, usage, FairTreeOptions{MergeTies: has("merge_ties")})
			out.WriteString(line)
			show(&out, &fair.Factors, fair.EffectiveUsage,
				func(i int) string { return fmt.Sprintf(" %10s %3d", decimals(fair.LevelFS[i]), fair.Rank(i)) })
		case "classic":
			damp, _ := strconv.ParseInt(words[len(words)-1], 10, 64)
			var c Classic
			c.Compute(tree, usage, ClassicOptions{Damp: damp, DepthOblivious: has("depth_oblivious"),
				FirstPass: has("first_pass")})
			out.WriteString(line)
			show(&out, &c.Factors, c.EffectiveUsage, func(int) string { return "" })
		case "part":
			p, ok := fair.Part(node[words[1]], node[words[2]])
			a, b := tree.Associations[p.A], tree.Associations[p.B]
			fmt.Fprintf(&out, "part %s %s: %v at level %d, %s %s against %s %s, order %d, tied %v\n", words[1], words[2], ok,
				p.Level,
				name(a), decimals(fair.LevelFS[p.A]), name(b), decimals(fair.LevelFS[p.B]), p.Order, p.Tied)
		case "steps":
			fmt.Fprintf(&out, "steps %s:\n", words[1])
			for _, s := range fair.Steps(node[words[1]]) {
				fmt.Fprintf(&out, "  %s: shares %d of %d = %s, usage %s = %s of all, %s of the level, level %s\n",
					name(tree.Associations[s.Node]),
					s.Shares, s.LevelShares, decimals(s.NormShares), decimals(s.Usage), decimals(s.NormUsage),
					decimals(s.EffectiveUsage), decimals(s.LevelFS))
			}
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
	return out.String()
}

func show(out *strings.Builder, f *Factors, effective func(int) float64, more func(node int) string) {
	for i := range f.Tree.Len() {
		fmt.Fprintf(out, "%-14s %9s %10s %9s %9s %9s%s\n",
			strings.Repeat("  ", int(f.Tree.Depth[i]))+name(f.Tree.Associations[i]),
			decimals(f.NormShares[i]), decimals(f.Usage[i]), decimals(f.NormUsage(i)), decimals(effective(i)),
			decimals(f.Factor[i]), more(i))
	}
}

// decimals are at most six, as sshare prints.
func decimals(x float64) string {
	if math.IsInf(x, 1) {
		return "inf"
	}
	text := strconv.FormatFloat(x, 'f', 6, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func name(a Association) string {
	if a.User != "" {
		return "@" + a.User
	}
	return a.Account
}

// drawn reads a drawing.
func drawn(t *testing.T, drawing string) (*Tree, []float64, map[string]int) {
	var rows []Association
	var used []float64
	var above []string
	for line := range strings.Lines(drawing) {
		words := strings.Fields(line)
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		a, u := Association{}, Unstated
		if user, ok := strings.CutPrefix(words[0], "@"); ok {
			a.Account, a.User = above[depth-1], user
			u, _ = strconv.ParseFloat(words[2], 64)
		} else {
			a.Account = words[0]
			if depth > 0 {
				a.Parent = above[depth-1]
			}
			above = append(above[:depth], a.Account)
		}
		if len(words) > 1 {
			if a.Shares, _ = strconv.ParseInt(words[1], 10, 64); words[1] == "parent" {
				a.Shares = ParentShares
			}
		}
		rows, used = append(rows, a), append(used, u)
	}
	tree, diags := New(rows)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	usage, diags := tree.Load(used)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	node := map[string]int{}
	for row, a := range rows {
		node[name(a)] = tree.Node(row)
	}
	return tree, usage, node
}
