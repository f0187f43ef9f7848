package codegen

import "github.com/fairway-sched/fairway/lang/diag"

// Codes lists what Generate reports. The check pass and the front ends refuse
// such policies earlier and in better words; these stand for a policy that was
// built some other way.
var Codes = []diag.CodeDoc{
	{Code: "codegen-malformed-expression", Severity: diag.Error,
		What:    "An expression tree breaks its own rules: wrong number or types of arguments, or no type.",
		Why:     "There is no instruction that could compute it.",
		Instead: "Build the expression with the expression compiler, which checks it.", Case: "an addition of one argument, which no text can say"},
	{Code: "codegen-missing-condition", Severity: diag.Error,
		What:    "A hold or an override has no condition.",
		Why:     "It would have to apply to every job or to none, and nobody said which.",
		Example: `hold "night" { reason = "night" }`,
		Instead: `hold "night" { when = "now.getHours() < 6" }`},
	{Code: "codegen-missing-factor", Severity: diag.Error,
		What:    "A term has no factor.",
		Why:     "There is nothing to weigh.",
		Example: `term "age" { weight = 10 }`,
		Instead: `term "age" {
  weight = 10
  factor = "job.queue_minutes"
}`},
	{Code: "codegen-missing-value", Severity: diag.Error,
		What:    "An override has no value.",
		Why:     "There is nothing to replace the priority by.",
		Example: `override "system" { when = "job.system_priority > 0" }`,
		Instead: `override "system" {
  when  = "job.system_priority > 0"
  value = "score + double(job.system_priority)"
}`},
	{Code: "codegen-missing-weight", Severity: diag.Error,
		What:    "A term or a component has no weight.",
		Why:     "Whether it counts once or not at all would be a guess.",
		Example: `term "age" { factor = "job.queue_minutes" }`,
		Instead: `term "age" {
  weight = 1
  factor = "job.queue_minutes"
}`},
	{Code: "codegen-not-a-condition", Severity: diag.Error,
		What:    "A hold or an override asks something that is not true or false.",
		Why:     "The condition could not be decided.",
		Example: `hold "big" { when = "job.procs" }`,
		Instead: `hold "big" { when = "job.procs > 512" }`},
	{Code: "codegen-not-a-number", Severity: diag.Error,
		What:    "A factor, weight, cap, bound or override gives a string or a time.",
		Why:     "Only numbers and conditions, which count 1 or 0, can be weighed and added.",
		Example: `factor = "job.user"`,
		Instead: `factor = "job.user == 'amy'"`},
	{Code: "codegen-score-out-of-place", Severity: diag.Error,
		What:    "A factor, weight, floor or ceiling reads score.",
		Why:     "The score is the sum of the factors and is known to overrides and holds only.",
		Example: `factor = "score * 2.0"`,
		Instead: "Use score in the value or condition of an override."},
	{Code: "codegen-unknown-function", Severity: diag.Error,
		What:    "An expression calls a function that has no kernel.",
		Why:     "Nothing could compute it.",
		Instead: "Use a function listed by `fairway doc functions`.", Case: "a call that a program built by hand, without the expression compiler"},
}

// advice is the first note of the faults found inside an expression.
var advice = map[string]string{
	"codegen-malformed-expression": "the expression was built by something other than the expression compiler, which checks it",
	"codegen-not-a-condition":      "compare it with something, as in job.procs > 512",
	"codegen-not-a-number":         "make it a number, or a condition, which counts 1 or 0",
	"codegen-score-out-of-place":   "only overrides and holds may read score, which is the sum of all factors",
	"codegen-unknown-function":     "`fairway doc functions` lists what there is",
}
