package codegen

// advice is the first note of the faults found inside an expression.
var advice = map[string]string{
	"codegen-malformed-expression": "the expression was built by something other than the " +
		"expression compiler, which checks it",
	"codegen-not-a-condition":    "compare it with something, as in job.procs > 512",
	"codegen-not-a-number":       "make it a number, or a condition, which counts 1 or 0",
	"codegen-score-out-of-place": "only overrides and holds may read score, which is the sum of all factors",
	"codegen-unknown-function":   "`fairway doc functions` lists what there is",
}
