//go:build browser

package browser_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the program under test.
var binary string

// packages are Debian's, by a program of each.
var packages = []struct{ program, name string }{{"chromium", "chromium"}, {"chromedriver", "chromium-driver"},
	{"pdftotext", "poppler-utils"}}

func TestMain(m *testing.M) {
	if err := install(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	folder, err := os.MkdirTemp("", "fairway-browser-")
	if err == nil {
		binary = filepath.Join(folder, "fairway")
		err = command("go", "build", "-o", binary, "../../cmd/fairway")
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// install adds the packages that are missing, without what they recommend.
func install() error {
	var missing []string
	for _, p := range packages {
		if _, err := exec.LookPath(p.program); err != nil {
			missing = append(missing, p.name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("%v are missing, and installing them needs root", missing)
	}
	if err := command("apt-get", "update", "-q"); err != nil {
		return err
	}
	return command("apt-get", append([]string{"install", "-q", "-y", "--no-install-recommends"}, missing...)...)
}

func command(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", name, args, err, out)
	}
	return nil
}
