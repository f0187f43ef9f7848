// Package recorded holds what real schedulers answered: compact copies of recorded runs, one archive
// a case, with the layout of the full recordings, which are kept beside the checkout.
//
// In: the archives, or the folder of a full set. Out: the files of each case. Called by tests.
package recorded

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed loopback/*.txtar maui/*.txtar maui-replay/*.txtar slurm/*.txtar slurm-planner/*.txtar slurm-replay/*.txtar
var archives embed.FS

// Case is one recorded run.
type Case struct {
	Name  string
	Files fs.FS
}

// Copies are the compact copies of a scheduler's runs, by name.
func Copies(scheduler string) ([]Case, error) {
	names, err := fs.Glob(archives, scheduler+"/*.txtar")
	if err == nil && len(names) == 0 {
		err = errors.New("there are no copies of runs of " + scheduler)
	}
	if err != nil {
		return nil, err
	}
	var list []Case
	for _, name := range names {
		text, err := archives.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files := fstest.MapFS{}
		for _, f := range txtar.Parse(text).Files {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		list = append(list, Case{strings.TrimSuffix(path.Base(name), ".txtar"), files})
	}
	return list, nil
}

// Full are the cases of a full set: the folders that say what was expected.
func Full(root fs.FS) ([]Case, error) {
	var names []string
	// the latter are of replays
	for _, pattern := range []string{"*/expected.json", "*/starts.csv", "*/run-a/events.csv"} {
		var err error
		if names, err = fs.Glob(root, pattern); err != nil {
			return nil, err
		} else if len(names) > 0 {
			break
		}
	}
	var list []Case
	for _, name := range names {
		dir, _, _ := strings.Cut(name, "/")
		files, err := fs.Sub(root, dir)
		if err != nil {
			return nil, err
		}
		list = append(list, Case{dir, files})
	}
	return list, nil
}

// Set is the copies or the full set.
type Set struct {
	Name  string // "copies" or "full"
	Cases []Case
}

// Sets are the copies and, where full is not nil, the full set.
func Sets(scheduler string, full fs.FS) ([]Set, error) {
	copies, err := Copies(scheduler)
	if err != nil || full == nil {
		return []Set{{"copies", copies}}, err
	}
	whole, err := Full(full)
	return []Set{{"copies", copies}, {"full", whole}}, err
}
