package engine_test

import (
	"os"
	"path/filepath"
	"testing"
)

// shared finds the recordings of the real schedulers, which are kept beside the checkout.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skip("the recordings are not here")
	}
	return name
}
