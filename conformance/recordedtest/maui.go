package recordedtest

import (
	"io/fs"
	"testing"

	"github.com/fairway-sched/fairway/conformance/replay"
)

// MauiUnrecorded names cases whose recording holds no first pass, and why.
var MauiUnrecorded = map[string]string{
	"t15-running-over-limit": "the recorded scheduler answered no command",
}

// OpenMaui opens a recorded run of Maui; the test is skipped where nothing was recorded.
func OpenMaui(t *testing.T, name string, files fs.FS) *replay.Case {
	t.Helper()
	c, err := replay.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	if reason := MauiUnrecorded[name]; reason != "" && len(c.First) == 0 {
		t.Skip(reason)
	}
	if len(c.First) == 0 {
		t.Fatal("nothing was recorded")
	}
	return c
}
