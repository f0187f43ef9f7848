package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/push"
)

// runFile is a file that a run reads or writes, and what it is to the run.
type runFile struct{ as, path string }

// reads notes what a run is about to read.
func (p *pushFlags) reads(as string, paths ...string) {
	for _, path := range paths {
		p.inputs = append(p.inputs, runFile{as, path})
	}
}

// writes are the files that a run writes beside those of its state directory. What is no regular file takes all that
// is written to it.
func (p *pushFlags) writes(target push.Target) []runFile {
	list := []runFile{{"--out", p.out}, {"--state", p.iter.state}}
	for _, o := range p.targets {
		list = append(list, runFile{"the output " + o.format, o.path})
		if o.format == "prom" {
			list = append(list, runFile{"the output prom of a run that is locked out", besideProm(o.path)})
		}
	}
	if path, ok := strings.CutPrefix(target.To, "file="); ok {
		list = append(list, runFile{"the file that is fed", path})
	}
	return slices.DeleteFunc(list, func(f runFile) bool {
		info, err := os.Stat(f.path)
		return f.path == "" || f.path == "-" || err == nil && !info.Mode().IsRegular()
	})
}

// separate refuses a run that would write over what it reads, or over another file that it writes. A plan has more of
// both. Such a run writes nothing at all.
func (p *pushFlags) separate(plan *push.Plan) error {
	err := p.mixed(plan)
	if err != nil {
		p.targets = nil
	}
	return err
}

// mixed finds what separate refuses.
func (p *pushFlags) mixed(plan *push.Plan) error {
	target := p.target
	if plan != nil {
		target = plan.Target
		for _, f := range plan.Policy {
			p.reads("a file of the policy", f.Name)
		}
		for _, f := range plan.Snapshot {
			p.reads("the snapshot", f.Name)
		}
	}
	list := p.writes(target)
	for i, f := range list {
		if over := p.over(f.path); over != "" {
			return failf(exitUsage, "nothing is sent: %s is to be %s, which is %s: give another name", f.as, f.path, over)
		}
		for _, other := range list[:i] {
			if sameFile(f.path, other.path) {
				return failf(exitUsage, "nothing is sent: %s and %s are to be one file, %s: give another name", other.as, f.as, f.path)
			}
		}
	}
	for _, o := range p.targets {
		if o.format == "prom" && noMetrics(o.path) {
			return failf(exitUsage, "nothing is sent: the output prom is to be %s, which is there and holds no metrics of a run: give another name, or remove it", o.path)
		}
	}
	return nil
}

// noMetrics reports a file with something else than metrics in it. They are written also where a run fails before it
// knows all that it reads.
func noMetrics(path string) bool {
	if path == "" || path == "-" {
		return false
	}
	text, err := readRegular(path)
	return err == nil && len(text) > 0 && !bytes.HasPrefix(text, []byte("# HELP fairway_"))
}

// over is what a file is to the run beside something to write, "" if nothing.
func (p *pushFlags) over(path string) string {
	for _, f := range p.inputs {
		if sameFile(path, f.path) || sameFile(filepath.Dir(path), f.path) {
			return f.as
		}
	}
	if p.dir != "" && inStateDir(p.dir, path) {
		return "a file of the state directory"
	}
	return ""
}

// inStateDir reports a file of the layout of a state directory.
func inStateDir(dir, path string) bool {
	name, err := filepath.Rel(settled(dir), settled(path))
	return err == nil && slices.ContainsFunc(stateLayout, func(p statePart) bool {
		return name == p.name || p.more && strings.HasPrefix(name, p.name)
	})
}
