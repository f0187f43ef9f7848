package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// deviationRow is one known difference between a scheduler and its manual.
type deviationRow struct {
	Policy     string `json:"policy"` // the library's policy that has it
	Name       string `json:"name"`
	Number     string `json:"number"` // in the list of differences of that scheduler
	Doc        string `json:"doc"`
	Observed   string `json:"observed"`   // what the program does
	Documented string `json:"documented"` // what the manual says
	Changes    string `json:"changes"`    // where results differ
}

// deviationRows lists those of the library, or the ones asked for by name or number.
func deviationRows(asked []string) ([]deviationRow, error) {
	var rows []deviationRow
	var known []string
	for _, p := range lower.Library() {
		first := len(rows)
		for _, d := range p.DeviationDecls {
			rows = append(rows, deviationRow{Policy: p.Name.Value, Name: d.Name, Number: d.Number.Value, Doc: d.Doc.Value,
				Observed: d.Observed.Value, Documented: d.Documented.Value, Changes: d.Changes.Value})
			known = append(known, d.Name)
		}
		slices.SortStableFunc(rows[first:], func(a, b deviationRow) int { return cmp.Compare(a.place(), b.place()) })
	}
	if len(asked) == 0 {
		return rows, nil
	}
	var some []deviationRow
	for _, name := range asked {
		at := slices.IndexFunc(rows, func(r deviationRow) bool { return r.is(name) })
		if at < 0 {
			hint := "; `fairway doc deviations -o table` lists them"
			if near := diag.Nearest(name, known); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return nil, failf(exitUsage, "there is no deviation %q%s", name, hint)
		}
		some = append(some, rows[at])
	}
	return some, nil
}

// place orders by number: Δ2 before Δ10, and those without a number last.
func (r deviationRow) place() int {
	number, _, _ := strings.Cut(strings.TrimPrefix(r.Number, "Δ"), ",")
	n, err := strconv.Atoi(number)
	if err != nil {
		return math.MaxInt
	}
	return n
}

// is reports whether the row is meant; a D stands for the Δ that few keyboards have.
func (r deviationRow) is(name string) bool {
	for _, number := range strings.Split(r.Number, ", ") {
		if name == number || name == strings.Replace(number, "Δ", "D", 1) {
			return true
		}
	}
	return name == r.Name
}

func docDeviations(w io.Writer, args []string) error {
	rows, err := deviationRows(args)
	if err != nil {
		return err
	}
	m := newMarkdown(w, "Deviations")
	m.para("Where a scheduler and its manual differ. A policy follows the program; `semantics = \"documented\"` or " +
		"`--semantics documented` " +
		"follows the manual in all of these points, `deviations = [\"NAME\"]` or `--deviation NAME` in one. The number, " +
		"with Δ or D before it, will do for the name.")
	policy := ""
	for _, r := range rows {
		if r.Policy != policy {
			policy = r.Policy
			m.heading(policy)
		}
		m.printf("- **%s**%s: %s\n  - observed: %s\n  - documented: %s\n  - changes: %s\n", r.Name, inBrackets(r.Number),
			r.Doc, r.Observed, r.Documented, r.Changes)
	}
	return m.err
}

func inBrackets(number string) string {
	if number == "" {
		return ""
	}
	return " (" + number + ")"
}

func tableDeviations(w io.Writer, args []string) error {
	rows, err := deviationRows(args)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "policy\tnumber\tname\tchanges")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Policy, r.Number, r.Name, r.Changes)
	}
	return t.Flush()
}

func jsonDeviations(w io.Writer, args []string) error {
	rows, err := deviationRows(args)
	if err != nil {
		return err
	}
	return source.WriteJSON(w, struct {
		FormatVersion int            `json:"format_version"`
		Deviations    []deviationRow `json:"deviations"`
	}{1, rows})
}
