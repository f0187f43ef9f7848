package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// plan evaluates the policy and compares. save keeps what the next evaluation needs of this one.
func (p *pushFlags) plan(ctx context.Context, files []string) (plan *push.Plan, save func() error, err error) {
	given := files
	if p.yes || p.out != "" {
		if err := refuseCaptures(given); err != nil {
			return nil, nil, err
		}
	}
	if err := p.refuseInputs(given); err != nil {
		return nil, nil, err
	}
	if p.live.on {
		done, err := p.live.capture(ctx, &p.snap, &files)
		if err != nil {
			return nil, nil, err
		}
		defer done()
		if err := p.live.witnessed(); err != nil {
			return nil, nil, err
		}
	}
	e, err := until(ctx, func() (evaluated, error) { return p.compare(ctx, given, files) })
	if e.result != nil {
		p.became.Policy, p.became.Queue = e.result.Program.Policy, eval.QueueMetrics(e.result, push.Label(p.name))
	}
	return e.plan, func() error { return p.iter.save(e.result) }, err
}

// refuseCaptures refuses the policy of a captured snapshot: what sends is the policy in force, whose files are compared
// again before anything is sent.
func refuseCaptures(files []string) error {
	captured := ""
	if _, err := policyFiles(files, func(name string, _ []byte) { captured = name }); err != nil || captured == "" {
		return err
	}
	return failf(exitUsage, "nothing is sent by the policy of a captured snapshot, %s, which may be out of date: "+
		"give the files of the policy", captured)
}

// refuseInputs refuses a run with --yes whose policy, snapshot or state others can write: these say what is sent. It is
// asked again about all that was opened, included files too.
func (p *pushFlags) refuseInputs(files []string) error {
	if !p.yes {
		return nil
	}
	list := slices.Concat(files, p.snap.paths)
	if p.iter.state != "" {
		list = append(list, filepath.Dir(p.iter.state))
	}
	slices.Sort(list)
	for _, name := range slices.Compact(list) {
		if err := refuseInput(name); err != nil {
			return err
		}
	}
	return nil
}

// evaluated is what became of an evaluation, as far as it came.
type evaluated struct {
	plan   *push.Plan
	result *evaluation.Result
}

// compare evaluates the policy and compares. files are those that are given and the accounts of --live.
func (p *pushFlags) compare(ctx context.Context, given, files []string) (e evaluated, err error) {
	plan := &push.Plan{FormatVersion: push.FormatVersion, Target: p.target, Bounds: p.bounds}
	read := readFiles{}
	p.pol.note = read.note
	if p.live.on && !p.needsAccounts(given) {
		files = given
	}
	feeder, err := feederOf(p.target)
	if err != nil {
		return e, err
	}
	if plan.Snapshot, err = p.hashSnapshot(); err != nil {
		return e, err
	}
	var held []manager.Holding
	told, explained := false, true
	p.snap.after = func(s *snapshot.Snapshot) {
		held, told = feeder.Held(s)
		explained = s.Sprio != nil
		// a capture holds its jobs against lists of them
		if n := manager.SprioAlone(s); p.target.To == "slurm" && !p.live.on && n > 0 {
			fmt.Fprintf(stderr, "fairway: only sprio lists %s: tasks of arrays, which squeue prints as one without "+
				"--array-unique, keep what they have; snapshot capture tells of each\n", count(n, "job"))
		}
		feeder.Forget(s)
	}
	var opened reads
	p.snap.opened = &opened
	r, findings, err := evaluate(&p.pol, &p.snap, &p.iter, files)
	if err != nil {
		return e, err
	}
	if err := p.refuseInputs(slices.Concat(opened, slices.Collect(maps.Keys(read)))); err != nil {
		return e, err
	}
	e.result = r
	if !p.quiet {
		printDiags(findings)
	}
	if p.yes || p.out != "" {
		if err := p.live.knowsUsage(findings); err != nil {
			return e, err
		}
	}
	if err := p.readable(r); err != nil {
		return e, err
	}
	plan.Target.Cluster = r.Snapshot.Cluster
	plan.SnapshotTime = r.Snapshot.Now
	accounts := read.takeOut(filepath.Join(p.live.dir, accountsFile))
	if plan.Policy = read.list(); p.live.on {
		plan.Snapshot = append(plan.Snapshot, p.kept(accounts)...)
	}
	switch {
	case !told:
		if held, err = p.ask(ctx, feeder, push.Asked(r)); err != nil {
			return e, err
		}
	case !explained && len(r.Order) > 0 && feeder != manager.SlurmPriority:
		return e, failf(exitUnreadable,
			"the snapshot has no output of sprio, which alone says what %s each job has: add it, or use --live", feeder.Kind())
	}
	plan.Run, plan.Made = newRun()
	known, err := p.lessons()
	if err != nil {
		return e, err
	}
	plan.Make(r, held, feeder, known)
	e.plan = plan
	return e, nil
}

// readable refuses a queue that lacks what the policy reads.
func (p *pushFlags) readable(r *evaluation.Result) error {
	if noJobRead(r) {
		return failf(exitUnreadable, "no record of a job could be read, so nothing is sent")
	}
	for _, id := range []schema.ColumnID{"job.name", "job.comment"} {
		if p.live.on && p.live.form == liveForm && r.Snapshot.Jobs.Column(id) == nil &&
			slices.Contains(r.Program.Inputs(), id) {
			return failf(exitUsage, "the policy looks at %s, which users write, and which --jobs %s leaves out: "+
				"say --jobs json, or jobs = \"json\" in the block live", id, p.live.form)
		}
	}
	return nil
}

// lessons are what runs before learnt of jobs that are refused.
func (p *pushFlags) lessons() (push.Lessons, error) {
	if p.dir == "" {
		return nil, nil
	}
	journal, _, err := readAudit(p.dir, false)
	return push.Learn(journal, time.Now()), err
}

// needsAccounts reports a policy that is made of Slurm's own: to any other, the accounts of the cluster would
// add Slurm's priority.
func (p *pushFlags) needsAccounts(files []string) bool {
	in, err := p.pol.input(&disk{}, files, nil)
	if err != nil {
		return true // evaluate says what is wrong
	}
	out := compiler.Compile(in)
	return out.Program == nil || family.Of(out.Program).Facts.Database
}

// fresh refuses a plan whose snapshot is too old: the queue is another one by now.
func (p *pushFlags) fresh(plan *push.Plan) error {
	if plan.SnapshotTime == 0 {
		return failf(exitUsage, "the snapshot does not say of when it is, so nothing is sent; --now says it")
	}
	taken := time.Unix(plan.SnapshotTime, 0)
	of := taken.UTC().Format(time.RFC3339)
	switch age := time.Since(taken); {
	case age > p.maxAge:
		return failf(exitFindings, "nothing is sent: the snapshot is of %s, older than --max-age %s%s",
			of, p.maxAge, p.ownClock())
	case age < -p.maxAge:
		return failf(exitFindings, "nothing is sent: the snapshot is of %s, which has not come yet%s", of, p.ownClock())
	}
	return nil
}

// ownClock says what an age is measured by, of a snapshot that was taken for the run.
func (p *pushFlags) ownClock() string {
	if !p.live.on {
		return ""
	}
	return " by the clock of this machine, from which the controller's differs; a longer --max-age lets that pass"
}

// stillHolds refuses a plan whose inputs are others by now.
func stillHolds(plan *push.Plan) error {
	for _, list := range []struct {
		what  string
		files []push.File
	}{{"policy", plan.Policy}, {"snapshot", plan.Snapshot}} {
		for _, f := range list.files {
			if f.Name == "" {
				continue // it was not kept
			}
			if err := refuseInput(f.Name); err != nil {
				return err
			}
			sum, err := hashOf(f.Name, func(name string) (fs.File, error) { return openRegular(name) })
			if err != nil {
				return failf(exitFindings, "nothing is sent: the plan's %s cannot be looked at: %v", list.what, err)
			}
			if sum != f.SHA256 {
				return failf(exitFindings, "nothing is sent: the plan's %s %s has changed since; make the plan anew", list.what,
					f.Name)
			}
		}
	}
	return nil
}

// sameCluster refuses a plan that was made of another cluster's queue.
func sameCluster(ctx context.Context, t push.Target, r *callRunner) error {
	if t.To != "slurm" || t.Cluster == "" {
		return nil
	}
	text, err := r.run(ctx, manager.Call{Argv: manager.SlurmConfig.Argv, Env: manager.SlurmEnvironment})
	if err != nil {
		return failf(exitIO, "nothing is sent: scontrol: %v", err)
	}
	if name, ok := manager.SlurmCluster(text); !ok || name != t.Cluster {
		return failf(exitFindings, "nothing is sent: the queue is of cluster %q, and this is %q", t.Cluster, name)
	}
	return nil
}

// readFiles are the policy files that were read, by names that hold from everywhere.
type readFiles map[string]string

func (r readFiles) note(name string, text []byte) {
	if whole, err := filepath.Abs(name); err == nil && name != "-" {
		sum := sha256.Sum256(text)
		r[whole] = hex.EncodeToString(sum[:])
	}
}

// takeOut removes a file, which need not be there.
func (r readFiles) takeOut(name string) (list []push.File) {
	if sum, ok := r[name]; ok {
		delete(r, name)
		list = []push.File{{Name: name, SHA256: sum}}
	}
	return list
}

func (r readFiles) list() (list []push.File) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		list = append(list, push.File{Name: name, SHA256: r[name]})
	}
	return list
}

// hashSnapshot hashes what is about to be read. One that was taken for this run and is not kept has no name:
// it can be compared with nothing later, but the audit shows what the run saw.
func (p *pushFlags) hashSnapshot() ([]push.File, error) {
	list, err := hashAll(p.snap.paths)
	if err == nil && p.live.on {
		list = append(p.kept(list[:1]), list[1:]...)
	}
	return list, err
}

// kept takes the names of what is gone once the run has ended.
func (p *pushFlags) kept(list []push.File) []push.File {
	if p.live.keep == "" {
		for i := range list {
			list[i].Name = ""
		}
	}
	return list
}

// hashAll hashes inputs under names that hold from everywhere.
func hashAll(names []string) ([]push.File, error) {
	var files []push.File
	for _, name := range names {
		if name == "-" {
			continue // gone once it was read
		}
		whole, err := filepath.Abs(name)
		if err == nil {
			var sum string
			if sum, err = hashOf(whole, (&disk{}).Open); err == nil {
				files = append(files, push.File{Name: whole, SHA256: sum})
				continue
			}
		}
		return nil, plainFailure(name, err)
	}
	return files, nil
}

// hashOf hashes a file, or the files of a folder with their names, which is read flat as snapshots are.
func hashOf(name string, open func(name string) (fs.File, error)) (string, error) {
	h := sha256.New()
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		if err = hashFile(h, name, open); err != nil {
			return "", err
		}
		return hex.EncodeToString(h.Sum(nil)), nil
	}
	list, err := os.ReadDir(name)
	if err != nil {
		return "", err
	}
	for _, e := range list {
		inside := filepath.Join(name, e.Name())
		if info, err := os.Stat(inside); err == nil && !info.Mode().IsRegular() {
			continue // a snapshot has none of it
		}
		part := sha256.New()
		if err := hashFile(part, inside, open); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		fmt.Fprintf(h, "%q %x\n", e.Name(), part.Sum(nil))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hashFile(h hash.Hash, name string, open func(name string) (fs.File, error)) error {
	f, err := open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}
