package conformance_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// TestReadme keeps the tour of the front page true, the two commands for a fresh
// machine included; the gate runs `go test ./...` itself.
func TestReadme(t *testing.T) {
	runStory(t, buildFairway(t), "..", "../README.md")
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(text, []byte("\n")); lines > 200 {
		t.Errorf("the front page has %d lines: a newcomer reads 200", lines)
	}
}

// TestExamples runs the `$ fairway …` lines in the console blocks of every README
// in examples and compares what they print; -update rewrites the blocks.
func TestExamples(t *testing.T) {
	stories, err := filepath.Glob("../examples/*/README.md")
	if err != nil || len(stories) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	binary := buildFairway(t)
	for _, readme := range stories {
		folder := filepath.Dir(readme)
		t.Run(filepath.Base(folder), func(t *testing.T) { runStory(t, binary, storyFolder(t, folder, readme), readme) })
	}
}

// storyFolder is where the commands of a story run: its folder, or a copy of it where they write to a folder "work".
// The other stories are beside it.
func storyFolder(t *testing.T, folder, readme string) string {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(" -o work\n")) {
		return folder
	}
	top, own := t.TempDir(), filepath.Base(folder)
	stories, err := filepath.Abs(filepath.Dir(folder))
	if err != nil {
		t.Fatal(err)
	}
	link := func(from, to string) {
		entries, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if name := filepath.Join(to, e.Name()); e.Name() != own {
				if err := os.Symlink(filepath.Join(from, e.Name()), name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	link(stories, top)
	if err := os.Mkdir(filepath.Join(top, own), 0o755); err != nil {
		t.Fatal(err)
	}
	link(filepath.Join(stories, own), filepath.Join(top, own))
	return filepath.Join(top, own)
}

// TestGuides runs the commands of the guides that the program carries, as their readers do: in a folder with the
// examples in it, on a machine whose Slurm is the one of examples/slurm-verify.
func TestGuides(t *testing.T) {
	texts, err := filepath.Glob("../cmd/fairway/guides/*.md")
	if err != nil || len(texts) == 0 {
		t.Fatalf("no guides: %v", err)
	}
	examples, err := filepath.Abs("../examples")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Abs("testdata/recorded_slurm")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RECORDED", filepath.Join(examples, "slurm-verify"))
	t.Setenv("SLURM_CONF", filepath.Join(examples, "slurm-verify", "slurm.conf"))
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	binary := buildFairway(t)
	for _, text := range texts {
		t.Run(strings.TrimSuffix(filepath.Base(text), ".md"), func(t *testing.T) {
			folder := t.TempDir()
			if err := os.Symlink(examples, filepath.Join(folder, "examples")); err != nil {
				t.Fatal(err)
			}
			runStory(t, binary, folder, text)
		})
	}
}

var console = regexp.MustCompile("(?s)```console\n(.*?)```")

func runStory(t *testing.T, binary, folder, readme string) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	pictures, commands := picturesIn(t, folder), 0
	got := console.ReplaceAllFunc(text, func(block []byte) []byte {
		var out bytes.Buffer
		out.WriteString("```console\n")
		for line := range strings.Lines(string(console.FindSubmatch(block)[1])) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				commands++
				out.WriteString(line)
				printed := runCommand(t, binary, folder, strings.TrimSpace(command))
				if bytes.Contains(printed, []byte("```")) {
					t.Fatalf("%q prints a fence, which would end its block", command)
				}
				out.Write(printed)
			}
		}
		out.WriteString("```")
		return out.Bytes()
	})
	for name, was := range pictures {
		if is := picturesIn(t, folder)[name]; is != was && !*update {
			t.Errorf("the story draws another %s; it was put back, and -update keeps it", name)
			if err := os.WriteFile(name, []byte(was), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	switch {
	case commands == 0:
		t.Error("the story has no command")
	case bytes.Equal(got, text):
	case *update:
		if err := os.WriteFile(readme, got, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the output is not what the README shows; -update rewrites it\n%s", diff.Diff("README", text, "now", got))
	}
}

// picturesIn are the pictures of a folder, which commands may draw anew.
func picturesIn(t *testing.T, folder string) map[string]string {
	names, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// runCommand runs a command line of words, plain or in single quotes, as a newcomer would, and returns
// what is on the terminal then.
func runCommand(t *testing.T, binary, folder, line string) []byte {
	t.Helper()
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 { // between quotes
			words = append(words, part)
			continue
		}
		if strings.ContainsAny(part, `"|<>;&$\`) {
			t.Fatalf("%q is not a plain command", line)
		}
		words = append(words, strings.Fields(part)...)
	}
	switch strings.Join(words[:min(3, len(words))], " ") {
	case "go test ./...":
		return nil // this is it
	case "go run ./cmd/fairway":
	default:
		if !slices.Contains([]string{"fairway", "cat", "head", "sh"}, words[0]) {
			t.Fatalf("%q is not a fairway command", line)
		}
	}
	if words[0] == "fairway" {
		words[0] = binary
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = folder
	path := filepath.Dir(binary) + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TZ=UTC", "PATH="+path)
	out, err := cmd.CombinedOutput()
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		out = fmt.Appendf(out, "exit status %d\n", exit.ExitCode())
	case err != nil:
		t.Fatal(err)
	}
	return out
}
