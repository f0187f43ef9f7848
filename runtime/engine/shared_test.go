package engine_test

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// fullSet are the full recordings of a scheduler, which are kept beside the checkout; nil where they are not, and in
// the short form.
func fullSet(scheduler string) fs.FS {
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(root, "oracle", scheduler)
	if _, err := os.Stat(name); err != nil || !draws.Long() {
		return nil
	}
	return os.DirFS(name)
}
