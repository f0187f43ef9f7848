package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestObserved: columns of the snapshot, derived ones, and those of models come to what `fairway expr` prints.
func TestObserved(t *testing.T) {
	folder := filepath.Join("..", "..", "examples", "slurm-queue")
	flags := snapshotFlags{zone: "UTC", now: "2026-11-20T12:00:00Z"}
	queue, err := flags.observed([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	observe := queue.Observe
	in := compiler.Input{Include: lower.Files{FS: os.DirFS("/"), Dir: "."}}
	for _, name := range []string{"slurm.conf", "assoc.cfg"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	for text, want := range map[string]string{
		"job.procs":                    "int, known of 13 of 13 jobs, from 8 to 256, the median is 128",
		"job.account":                  `string, known of 13 of 13 jobs: "chemistry" (5), "physics" (5), "guests" (3)`,
		"job.queue_minutes":            "double, known of 13 of 13 jobs, from 20.0 to 1680.0, the median is 180.0",
		"association.fairshare_factor": "double, known of 13 of 13 jobs, from ",
		"job.procs > 100":              `bool, known of 13 of 13 jobs: "true" (7), "false" (6)`,
		"job.prcs":                     "",
		"each.key":                     "",
		"":                             "",
	} {
		if got := observe(text, in); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
	weights := map[string]string{}
	for _, w := range queue.Weigh(in) {
		line := w.At.File.Text[:w.At.Start]
		weights[strings.TrimRight(string(line[bytes.LastIndexByte(line, '\n')+1:]), "=")] = w.Text
	}
	for name, want := range map[string]string{"PriorityWeightFairshare": "decides 6 of 9 ranks",
		"PriorityWeightAge": "decides no rank"} {
		if weights[name] != want {
			t.Errorf("%s %q, not %q", name, weights[name], want)
		}
	}
	if list := queue.Weigh(compiler.Input{Files: []*source.File{source.NewFile("slurm.conf",
		[]byte("Priority"))}}); list != nil {
		t.Errorf("a faulty file has %v", list)
	}
	if got := observe("job.procs", compiler.Input{}); !strings.HasPrefix(got, "int, known of 13 of 13 jobs") {
		t.Errorf("without a policy it is %q", got)
	}
	if _, err := flags.observed([]string{filepath.Join(folder, "nothing.json")}); err == nil {
		t.Error("a snapshot that is not there has no error")
	}
}
