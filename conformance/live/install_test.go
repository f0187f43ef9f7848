//go:build live

package live_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"testing"
)

// packages are Debian's, by a program of each.
var packages = []struct{ program, name string }{
	{"munged", "munge"}, {"mariadbd", "mariadb-server"}, {"slurmdbd", "slurmdbd"},
	{"slurmctld", "slurmctld"}, {"slurmd", "slurmd"}, {"sprio", "slurm-client"},
}

// install adds the packages that are missing, without what they recommend and without
// starting their services.
func install(t *testing.T) {
	t.Helper()
	var missing []string
	for _, p := range packages {
		if _, err := exec.LookPath(p.program); err != nil {
			missing = append(missing, p.name)
		}
	}
	if os.Geteuid() != 0 {
		t.Fatal("a cluster of one's own needs root: daemons become other users")
	}
	if len(missing) == 0 {
		return
	}
	t.Logf("installing %v", missing)
	defer noServices(t)()
	for _, argv := range [][]string{
		{"apt-get", "update", "-q"},
		append([]string{"apt-get", "install", "-q", "-y", "--no-install-recommends"}, missing...),
	} {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", argv, err, tail(out))
		}
	}
}

// policyRC is what Debian asks before it starts a service (invoke-rc.d); 101 is no.
const policyRC = "/usr/sbin/policy-rc.d"

func noServices(t *testing.T) (restore func()) {
	t.Helper()
	if _, err := os.Stat(policyRC); !errors.Is(err, fs.ErrNotExist) {
		return func() {}
	}
	if err := os.WriteFile(policyRC, []byte("#!/bin/sh\nexit 101\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return func() { _ = os.Remove(policyRC) }
}
