package format

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// ManifestFile is the file of a captured snapshot that says what the others are.
const ManifestFile = "manifest.json"

const (
	ManifestKind    = "fairway-capture"
	ManifestVersion = 1
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
	Began         string            `json:"began"`                 // RFC 3339, by the capturing machine's clock
	Ended         string            `json:"ended,omitempty"`       //
	Timezone      string            `json:"timezone"`              // in which the commands wrote times
	Commands      []ManifestCommand `json:"commands"`              // in their order
	Policy        []string          `json:"policy,omitempty"`      // main files of the policy that was in force
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
		FormatVersion: ManifestVersion, Kind: ManifestKind, From: from, Jobs: jobs, Program: program, Began: began,
		Timezone: "UTC",
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
