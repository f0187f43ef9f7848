package main

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/replay"
	report "github.com/fairway-sched/fairway/runtime/report/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// deskReplay plays a workload while the page does other things: once by the files as they are, and by each change that
// the page asks for. A newer change ends the replay of the one before it.
type deskReplay struct {
	workload *replay.Workload
	machine  *snapshot.Snapshot
	options  evaluation.Options
	turns    chan bool // leaves a processor to the queue, where there are several

	mu     sync.Mutex // of what follows
	before *playing
	now    *playing
}

// playing is a replay that runs or has ended.
type playing struct {
	change string
	cancel context.CancelFunc
	jobs   atomic.Int64 // that have ended
	until  atomic.Int64 // epoch seconds
	done   chan struct{}
	// What follows is there once it is done.
	shown   *report.Report
	release string // as which it was played, where nothing states that
	err     error
}

// openReplay reads the workload. The machine is that of the snapshot, without its queue and what was used: it begins
// empty, as `fairway replay` begins.
func (f *deskFlags) openReplay(d *disk, s *snapshot.Snapshot, place *time.Location) (*deskReplay, error) {
	if len(f.workload) == 0 {
		return nil, nil
	}
	machine := &snapshot.Snapshot{Family: s.Family, Version: s.Version, Until: s.Until, Cluster: s.Cluster, Nodes: s.Nodes,
		Licenses: s.Licenses}
	records, err := readWorkload(d, f.workload, place, machine)
	if err != nil {
		return nil, err
	}
	w := replay.NewWorkload(records.Jobs, replay.Selection{Runtime: replay.Recorded})
	printDiags(w.Report())
	if len(w.Jobs) == 0 {
		return nil, failf(exitUnreadable, "%s has no job to play", strings.Join(f.workload, ", "))
	}
	return &deskReplay{workload: w, machine: machine, options: evaluation.Options{Place: place},
		turns: make(chan bool, max(1, runtime.GOMAXPROCS(0)-1))}, nil
}

// answerReplay starts the replay of a change, or says how far it is, or what it came to.
func (d *deskServer) answerReplay(ctx context.Context, q *deskRequest) (any, error) {
	r := d.replay
	if r == nil {
		return nil, mistakes{{Message: "No workload is played: start the desk with --workload FILE."}}
	}
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	before, now := r.start(d, d.before, s)
	soon, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
	defer cancel()
	for _, p := range []*playing{before, now} {
		select {
		case <-p.done:
		case <-soon.Done():
			return map[string]any{"done": false, "progress": []any{r.progress("by the files", before),
				r.progress("with the change", now)}}, nil
		}
		if p.err != nil {
			return nil, p.err
		}
	}
	shown, err := report.ShowBeside(before.shown, now.shown)
	return map[string]any{"done": true, "jobs": len(r.workload.Jobs), "release": now.release, "replay": shown}, err
}

// progress is how far a replay is.
func (r *deskReplay) progress(title string, p *playing) any {
	return map[string]any{"title": title, "jobs": p.jobs.Load(), "of": len(r.workload.Jobs), "until": p.until.Load()}
}

// start begins what does not run yet, and ends the replay of another change.
func (r *deskReplay) start(d *deskServer, before, now *deskSide) (x, y *playing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.before.lost() {
		r.before = r.play(d, before)
	}
	if r.now.lost() || r.now.change != now.change.Key() {
		if r.now != nil && r.now != r.before {
			r.now.cancel()
		}
		if r.now = r.before; now.change.Key() != r.before.change {
			r.now = r.play(d, now)
		}
	}
	return r.before, r.now
}

// lost reports a replay that is to be played, for the first time or since it was ended.
func (p *playing) lost() bool {
	if p == nil {
		return true
	}
	select {
	case <-p.done:
		return errors.Is(p.err, context.Canceled)
	default:
		return false
	}
}

// play plays a side in the background.
func (r *deskReplay) play(d *deskServer, s *deskSide) *playing {
	ctx, cancel := context.WithCancel(context.Background())
	p := &playing{change: s.change.Key(), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		defer cancel()
		select {
		case r.turns <- true:
			defer func() { <-r.turns }()
			p.shown, p.err = r.run(ctx, d, s, p)
		case <-ctx.Done():
			p.err = ctx.Err()
		}
	}()
	return p
}

// playedAs is a side's policy in the release that the workload shows, where the snapshot shows none.
func (r *deskReplay) playedAs(d *deskServer, s *deskSide) (*compiler.Output, error) {
	if r.machine.Version == d.in.SnapshotVersion && r.machine.Until == d.in.Until {
		return s.out, nil
	}
	d.mu.Lock() // of the files that are read once
	defer d.mu.Unlock()
	in, changed, err := d.input(s.change)
	if err != nil {
		return nil, err
	}
	in.SnapshotVersion, in.Until = r.machine.Version, r.machine.Until
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		return nil, mistakesOf(out.Diags, changed)
	}
	return out, nil
}

func (r *deskReplay) run(ctx context.Context, d *deskServer, s *deskSide, p *playing) (*report.Report, error) {
	out, err := r.playedAs(d, s)
	if err != nil {
		return nil, err
	}
	prog, machine := out.Program, *r.machine
	machine.Credentials, p.release = s.queue.Credentials, assumedRelease(out, &machine)
	if machine.Nodes == nil || machine.Nodes.Rows == 0 {
		if machine.Nodes = replay.ConfiguredNodes(prog); machine.Nodes == nil {
			return nil, mistakes{{Message: "The snapshot has no nodes, so nothing is played: add what `scontrol show node` " +
				"prints."}}
		}
	}
	c := &replay.Case{Program: prog, Machine: &machine, Workload: r.workload,
		Options: replay.Options{Evaluation: r.options,
			Context: ctx, Progress: func(now int64, done int) {
				p.until.Store(now)
				p.jobs.Store(int64(done))
			}}}
	result, measured, err := c.Play()
	var refused *replay.RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, mistakesOf(refused.Findings, nil)
	case errors.Is(err, context.Canceled):
		return nil, context.Canceled
	case err != nil:
		return nil, mistakes{{Message: source.Plain(planFailed(err).Error())}}
	}
	return &report.Report{Result: result, Measured: measured}, nil
}

// end ends all replays.
func (r *deskReplay) end() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range []*playing{r.before, r.now} {
		if p != nil {
			p.cancel()
			<-p.done
		}
	}
}
