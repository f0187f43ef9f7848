package main

import (
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// schemaDoc is what a verb writes as JSON, or reads.
type schemaDoc struct{ name, of, text string }

var schemas = []schemaDoc{
	{"eval", "`eval -o json`; its definition `job` is a line of `-o jsonl`", eval.Schema},
	{"plan", "`plan -o json`; its definition `job` is a line of `-o jsonl`", plan.PlanSchema},
}

// docSchema prints a schema, or which there are.
func docSchema(w io.Writer, args []string) error {
	if len(args) == 0 {
		m := newMarkdown(w, "Schemas")
		m.para("`fairway doc schema NAME` prints one, as JSON Schema (draft 2020-12). Fields may be added within a format version; " +
			"a field that goes away or changes its meaning makes a new version.")
		m.head("schema", "of")
		for _, s := range schemas {
			m.row("`"+s.name+"`", s.of)
		}
		return m.err
	}
	i := slices.IndexFunc(schemas, func(s schemaDoc) bool { return s.name == args[0] })
	if i < 0 {
		var names []string
		for _, s := range schemas {
			names = append(names, s.name)
		}
		return failf(exitUsage, "there is no schema %q; the schemas are %s", args[0], strings.Join(names, ", "))
	}
	_, err := io.WriteString(w, schemas[i].text)
	return err
}
