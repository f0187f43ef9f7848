package main

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/push"
)

// reads notes what a run is about to read. Whatever is put into a folder that is its snapshot is another one.
func (p *pushFlags) reads(what string, names ...string) {
	p.inputs = append(p.inputs, among(directly, readBy(what, names...))...)
}

// uses are what the run reads, as far as it is known, what it keeps, and what is no file of its metrics.
func (p *pushFlags) uses() []use {
	list := append([]use{{what: "the state directory", path: p.dir, part: ofLayout}}, p.inputs...)
	for _, o := range p.targets {
		if o.format == "prom" {
			list = append(list, noMetrics(o.path)...)
		}
	}
	return list
}

// outputUses are the files of an output.
func outputUses(format, path string, at source.Span) []use {
	list := []use{{what: "the output " + format, path: path, at: at}}
	if format == "prom" {
		list = append(list, use{what: "the output prom of a run that is locked out", path: besideProm(path), at: at})
	}
	return list
}

// writes are the files that a run writes beside those of its state directory.
func (p *pushFlags) writes(target push.Target) []use {
	list := []use{{what: "--out", path: p.out}, {what: "--state", path: p.iter.state}}
	for _, o := range p.targets {
		list = append(list, outputUses(o.format, o.path, source.Span{})...)
	}
	if path, ok := strings.CutPrefix(target.To, "file="); ok {
		list = append(list, use{what: "the file that is fed", path: path})
	}
	return list
}

// separate refuses a run that would write over what it reads, or over another file that it writes, or where nothing
// can be written. A plan has more of both. Such a run writes nothing at all.
func (p *pushFlags) separate(plan *push.Plan) error {
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
	err := p.sound(p.writes(target))
	if err != nil {
		p.targets = nil
	}
	return err
}

// sound finds what separate refuses.
func (p *pushFlags) sound(writes []use) error {
	for _, o := range separate(writes, p.uses()) {
		return failf(exitUsage, "nothing is sent: %w: give another name", o)
	}
	for _, w := range writes {
		if err := writable(w.path, p.dir); err != nil && p.sends() {
			return failf(exitIO, "nothing is sent: %v", err)
		}
	}
	return nil
}

// noMetrics is a file for metrics that has something else in it. They are written also where a run fails before it
// knows all that it reads.
func noMetrics(path string) []use {
	text, err := readPresent(path)
	if err != nil || len(text) == 0 || bytes.HasPrefix(text, []byte("# HELP fairway_")) {
		return nil
	}
	return []use{{what: "which is there and holds no metrics of a run", path: path}}
}
