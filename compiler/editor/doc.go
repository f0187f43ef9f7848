// Package editor answers what an editor asks about the files of a policy while they are written: what a word means,
// what may come next, where a name is defined and used, how it is renamed, what is wrong and how it is mended.
//
// In come the texts that are open, over those of a file system; out come places, texts and edits. It knows no protocol:
// cmd/lsp speaks the Language Server Protocol and calls it, and gives it the disk. What it says comes from the tables
// and pages that the rest of Fairway reads, and from the readers of the files: it has no parser of its own.
//
//	text.go        places as editors count them: lines and UTF-16 units; edits
//	workspace.go   the open texts and those of the disk, each read once
//	group.go       which files make one policy
//	language.go    the table of languages: what each makes of a text
//	slurm.go …     one file for each language
//	names.go       definition, references and rename, which go by the names of all languages
//	findings.go    lint, and its fixes as edits
//
// It is in compiler because lint and the policy are there, and above the package compiler because it calls that. A
// recorded queue is of runtime, so what a column holds in one is asked through Queue, which cmd supplies.
package editor
