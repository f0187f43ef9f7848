package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

// The parts of a sweep's folder that tasks of a batch system use:
//
//	rounds/0001.json   which cells the tasks of a submission have
//	rounds/array.sh    what Slurm starts
//	tasks/N.json       what a task writes of itself
//	tasks/N.lock       held by a task that works
//	log/               what tasks print
//	costs.json         seconds of a cell, measured, by policy and source
const (
	sweepRounds = "rounds"
	sweepTasks  = "tasks"
	sweepLogs   = "log"
	sweepCosts  = "costs.json"
)

// rounds reads all rounds, the first one first.
func (s *sweepDir) rounds() (list []*sweep.Round, err error) {
	entries, err := (&disk{}).ReadDir(s.file(sweepRounds))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &exitError{code: exitIO, err: plainPathError(s.file(sweepRounds), err)}
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		name := s.file(sweepRounds, e.Name())
		f, err := (&disk{}).readRegular(name)
		if err != nil {
			return nil, err
		}
		r, err := sweep.DecodeRound(f.Text)
		if err != nil {
			return nil, failf(exitUnreadable, "%s: %v", name, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// newRound makes a round of cells after all others.
func (s *sweepDir) newRound(tasks [][]string, seconds float64) (r *sweep.Round, save func() error, err error) {
	before, err := s.rounds()
	if err != nil {
		return nil, nil, err
	}
	r = &sweep.Round{FormatVersion: sweep.FormatVersion, Tasks: tasks, TaskSeconds: seconds}
	if n := len(before); n > 0 {
		r.First = before[n-1].First + len(before[n-1].Tasks)
	}
	for _, part := range []string{sweepRounds, sweepTasks, sweepLogs} {
		if err := os.MkdirAll(s.file(part), 0o755); err != nil {
			return nil, nil, ioError(s.file(part), err)
		}
	}
	name := s.file(sweepRounds, fmt.Sprintf("%04d.json", len(before)+1))
	save = func() error {
		text, err := r.Encode()
		if err != nil {
			return err
		}
		return writeOutput(name, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	return r, save, save()
}

// costs are seconds of a cell, measured, by policy and source.
type costs map[string]float64

func (s *sweepDir) kindOf(c *sweep.Cell) string {
	return s.Policies[s.Points[c.Point].Policy].Name + " over " + s.Sources[c.Source].Name
}

// measure computes a cell of each policy and source, and takes its time; those that take longer than the bound are as
// long as a task. What was computed is kept.
func (s *sweepDir) measure(cells []*sweep.Cell, most time.Duration) (func(*sweep.Cell) float64, error) {
	if err := s.sameRelease(); err != nil {
		return nil, err
	}
	known := costs{}
	if text, err := readRegular(s.file(sweepCosts), mostSourceBytes); err == nil {
		_ = json.Unmarshal(text, &known) // an estimate: without it there is a new one
	}
	if known == nil { // the file has null
		known = costs{}
	}
	inputs, err := s.inputs()
	if err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	hand := sweep.NewWork(s.Manifest, inputs, sweepCompiler(inputs)).Hand()
	bar := newProgress("measuring")
	defer bar.end()
	for i, c := range cells {
		if _, is := known[s.kindOf(c)]; is {
			continue
		}
		bar.show(s.kindOf(c), i, len(cells))
		bound, cancel := context.WithTimeout(ctx, most)
		begun := time.Now()
		r, err := hand.Compute(bound, c)
		seconds := time.Since(begun).Seconds()
		late := bound.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, failf(exitInterrupted, "interrupted; nothing was submitted")
		case late:
			seconds = max(seconds, taskTarget.Seconds())
		case err != nil:
			return nil, sweepFailed(s.failure(c, err))
		}
		if err == nil {
			if err := s.keep(r); err != nil {
				return nil, err
			}
		}
		known[s.kindOf(c)] = seconds
	}
	text, err := json.MarshalIndent(known, "", " ")
	if err != nil {
		return nil, err
	}
	write := func(w io.Writer) error { _, err := w.Write(append(text, '\n')); return err }
	if err := writeOutput(s.file(sweepCosts), write); err != nil {
		return nil, err
	}
	return func(c *sweep.Cell) float64 { return known[s.kindOf(c)] }, nil
}

// taskTarget is how long a task takes, about: short enough for gaps in the machine, and far longer than its start.
const taskTarget = 10 * time.Minute

// taskState is what a task writes of itself.
type taskState struct {
	Task    int    `json:"task"`
	Host    string `json:"host"`
	Job     string `json:"job,omitempty"`
	Began   int64  `json:"began"`
	Ended   int64  `json:"ended,omitempty"`
	Done    int    `json:"done"`
	Failed  int    `json:"failed,omitempty"`
	Stopped bool   `json:"stopped,omitempty"` // by a signal
}

func (s *sweepDir) note(t *taskState) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	name := s.file(sweepTasks, fmt.Sprintf("%d.json", t.Task))
	return writeOutput(name, func(w io.Writer) error { _, err := w.Write(append(text, '\n')); return err })
}

// noted is what a task has written of itself; nil if it has written nothing.
func (s *sweepDir) noted(task int) *taskState {
	text, err := readRegular(s.file(sweepTasks, fmt.Sprintf("%d.json", task)), mostSourceBytes)
	if err != nil {
		return nil
	}
	t := &taskState{}
	if json.Unmarshal(text, t) != nil || t.Task != task {
		return nil
	}
	return t
}

func newSweepWork() *cobra.Command {
	var task int
	cmd := &cobra.Command{
		Use:  "work DIR --task N",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return workSweep(args[0], task) },
	}
	cmd.Flags().IntVarP(&task, "task", "t", 0, "number `N` of the task, as submitted or as printed by sweep tasks")
	_ = cmd.MarkFlagRequired("task")
	return cmd
}

func workSweep(path string, task int) error {
	dir, err := openSweep(path)
	if err != nil {
		return err
	}
	rounds, err := dir.rounds()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(rounds, func(r *sweep.Round) bool { return r.Cells(task) != nil })
	if at < 0 {
		return failf(exitUsage, "there is no task %d in %s: `fairway sweep tasks %s` makes tasks, and so does "+
			"`fairway sweep run %s --on slurm`", task, path, path, path)
	}
	if err := dir.holdTask(task); err != nil {
		return err
	}
	defer dir.release()
	byID := map[string]*sweep.Cell{}
	for i := range dir.Manifest.Cells {
		byID[dir.Manifest.Cells[i].ID] = &dir.Manifest.Cells[i]
	}
	var cells []*sweep.Cell
	for _, id := range rounds[at].Cells(task) {
		if c := byID[id]; c != nil && !exists(dir.cell(id)) { // a cell that the study has no more is left out
			cells = append(cells, c)
		}
	}
	host, _ := os.Hostname()
	state := &taskState{Task: task, Host: host, Job: os.Getenv("SLURM_JOB_ID"), Began: time.Now().Unix()}
	if err := dir.note(state); err != nil {
		return err
	}
	done, err := dir.computeAll(cells, 1)
	state.Ended, state.Done = time.Now().Unix(), done
	var own *exitError
	if errors.As(err, &own) && own.code == exitInterrupted {
		state.Stopped = true
	} else {
		state.Failed = len(cells) - done
	}
	if noteErr := dir.note(state); err == nil {
		err = noteErr
	}
	if err != nil {
		return err
	}
	text := fmt.Sprintf("task %d: %s computed", task, count(done, "cell"))
	if there := len(rounds[at].Cells(task)) - len(cells); there > 0 {
		text += fmt.Sprintf(", %d were there already", there)
	}
	return writeOutput("", func(w io.Writer) error {
		_, err := fmt.Fprintln(w, text)
		return err
	})
}

func (s *sweepDir) holdTask(task int) error {
	return s.hold(filepath.Join(sweepTasks, fmt.Sprintf("%d.lock", task)))
}

func newSweepTasks() *cobra.Command {
	var minutes int
	var most time.Duration
	cmd := &cobra.Command{
		Use:  "tasks DIR",
		Args: cobra.ExactArgs(1),
	}
	quiet := cmd.Flags().BoolP("quiet", "q", false, "print the first and the last number alone, as for seq")
	cmd.Flags().IntVar(&minutes, "minutes", int(taskTarget.Minutes()), "how long a task takes, about")
	cmd.Flags().DurationVar(&most, "measure", time.Minute, "how long a cell may take that is measured")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if minutes < 1 {
			return failf(exitUsage, "--minutes is at least 1, not %d", minutes)
		}
		dir, err := openSweep(args[0])
		if err != nil {
			return err
		}
		if err := dir.hold(sweepLock); err != nil {
			return err
		}
		defer dir.release()
		cost, err := dir.measure(dir.missing(), most)
		if err != nil {
			return err
		}
		missing := dir.missing()
		if len(missing) == 0 {
			return failf(exitFindings, "nothing is missing in %s, so there are no tasks", args[0])
		}
		seconds := float64(minutes) * 60
		r, _, err := dir.newRound(sweep.Pack(missing, cost, seconds, len(missing)), seconds)
		if err != nil {
			return err
		}
		return writeOutput("", func(w io.Writer) error {
			first, last := r.First, r.First+len(r.Tasks)-1
			if *quiet {
				_, err := fmt.Fprintln(w, first, last)
				return err
			}
			where, number := fmt.Sprintf("tasks %d to %d; each is", first, last), "N"
			if first == last {
				where, number = fmt.Sprintf("task %d; it is", first), strconv.Itoa(first)
			}
			_, err := fmt.Fprintf(w, "%s in %s: fairway sweep work %s --task %s\n", count(len(missing), "cell"), where,
				source.Plain(args[0]), number)
			return err
		})
	}
	return cmd
}
