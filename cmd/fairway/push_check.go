package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
)

// refused finds words of a run that each push by it would refuse, and files that it could not read or write. What the
// command line says instead has been taken out of the run.
func refused(r *policy.Run) (diags diag.List) {
	missing := func(names []policy.Text, folders bool) {
		for _, t := range names {
			if err := readable(beneath(t.Span.File.Name, []policy.Text{t})[0], folders); err != nil {
				diags.Errorf("run-file-missing", t.Span, "%v", err)
			}
		}
	}
	missing(r.Policies, false)
	missing(r.Snapshots, true)
	if r.TimeZone.IsSet() {
		if _, err := time.LoadLocation(r.TimeZone.Value); err != nil {
			diags.Errorf("run-word", r.TimeZone.Span, "%v", err).Note(`write a zone as "Europe/Stockholm"`)
		}
	}
	if v := r.SlurmVersion; v.IsSet() {
		if _, known := slurmconf.Branch(v.Value); !known {
			diags.Errorf("run-word", v.Span, "Slurm %s is not known", v.Value).
				Note("write a release as YY.MM, such as 22.05; the newest known is %s", slurmconf.Newest())
		}
	}
	if name := r.Feed.Resource; name.IsSet() {
		if _, is := manager.PBSResource(name.Value); !is {
			diags.Errorf("run-word", name.Span, "%q is no name of a resource", name.Value).
				Note("a letter, and then letters, digits and _")
		}
	}
	outputs := []policy.Text{r.Prom, r.JSON, r.State}
	if r.Feed.To.Value == "file" {
		outputs = append(outputs, r.Feed.Path)
	}
	for _, t := range outputs {
		if !t.IsSet() {
			continue
		}
		names := beneath(t.Span.File.Name, []policy.Text{t, r.StateDir})
		if err := writable(names[0], names[1]); err != nil {
			diags.Errorf("run-file-missing", t.Span, "%v", err)
		}
	}
	return diags
}

// readable says why a file, or a folder where it may be one, cannot be read.
func readable(name string, folder bool) error {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() && !folder {
		err = errors.New("it is a folder")
	}
	if err != nil {
		return plainPathError(name, err)
	}
	return nil
}

// writable says why a file cannot be put where it is to be. The first run makes the state directory.
func writable(name, stateDir string) error {
	if name == "" || name == "-" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: it is a folder", name)
	}
	folder := filepath.Dir(settled(name))
	if stateDir != "" && folder == settled(stateDir) {
		return nil
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot write %s: there is no folder %s", name, filepath.Dir(name))
	}
	return nil
}

// without is a run less what the command line says instead.
func (p *pushFlags) without(given func(flag string) bool, files []string, r *policy.Run) *policy.Run {
	left := *r
	if len(files) > 0 || p.made() {
		left.Policies = nil
	}
	if given("snapshot") || given("live") || p.made() {
		left.Snapshots = nil
	}
	var none policy.Text
	for flag, texts := range map[string][]*policy.Text{
		"timezone": {&left.TimeZone}, "slurm-version": {&left.SlurmVersion}, "state": {&left.State},
		"to": {&left.Feed.To, &left.Feed.Resource, &left.Feed.Path}, "by": {&left.Feed.Resource},
	} {
		for _, t := range texts {
			if given(flag) {
				*t = none
			}
		}
	}
	if p.made() { // the plan or the audit has target and policy
		left.Feed, left.TimeZone, left.SlurmVersion, left.State = policy.RunFeed{}, none, none, none
	}
	if !p.sends() { // nothing is written
		left.Prom, left.JSON, left.State, left.Feed.Path = none, none, none, none
	}
	if given("output") {
		left.Prom, left.JSON = none, none
	}
	return &left
}

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
