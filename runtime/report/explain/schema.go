package explain

import (
	_ "embed" // explain.schema.json
	"strings"

	"github.com/fairway-sched/fairway/runtime/report/eval"
)

//go:embed explain.schema.json
var schemaText string

// Schema describes explain's JSON, as JSON Schema. What it has in common with eval's is taken from that.
func Schema() string {
	_, defs, _ := strings.Cut(eval.Schema, `"$defs": {`)
	defs = defs[:strings.LastIndex(defs[:strings.LastIndex(defs, "}")], "}")]
	return strings.Replace(schemaText, `"$of eval": {}`, strings.TrimSpace(defs), 1)
}
