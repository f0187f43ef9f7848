// Package conformance holds what scheduling code is judged by: a suite of cited cases, recorded runs
// of real schedulers, a slow second evaluator and laws. It has only tests; what is where, and how another
// scheduler is judged by it, is in README.md.
package conformance
