package snapshot

import (
	"io"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/pbs"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
)

// What formats fill and others read has one name here and there.
type (
	Snapshot        = format.Snapshot
	Options         = format.Options
	Source          = format.Source
	Span            = format.Span
	UsageWindow     = format.UsageWindow
	PassedUsage     = format.PassedUsage
	Moment          = format.Moment
	Manifest        = format.Manifest
	ManifestCommand = format.ManifestCommand
	ManifestFileSum = format.ManifestFileSum
	PBSJob          = pbs.PBSJob
)

const (
	// ManifestFile is the file of a captured snapshot that says what the others are.
	ManifestFile = format.ManifestFile
	// LastSecond is the last time that Slurm and most file formats can hold.
	LastSecond = format.LastSecond
	// SprioNoValue is what sprio prints of a site factor or a nice value that it does not have.
	SprioNoValue = slurm.SprioNoValue
)

// SprioColumn names a recorded column of sprio, such as "sprio.age".
func SprioColumn(name string) schema.ColumnID { return format.SprioColumn(name) }

// OneWord writes a reason as scontrol does.
func OneWord(reason string) string { return slurm.OneWord(reason) }

// PBSJobs reads what qstat -f or qstat -x printed.
func PBSJobs(text []byte) []PBSJob { return pbs.PBSJobs(text) }

// NewManifest is the manifest of a capture that begins.
func NewManifest(from, jobs, program, began string) *Manifest {
	return format.NewManifest(from, jobs, program, began)
}

// WriteJSON writes the native form.
func WriteJSON(w io.Writer, s *Snapshot) error { return native.WriteJSON(w, s) }

// WriteLines writes the jobs as JSON lines.
func WriteLines(w io.Writer, s *Snapshot) error { return native.WriteLines(w, s) }

// WriteCSV writes the jobs as a table.
func WriteCSV(w io.Writer, s *Snapshot) error { return native.WriteCSV(w, s) }
