package main

import (
	"errors"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/runtime/sweep"
)

// TestSweepRelease: what computes cells refuses a sweep of another release before it reads or writes anything.
func TestSweepRelease(t *testing.T) {
	s := &sweepDir{path: t.TempDir(), Manifest: &sweep.Manifest{Program: "another"}}
	_, measured := s.measure(nil, time.Second)
	_, computed := s.computeAll(nil, 1)
	for what, err := range map[string]error{"measure": measured, "computeAll": computed} {
		var own *exitError
		if !errors.As(err, &own) || own.code != exitUsage {
			t.Errorf("%s: %v", what, err)
		}
	}
	if exists(s.file(sweepCosts)) {
		t.Error("costs are written")
	}
}
