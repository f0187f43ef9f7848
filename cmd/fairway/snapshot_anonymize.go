package main

import (
	"bytes"
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/anonymize"
	"github.com/fairway-sched/fairway/stdlib"
)

// leastKey is the shortest key that is taken: guessing a shorter one gives the names away.
const leastKey = 16

// leastLetters is how many different bytes a key has at least; of 16 random digits one key in 290 has fewer, and
// of 16 hexadecimal ones one in 30000.
const leastLetters = 6

func newSnapshotAnonymize() *cobra.Command {
	var (
		snap    snapshotFlags
		out     snapshotOutput
		keyFile string
		keep    []string
		mapping string
		options anonymize.Options
	)
	cmd := &cobra.Command{
		Use:  "anonymize SNAPSHOT...",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			var err error
			if options.Keep, err = kindsOf(keep); err != nil {
				return err
			}
			if options.Stable && keyFile == "" {
				return failf(exitUsage, "--stable needs --key-file: without the same key names are others each time")
			}
			if mapping == "-" {
				return failf(exitUsage, "--map is a file, which others must not read")
			}
			if err := out.check(); err != nil {
				return err
			}
			snap.paths = paths
			if err := nothingWritten([]use{{what: "--map", path: mapping}, out.use()},
				append(snap.uses(), use{what: "the key", path: keyFile})); err != nil {
				return err
			}
			d := &disk{}
			if options.Key, err = readKey(d, keyFile); err != nil {
				return err
			}
			s, diags, err := snap.read(d)
			if err != nil {
				return err
			}
			printDiags(notable(diags))
			options.Reasons = stdlib.SlurmPendingReasons.Names()
			other, names, err := anonymize.Snapshot(s, options)
			if err != nil {
				return &exitError{code: exitUnreadable, err: err}
			}
			if left := names.LeftOut(); len(left) > 0 {
				fmt.Fprintf(stderr, "fairway: %s left out, for no scheduler is known to write such states, reasons, flags or "+
					"versions, and they may be names; the first: %q\n", count(len(left), "word"), left[0])
			}
			put := func() error { return nil }
			if mapping != "" { // an old map stays the map of an old snapshot until the new one is there
				f, err := prepareMap(mapping, names.Pairs())
				if err != nil {
					return err
				}
				defer f.Cleanup() // does nothing once it is in its place
				put = f.CloseAtomicallyReplace
			}
			if err := out.write(other); err != nil {
				return err
			}
			if err := put(); err != nil {
				return ioError(mapping, err)
			}
			return unreadRecords(s)
		},
	}
	snap.addTimes(cmd)
	out.add(cmd)
	f := cmd.Flags()
	f.StringVar(&keyFile, "key-file", "",
		fmt.Sprintf("file with the key, of at least %d bytes (default: a random key that is not kept)", leastKey))
	f.StringSliceVar(&keep, "keep", nil, "kinds of names that stay: "+kindNames())
	f.BoolVar(&options.Stable, "stable", false,
		"names are the same in every snapshot of a key, and do not keep the order of the alphabet")
	f.StringVar(&mapping, "map", "", "write which name became which, as CSV, to this file, which only you can read")
	return cmd
}

func kindNames() string {
	var names []string
	for _, k := range anonymize.Kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

func kindsOf(list []string) (map[anonymize.Kind]bool, error) {
	kinds := map[anonymize.Kind]bool{}
	for _, text := range list {
		known := false
		for _, k := range anonymize.Kinds {
			known = known || string(k) == text
		}
		if !known {
			return nil, failf(exitUsage, "--keep takes %s, not %q", kindNames(), text)
		}
		kinds[anonymize.Kind(text)] = true
	}
	return kinds, nil
}

// readKey reads the key, or draws one.
func readKey(d *disk, name string) ([]byte, error) {
	if name == "" {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // never fails
		return key, nil
	}
	f, err := d.readFile(name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
		fmt.Fprintf(stderr, "fairway: others can read the key in %s, and find the names with it: chmod 600 %s\n", name, name)
	}
	key := bytes.TrimSpace(f.Text)
	if len(key) < leastKey {
		return nil, failf(exitUsage, "%s: a key of %d bytes can be guessed; it takes %d", name, len(key), leastKey)
	}
	letters := map[byte]bool{}
	for _, b := range key {
		letters[b] = true
	}
	if len(letters) < leastLetters {
		return nil, failf(exitUsage, "%s: a key of only %s can be guessed; head -c 32 /dev/urandom makes one", name,
			count(len(letters), "different byte"))
	}
	return key, nil
}

// prepareMap writes the map beside its place.
func prepareMap(name string, pairs []anonymize.Pair) (*renameio.PendingFile, error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	rows := [][]string{{"kind", "name", "became"}}
	for _, p := range pairs {
		rows = append(rows, []string{string(p.Kind), p.Name, p.New})
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, failf(exitIO, "cannot write %s: it is no regular file", name)
	}
	// Not WriteFile, which keeps the mode of an old file.
	f, err := renameio.NewPendingFile(name, renameio.WithTempDir(filepath.Dir(name)),
		renameio.WithStaticPermissions(0o600))
	if err != nil {
		return nil, ioError(name, err)
	}
	if _, err := f.Write(text.Bytes()); err != nil {
		_ = f.Cleanup()
		return nil, ioError(name, err)
	}
	return f, nil
}
