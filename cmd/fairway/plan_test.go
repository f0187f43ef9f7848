package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestInterruptedOutput: who interrupts a long writing finds the old file, and nothing beside it.
func TestInterruptedOutput(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "plan.svg")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	err := writeOutput(path, func(w io.Writer) error {
		out := &stoppable{w, ctx, &progress{}}
		for k := range 100000 {
			if k == 50000 {
				stop()
			}
			if _, err := out.Write([]byte("new")); err != nil {
				return err
			}
		}
		return nil
	})
	var exit *exitError
	if !errors.As(err, &exit) || exit.code != exitInterrupted {
		t.Errorf("it ends with %v", err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "old" {
		t.Errorf("the file has %d bytes, %v", len(text), err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("%d files are there", len(entries))
	}
	if err := planFailed(context.Canceled); !errors.As(err, &exit) || exit.code != exitInterrupted {
		t.Errorf("an interrupted plan ends with %v", err)
	}
}
