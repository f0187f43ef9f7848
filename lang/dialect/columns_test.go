package dialect

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

func cells(line string) (row []Cell) {
	for _, w := range strings.Fields(line) {
		key, _, _ := strings.Cut(w, "=")
		row = append(row, Cell{key, w})
	}
	return row
}

// TestColumns: each case is the lines as they are, then as they are laid out.
func TestColumns(t *testing.T) {
	long := strings.Repeat("x", 50)
	for _, c := range []struct{ name, in, want string }{
		{"one order", "N=a C=4 F=x\nN=long C=16 F=y", "N=a    C=4  F=x\nN=long C=16 F=y"},
		{"a key is missing", "N=a C=4 G=1 F=x\nN=b C=4 F=y", "N=a C=4 G=1 F=x\nN=b C=4     F=y"},
		{"the first is missing", "P=1 M=4\nM=10", "P=1 M=4\n    M=10"},
		{"no one order", "N=aa C=4 F=x\nN=b F=y C=16", "N=aa C=4 F=x\nN=b  F=y C=16"},
		{"a key twice", "N=aa C=4 C=5\nN=b C=6", "N=aa C=4 C=5\nN=b  C=6"},
		{"a long cell", "N=" + long + " C=4\nN=b C=16", "N=" + long + " C=4\nN=b C=16"},
		{"letters beyond ASCII", "N=é C=4\nN=aa C=5", "N=é  C=4\nN=aa C=5"},
		{"nothing alike", "A=1 B=22\nC=3 D=4", "A=1 B=22\n         C=3 D=4"},
	} {
		var rows [][]Cell
		for _, line := range strings.Split(c.in, "\n") {
			rows = append(rows, cells(line))
		}
		if got := strings.Join(Columns(rows), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestColumnsKeepCells: what is laid out has the same cells, and is laid out alike again.
func TestColumnsKeepCells(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var rows [][]Cell
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			rows = append(rows, cells(strings.Join(rapid.SliceOfN(rapid.StringMatching(`[A-F]=[a-z]{1,45}`), 1, 6).
				Draw(t, "cells"), " ")))
		}
		lines := Columns(rows)
		var again [][]Cell
		for i, line := range lines {
			again = append(again, cells(line))
			if !slices.Equal(again[i], rows[i]) || strings.HasSuffix(line, " ") {
				t.Fatalf("%q is laid out of %v", line, rows[i])
			}
		}
		if twice := Columns(again); !slices.Equal(lines, twice) {
			t.Fatalf("%q and then %q", lines, twice)
		}
	})
}

func TestCommented(t *testing.T) {
	got := Commented([]string{"A=1", "LONG=22", "", "B=2", strings.Repeat("x", 120), "C=3"},
		[]string{"# a", "# b", "", "# c", "# far", ""}, 1)
	want := []string{"A=1     # a", "LONG=22 # b", "", "B=2 # c", strings.Repeat("x", 120) + " # far", "C=3"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
