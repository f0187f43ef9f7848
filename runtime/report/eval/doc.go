// Package eval reports an evaluated queue: one value of what is reported of each job, limit and share, which JSON
// encodes, and the native table, CSV and Prometheus project. In comes an evaluation.Result; other reports read
// their rows here.
package eval
