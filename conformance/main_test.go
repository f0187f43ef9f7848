package conformance_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"
)

// TestMain lets garbage grow: these are thousands of small evaluations, which leave little else.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	var err error
	if builtIn, err = os.MkdirTemp("", "fairway-built"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(builtIn)
	os.Exit(code)
}

// builtIn is where the program is built, once for all tests of the package.
var builtIn string

var built = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(builtIn, "fairway")
	build := exec.Command("go", "build", "-o", binary, "./cmd/fairway")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
})

func buildFairway(t *testing.T) string {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}
