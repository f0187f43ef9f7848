package lower

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what recognising and lowering files reports.
var Codes = []diag.CodeDoc{
	{Code: "mixed-families", Severity: diag.Error,
		What: "Two files are for different schedulers.", Why: "One policy ranks one queue of one scheduler.",
		Example: "fairway eval maui.cfg slurm.conf", Instead: "Evaluate them one by one."},
	{Code: "no-policy", Severity: diag.Error,
		What: "A file of the policy language has no policy block, or no file was given.", Why: "There is nothing to evaluate.",
		Instead: "Give a policy; run tests with `fairway test`."},
	{Code: "param-type", Severity: diag.Error,
		What: "A parameter is set to a value of another type.", Why: "The real scheduler would refuse or misread it.",
		Example: `params = { QUEUETIMEWEIGHT = "often" }`, Instead: "Write a value of the type that `fairway doc params` states."},
	{Code: "several-policies", Severity: diag.Error,
		What: "The files define policies of different names.", Why: "Fairway evaluates one policy at a time.",
		Instead: "Give one name to the files of one policy."},
	{Code: "term-without-factor", Severity: diag.Error,
		What: "A term has no factor.", Why: "There is nothing to weigh.", Example: `term "age" { weight = 10 }`, Instead: "Write factor with a CEL expression."},
	{Code: "two-main-files", Severity: diag.Error,
		What: "Two main configuration files of one scheduler were given.", Why: "It reads one, and includes others.",
		Example: "fairway eval a/slurm.conf b/slurm.conf", Instead: "Evaluate them one by one."},
	{Code: "unknown-base", Severity: diag.Error,
		What: "`use` names no policy of the library.", Why: "There is nothing to inherit.", Example: `use = "moab"`, Instead: "Use maui, slurm or slurm_basic."},
	{Code: "unknown-component", Severity: diag.Error,
		What: "--without names no component.", Why: "Nothing would be left out.", Instead: "Use a name from the message."},
	{Code: "unknown-deviation", Severity: diag.Error,
		What: "A deviation is named that the policy does not have.", Why: "Nothing would change.", Instead: "`fairway doc deviations` lists them."},
	{Code: "unknown-language", Severity: diag.Error,
		What: "A policy file is in no language that Fairway knows.", Why: "Guessing would give wrong findings.",
		Instead: "Say which with --lang, if it is one of them."},
	{Code: "unknown-param", Severity: diag.Error,
		What: "A parameter is set that nobody declares.", Why: "It would have no effect.",
		Example: `params = { QUEUTIMEWEIGHT = 10 }`, Instead: "Correct the name, or declare it with a param block."},
	{Code: "unknown-slurm-version", Severity: diag.Error,
		What: "The Slurm version is not one that Fairway knows.", Why: "Defaults and formulas depend on it.", Example: "--slurm-version 22.5", Instead: "Write YY.MM, such as 22.05."},
}
