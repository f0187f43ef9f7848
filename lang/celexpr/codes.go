package celexpr

import "github.com/fairway-sched/fairway/lang/diag"

// The codes of this package's diagnostics.
const (
	codeSyntax            = "cel-syntax"
	codeInterpolation     = "cel-interpolation"
	codeType              = "cel-type"
	codeResultType        = "cel-result-type"
	codeUnknownName       = "cel-unknown-name"
	codeUnknownFunction   = "cel-unknown-function"
	codeUnknownColumn     = "cel-unknown-column"
	codeUnknownParam      = "cel-unknown-param"
	codeParamWithoutValue = "cel-param-without-value"
	codeUnknownDeviation  = "cel-unknown-deviation"
	codeUnknownEach       = "cel-unknown-each"
	codeUnknownDefine     = "cel-unknown-define"
	codeLongDefine        = "cel-long-define"
	codeUnknownTRES       = "cel-unknown-tres"
	codeTRESNotConstant   = "cel-tres-not-constant"
	codeNotInScope        = "cel-not-in-scope"
	codeObjectAsValue     = "cel-object-as-value"
	codeHiddenName        = "cel-hidden-name"
	codeConstantFails     = "constant-expression-fails"
)

// Codes documents every diagnostic of the expression language.
var Codes = []diag.CodeDoc{
	{Code: codeSyntax, What: "The text is not an expression of CEL.", Why: "It cannot be evaluated.", Example: `job.procs > 4 and job.gpus == 0`, Instead: "Write && || ! == and c ? a : b."},
	{Code: codeInterpolation, What: "The text contains ${…}.", Why: "HCL would put text into the expression, and errors could not point into the file any more.", Example: `job.procs * ${param.WEIGHT}`, Instead: "Write param.WEIGHT: expressions see params, and each.key within for_each."},
	{Code: codeType, What: "An operator or function does not take values of these types.", Why: "CEL never mixes int and double by itself, so that no rounding goes unseen.", Example: `job.procs * 1.5`, Instead: "Convert: double(job.procs) * 1.5."},
	{Code: codeResultType, What: "The result has a type that this place cannot use.", Why: "A factor must be a number, a condition a bool, a text a string.", Example: `job.user`, Instead: "For a number out of a condition write condition ? 1.0 : 0.0."},
	{Code: codeUnknownName, What: "A name is neither a column, a constant nor a macro variable.", Why: "It has no value.", Example: `procs + 1`, Instead: "Columns need their object (job.procs), params their prefix (param.NAME)."},
	{Code: codeUnknownFunction, What: "There is no such function or method.", Why: "It cannot be called.", Example: `sqrt(2.0)`, Instead: "See `fairway doc functions`; mathematics beyond pow, exp, ln, log2, log10 and clamp has the prefix math."},
	{Code: codeUnknownColumn, What: "An object has no column of this name.", Why: "Reading it would silently give nothing.", Example: `job.WCLimit`, Instead: "See `fairway doc columns`, which also lists both schedulers' names."},
	{Code: codeUnknownParam, What: "The policy has no param of this name.", Why: "It has no value.", Example: `param.QUEUTIMEWEIGHT`, Instead: "Correct the name, or declare the param."},
	{Code: codeParamWithoutValue, What: "A param without default is read and was not set.", Why: "There is no safe value to assume.", Example: `param.UNSET`, Instead: "Set it in params."},
	{Code: codeUnknownDeviation, What: "The policy's family has no documented difference of this name.", Why: "The condition would never change.", Example: `documented.no_such_deviation`, Instead: "See the deviation blocks of the family."},
	{Code: codeUnknownEach, What: "each is read outside of for_each, or a member it does not have.", Why: "It has no value.", Example: `each.key == 'a'`, Instead: "Give the block a for_each; each has key and value."},
	{Code: codeUnknownDefine,
		What:    "The policy has no define of this name, or has it only further down.",
		Why:     "A define reads those before it, so that none can read itself.",
		Example: `define.xfacter * 2.0`,
		Instead: "Correct the name, or move the define up."},
	{Code: codeLongDefine,
		What:    "An expression is very long once the defines in it are written out.",
		Why:     "Defines that each read the one before twice double with each line.",
		Example: `define.long + define.long`,
		Instead: "Read each define less often, as in 2 * define.long."},
	{Code: codeUnknownTRES, What: "The argument of tres() is no trackable resource.", Why: "It would count 0 for every job.", Example: `job.tres('gpu')`, Instead: "Write the full name: gres/gpu, license/matlab, cpu, mem, node, billing."},
	{Code: codeTRESNotConstant, What: "The argument of tres() depends on the job.", Why: "Each resource is a column of its own, which must be known before the jobs are.", Example: `job.tres(job.name)`, Instead: "Write a constant string or a param."},
	{Code: codeNotInScope, What: "A column is read where it has no value: a job's in a weight or cap, a node's anywhere, the score outside of finish.", Why: "A weight is the same for all jobs of one credential.", Example: `score * 2.0`, Instead: "Move what depends on the job into the factor."},
	{Code: codeObjectAsValue, What: "An object or group of constants stands alone.", Why: "It is not a value.", Example: `[job].size()`, Instead: "Name one of its columns."},
	{Code: codeHiddenName, What: "The variable of a macro has the name of an object or constant.", Why: "Within the macro the object could not be reached, which is rarely meant.", Example: `[1, 2].exists(job, job > 1)`, Instead: "Give the variable another name."},
	{Code: codeConstantFails, Severity: diag.Warning, What: "A part without columns fails whenever it is evaluated; an error if it is the whole expression.", Why: "Each job that reaches it has no value.", Example: `job.procs > 4 ? 1 / 0 : 1`, Instead: "Correct the constants."},
}
