package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/conformance/beside"
)

// TestLanguageIsWhole: ids are unique, inner blocks exist, everything has a
// sentence of documentation, and each block can be reached.
func TestLanguageIsWhole(t *testing.T) {
	seen, reached := map[string]bool{}, map[string]bool{"policy": true, "test": true, "check": true, "run": true,
		"project": true, "study": true}
	for _, b := range Blocks() {
		if seen[b.ID] {
			t.Errorf("%s stands twice", b.ID)
		}
		seen[b.ID] = true
		for _, id := range b.Blocks {
			if blockByID()[id] == nil {
				t.Errorf("%s: no block %q", b.ID, id)
			}
			reached[id] = true
		}
		if !sentence(b.Doc) {
			t.Errorf("%s: documentation %q", b.ID, b.Doc)
		}
		names := map[string]bool{}
		for _, a := range b.Attributes {
			twice := b.child(a.Name) != nil && b.ID != "finish" // whose override blocks are no override mark
			if names[a.Name] || twice {
				t.Errorf("%s: %s stands twice", b.ID, a.Name)
			}
			names[a.Name] = true
			if a.Type == "" || !sentence(a.Doc) || (a.Type == Map) != (a.Element != "") {
				t.Errorf("%s.%s: type %q, documentation %q", b.ID, a.Name, a.Type, a.Doc)
			}
		}
	}
	for id := range seen {
		if !reached[id] {
			t.Errorf("%s stands nowhere", id)
		}
	}
	for _, f := range Functions() {
		if !sentence(f.Doc) || !strings.HasPrefix(f.Usage, f.Name+"(") {
			t.Errorf("%s: %q %q", f.Name, f.Usage, f.Doc)
		}
	}
}

func sentence(s string) bool { return len(s) > 5 && strings.HasSuffix(s, ".") }

// TestSniff must know the language and leave the others' files alone.
func TestSniff(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"# site\n\npolicy \"akka\" {\n", 100},
		{"test \"t\" {", 100},
		{"  limit \"x\" { hard = 1 }", 60},
		{"backfill {\n}", 30},
		{"", 0},
		{"SERVERHOST x\nQUEUETIMEWEIGHT 10\nUSERCFG[amy] PRIORITY=1\n", 0},
		{"ClusterName=c\nNodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL\n", 0},
		{"{\n  \"jobs\": [ { \"policy\": {} } ]\n}", 0},
		{"resource \"aws\" \"x\" {\n", 0},
	} {
		if got := Sniff([]byte(c.text)); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
	corpus := beside.Folder(t, "corpus")
	for _, pattern := range []string{"maui/*", "moab/*", "slurm/*", "sacctmgr/*"} {
		paths, _ := filepath.Glob(filepath.Join(corpus, pattern))
		for _, path := range paths {
			if text, err := os.ReadFile(path); err == nil && Sniff(text) > 0 {
				t.Errorf("%s: %d", path, Sniff(text))
			}
		}
	}
}

func TestFormat(t *testing.T) {
	in := "# head\npolicy \"p\" {\nuse=\"maui\" # why\n  version   = \"22.05\"\n  limit \"l\" { soft = 1, hard = 2 } " +
		"// tail\n  user \"a\" { limit \"m\" { hard = 1 } }\n}\n"
	want := "# head\npolicy \"p\" {\n  use     = \"maui\" # why\n  version = \"22.05\"\n  limit \"l\" {\n    soft = " +
		"1\n    hard = 2\n  } // tail\n  user \"a\" {\n    limit \"m\" { hard = 1 }\n  }\n}\n"
	if got := string(Format([]byte(in))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			once := Format(f.Data)
			if twice := Format(once); string(twice) != string(once) {
				t.Errorf("%s/%s is not settled", path, f.Name)
			}
		}
	}
}
