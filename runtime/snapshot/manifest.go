package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
)

// ManifestFile is the file of a captured snapshot that says what the others are.
const ManifestFile = "manifest.json"

const (
	manifestKind    = "fairway-capture"
	manifestVersion = 1
)

// Manifest says how a snapshot was captured: by which commands, when, and what they printed. It is
// written first as that of a capture under way, and last as that of a whole one.
type Manifest struct {
	FormatVersion int               `json:"format_version"`
	Kind          string            `json:"kind"`
	Complete      bool              `json:"complete"`
	From          string            `json:"from"`                  // slurm, pbs or maui
	Jobs          string            `json:"jobs"`                  // the form in which jobs were read
	Cluster       string            `json:"cluster,omitempty"`     // as the resource manager calls it
	Version       string            `json:"version,omitempty"`     // of the resource manager, as it writes it
	Program       string            `json:"program"`               // version of Fairway
	Began         string            `json:"began"`                 // RFC 3339, by the clock of the machine that captured
	Ended         string            `json:"ended,omitempty"`       //
	Timezone      string            `json:"timezone"`              // in which the commands wrote times
	Commands      []ManifestCommand `json:"commands"`              // in their order
	Files         []ManifestFileSum `json:"files"`                 // all there are, but this one
	BadRecords    int               `json:"bad_records,omitempty"` // that were let pass
}

// ManifestCommand is one command that was run, or one file that was copied.
type ManifestCommand struct {
	Argv    []string `json:"argv"`
	File    string   `json:"file,omitempty"` // what it printed; empty if it failed
	Began   string   `json:"began"`
	Seconds float64  `json:"seconds"`
	Error   string   `json:"error,omitempty"` // why it failed, where it could be done without
}

// ManifestFileSum is a file and what it is to hold.
type ManifestFileSum struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// NewManifest is the manifest of a capture that begins.
func NewManifest(from, jobs, program, began string) *Manifest {
	return &Manifest{
		FormatVersion: manifestVersion, Kind: manifestKind, From: from, Jobs: jobs, Program: program, Began: began, Timezone: "UTC",
		Commands: []ManifestCommand{}, Files: []ManifestFileSum{},
	}
}

// Holds notes a file.
func (m *Manifest) Holds(name string, text []byte) {
	sum := sha256.Sum256(text)
	m.Files = append(m.Files, ManifestFileSum{name, int64(len(text)), hex.EncodeToString(sum[:])})
}

// Text is the manifest as it is written.
func (m *Manifest) Text() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// captured reads the manifest of a directory where it has one, and returns the other files. Until done the times
// in them are in UTC, as the commands were told.
func (r *reading) captured(dir string, names []string) (rest []string, m *Manifest, done func(), err error) {
	place := r.options.Location
	done = func() { r.options.Location = place }
	i := slices.Index(names, path.Join(dir, ManifestFile))
	if i < 0 {
		return names, nil, done, nil
	}
	if m, err = r.manifest(dir); m == nil || err != nil {
		return names, nil, done, err
	}
	r.options.Location = time.UTC
	return slices.Delete(names, i, i+1), m, done, nil
}

// manifest reads the manifest of a directory, and compares its files with it. It is nil for a file of that
// name that is something else.
func (r *reading) manifest(dir string) (*Manifest, error) {
	name := path.Join(dir, ManifestFile)
	text, err := r.text(name)
	if err != nil {
		return nil, r.unpackable(name, err)
	}
	if !strings.Contains(string(text[:min(len(text), headBytes)]), `"`+manifestKind+`"`) {
		return nil, nil
	}
	place := source.NewFile(name, text).Span(0, 0)
	m := &Manifest{}
	switch err := json.Unmarshal(text, m); {
	case err != nil:
		r.diags.Errorf("snapshot-broken-file", place, "the manifest cannot be read: %s", err).
			Note("capture again, or copy the snapshot again")
	case m.FormatVersion != manifestVersion || m.Timezone != "UTC":
		r.diags.Errorf("snapshot-format-version", place, "the manifest is of version %d, with times in %q", m.FormatVersion, m.Timezone).
			Note("this program reads version %d with times in UTC; a newer one captured the snapshot", manifestVersion)
	case !m.Complete:
		r.diags.Errorf("snapshot-capture-damaged", place, "the capture was not finished").
			Note("it was interrupted or is still under way; capture again")
	default:
		for _, f := range m.Files {
			if err := r.sameAs(dir, f); err != nil {
				r.diags.Errorf("snapshot-capture-damaged", place, "%s is not what was captured: %s", f.Name, err).
					Note("copy the snapshot again; or, if the file was changed on purpose, remove %s, and the files are read as they are", ManifestFile)
			}
		}
	}
	return m, nil
}

// sameAs says how a file differs from its line in the manifest.
func (r *reading) sameAs(dir string, f ManifestFileSum) error {
	if !fs.ValidPath(f.Name) {
		return fmt.Errorf("%q is no name of a file in the folder", f.Name)
	}
	if info, err := fs.Stat(r.fsys, path.Join(dir, f.Name)); err == nil && info.Mode()&noFile != 0 {
		return errors.New("it is no regular file")
	}
	file, err := r.fsys.Open(path.Join(dir, f.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("it is not there")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	switch {
	case err != nil:
		return err
	case n != f.Bytes:
		return fmt.Errorf("it has %d bytes instead of %d", n, f.Bytes)
	case hex.EncodeToString(sum.Sum(nil)) != f.SHA256:
		return errors.New("its checksum differs")
	}
	return nil
}
