//go:build live

package live_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestVerify: a running controller and Fairway agree on every number, before and after weights
// change; and where the file and the controller differ, verify says so.
func TestVerify(t *testing.T) {
	c := newCluster(t)
	c.write("accounts.cfg", accounts, 0o644)
	c.run("sacctmgr", "-i", "load", "file=accounts.cfg", "clean")
	for _, argv := range qualities {
		c.run(argv...)
	}
	c.control()
	c.submit()
	fairway := build(t)

	c.eventually("the scheduler goes over all jobs", 30*time.Second, func() error {
		if r := c.verify(fairway, c.conf); r.exit != 0 {
			return errors.New("verify is not clean:\n" + r.text)
		}
		return nil
	})
	c.nextPass()
	c.verify(fairway, c.conf).clean(t, "after a pass")
	c.capturesAlike(fairway)

	old := filepath.Join(c.dir, "old.conf")
	text, err := os.ReadFile(c.conf)
	c.must(err)
	c.must(os.WriteFile(old, text, 0o644))
	changed := strings.NewReplacer("PriorityWeightAge=100000", "PriorityWeightAge=240000", "PriorityWeightQOS=50000",
		"PriorityWeightQOS=31000").Replace(string(text))
	c.must(os.WriteFile(c.conf, []byte(changed), 0o644))
	c.run("scontrol", "reconfigure")
	c.nextPass()
	c.verify(fairway, c.conf).clean(t, "after new weights")
	c.verify(fairway, old).differs(t, "PriorityWeightQOS is 31000 to the controller and 50000 here")
}

func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "fairway")
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/fairway")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// report is what a run of verify said.
type report struct {
	exit   int
	text   string
	Clean  bool
	Checks []struct {
		Name     string
		Compared int
	}
	Differences []struct {
		Cause, Why *string
	}
}

func (c *cluster) verify(fairway, conf string) *report {
	c.t.Helper()
	file := filepath.Join(c.dir, "verify.json")
	cmd := exec.Command(fairway, "verify", conf, "--live", "-o", "table", "-o", "json="+file)
	cmd.Env = append(os.Environ(), c.env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	r := &report{text: out.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.exit, err = exit.ExitCode(), nil
	}
	c.must(err)
	if r.exit > 1 {
		c.t.Fatalf("verify ended with %d:\n%s", r.exit, r.text)
	}
	text, err := os.ReadFile(file)
	c.must(err)
	c.must(json.Unmarshal(text, r))
	return r
}

// clean: there was much to compare, and nothing was off that verify does not explain.
func (r *report) clean(t *testing.T, when string) {
	t.Helper()
	compared := map[string]int{}
	for _, k := range r.Checks {
		compared[k.Name] = k.Compared
	}
	if r.exit != 0 || !r.Clean || compared["priority"] < 25 || compared["sprio"] < 300 {
		t.Errorf("%s verify is not clean:\n%s", when, r.text)
	} else {
		t.Logf("%s:\n%s", when, r.text)
	}
}

func (r *report) differs(t *testing.T, why string) {
	t.Helper()
	if r.exit != 1 || r.Clean || !strings.Contains(r.text, why) {
		t.Errorf("verify does not say %q:\n%s", why, r.text)
	}
}

// nextPass waits for the controller to compute all priorities: PriorityCalcPeriod is a minute.
func (c *cluster) nextPass() {
	c.t.Helper()
	age := func() string { return c.run("sprio", "-h", "-j", c.waiting, "-o", "%A") }
	before := age()
	c.eventually("a pass of priorities", 75*time.Second, func() error {
		if age() == before {
			return errors.New("the age of a job stays as it was")
		}
		return nil
	})
}
