package main

import (
	"embed"
	"io"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/replay"
)

//go:embed schemas/*.schema.json
var schemaFiles embed.FS

// schemaDoc is what a verb writes as JSON, or reads.
type schemaDoc struct {
	name, of string
	write    func(io.Writer) error
}

var schemas = []schemaDoc{
	{"bisect", "`bisect -o json`", embedded("bisect")},
	{"convert", "`convert -o json`", embedded("convert")},
	{"diff", "`diff -o json`", embedded("diff")},
	{"eval", "`eval -o json`; its definition `job` is a line of `-o jsonl`", constant(eval.Schema)},
	{"explain", "`explain -o json`, of one job, of several or of two", constant(explain.Schema())},
	{"expr", "`expr -o json`", embedded("expr")},
	{"info", "`snapshot info -o json`", embedded("info")},
	{"lint", "`lint -o json`", embedded("lint")},
	{"plan", "`plan -o json`; its definition `job` is a line of `-o jsonl`", constant(plan.PlanSchema)},
	{"push", "a line of `push --to file=PATH` and `--to command=PROGRAM`", embedded("push")},
	{"replay", "`replay -o json`; its definition `job` is a line of `-o jsonl`", constant(replay.Schema())},
	{"snapshot", "a snapshot in Fairway's own form, which `--snapshot` reads and `snapshot convert` writes",
		snapshotSchema},
	{"usage", "`usage -o json` of Maui's windows; Slurm's usage is a snapshot", embedded("usage")},
	{"verify", "`verify -o json`", embedded("verify")},
}

func constant(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func embedded(name string) func(io.Writer) error {
	return func(w io.Writer) error {
		text, err := schemaFiles.ReadFile("schemas/" + name + ".schema.json")
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}
}

// docSchema prints a schema, or which there are.
func docSchema(w io.Writer, args []string) error {
	if len(args) == 0 {
		m := newMarkdown(w, "Schemas")
		m.para("`fairway doc schema NAME` prints one, as JSON Schema (draft 2020-12). Fields may be added within a format " +
			"version; " +
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
		return failf(exitUsage, "%s", unknownWord("schema", args[0], names))
	}
	return schemas[i].write(w)
}

// snapshotSchema is made from the vocabulary, which the reader goes by.
func snapshotSchema(w io.Writer) error {
	type object = map[string]any
	amounts := object{"type": "object",
		"additionalProperties": object{"type": "object", "additionalProperties": object{"type": "number"}}}
	rows := func(of string) object { return object{"type": "array", "items": object{"$ref": "#/$defs/" + of}} }
	credentials, defs := object{}, object{}
	for _, o := range schema.Objects {
		if o.Key != "" {
			credentials[o.Name] = rows(o.Name)
		}
		key, properties := "name", object{}
		if o.Name == "job" || o.Name == "node" {
			key = "id"
		}
		for _, c := range o.Columns {
			properties[c.ID.Name()] = columnSchema(c)
		}
		if o.Columns != nil && o.Name != "cluster" {
			defs[o.Name] = object{"description": o.Doc, "type": "object", "required": []string{key}, "properties": properties}
		}
	}
	defs["window"] = object{"type": "object", "required": []string{"start_time"}, "properties": object{
		"start_time": object{"type": []string{"integer", "string"}},
		"total":      object{"type": "number"},
		"usage":      amounts,
		"passed":     object{"type": "object", "description": "What Maui would not read of its file."},
	}}
	return source.WriteJSON(w, object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "A snapshot of a queue, format version 1",
		"description": "Every member may be missing. Times are epoch seconds or RFC 3339, durations seconds, memory MB; " +
			"null is unknown, and infinite numbers are \"inf\" and \"-inf\". JSON lines have one job each, and CSV has a " +
			"header of its columns.",
		"type":                 "object",
		"additionalProperties": false,
		"properties": object{
			"format_version": object{"const": 1},
			"now":            object{"type": []string{"integer", "string"}},
			"family":         object{"type": "string", "description": "slurm, maui, pbs …"},
			"version":        object{"type": "string", "description": "of the scheduler"},
			"jobs":           rows("job"),
			"nodes":          rows("node"),
			"reservations":   rows("reservation"),
			"licenses":       rows("license"),
			"credentials":    object{"type": "object", "additionalProperties": false, "properties": credentials},
			"usage": object{"type": "array", "items": object{"$ref": "#/$defs/window"},
				"description": "Fairshare windows."},
			"sprio": object{"type": "array", "description": "Factors as Slurm printed them."},
		},
		"$defs": defs,
	})
}

func columnSchema(c schema.Column) map[string]any {
	out := map[string]any{"description": c.Doc}
	switch {
	case schema.Keyed(c.ID.Name()):
		out["type"], out["additionalProperties"] = "object", map[string]any{"type": []string{"number", "null"}}
	case c.Type == schema.StringList:
		out["type"], out["items"] = []string{"array", "null"}, map[string]any{"type": "string"}
	default:
		out["type"] = map[schema.Type][]string{
			schema.Bool: {"boolean", "null"}, schema.Int: {"integer", "null"}, schema.Double: {"number", "string", "null"},
			schema.String: {"string", "number", "null"}, schema.Timestamp: {"integer", "string", "null"},
		}[c.Type]
	}
	return out
}
