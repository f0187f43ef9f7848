package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangelog: a package's changelog has each entry as it stands, and what would be lost or be of another version is
// refused.
func TestChangelog(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	program, err := filepath.Abs("../../.packaging/changelog")
	if err != nil {
		t.Fatal(err)
	}
	const next, before = "# Changes\n\nOf the releases.\n\n## Next\n\n", "## 0.9.0, 2026-01-01\n\n- first\n"
	for _, c := range []struct{ format, text, want string }{
		{"rpm", next + "- says \"no\", it's C:\\x\n\n" + before, `    - note: 'says "no", it''s C:\x'`},
		{"deb", next + "- says \"no\"\n\n" + before, `  * says "no"`},
		{"deb", next + "- one\n  goes on\n", "CHANGELOG.md: an entry is one line:   goes on"},
		{"deb", next + before, "CHANGELOG.md: there is nothing under Next, so that the newest entry is not of this version"},
		{"deb", next + strings.Replace(before, "0.9.0", "1.0.0", 1), "fairway (1.0.0) stable; urgency=medium"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "CHANGELOG.md"), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, c.format, "1.0.0")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "SOURCE_DATE_EPOCH=1795000000")
		out, err := cmd.CombinedOutput()
		if refused := strings.HasPrefix(c.want, "CHANGELOG.md"); (err != nil) != refused {
			t.Errorf("%q: %v\n%s", c.text, err, out)
		}
		if !strings.Contains("\n"+string(out), "\n"+c.want+"\n") {
			t.Errorf("%q gives\n%s, without %q", c.text, out, c.want)
		}
	}
}
