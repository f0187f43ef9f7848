package convert_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

func isPolicy(path string) bool {
	base := filepath.Base(path)
	return strings.HasSuffix(base, ".cfg") || strings.HasSuffix(base, ".conf")
}

// TestSharedFilesBecomeHCL: what is written means the same, or says why not; the converter compares.
func TestSharedFilesBecomeHCL(t *testing.T) {
	for _, folder := range []string{"corpus"} {
		t.Run(folder, func(t *testing.T) {
			root := beside.Folder(t, folder)
			whole, unreadable := 0, 0
			err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() || !isPolicy(path) {
					return err
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				name, _ := filepath.Rel(root, path)
				unit, diags := lower.Parse(source.NewFile(filepath.Base(path), text), "",
					lower.Files{FS: os.DirFS("/"), Dir: filepath.Dir(path)[1:]})
				if diags.HasErrors() || unit.Lang == "" || unit.Lang == lower.HCL {
					unreadable++
					return nil
				}
				out, diags := convert.HCL([]lower.Unit{unit}, lower.Options{Lenient: true})
				if again := policy.Format(out); !bytes.Equal(again, out) {
					t.Errorf("%s: the text is spaced in another way than fmt would", name)
				}
				ours := false
				for _, d := range diags {
					if d.Severity == diag.Error && strings.HasPrefix(d.Code, "convert-") {
						ours = true
						t.Errorf("%s: %s\n%v", name, d.Message, d.Notes)
					}
				}
				switch {
				case ours:
				case diags.HasErrors():
					unreadable++
				default:
					whole++
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d converted, %d that the scheduler itself would refuse", whole, unreadable)
		})
	}
}
