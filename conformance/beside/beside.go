// Package beside finds what is kept beside the checkout and is not ours to copy: the full recordings of the schedulers
// and the corpus of sites' files. A test that needs them is skipped where they are absent.
package beside

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Folder is a file or folder in FAIRWAY_SHARED, or in the folder called shared beside the checkout.
func Folder(t testing.TB, elem ...string) string {
	t.Helper()
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join(Checkout(t), "..", "shared")
	}
	name := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skipf("%s is not beside the checkout", filepath.Join(elem...))
	}
	return name
}

// Files are the files of a Folder.
func Files(t testing.TB, elem ...string) fs.FS {
	t.Helper()
	return os.DirFS(Folder(t, elem...))
}

// Checkout is the root of the checkout: the nearest folder above the test's own with a go.mod.
func Checkout(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above the test's has a go.mod")
		}
		dir = filepath.Dir(dir)
	}
}
