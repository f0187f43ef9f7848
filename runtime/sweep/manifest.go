// Package sweep computes many cells: a policy with one choice of its parameters, over a workload that is replayed or a
// snapshot that is evaluated.
//
// In: a Manifest, which names all cells, the texts of the files that it was made from (Inputs), and a compiler. Out: a
// Cell's result, which depends on nothing else; what results come to is in front.go, sensitivity.go and suggest.go. The
// command line keeps manifests and results as files, and decides who computes what.
package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
)

// FormatVersion is the version of manifests and results. It goes into the name of each cell, so that results of
// another version are never taken for these.
const FormatVersion = 1

// Manifest is a planned sweep.
type Manifest struct {
	FormatVersion int    `json:"format_version"`
	Program       string `json:"program"` // the release of Fairway that computes it
	Study         string `json:"study"`
	Folder        string `json:"folder"` // where the study is: names of files are as seen from there

	Files    []File   `json:"files"`
	Folders  []Folder `json:"folders,omitempty"`
	Policies []Policy `json:"policies"`
	Sources  []Source `json:"sources"`
	Metrics  []Metric `json:"metrics"`
	KeepJobs bool     `json:"keep_jobs,omitempty"`
	Points   []Point  `json:"points"`
	Cells    []Cell   `json:"cells"`
}

// File is a text that cells are computed from.
type File struct {
	Name   string `json:"name"` // from the root of the file system
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Folder is one that was listed.
type Folder struct {
	Name  string   `json:"name"`
	Names []string `json:"names"`
}

// Policy is a policy that is tried.
type Policy struct {
	Name      string   `json:"name"`
	Files     []string `json:"files"`
	Family    string   `json:"family"` // maui, slurm, or "" of a policy from scratch
	Language  string   `json:"language"`
	Version   string   `json:"slurm_version,omitempty"`
	Site      string   `json:"site_version,omitempty"` // what the project file says of files that state none
	Semantics string   `json:"semantics,omitempty"`
	Params    []Range  `json:"params,omitempty"`
	Where     string   `json:"where,omitempty"` // which choices may be tried, in CEL
	Reads     []string `json:"reads"`           // all that it reads, included files too
}

// Range is a parameter that varies.
type Range struct {
	Name   string   `json:"name"`
	Values []string `json:"values,omitempty"` // of a list, or of a range with steps
	From   float64  `json:"from,omitempty"`
	To     float64  `json:"to,omitempty"`
	Log    bool     `json:"log,omitempty"`
	Whole  bool     `json:"whole,omitempty"` // numbers of the range are whole
}

// Source is what policies are tried on: a workload, or a snapshot.
type Source struct {
	Name    string   `json:"name"`
	Kind    Kind     `json:"kind"`
	Files   []string `json:"files"`
	Nodes   []string `json:"nodes,omitempty"`
	Procs   int64    `json:"procs,omitempty"`
	From    int64    `json:"from,omitempty"`
	To      int64    `json:"to,omitempty"`
	WarmUp  int64    `json:"warm_up,omitempty"`
	Runtime string   `json:"runtime,omitempty"`
	// Arrivals is as replay.ParseArrivals has it; Seeds is how many cells draw them.
	Arrivals string `json:"arrivals,omitempty"`
	Seeds    int    `json:"seeds,omitempty"`

	Now   *int64   `json:"now,omitempty"`
	Plan  bool     `json:"plan,omitempty"`
	Zone  string   `json:"timezone"`
	Reads []string `json:"reads"` // all that it reads, by name
}

// Kind is what is done with a source.
type Kind string

// The kinds.
const (
	Workload Kind = "workload"
	Snapshot Kind = "snapshot"
)

// Metric is a figure that decides.
type Metric struct {
	Name    string   `json:"name"`
	Of      string   `json:"of"`
	Kind    string   `json:"group_kind,omitempty"`
	Group   string   `json:"group,omitempty"`
	High    bool     `json:"high,omitempty"` // more is better
	AtMost  *float64 `json:"at_most,omitempty"`
	AtLeast *float64 `json:"at_least,omitempty"`
}

// Point is a policy with a choice of its parameters.
type Point struct {
	Policy int     `json:"policy"`
	Params []Param `json:"params,omitempty"`
}

// Param is a parameter with a value, as the policy's file has it.
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Held  bool   `json:"held,omitempty"`
}

// Cell is one thing to compute.
type Cell struct {
	ID     string `json:"id"`
	Point  int    `json:"point"`
	Source int    `json:"source"`
	Seed   uint64 `json:"seed,omitempty"`
}

// named is all that goes into the name of a cell. Names of folders do not: a sweep that moved is the same.
type named struct {
	Format   int      `json:"format"`
	Program  string   `json:"program"`
	Policy   Policy   `json:"policy"`
	Inputs   []string `json:"inputs"`
	Params   []Param  `json:"params"`
	Source   Source   `json:"source"`
	Recorded []string `json:"recorded"`
	Seed     uint64   `json:"seed"`
	KeepJobs bool     `json:"keep_jobs"`
}

// Name gives a cell its name: the hash of all that goes into it.
func (m *Manifest) Name(c *Cell) string {
	point := &m.Points[c.Point]
	n := named{Format: FormatVersion, Program: m.Program, Policy: m.Policies[point.Policy], Params: point.Params,
		Source: m.Sources[c.Source], Seed: c.Seed, KeepJobs: m.KeepJobs}
	n.Inputs, n.Recorded = m.contents(n.Policy.Reads), m.contents(n.Source.Reads)
	p, s := &n.Policy, &n.Source
	p.Name, p.Files, p.Params, p.Where, p.Reads = "", bases(p.Files), nil, "", nil
	s.Name, s.Files, s.Nodes, s.Reads, s.Seeds = "", bases(s.Files), bases(s.Nodes), nil, 0
	params := slices.Clone(n.Params)
	for i := range params {
		params[i].Held = false
	}
	slices.SortFunc(params, func(a, b Param) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	n.Params = params
	text, err := json.Marshal(n)
	if err != nil {
		panic("INVARIANT: a cell is plain data: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:nameBytes])
}

// nameBytes is how much of the hash a name has.
const nameBytes = 16

// isName reports what may be the name of a cell. Names are parts of paths, so that nothing else is taken for one.
func isName(id string) bool {
	sum, err := hex.DecodeString(id)
	return err == nil && len(sum) == nameBytes && hex.EncodeToString(sum) == id
}

// contents are the hashes of files, each with the last part of its name, by which some are recognised.
func (m *Manifest) contents(names []string) (list []string) {
	for _, name := range names {
		for i := range m.Files {
			if m.Files[i].Name == name {
				list = append(list, path.Base(name)+" "+m.Files[i].SHA256)
			}
		}
	}
	slices.Sort(list)
	return list
}

func bases(names []string) (list []string) {
	for _, name := range names {
		list = append(list, path.Base(name))
	}
	return list
}

// Fill makes a cell of each point, source and seed.
func (m *Manifest) Fill() {
	m.Cells = nil
	for source := range m.Sources {
		for point := range m.Points {
			m.Add(point, source)
		}
	}
}

// Add makes the cells of a point and a source: one, or one for each seed.
func (m *Manifest) Add(point, source int) {
	first := uint64(1)
	if m.Sources[source].Seeds == 0 {
		first = 0
	}
	for seed := first; seed <= uint64(m.Sources[source].Seeds); seed++ {
		c := Cell{Point: point, Source: source, Seed: seed}
		c.ID = m.Name(&c)
		m.Cells = append(m.Cells, c)
	}
}

// Encode writes a manifest.
func (m *Manifest) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// Decode reads a manifest, and refuses one that does not hold together.
func Decode(text []byte) (*Manifest, error) {
	m := &Manifest{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("it is no manifest of a sweep: %w", err)
	}
	if d.More() {
		return nil, errors.New("it is no manifest of a sweep: there is text after its end")
	}
	if m.FormatVersion != FormatVersion {
		return nil, fmt.Errorf("it has version %d of the format, and this program writes version %d: plan the study again",
			m.FormatVersion, FormatVersion)
	}
	return m, m.check()
}

// check finds what refers to nothing, and a cell whose name is not its own.
func (m *Manifest) check() error {
	for i := range m.Points {
		if p := m.Points[i].Policy; p < 0 || p >= len(m.Policies) {
			return fmt.Errorf("point %d is of policy %d, and there are %d", i, p, len(m.Policies))
		}
	}
	for i := range m.Sources {
		if k := m.Sources[i].Kind; k != Workload && k != Snapshot {
			return fmt.Errorf("source %q is neither a workload nor a snapshot", m.Sources[i].Name)
		}
	}
	for i := range m.Metrics {
		if Find(m.Metrics[i].Of) == nil {
			return fmt.Errorf("there is no figure %q", m.Metrics[i].Of)
		}
	}
	for i := range m.Cells {
		c := &m.Cells[i]
		if c.Point < 0 || c.Point >= len(m.Points) || c.Source < 0 || c.Source >= len(m.Sources) {
			return fmt.Errorf("cell %d is of a point or a source that is not there", i)
		}
		if m.Name(c) != c.ID {
			return fmt.Errorf("cell %d has the name of another: the manifest was changed by hand", i)
		}
	}
	return nil
}
