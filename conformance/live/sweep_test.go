//go:build live

package live_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// liveStudy has 240 cells of a second or less.
const liveStudy = `study "live" {
  policy "maui" {
    files = "maui.cfg"
    param "QUEUETIMEWEIGHT" {
      from = 1
      to   = 60
      step = 1
    }
    param "XFACTORWEIGHT" {
      values = [0, 10, 100, 1000]
    }
  }
  workload "days" {
    files = "week.swf"
    nodes = "nodes.json"
    to    = 1795406400
  }
}
`

// TestSweep: a sweep over two nodes, with tasks that are killed on the way, comes to the same as one that is computed
// here, byte for byte. Arrays are no larger than MaxArraySize, and tasks no more than MaxSubmitJobs.
func TestSweep(t *testing.T) {
	c := newCluster(t)
	text, err := os.ReadFile(c.conf)
	c.must(err)
	ports := []string{c.freePort(), c.freePort()}
	host, _ := os.Hostname()
	host, _, _ = strings.Cut(host, ".")
	conf := strings.NewReplacer(filepath.Join(c.dir, "spool"), filepath.Join(c.dir, "spool.%n"),
		"slurmd.pid", "slurmd.%n.pid", "slurmd.log", "slurmd.%n.log").Replace(string(text))
	lines := []string{"MaxArraySize=16"}
	for line := range strings.Lines(conf) {
		switch {
		case strings.HasPrefix(line, "NodeName=") || strings.HasPrefix(line, "SlurmdPort="):
		case strings.HasPrefix(line, "PartitionName=main"):
			for i, port := range ports {
				lines = append(lines, fmt.Sprintf("NodeName=n%d NodeAddr=127.0.0.1 NodeHostname=%s Port=%s CPUs=2 "+
					"RealMemory=64000 State=UNKNOWN", i+1, host, port))
			}
			lines = append(lines, "PartitionName=main Nodes=n1,n2 Default=YES MaxTime=2-0 State=UP")
		case strings.HasPrefix(line, "PartitionName="):
		default:
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	c.write("slurm.conf", strings.Join(lines, "\n")+"\n", 0o644)
	c.write("accounts.cfg", accounts, 0o644)
	c.run("sacctmgr", "-i", "load", "file=accounts.cfg", "clean")
	c.run("sacctmgr", "-i", "modify", "user", "root", "set", "MaxSubmitJobs=45")
	c.twoNodes()

	fairway := build(t)
	shared := filepath.Join(c.dir, "shared")
	c.must(os.Mkdir(shared, 0o755))
	for _, name := range []string{"maui.cfg", "week.swf", "nodes.json"} {
		text, err := os.ReadFile(filepath.Join("../../examples/replay", name))
		c.must(err)
		c.must(os.WriteFile(filepath.Join(shared, name), text, 0o644))
	}
	c.must(os.WriteFile(filepath.Join(shared, "study.hcl"), []byte(liveStudy), 0o644))
	sweep := func(exit int, args ...string) string {
		t.Helper()
		cmd := exec.Command(fairway, append([]string{"sweep"}, args...)...)
		cmd.Env, cmd.Dir = append(os.Environ(), c.env...), shared
		out, err := cmd.CombinedOutput()
		var failed *exec.ExitError
		if code := cmd.ProcessState.ExitCode(); code != exit || err != nil && !errors.As(err, &failed) {
			t.Fatalf("sweep %s ended with %d, not %d: %v\n%s", strings.Join(args, " "), code, exit, err, out)
		}
		return string(out)
	}
	sweep(0, "plan", "study.hcl", "-o", "here")
	sweep(0, "run", "here")
	sweep(0, "plan", "study.hcl", "-o", "there")
	// A cost by which a task has six cells.
	c.must(os.WriteFile(filepath.Join(shared, "there", "costs.json"), []byte(`{"maui over days": 100}`), 0o644))
	said := sweep(0, "run", "there", "--on", "slurm", "--sbatch=--ntasks=1")
	t.Log(said)
	if !strings.Contains(said, "submitted 40 tasks of 240 cells in job arrays ") ||
		len(strings.Fields(strings.TrimPrefix(lineWith(said, "cancel:"), "cancel:  scancel"))) != 3 {
		t.Errorf("40 tasks are 3 arrays of no more than 16: %s", said)
	}
	killed := c.kill(4)
	c.eventually("the arrays end", 4*time.Minute, c.noTasks)
	status := sweep(1, "status", "there")
	t.Logf("killed %v\n%s", killed, status)
	if !strings.Contains(status, "CANCELLED") && !strings.Contains(status, "FAILED") {
		out, err := c.try("sacct", "-X", "-n", "-P", "-j", "1", "-o", "JobID,State")
		t.Errorf("status does not say how tasks ended:\n%s\n%s %v", status, out, err)
	}
	sweep(1, "merge", "there")
	said = sweep(0, "resume", "there")
	t.Log(said)
	if again := lineWith(said, "submitted"); strings.Contains(again, "of 240 cells") {
		t.Errorf("all is submitted again: %s", again)
	}
	c.eventually("the second round ends", 4*time.Minute, c.noTasks)
	sweep(0, "status", "there")
	sweep(0, "merge", "here", "-o", "jsonl=here.jsonl")
	sweep(0, "merge", "there", "-o", "jsonl=there.jsonl")
	here, err := os.ReadFile(filepath.Join(shared, "here.jsonl"))
	c.must(err)
	there, err := os.ReadFile(filepath.Join(shared, "there.jsonl"))
	c.must(err)
	if string(here) != string(there) || strings.Count(string(here), "\n") != 240 {
		t.Errorf("%d and %d bytes of %d cells are not the same", len(here), len(there), strings.Count(string(here), "\n"))
	}
	used := c.run("sacct", "-X", "-n", "-P", "-o", "NodeList", "--name=fairway-sweep")
	for _, node := range []string{"n1", "n2"} {
		if !strings.Contains(used, node) {
			t.Errorf("no task ran on %s", node)
		}
	}
}

// twoNodes starts the controller and two nodes.
func (c *cluster) twoNodes() {
	c.t.Helper()
	c.start(c.dir, c.env, "slurmctld", "-D", "-i")
	c.t.Cleanup(c.stop)
	c.eventually("slurmctld", 30*time.Second, func() error { _, err := c.try("scontrol", "ping"); return err })
	for _, node := range []string{"n1", "n2"} {
		dir := filepath.Join(c.dir, node)
		c.must(os.Mkdir(dir, 0o755))
		c.start(dir, c.env, "slurmd", "-D", "-N", node)
	}
	c.eventually("both nodes", 60*time.Second, func() error {
		out, err := c.try("sinfo", "-h", "-N", "-o", "%N %T")
		if idle := strings.Count(string(out), " idle"); err == nil && idle != 2 {
			return fmt.Errorf("%s", out)
		}
		return err
	})
}

// kill ends tasks while they run, half of them by Slurm and half without it, and cancels one that waits.
func (c *cluster) kill(n int) (killed []string) {
	c.t.Helper()
	c.eventually("tasks run and wait", 60*time.Second, func() error {
		out, err := c.try("squeue", "-h", "-r", "-t", "RUNNING", "-o", "%F_%K %A")
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(out)) {
			task, id, _ := strings.Cut(strings.TrimSpace(line), " ")
			if slices.Contains(killed, task) || len(killed) == n {
				continue
			}
			if len(killed)%2 == 0 {
				if _, err := c.try("scancel", "--signal=KILL", "--full", task); err != nil {
					continue
				}
			} else if !c.killWorker(id) {
				continue
			}
			killed = append(killed, task)
		}
		if len(killed) < n {
			return fmt.Errorf("%d of %d tasks were killed", len(killed), n)
		}
		return nil
	})
	out := c.run("squeue", "-h", "-r", "-t", "PENDING", "-o", "%F_%K")
	if waiting := strings.Fields(out); len(waiting) > 0 {
		c.run("scancel", waiting[len(waiting)-1])
		killed = append(killed, waiting[len(waiting)-1])
	}
	return killed
}

// killWorker kills the processes of a job.
func (c *cluster) killWorker(job string) (done bool) {
	for _, pid := range ours(c.dir) {
		environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(environment), "\x00SLURM_JOB_ID="+job+"\x00") &&
			strings.Contains(string(command), "\x00sweep\x00work\x00") {
			process, err := os.FindProcess(pid)
			done = err == nil && process.Kill() == nil || done
		}
	}
	return done
}

// noTasks fails while tasks wait or run.
func (c *cluster) noTasks() error {
	out, err := c.try("squeue", "-h", "-r", "-o", "%F_%K %T")
	if left := strings.Count(string(out), "\n"); err == nil && left > 0 {
		return fmt.Errorf("%d tasks are left", left)
	}
	return err
}

func lineWith(text, begin string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, begin) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
