// Package slurmrun reads recorded runs of a real slurmctld: its configuration, what its commands
// printed at several moments, and the numbers in it.
//
// In: the files of one recording. A full recording and a compact copy of one are read alike. Out:
// programs and snapshots to evaluate, and what to compare with. Called by tests.
package slurmrun

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Accounts is the dump of accounts; each recording has one.
const Accounts = "raw/sacctmgr_dump.cfg"

const partitions = "scontrol_partition.txt"

// Branch is the version as policies state it.
func (r *Run) Branch() string {
	parts := strings.Split(r.Version, ".") // 22.05.8
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// Conf is the slurm.conf in force at a snapshot.
func (r *Run) Conf(s *Snapshot) (*source.File, error) {
	name := "inputs/slurm.conf"
	if _, err := fs.Stat(r.files, name+"."+s.Tag); err == nil && s.Tag != "" {
		name += "." + s.Tag
	}
	return r.file(name)
}

// Dump is the dump of accounts.
func (r *Run) Dump() (*source.File, error) { return r.file(Accounts) }

func (r *Run) file(name string) (*source.File, error) {
	text, err := fs.ReadFile(r.files, name)
	return source.NewFile(name, text), err
}

// Setting is the last value of a key of slurm.conf, "" if it is not set.
func (r *Run) Setting(key string) string {
	conf, _ := r.Conf(&r.Snapshots[0]) // Program reports that it is missing
	value := ""
	for line := range bytes.Lines(conf.Text) {
		if rest, ok := bytes.CutPrefix(line, []byte(key+"=")); ok {
			value = string(bytes.TrimSpace(rest))
		}
	}
	return value
}

// Program compiles the configuration in force at a snapshot, with the dump of accounts if asked
// to. It does so once; the caller may set fields of what it gets.
func (r *Run) Program(s *Snapshot, dump bool) (*program.Program, error) {
	in := compiler.Input{Options: lower.Options{Version: r.Branch()}}
	in.Include.FS = r.files
	conf, err := r.Conf(s)
	if err != nil {
		return nil, err
	}
	in.Files = []*source.File{conf}
	key := string(conf.Text)
	if dump {
		accounts, err := r.file(Accounts)
		if err != nil {
			return nil, err
		}
		in.Files = append(in.Files, accounts)
		key += "\x00" + string(accounts.Text)
	}
	if r.compiled[key] == nil {
		out := compiler.Compile(in)
		if out.Program == nil {
			return nil, errors.New(out.Diags[0].Message)
		}
		r.compiled[key] = out.Program
	}
	p := *r.compiled[key]
	p.Limits = slices.Clip(p.Limits)
	return &p, nil
}

// Text is what a command printed at a snapshot; ok is false if that was not kept.
func (r *Run) Text(s *Snapshot, name string) (text string, ok bool) {
	for _, folder := range r.folders(s) {
		if b, err := fs.ReadFile(r.files, path.Join(folder, name)); err == nil {
			return string(b), true
		}
		packed, err := r.files.Open(path.Join(folder, name+".gz"))
		if err != nil {
			continue
		}
		defer packed.Close()
		in, err := gzip.NewReader(packed)
		if err != nil {
			continue
		}
		if b, err := io.ReadAll(in); err == nil {
			return string(b), true
		}
	}
	return "", false
}

// folders hold what was recorded at a snapshot, and of all that did not change.
func (r *Run) folders(s *Snapshot) []string {
	if s.Tag == "" {
		return []string{"raw"}
	}
	return []string{"raw/" + s.Tag, "raw"}
}

// Outputs are the files of what the commands printed at a snapshot, all in the folder raw.
// Partitions were recorded once, at the end: those that a scenario had set down, so that a queue could form, are shown
// as they were.
func (r *Run) Outputs(s *Snapshot) (fstest.MapFS, error) {
	files := fstest.MapFS{}
	for _, folder := range r.folders(s) {
		entries, err := fs.ReadDir(r.files, folder)
		if err != nil {
			continue // nothing was recorded at this moment alone
		}
		for _, e := range entries {
			name := "raw/" + e.Name()
			if e.IsDir() || files[name] != nil {
				continue
			}
			text, err := fs.ReadFile(r.files, path.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			if s.Tag == "before" && e.Name() == partitions {
				text = r.setDown(text)
			}
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	return files, nil
}

// setDown shows the partitions as down that the scenario set down; compact copies, which have no commands, are of
// scenarios that did so with all.
func (r *Run) setDown(text []byte) []byte {
	commands, err := fs.ReadFile(r.files, "inputs/submit.sh")
	if err != nil {
		return bytes.ReplaceAll(text, []byte("State=UP"), []byte("State=DOWN"))
	}
	down := map[string]bool{}
	for _, m := range partitionSetDown.FindAllSubmatch(commands, -1) {
		down[string(m[1])] = true
	}
	return partitionRecord.ReplaceAllFunc(text, func(record []byte) []byte {
		if down[string(partitionRecord.FindSubmatch(record)[1])] {
			return bytes.Replace(record, []byte("State=UP"), []byte("State=DOWN"), 1)
		}
		return record
	})
}

var (
	partitionSetDown = regexp.MustCompile(`(?mi)^scontrol update partition=(\S+) state=down`)
	partitionRecord  = regexp.MustCompile(`PartitionName=(\S+)(?s:.*?)State=\S+`)
)

// Read reads what the commands printed at a snapshot, but for files whose names match without,
// and more on top. What they all printed is read once; the caller may set fields, and columns of jobs.
func (r *Run) Read(s *Snapshot, without *regexp.Regexp, more map[string]string) (*snapshot.Snapshot, error) {
	if without != nil || more != nil {
		return r.readNow(s, without, more)
	}
	snap := r.read[s]
	if snap == nil {
		var err error
		if snap, err = r.readNow(s, nil, nil); err != nil {
			return nil, err
		}
		r.read[s] = snap
	}
	out := *snap
	if snap.Jobs != nil {
		out.Jobs = column.NewTable(snap.Jobs.Name, snap.Jobs.Rows)
		for _, c := range snap.Jobs.Columns() {
			out.Jobs.Put(c)
		}
	}
	return &out, nil
}

func (r *Run) readNow(s *Snapshot, without *regexp.Regexp, more map[string]string) (*snapshot.Snapshot, error) {
	files, err := r.Outputs(s)
	if err != nil {
		return nil, err
	}
	for name := range files {
		if without != nil && without.MatchString(path.Base(name)) {
			delete(files, name)
		}
	}
	paths := []string{"raw"}
	for name, text := range more {
		files[name] = &fstest.MapFile{Data: []byte(text)}
		paths = append(paths, name)
	}
	snap, diags, err := snapshot.Read(files, paths, snapshot.Options{Now: s.Now})
	switch {
	case err != nil:
		return nil, err
	case diags.HasErrors():
		return nil, errors.New(diags[0].Message)
	}
	for _, source := range snap.Sources {
		if source.Bad > 0 {
			return nil, fmt.Errorf("%s has %d records that cannot be read", source.Name, source.Bad)
		}
	}
	return snap, nil
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
	return map[string]string{"exact.json": `{"format_version":1,"credentials":{"association":[` + strings.Join(rows, ",") +
		`]}}`}, nil
}
