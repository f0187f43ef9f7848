// Package view turns an evaluated queue into text: for programs (JSON, JSON
// lines, CSV), for people (a table, explanations), and as the schedulers' own
// commands print it (Slurm's sprio, Maui's diagnose -p).
//
// In comes an engine.Result whose terms were kept; out goes text on a writer. The
// command line calls it: it picks a View or a Format by name, explains one job or
// a pair of jobs. Views compute nothing that the result does not hold, so they
// cannot disagree with it.
package view
