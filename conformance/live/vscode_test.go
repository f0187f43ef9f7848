//go:build live

package live_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestExtensionBuilds builds the extension for VS Code from its sources where npm is, as examples/editors says.
func TestExtensionBuilds(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not here")
	}
	folder := filepath.Join(t.TempDir(), "vscode")
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("..", "..", "examples", "editors", "vscode"))); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "npm", args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "npm_config_cache="+t.TempDir())
		return cmd.CombinedOutput()
	}
	if out, err := run("view", "vscode-languageclient", "version"); err != nil {
		t.Skipf("npm has no way to its registry: %v\n%s", err, tail(out))
	}
	if out, err := run("install", "--no-audit", "--no-fund", "--no-package-lock"); err != nil {
		t.Fatalf("npm install: %v\n%s", err, tail(out))
	}
	for _, script := range []string{"check", "build"} {
		if out, err := run("run", script); err != nil {
			t.Fatalf("npm run %s: %v\n%s", script, err, tail(out))
		}
	}
	built, err := os.ReadFile(filepath.Join(folder, "out", "extension.js"))
	if err != nil || !bytes.Contains(built, []byte("fairway.path")) {
		t.Errorf("the extension is not built: %v", err)
	}
}
