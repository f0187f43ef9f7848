// Package plan reports when and where jobs start and what they wait for: one value a job, which JSON encodes,
// and CSV, tables, paragraphs, and what showbf, showstart and squeue --start print. In comes a schedule with
// the result that it was planned from.
package plan
