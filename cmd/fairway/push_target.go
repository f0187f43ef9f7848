package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
)

// feederOf finds who is fed, by --to and --by.
func feederOf(t push.Target) (manager.Feeder, error) {
	kind, name, named := strings.Cut(t.To, "=")
	if named == (kind == "slurm" || kind == "pbs" || kind == "maui") || named && name == "" {
		return nil, failf(exitUsage, "--to is slurm, pbs, maui, file=PATH or command=PROGRAM, not %q", t.To)
	}
	by := func(names ...string) error {
		return failf(exitUsage, "--by for --to %s is %s, not %q", kind, strings.Join(names, ", "), t.By)
	}
	switch kind {
	case "slurm":
		f := map[string]manager.Feeder{"": manager.SlurmSiteFactor, "site-factor": manager.SlurmSiteFactor,
			"nice": manager.SlurmNice, "priority": manager.SlurmPriority}[t.By]
		if f == nil {
			return nil, by("site-factor", "nice", "priority")
		}
		return f, nil
	case "pbs":
		if t.By == "" || t.By == "priority" {
			return manager.PBSPriority, nil
		}
		resource, ok := strings.CutPrefix(t.By, "resource=")
		f, is := manager.PBSResource(resource)
		if !ok || !is {
			return nil, by("priority", "resource=NAME")
		}
		return f, nil
	}
	if t.By != "" {
		return nil, failf(exitUsage, "--by is of --to slurm and --to pbs")
	}
	switch kind {
	case "maui":
		return manager.MauiSystemPriority, nil
	case "file":
		return manager.SiteFile(name), nil
	case "command":
		return manager.SiteCommand([]string{name}), nil
	}
	return nil, failf(exitUsage, "--to is slurm, pbs, maui, file=PATH or command=PROGRAM, not %q", t.To)
}

// anchored names the file or the program of a target so that it is the same one from every folder and with every
// PATH: plans and the audit keep it. A program that is not there stays as it is, and the run says so.
func anchored(t push.Target) (push.Target, error) {
	kind, name, named := strings.Cut(t.To, "=")
	if !named {
		return t, nil
	}
	if kind == "command" {
		found, err := exec.LookPath(name)
		if err != nil {
			return t, nil
		}
		name = found
	}
	whole, err := filepath.Abs(name)
	if err != nil {
		return t, plainFailure(name, err)
	}
	t.To = kind + "=" + whole
	return t, nil
}

// refuseRelative refuses a target of an older audit that may be another one in another folder. A file is taken where
// it is still there under that name.
func refuseRelative(t push.Target) error {
	kind, name, named := strings.Cut(t.To, "=")
	if !named || filepath.IsAbs(name) {
		return nil
	}
	if _, err := os.Stat(name); kind == "file" && err == nil {
		return nil
	}
	return failf(exitUsage, "nothing is sent: %s is named from the folder that its run was started in, which is not "+
		"this one; a file is found from there, a program is not: push anew", t.To)
}
