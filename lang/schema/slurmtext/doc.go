// Package slurmtext reads and writes the small value notations that Slurm uses
// everywhere: time strings, host lists and TRES strings.
//
// In comes the text of one value, out comes a number or a list, or an *Error
// saying where in the text it went wrong. It is beside the schema and
// imports only the standard library, because both sides of Fairway need it:
// the config parsers of lang and the snapshot readers of runtime.
package slurmtext

import "fmt"

// Error says what is wrong with a value and at which byte of it. The message
// is lower case without a full stop, ready for a diagnostic's note.
type Error struct {
	Offset  int
	Message string
}

func (e *Error) Error() string { return e.Message }

func errorAt(offset int, format string, args ...any) *Error {
	return &Error{Offset: offset, Message: fmt.Sprintf(format, args...)}
}
