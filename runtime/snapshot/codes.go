package snapshot

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
)

// Codes documents the diagnostics of this package.
var Codes = slices.Concat(readCodes, mauiCodes, slurmCodes)

var readCodes = []diag.CodeDoc{
	{Code: "snapshot-bad-record", Severity: diag.Warning,
		What:    "A record has a value of a wrong kind or one that cannot be, such as -4 processors, or it has no name.",
		Why:     "A guessed value would become a priority; the record is counted and left out.",
		Example: `{"format_version": 1, "jobs": [{"id": "1", "procs": "four"}]}`,
		Instead: "Write the value as the column wants it, or null when it is not known."},
	{Code: "snapshot-bad-time", Severity: diag.Warning,
		What:    "The time of the snapshot is no time.",
		Why:     "Queue times are counted from it.",
		Example: "now.txt: yesterday",
		Instead: "Write the seconds since 1970 (UTC)."},
	{Code: "snapshot-broken-file", Severity: diag.Error,
		What:    "A file ends in the middle or is broken at the place shown.",
		Why:     "What follows cannot be read; a queue read in half gives wrong ranks.",
		Example: `{"format_version": 1, "jobs": [{"id": "1",}]}`,
		Instead: "Write the file again, or mend the place shown."},
	{Code: "snapshot-file-skipped", Severity: diag.Info,
		What:    "A file of a snapshot directory is in no known format.",
		Why:     "Directories hold configs, notes and results beside the data.",
		Example: "expected.json beside jobs.json",
		Instead: "Nothing, unless the file should have been read: then name it, and the reason is said."},
	{Code: "snapshot-format-version", Severity: diag.Error,
		What:    "A native snapshot is of a version this program does not know.",
		Why:     "A newer version may mean something else by the same names.",
		Example: `{"format_version": 2}`,
		Instead: "Use a newer program, or write version 1."},
	{Code: "snapshot-job-without-user", Severity: diag.Info,
		What:    "Jobs have no user.",
		Why:     "Fairshare, limits and priorities by user do not see them.",
		Example: `{"format_version": 1, "jobs": [{"id": "1"}]}`,
		Instead: "Add an input that names the users, or the column user."},
	{Code: "snapshot-more-of-a-kind", Severity: diag.Warning,
		What:    "More places are like the ones reported.",
		Why:     "The first ones show the fault; thousands more would hide the rest.",
		Instead: "Mend the first ones, or the program that writes the file."},
	{Code: "snapshot-repeated-column", Severity: diag.Warning,
		What:    "The header of a table names a column twice.",
		Why:     "Two values of one cell cannot both count.",
		Example: "id,procs,procs",
		Instead: "Name each column once."},
	{Code: "snapshot-repeated-id", Severity: diag.Warning,
		What:    "Two records of one file have the same id.",
		Why:     "One job has one row; the records are joined, the later one counting.",
		Example: `{"format_version": 1, "jobs": [{"id": "1"}, {"id": "1"}]}`,
		Instead: "Give each job its own id."},
	{Code: "snapshot-unknown-field", Severity: diag.Info,
		What:    "A field has a name that is no column.",
		Why:     "It is left out; a misspelt column would be missed silently otherwise.",
		Example: `{"format_version": 1, "jobs": [{"id": "1", "walltime": 60}]}`,
		Instead: "Use the column's name, here walltime_seconds."},
	{Code: "snapshot-unknown-format", Severity: diag.Error,
		What:    "A file given by name is in no known format.",
		Why:     "Formats are told by content, so an empty or foreign file cannot be read.",
		Example: "hello",
		Instead: "Give one of the formats the note lists."},
}

var mauiCodes = []diag.CodeDoc{
	{Code: "snapshot-fairshare-line", Severity: diag.Warning,
		What:    "Maui's reader of fairshare files would pass over a line.",
		Why:     "Without a word, fairshare is off: Maui itself says nothing, and the manual's sample file does not load.",
		Example: "User amy 150000.000",
		Instead: "user amy 150000.000"},
	{Code: "snapshot-fairshare-without-start", Severity: diag.Warning,
		What:    "Neither the name nor the header of a fairshare file says which window it is.",
		Why:     "Usage is weighted by the age of its window.",
		Example: "# FS Data File",
		Instead: "Name the file FS. and the epoch at which the window starts."},
	{Code: "snapshot-not-yet-arrived", Severity: diag.Info,
		What:    "Jobs of a trace or of a Maui case arrive after the snapshot's time.",
		Why:     "The resource manager does not show them yet, so they take no part.",
		Instead: "Choose a later time to see them; the note has the first and the last arrival."},
}
