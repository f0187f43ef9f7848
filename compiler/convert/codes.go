package convert

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents what converting reports.
var Codes = []diag.CodeDoc{
	{Code: "convert-same-language", Severity: diag.Error,
		What: "A file to convert is in the language asked for.", Why: "There is nothing to convert.",
		Example: "fairway convert site.fairway.hcl --to hcl", Instead: "Give the scheduler's files alone."},
	{Code: "convert-left-out", Severity: diag.Info,
		What: "A setting is left out of the conversion because the scheduler passes over it.", Why: "It has no meaning that could be kept.",
		Example: "QUEUETIMEWIEGHT 10", Instead: "Nothing, or correct the setting first."},
	{Code: "convert-not-text", Severity: diag.Error,
		What: "A value has bytes that are no text.", Why: "HCL is text in UTF-8.", Example: "a name in Latin-1", Instead: "Write the value in UTF-8."},
	{Code: "convert-refused", Severity: diag.Error,
		What: "What a policy would become cannot be read, or means something else.", Why: "The result is compiled and compared before it is written.",
		Example: "a quoted value with a carriage return inside", Instead: "Change the value that the note shows, or keep the file."},
}
