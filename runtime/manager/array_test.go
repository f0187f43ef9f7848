package manager_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/manager"
)

// TestArrayLimits: the size of an array comes from scontrol, the number of jobs from it and from the association.
func TestArrayLimits(t *testing.T) {
	config := "Configuration data as of 2026-11-27T10:00:00\nMaxArraySize            = 1001\nMaxJobCount             = " +
		"10000\n"
	for _, c := range []struct {
		config, associations, want string
		there, most                int
	}{
		{config, "", "{1001 10000 0}", 10, 9990},
		{config, "\n50\n200\n", "{1001 10000 50}", 10, 40},
		{config, "50\n", "{1001 10000 50}", 60, 0},
		{"MaxArraySize = 5\n", "", "{5 0 0}", 3, 1<<30 - 0},
		{"MaxArraySize = 0\n", "", "error", 0, 0},
		{"", "", "error", 0, 0},
	} {
		l, err := manager.ReadArrayLimits([]byte(c.config), []byte(c.associations))
		got := fmt.Sprint(l)
		if err != nil {
			got = "error"
		}
		if got != c.want || err == nil && l.Most(c.there) != c.most {
			t.Errorf("%q and %q: %s %v, %d", c.config, c.associations, got, err, l.Most(c.there))
		}
	}
}

// TestArrayAnswers: ids, states and ends as Slurm prints them.
func TestArrayAnswers(t *testing.T) {
	for answer, want := range map[string]string{"17\n": "17", "17;meadow\n": "17", "": "", "0": "", "-1": "", "x17": "",
		"Submitted batch job 17": ""} {
		if got, err := manager.ReadSubmitted([]byte(answer)); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v", answer, got, err)
		}
	}
	states, jobs := manager.ReadTasks([]byte("90|N/A|RUNNING\n17|0|RUNNING\n17|12|PENDING\nslurm is not well\n"))
	if jobs != 3 || fmt.Sprint(states) != "map[{17 0}:RUNNING {17 12}:PENDING]" {
		t.Errorf("%d %v", jobs, states)
	}
	ended := manager.ReadEnded([]byte("17_0|COMPLETED\n17_1|CANCELLED by 0\n17_2|NODE_FAIL\n" +
		"17_[3-9]|PENDING\n18|FAILED\n"))
	if fmt.Sprint(ended) != "map[{17 0}:COMPLETED {17 1}:CANCELLED {17 2}:NODE_FAIL]" {
		t.Errorf("%v", ended)
	}
	job := &manager.ArrayJob{Name: "n", Script: "/s", Log: "/l", Count: 10, AtOnce: 3, Minutes: 20,
		Options: []string{"--time=5"}, Arguments: []string{"30"}}
	if got := strings.Join(job.Command(), " "); got != "sbatch --parsable --job-name=n --array=0-9%3 --output=/l "+
		"--open-mode=append --time=20 --time=5 /s 30" {
		t.Error(got)
	}
}

func FuzzArrayAnswers(f *testing.F) {
	f.Add([]byte("17_1|CANCELLED by 0\n17|0|RUNNING\nMaxArraySize = 5\n50\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if l, err := manager.ReadArrayLimits(text, text); err == nil && (l.Size < 2 || l.Most(0) < 0 || l.Submit < 0) {
			t.Errorf("%+v", l)
		}
		if job, err := manager.ReadSubmitted(text); err == nil && strings.Trim(job, "0123456789+") != "" {
			t.Errorf("%q is a job", job)
		}
		states, jobs := manager.ReadTasks(text)
		if len(states) > jobs {
			t.Errorf("%d of %d", len(states), jobs)
		}
		manager.ReadEnded(text)
	})
}
