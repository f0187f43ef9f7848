// Package slurmrun reads recorded runs of a real slurmctld: its configuration, what its commands
// printed at several moments, and the numbers in it.
//
// In: the folder of one recording. Out: programs and snapshots to evaluate, and what to compare
// with. Called by tests.
package slurmrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Run is one recording.
type Run struct {
	Name      string     `json:"-"`
	Version   string     `json:"slurm_version"`
	Snapshots []Snapshot `json:"snapshots"`
	Final     []Leaf     `json:"final_usage_raw"` // with the six decimals of its state file, as of the last snapshot

	files fs.FS
}

// Snapshot is one moment.
type Snapshot struct {
	Tag          string
	Now          int64 // of the last pass of priorities
	Jobs         []Job
	Associations []Association
}

// Job is what was recorded of a job.
type Job struct {
	ID       int    `json:"job_id"`
	State    string `json:"state"`
	Priority int64
	Sharing  string `json:"oversubscribe"`
	Sprio    []struct {
		Normalized struct{ Fairshare float64 }
	} `json:"priority_by_partition"`
}

// Association is a row of sshare.
type Association struct {
	Account, User, Partition string
	Usage                    float64 `json:"usage_raw_2dp"`
}

// Key names it as snapshots do.
func (a *Association) Key() string {
	p := program.Association{Account: a.Account, User: a.User, Partition: a.Partition}
	return p.Key()
}

// Leaf is the usage of a user's association.
type Leaf struct {
	Account, User, Partition string
	Usage                    json.RawMessage `json:"usage_raw"` // a string or a number
}

// Open reads the numbers of a recording.
func Open(files fs.FS, name string) (*Run, error) {
	text, err := fs.ReadFile(files, "expected.json")
	if err != nil {
		return nil, err
	}
	r := &Run{Name: name, files: files}
	text = regexp.MustCompile(`:\s*-?Infinity\b`).ReplaceAll(text, []byte(`:null`))
	return r, json.Unmarshal(text, r)
}

// All opens the recordings below a folder that show associations.
func All(root fs.FS) ([]*Run, error) {
	dirs, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	var runs []*Run
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		files, err := fs.Sub(root, d.Name())
		if err != nil {
			return nil, err
		}
		r, err := Open(files, d.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("%s: %w", d.Name(), err)
		case len(r.Snapshots) > 0 && len(r.Snapshots[0].Associations) > 0:
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// Setting is the last value of a key of slurm.conf, "" if it is not set.
func (r *Run) Setting(key string) string {
	text, _ := fs.ReadFile(r.files, "inputs/slurm.conf") // Program reports that it is missing
	value := ""
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key+"="); ok {
			value = strings.TrimSpace(rest)
		}
	}
	return value
}

// Program compiles the configuration in force at a snapshot, with the dump of accounts if asked
// to.
func (r *Run) Program(s *Snapshot, dump bool) (*program.Program, error) {
	in := compiler.Input{Options: lower.Options{Version: strings.Join(strings.SplitN(r.Version, ".", 3)[:2], ".")}}
	names := []string{"inputs/slurm.conf"}
	if _, err := fs.Stat(r.files, names[0]+"."+s.Tag); err == nil && s.Tag != "" {
		names[0] += "." + s.Tag
	}
	if dump {
		names = append(names, "raw/sacctmgr_dump.cfg")
	}
	for _, name := range names {
		text, err := fs.ReadFile(r.files, name)
		if err != nil {
			return nil, err
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		return nil, errors.New(out.Diags[0].Message)
	}
	return out.Program, nil
}

// Text is what a command printed at a snapshot; ok is false if that was not kept.
func (r *Run) Text(s *Snapshot, name string) (text string, ok bool) {
	for _, folder := range []string{"raw/" + s.Tag, "raw"} {
		if b, err := fs.ReadFile(r.files, path.Join(folder, name)); err == nil {
			return string(b), true
		}
	}
	return "", false
}

// Read reads what the commands printed at a snapshot, but for files whose names match without,
// and more on top.
func (r *Run) Read(s *Snapshot, without *regexp.Regexp, more map[string]string) (*snapshot.Snapshot, error) {
	files := fstest.MapFS{}
	for _, folder := range []string{"raw", path.Join("raw", s.Tag)} {
		entries, err := fs.ReadDir(r.files, folder)
		if err != nil {
			continue // nothing was recorded at this moment alone
		}
		for _, e := range entries {
			if e.IsDir() || without != nil && without.MatchString(e.Name()) {
				continue
			}
			text, err := fs.ReadFile(r.files, path.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			files["raw/"+e.Name()] = &fstest.MapFile{Data: text}
		}
	}
	paths := []string{"raw"}
	for name, text := range more {
		files[name] = &fstest.MapFile{Data: []byte(text)}
		paths = append(paths, name)
	}
	snap, diags, err := snapshot.Read(files, paths, snapshot.Options{Now: s.Now})
	if err == nil && diags.HasErrors() {
		err = errors.New(diags[0].Message)
	}
	return snap, err
}

// Exact is the usage of the controller's state file in the form of a snapshot; nil unless it is
// that of s.
func (r *Run) Exact(s *Snapshot) (map[string]string, error) {
	if r.Final == nil || s != &r.Snapshots[len(r.Snapshots)-1] {
		return nil, nil
	}
	var rows []string
	for _, l := range r.Final {
		usage, err := strconv.ParseFloat(strings.Trim(string(l.Usage), `"`), 64)
		if err != nil {
			return nil, err
		}
		a := Association{Account: l.Account, User: l.User, Partition: l.Partition}
		rows = append(rows, fmt.Sprintf(`{"name":%q,"usage_seconds":%v}`, a.Key(), usage))
	}
	return map[string]string{"exact.json": `{"format_version":1,"credentials":{"association":[` + strings.Join(rows, ",") + `]}}`}, nil
}
