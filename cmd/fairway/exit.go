package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes, the same for every verb.
const (
	exitFine        = 0
	exitFindings    = 1
	exitDifferences = 2
	exitUnreadable  = 3
	exitUsage       = 4
	exitIO          = 5
	exitLocked      = 75 // EX_TEMPFAIL: try later
	exitInterrupted = 130
)

// exit is what an exit code says, and the verbs that end with it; nil stands for all.
type exit struct {
	code  int
	means string
	of    []string
}

// exits are all exit codes. Help and manual pages are made from this table, and the standing attack takes any other
// code for a fault.
var exits = []exit{
	{exitFine, "fine", nil},
	{exitFindings, "findings or failed tests", []string{"eval", "explain", "lint", "check", "diff", "convert", "fmt",
		"verify", "push", "test", "expr", "usage", "snapshot info", "snapshot convert",
		"snapshot anonymize", "snapshot synth", "replay", "sweep run", "sweep resume", "sweep status",
		"sweep merge", "sweep tasks", "sweep work", "sweep suggest",
		"sweep report", "lsp"}},
	{exitDifferences, "differences", []string{"diff"}},
	{exitUnreadable, "input that cannot be parsed", nil},
	{exitUsage, "wrong usage", nil},
	{exitIO, "input or output failed", nil},
	{exitLocked, "another run holds the state's lock", []string{"eval", "plan", "push", "usage", "sweep plan", "sweep run",
		"sweep resume", "sweep tasks", "sweep work", "sweep suggest"}},
	{exitInterrupted, "interrupted", nil},
}

// verbName is a command's name as it is typed after the program's.
func verbName(of *cobra.Command) string {
	return strings.TrimPrefix(strings.TrimPrefix(of.CommandPath(), of.Root().Name()), " ")
}

// exitsOf are the codes of one verb; of the program, or of a command that only has verbs below it, those of all.
func exitsOf(of *cobra.Command) []exit {
	if of.HasSubCommands() && !of.HasParent() {
		return exits
	}
	return slices.DeleteFunc(slices.Clone(exits), func(e exit) bool {
		return e.of != nil && !slices.ContainsFunc(e.of, func(verb string) bool {
			return verb == verbName(of) || strings.HasPrefix(verb, verbName(of)+" ")
		})
	})
}

// exitText lists exit codes as help has them, in lines of its width.
func exitText(list []exit) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = fmt.Sprintf("%d %s", e.code, e.means)
	}
	width, words := len("Exit codes:"), strings.Fields(strings.Join(parts, ", "))
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case width+1+len(w) > 82:
			b.WriteByte('\n')
			width = -1
		default:
			b.WriteByte(' ')
		}
		b.WriteString(w)
		width += 1 + len(w)
	}
	return b.String()
}
