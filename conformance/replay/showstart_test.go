package replay_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

var (
	plannedMaui  = regexp.MustCompile(`^([bnr]\d|big)`)
	showstartJob = regexp.MustCompile(`(?m)^\$ showstart (\S+)\n`)
	anyJob       = regexp.MustCompile(`job '?([\w.]+)`)
)

// showstartUnlike are the answers of showstart that differ, by recording and job.
var showstartUnlike = map[string]string{
	"n04-partitions j.001":  overPartitions,
	"n04-partitions j.002":  overPartitions,
	"n04-partitions j.003":  overPartitions,
	"n04-partitions j.005":  overPartitions,
	"n04-partitions j.020":  overPartitions,
	"n12-node-states j.004": draining,
	"n12-node-states j.011": draining,
	"n12-node-states j.019": draining,
}

const (
	overPartitions = "a job runs on nodes of two partitions; it has no reservation and so no end in the planner, but " +
		"the client counts its node as free in time"
	draining = "nodes that drain: the client gives short jobs room there that no iteration gives them"
)

// TestShowbfAndShowstart compares with what Maui's clients answered after the first iteration.
func TestShowbfAndShowstart(t *testing.T) {
	root := beside.Folder(t, "oracle", "maui")
	cases, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	c := compared{}
	for _, dir := range cases {
		if !plannedMaui.MatchString(dir.Name()) {
			continue
		}
		at := func(name string) string { return filepath.Join(root, dir.Name(), name) }
		want, err := os.ReadFile(at("expected/showbf.txt"))
		if err != nil {
			continue
		}
		snap := recordedtest.Folder(t, fstest.MapFS{}, at("jobs.json"), at("nodes.json"), at("now.txt"))
		usage, _ := filepath.Glob(at("fs/FS.*"))
		p := recordedtest.PlanOf(t, []string{at("maui.cfg")}, recordedtest.Folder(t, snap, usage...))
		c["showbf"]++
		if _, answer, _ := strings.Cut(string(want), "\n"); recordedtest.ViewText(t, plan.WriteShowbf, p) == answer {
			c["showbf alike"]++
		} else {
			t.Errorf("%s: showbf differs", dir.Name())
		}
		got := map[string]string{}
		for _, answer := range strings.Split(recordedtest.ViewText(t, plan.WriteShowstart, p), "\n\n\n") {
			if m := anyJob.FindStringSubmatch(answer); m != nil {
				got[m[1]] = strings.TrimSpace(answer)
			}
		}
		text, err := os.ReadFile(at("expected/showstart.txt"))
		if err != nil {
			continue // nobody asked
		}
		places := showstartJob.FindAllStringSubmatchIndex(string(text), -1)
		for k, m := range places {
			end := len(text)
			if k+1 < len(places) {
				end = places[k+1][0]
			}
			answer := strings.TrimSpace(string(text[m[1]:end]))
			if strings.Contains(answer, "cannot locate") {
				continue // it had not been submitted
			}
			c["showstart"]++
			job := string(text[m[2]:m[3]])
			_, unlike := showstartUnlike[dir.Name()+" "+job]
			if alike := got[job] == answer; alike == unlike {
				t.Errorf("%s %s: listed as unlike: %t\n%s\nwant\n%s", dir.Name(), job, unlike, got[job], answer)
			} else if alike {
				c["showstart alike"]++
			}
		}
	}
	t.Log(c)
	c.atLeast(t, map[string]int{"showbf": 55, "showbf alike": 55, "showstart": 1319, "showstart alike": 1310})
}
