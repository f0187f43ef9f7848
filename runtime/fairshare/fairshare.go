// Package fairshare computes what credentials have used against what they should
// get.
//
// In: a program's fairshare model, and usage as the snapshot has it. Out: per credential the
// columns that priorities read, and the caps that keep jobs from starting. Called
// by the engine.
package fairshare
