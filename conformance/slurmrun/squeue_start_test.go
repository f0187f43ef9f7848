package slurmrun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/runtime/view"
)

// TestSqueueStart compares with squeue --start after the first backfill cycle: whole rows, and those that are
// alike up to the start time.
func TestSqueueStart(t *testing.T) {
	root := recordedtest.Shared(t, "oracle", "slurm")
	cases, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	c := compared{}
	const upToStart = 62
	for _, dir := range cases {
		if !strings.HasPrefix(dir.Name(), "backfill-") || strings.HasPrefix(dir.Name(), "backfill-builtin") { // which estimates in a way of its own
			continue
		}
		at := func(name string) string { return filepath.Join(root, dir.Name(), name) }
		before, err := filepath.Glob(at("raw/before/*"))
		if err != nil {
			t.Fatal(err)
		}
		snap := recordedtest.Folder(t, fstest.MapFS{}, append(before, at("raw/scontrol_node.txt"), at("raw/scontrol_partition.txt"), at("raw/scontrol_reservation.txt"), at("raw/scontrol_config.txt"))...)
		partitions := snap["scontrol_partition.txt"] // they were put up after the queue had been recorded
		partitions.Data = []byte(strings.ReplaceAll(string(partitions.Data), "State=DOWN", "State=UP"))
		p := recordedtest.PlanOf(t, []string{at("inputs/slurm.conf"), at("raw/sacctmgr_dump.cfg")}, snap)
		got := map[string]string{}
		lines := strings.Split(recordedtest.ViewText(t, view.WriteSqueueStart, p), "\n")
		for _, line := range lines[1:] {
			if words := strings.Fields(line); len(words) > 0 {
				got[words[0]] = strings.TrimRight(line, " ")
			}
		}
		want := string(recordedtest.Folder(t, fstest.MapFS{}, at("raw/after/squeue_start.txt"))["squeue_start.txt"].Data)
		for k, line := range strings.Split(want, "\n") {
			words := strings.Fields(line)
			switch {
			case k == 0 && strings.TrimRight(line, " ") != strings.TrimRight(lines[0], " "):
				t.Errorf("%s: the titles are %q", dir.Name(), lines[0])
			case k == 0 || len(words) == 0:
			default:
				c["rows"]++
				row := got[words[0]]
				if row == strings.TrimRight(line, " ") {
					c["alike"]++
				}
				if len(row) > upToStart && row[:upToStart] == line[:upToStart] {
					c["starts alike"]++
				}
			}
		}
	}
	t.Log(c)
	c.atLeast(t, map[string]int{"rows": 937, "alike": 849, "starts alike": 924})
}
