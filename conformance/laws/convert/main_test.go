package convert_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// TestMain lets garbage grow: these are thousands of small evaluations, which leave little else.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	os.Exit(m.Run())
}

// inSample reports whether the i-th of many alike sites is tried. The gate tries all (FAIRWAY_LONG=1); the usual
// form tries one in eight, so that the tests of a checkout end within minutes on a slow machine.
func inSample(i int) bool { return draws.InSample(i, 8) }
