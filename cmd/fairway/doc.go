package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/runtime/replay"
)

// topic is one part of the reference. Every topic prints Markdown made from the
// tables that the program itself reads; some have other formats too.
type topic struct {
	name  string
	doc   string
	most  int // names after it; -1: any number
	write func(w io.Writer, args []string) error
	other map[string]func(w io.Writer, args []string) error
}

var topics = []topic{
	{"columns", "what expressions can read of a job, its credentials and the cluster [OBJECT]", 1, docColumns, nil},
	{"deviations", "where a scheduler's manual and its behaviour differ, one switch each [NAME...]", -1, docDeviations,
		map[string]func(io.Writer, []string) error{"json": jsonDeviations, "table": tableDeviations}},
	{"functions", "functions of expressions and of policy files", 0, docFunctions, nil},
	{"guide", "guides, with commands to try: which there are, or one of them [NAME]", 1, docGuide,
		map[string]func(io.Writer, []string) error{"man": manGuide}},
	{"language", "every block and attribute of the policy language, or those of one block [BLOCK]", 1, docLanguage, nil},
	{"messages", "what every diagnostic says [CODE...]", -1, docMessages, nil},
	{"metrics", "what a replay measures, each with its unit and definition", 0, docMetrics, nil},
	{"params", "parameters of the dialects: maui [NAME], slurm [NAME]", 2, docParams, nil},
	{"passes", "the compiler's stages, for --dump", 0, docPasses, nil},
	{"rules", "every diagnostic and rule: what, why, what instead [CODE or NUMBER...]", -1, docRules, nil},
	{"schema", "JSON Schema of what -o json writes: which there are, or one of them [NAME]", 1, docSchema, nil},
	{"state", "the folder of --state-dir: what is in it and what holds of it", 0, docState, nil},
}

func topicsText() string {
	var lines []string
	for _, t := range topics {
		lines = append(lines, fmt.Sprintf("  %-11s %s", t.name, t.doc))
	}
	return strings.Join(lines, "\n")
}

func newDoc() *cobra.Command {
	var names []string
	for _, t := range topics {
		names = append(names, t.name)
	}
	var out string
	cmd := &cobra.Command{
		Use:               "doc TOPIC [NAME...]",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeDoc,
		RunE: func(_ *cobra.Command, args []string) error {
			i := slices.IndexFunc(names, func(n string) bool {
				return strings.TrimSuffix(n, "s") == strings.TrimSuffix(args[0], "s")
			})
			if i < 0 {
				return failf(exitUsage, "%s", unknownWord("topic", args[0], names))
			}
			if most := topics[i].most; most >= 0 && len(args)-1 > most {
				return failf(exitUsage, "doc %s takes %s, and %q is one too many", topics[i].name,
					[]string{"no name", "one name", "two names"}[most], args[most+1])
			}
			format, path, _ := strings.Cut(out, "=")
			write := topics[i].other[format]
			switch {
			case format == "markdown":
				write = topics[i].write
			case write == nil:
				return failf(exitUsage, "doc %s has no format %q, it has %s; a file is written with -o markdown=FILE",
					topics[i].name, format,
					strings.Join(append([]string{"markdown"}, slices.Sorted(maps.Keys(topics[i].other))...), ", "))
			}
			return writeOutput(path, func(w io.Writer) error { return write(w, args[1:]) })
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "markdown",
		"FORMAT or FORMAT=PATH: markdown; for deviations also json, table; for guides also man")
	cmd.AddCommand(newDocMan(), newDocVerbs())
	return cmd
}

func docPasses(w io.Writer, _ []string) error {
	m := newMarkdown(w, "Compiler passes")
	m.para("`fairway eval POLICY --dump=PASS` prints what a pass made.")
	for _, p := range compiler.Passes() {
		m.row(p.Name, p.Doc)
	}
	return m.err
}

// docMetrics prints what a replay measures.
func docMetrics(w io.Writer, _ []string) error {
	m := newMarkdown(w, "Metrics of a replay")
	m.para("What `fairway replay` measures, of the replay as a whole or of a group of its jobs: all, or those of a " +
		"user, group, account, QOS, partition or class of sizes. A dot in a name begins a member of an inner object " +
		"in JSON.")
	for _, part := range []struct {
		title string
		whole bool
	}{{"Of a group of jobs", false}, {"Of the replay as a whole", true}} {
		m.heading(part.title)
		m.head("name", "unit", "better", "definition")
		for i := range replay.Metrics {
			if x := &replay.Metrics[i]; x.Whole == part.whole {
				m.row("`"+x.Name+"`", x.Unit, []string{"", "less", "more"}[x.Goal], x.Doc)
			}
		}
	}
	return m.err
}

// docState prints the layout of state directories.
func docState(w io.Writer, _ []string) error {
	var parts []string
	for _, p := range stateLayout {
		name := p.name
		switch {
		case p.folder:
			name += "/"
		case p.more:
			name += "*"
		}
		parts = append(parts, fmt.Sprintf("| `%s` | %s | %d |", name, p.doc, p.since))
	}
	text := strings.NewReplacer("{{version}}", strconv.Itoa(stateDirVersion), "{{parts}}", strings.Join(parts, "\n"))
	_, err := text.WriteString(w, helpText("state.md"))
	return err
}
