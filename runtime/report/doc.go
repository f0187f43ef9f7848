// Package report lists the views and formats of results, by the names that the command line knows, and finds
// the jobs that they are asked about. The folders below it write them: each report is one value, and its text
// and JSON come from that.
//
// In comes an evaluation.Result whose terms were kept; out goes text on a writer. Reports compute nothing that the
// result does not hold, so they cannot disagree with it.
package report
