package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/replay"
)

// resumable is the checkpoint of a replay: where an interruption leaves it, and what an earlier one has left.
type resumable struct {
	path string // "" for none
	from string // "" for the begin

	origin *replay.Origin
	log    *replay.Log // of this run
	past   *replay.Log
	file   *source.File // that past was read from
}

// free are the flags that change nothing of what is played.
var free = []string{"output", "spreadsheet", "against", "drawn", "warm-up", "checkpoint", "resume"}

// counted are flags with files: what is in these counts, not their names.
var counted = []string{"workload", "nodes", "events", "snapshot"}

// ready checks where the checkpoint goes, and reads the one to go on from. Without --checkpoint it goes there again.
func (k *resumable) ready() error {
	if k.path == "" {
		k.path = k.from
	}
	switch info, err := os.Stat(filepath.Dir(k.path)); {
	case k.path == "":
		return nil
	case k.path == "-":
		return failf(exitUsage, "a checkpoint is a file, not standard input or output")
	case err != nil:
		return &exitError{code: exitIO, err: plainPathError(k.path, err)}
	case !info.IsDir():
		return failf(exitIO, "--checkpoint %s: %s is no folder", k.path, filepath.Dir(k.path))
	}
	k.log = &replay.Log{}
	if k.from == "" {
		return nil
	}
	file, err := (&disk{}).readRegular(k.from)
	if err != nil {
		return err
	}
	past, origin, diags := replay.ReadLog(file)
	if diags.HasErrors() {
		return complain(diags)
	}
	k.file, k.past, k.origin = file, past, origin
	return nil
}

// of says what the replay is of; a checkpoint of another one is refused.
func (k *resumable) of(flags *pflag.FlagSet, inputs []string) error {
	if k.path == "" {
		return nil
	}
	now := &replay.Origin{Program: programVersion(), Inputs: []replay.Input{}, Options: []string{}}
	for i, name := range inputs {
		if slices.Contains(inputs[:i], name) {
			continue
		}
		if sum, ok := sumOf(name); ok {
			now.Inputs = append(now.Inputs, replay.Input{Name: filepath.Base(name), SHA256: sum})
		}
	}
	flags.VisitAll(func(f *pflag.Flag) {
		switch list, many := f.Value.(pflag.SliceValue); {
		case !f.Changed || slices.Contains(free, f.Name):
		case slices.Contains(counted, f.Name) && many:
			now.Options = append(now.Options, fmt.Sprintf("%d times --%s", len(list.GetSlice()), f.Name))
		default:
			now.Options = append(now.Options, "--"+f.Name+" "+f.Value.String())
		}
	})
	before := k.origin
	k.origin = now
	if before != nil {
		if problem := before.Differs(now); problem != "" {
			return k.refuse(problem)
		}
	}
	return nil
}

// refuse is the error of a checkpoint of another replay.
func (k *resumable) refuse(problem string) error {
	var diags diag.List
	diags.Errorf("replay-checkpoint-other", k.file.Span(0, 0), "the checkpoint is of another replay: %s", problem).
		Note("go on with the policy, workload, machine and options that it was made with, or play from the beginning")
	return complain(diags)
}

// sumOf is the hash of a file; false of a folder, whose files are inputs of their own, and of what is not there.
func sumOf(name string) (sum string, ok bool) {
	f, err := (&disk{}).Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return "", false
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", false
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

// leave writes the checkpoint of a replay that was interrupted, and says how it goes on.
func (k *resumable) leave() error {
	var text bytes.Buffer
	err := k.log.Write(&text, k.origin)
	if err == nil {
		err = writeOutput(k.path, func(w io.Writer) error {
			_, err := w.Write(text.Bytes())
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("interrupted; there is no checkpoint: %w", err)
	}
	return failf(exitInterrupted, "interrupted; the same command with --resume %s goes on", k.path)
}
