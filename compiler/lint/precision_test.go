package lint_test

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/lint"
)

// judgement is a line of corpus.judged.
type judgement struct {
	kind, file, code string // file and code may hold *
	used             bool
}

func (j *judgement) fits(file, code string) bool {
	// A * stands for anything, slashes too.
	ok, err := path.Match(strings.ReplaceAll(j.file, "/", "|"), strings.ReplaceAll(file, "/", "|"))
	return err == nil && ok && j.code == code
}

func judgements(t *testing.T) (out []*judgement) {
	t.Helper()
	text, err := os.ReadFile("testdata/corpus.judged")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 3 || fields[0] != "false" && fields[0] != "debatable" {
			t.Fatalf("%q is no judgement", line)
		}
		out = append(out, &judgement{kind: fields[0], file: fields[1], code: fields[2]})
	}
	return out
}

// The documented numbers are those of the lists, and no judgement is about a finding that is gone.
func TestPrecision(t *testing.T) {
	golden, err := os.ReadFile("testdata/corpus.golden")
	if err != nil {
		t.Fatal(err)
	}
	list := judgements(t)
	times, findings := map[string]int{}, 0
	for line := range strings.Lines(string(golden)) {
		findings++
		line = strings.TrimSpace(line)
		k := strings.LastIndexByte(line, ' ')
		kind := "true"
		for _, j := range list {
			if j.fits(line[:k], line[k+1:]) {
				kind, j.used = j.kind, true
			}
		}
		times[kind]++
	}
	for _, j := range list {
		if !j.used {
			t.Errorf("nothing in corpus.golden is %s %s, which is judged %s", j.file, j.code, j.kind)
		}
	}
	files := 0
	if _, err := fmt.Sscanf(lint.Precision[strings.Index(lint.Precision, " in "):], " in %d configurations",
		&files); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("Lint finds %d things in %d configurations that other people wrote, which were read one by one: "+
		"%d are false, %d are true but of little use, about a text that is not quite a configuration or about what was "+
		"meant so, "+
		"and %d are true, keys among them that only a newer version calls old.",
		findings, files, times["false"], times["debatable"], times["true"])
	if lint.Precision != want {
		t.Errorf("documented is\n%s\nand the lists say\n%s", lint.Precision, want)
	}
	if _, all, _ := lintCorpus(t); len(all) != files {
		t.Errorf("%d configurations are read, documented are %d", len(all), files)
	}
}
