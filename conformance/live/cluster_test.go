//go:build live

package live_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cluster is a Slurm of our own.
type cluster struct {
	*keeper
	dir  string
	env  []string // by which Slurm's commands find it
	conf string   // slurm.conf

	ports   []string
	waiting string // a job that never starts
}

// newCluster starts everything and waits until it answers.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	install(t)
	c := &cluster{dir: t.TempDir()}
	t.Cleanup(c.clear)
	c.keeper = newKeeper(t) // ends before the rest is cleared
	for dir := c.dir; dir != filepath.Dir(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
		if dir != os.TempDir() { // daemons of other users look in
			c.must(os.Chmod(dir, 0o755))
		}
	}
	c.conf = filepath.Join(c.dir, "slurm.conf")
	c.env = []string{"SLURM_CONF=" + c.conf}
	socket := c.munge()
	database := c.mariadb()
	host, err := os.Hostname()
	c.must(err)
	host, _, _ = strings.Cut(host, ".")
	places := strings.NewReplacer("$DIR", c.dir, "$HOST", host, "$MUNGE", socket, "$DATABASE", database,
		"$DBD", c.freePort(), "$CTLD", c.freePort(), "$SLURMD", c.freePort())
	c.write("slurmdbd.conf", places.Replace(slurmdbdConf), 0o600)
	c.write("slurm.conf", places.Replace(slurmConf), 0o644)
	for _, name := range []string{"state", "spool"} {
		c.must(os.Mkdir(filepath.Join(c.dir, name), 0o755))
	}
	c.start(c.dir, append(c.env, "SLURM_CONF="+filepath.Join(c.dir, "slurmdbd.conf")), "slurmdbd", "-D")
	c.eventually("slurmdbd", 60*time.Second,
		func() error { _, err := c.try("sacctmgr", "-n", "show", "cluster"); return err })
	return c
}

// control starts the controller and its node, once the database has the cluster's accounts.
func (c *cluster) control() {
	c.t.Helper()
	c.start(c.dir, c.env, "slurmctld", "-D", "-i")
	c.t.Cleanup(c.stop)
	c.eventually("slurmctld", 30*time.Second, func() error { _, err := c.try("scontrol", "ping"); return err })
	c.start(c.dir, c.env, "slurmd", "-D", "-N", "n1")
	c.eventually("slurmd", 30*time.Second, func() error {
		out, err := c.try("sinfo", "-h", "-n", "n1", "-o", "%T")
		if state := strings.TrimSpace(string(out)); err == nil && state != "idle" {
			return fmt.Errorf("node n1 is %s", state)
		}
		return err
	})
}

// stop ends jobs, which outlive the daemons.
func (c *cluster) stop() {
	for range 50 {
		out, err := c.try("squeue", "-h", "-o", "%A")
		jobs := strings.Fields(string(out))
		if err != nil || len(jobs) == 0 {
			return
		}
		_, _ = c.try(append([]string{"scancel"}, jobs...)...) // some have ended meanwhile
		time.Sleep(200 * time.Millisecond)
	}
	c.t.Error("jobs do not end")
}

// clear ends what is left, which is a fault.
func (c *cluster) clear() {
	for _, pid := range ours(c.dir) {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		c.t.Errorf("process %d is left: %s", pid, bytes.TrimSpace(name))
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, port := range c.ports {
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err != nil {
			c.t.Errorf("port %s is still in use: %v", port, err)
		} else {
			_ = l.Close()
		}
	}
}

// munge: without credentials Slurm's daemons do not talk to each other.
func (c *cluster) munge() (socket string) {
	key := make([]byte, 128)
	_, _ = rand.Read(key)
	dir := filepath.Join(c.dir, "munge")
	c.must(os.Mkdir(dir, 0o755))
	c.must(os.WriteFile(filepath.Join(dir, "key"), key, 0o400))
	socket = filepath.Join(dir, "socket")
	c.start(c.dir, nil, "munged", "--foreground", "--force", "--key-file="+filepath.Join(dir, "key"), "--socket="+socket,
		"--pid-file="+filepath.Join(dir, "pid"), "--log-file="+filepath.Join(dir, "log"),
		"--seed-file="+filepath.Join(dir, "seed"))
	c.eventually("munged", 20*time.Second, func() error { _, err := os.Stat(socket); return err })
	return socket
}

// mariadb makes a database and returns its port.
func (c *cluster) mariadb() (port string) {
	data, socket := filepath.Join(c.dir, "data"), filepath.Join(c.dir, "mariadb.socket")
	c.run("mariadb-install-db", "--no-defaults", "--user=root", "--datadir="+data,
		"--auth-root-authentication-method=normal", "--skip-test-db")
	port = c.freePort()
	c.start(c.dir, nil, "mariadbd", "--no-defaults", "--user=root", "--datadir="+data, "--socket="+socket,
		"--bind-address=127.0.0.1", "--port="+port,
		"--innodb-buffer-pool-size=64M", "--innodb-lock-wait-timeout=900", "--pid-file="+filepath.Join(c.dir, "mariadb.pid"))
	c.eventually("mariadbd", 60*time.Second, func() error {
		_, err := c.try("mariadb", "--no-defaults", "--socket="+socket, "-uroot", "-e",
			"create database if not exists slurm; create user if not exists slurm@localhost identified by 'slurm'; "+
				"create user if not exists slurm@'127.0.0.1' identified by 'slurm'; grant all on slurm.* to slurm@localhost; "+
				"grant all on slurm.* to slurm@'127.0.0.1'")
		return err
	})
	return port
}

func (c *cluster) freePort() string {
	c.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	c.must(err)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	c.ports = append(c.ports, port)
	return port
}

// try runs one of Slurm's commands.
func (c *cluster) try(argv ...string) ([]byte, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = append(os.Environ(), c.env...), c.dir
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, tail(complaint.Bytes()))
	}
	return out.Bytes(), nil
}

// run is try that has to succeed.
func (c *cluster) run(argv ...string) string {
	c.t.Helper()
	out, err := c.try(argv...)
	c.must(err)
	return strings.TrimSpace(string(out))
}

func (c *cluster) write(name, text string, mode os.FileMode) {
	c.t.Helper()
	c.must(os.WriteFile(filepath.Join(c.dir, name), []byte(text), mode))
}

func (c *cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}
