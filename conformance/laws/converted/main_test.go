package converted_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage grow: these are thousands of small evaluations, which leave little else.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	os.Exit(m.Run())
}
