// Package edit lists what of a policy a person may change, and makes the text that says so.
//
// In: a compiled policy and the files it was read from. Out: its settings, each with its place, default and
// documentation; for a change, the parameters and texts to compile instead, and the files as they would be saved.
// Called by the command line for `fairway desk`. It reads and writes no file.
package edit
