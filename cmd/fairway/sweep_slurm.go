package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

// slurmSweep submits the cells of a sweep to Slurm, and asks how they do.
type slurmSweep struct {
	dir      *sweepDir
	commands commands
	user     string
	options  []string // of sbatch
	minutes  int      // of a task, about
	measure  time.Duration
	atOnce   int

	tasks map[manager.ArrayTask]string // that wait or run, by state
	jobs  int                          // all jobs of the user
}

func newSlurmSweep(dir *sweepDir) (*slurmSweep, error) {
	u, err := user.Current()
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	return &slurmSweep{dir: dir, user: u.Username, commands: commands{timeout: time.Minute}}, nil
}

// ask takes which tasks wait or run now.
func (s *slurmSweep) ask(ctx context.Context) error {
	answer, err := s.commands.run(ctx, manager.TasksCommand(s.user))
	if err != nil {
		return failf(exitIO, "squeue does not say which tasks are there: %v", err)
	}
	s.tasks, s.jobs = manager.ReadTasks(answer)
	return nil
}

// live are the cells of tasks that wait or run.
func (s *slurmSweep) live(rounds []*sweep.Round) map[string]bool {
	cells := map[string]bool{}
	for key := range s.tasks {
		for _, r := range rounds {
			if task := r.Task(key.Job, key.Index); task >= 0 {
				for _, id := range r.Cells(task) {
					cells[id] = true
				}
			}
		}
	}
	return cells
}

// limits asks what may be submitted.
func (s *slurmSweep) limits(ctx context.Context) (manager.ArrayLimits, error) {
	config, err := s.commands.run(ctx, manager.ConfigCommand())
	if err != nil {
		return manager.ArrayLimits{}, failf(exitIO, "scontrol does not say how large job arrays may be: %v", err)
	}
	associations, err := s.commands.run(ctx, manager.AssociationCommand(s.user))
	if err != nil {
		associations = nil // a cluster without accounting has no such bound
	}
	l, err := manager.ReadArrayLimits(config, associations)
	if err != nil {
		return l, failf(exitIO, "%v", err)
	}
	return l, nil
}

// arrayScript is what Slurm starts for each task. Its argument is the sweep's number of the array's first task.
const arrayScript = `#!/bin/sh
# Made by fairway sweep, for a job array of Slurm.
exec %s sweep work %s --task "$(( $1 + SLURM_ARRAY_TASK_ID ))"
`

func shellWord(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// submit measures, packs and submits what is missing and in no task that waits or runs.
func (s *slurmSweep) submit() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := s.ask(ctx); err != nil {
		return err
	}
	before, err := s.dir.rounds()
	if err != nil {
		return err
	}
	live := s.live(before)
	wanted := func() []*sweep.Cell {
		return slices.DeleteFunc(s.dir.missing(), func(c *sweep.Cell) bool { return live[c.ID] })
	}
	limits, err := s.limits(ctx)
	if err != nil {
		return err
	}
	cost, err := s.dir.measure(wanted(), s.measure)
	if err != nil {
		return err
	}
	cells := wanted()
	if len(cells) == 0 {
		return s.nothing(len(live))
	}
	most := limits.Most(s.jobs)
	if most == 0 {
		return failf(exitFindings, "Slurm takes no more jobs from %s now (%d are there): try again once some have ended",
			s.user, s.jobs)
	}
	seconds := float64(s.minutes) * 60
	tasks := sweep.Pack(cells, cost, seconds, most)
	round, save, err := s.dir.newRound(tasks, seconds)
	if err != nil {
		return err
	}
	return s.arrays(ctx, round, save, limits, s.timeLimit(tasks, cells, cost), len(cells))
}

// timeLimit is three times what the longest task takes by the estimate, in minutes: other nodes are slower, and what
// is not done is submitted again.
func (s *slurmSweep) timeLimit(tasks [][]string, cells []*sweep.Cell, cost func(*sweep.Cell) float64) int {
	byID := map[string]float64{}
	for _, c := range cells {
		byID[c.ID] = cost(c)
	}
	longest := 0.0
	for _, task := range tasks {
		sum := 0.0
		for _, id := range task {
			sum += byID[id]
		}
		longest = max(longest, sum)
	}
	return max(10, int(longest*3/60)+1)
}

func (s *slurmSweep) nothing(live int) error {
	return writeOutput("", func(w io.Writer) error {
		text := "nothing is missing"
		if live > 0 {
			text = count(live, "cell") + " in tasks that wait or run, and no other is missing"
		}
		_, err := fmt.Fprintln(w, text+"; nothing was submitted")
		return err
	})
}

// arrays submits the tasks of a round, an array at a time, and notes each.
func (s *slurmSweep) arrays(ctx context.Context, round *sweep.Round, save func() error, limits manager.ArrayLimits,
	minutes, cells int) error {
	binary, err := os.Executable()
	if err == nil {
		binary, err = filepath.EvalSymlinks(binary)
	}
	if err != nil {
		return &exitError{code: exitIO, err: err}
	}
	folder, err := filepath.Abs(s.dir.path)
	if err != nil {
		return &exitError{code: exitIO, err: err}
	}
	if strings.ContainsAny(folder, "%\\\n") {
		return failf(exitUsage, "sbatch takes %%, \\ and line breaks in %s for something else: move the sweep", folder)
	}
	script := filepath.Join(folder, sweepRounds, "array.sh")
	text := fmt.Sprintf(arrayScript, shellWord(binary), shellWord(folder))
	if err := writeOutput(script, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return err
	}
	var refused error
	chunks := round.Chunks(limits.Size)
	for _, chunk := range chunks {
		job := &manager.ArrayJob{Name: "fairway-sweep", Script: script, Count: chunk.Count,
			AtOnce: s.atOnce, Minutes: minutes, Log: filepath.Join(folder, sweepLogs, "%A_%a.out"), Options: s.options,
			Arguments: []string{strconv.Itoa(chunk.Offset)}}
		answer, err := s.commands.run(ctx, job.Command())
		if err == nil {
			chunk.Job, err = manager.ReadSubmitted(answer)
		}
		if err != nil {
			refused = err
			break
		}
		round.Arrays = append(round.Arrays, chunk)
		if err := save(); err != nil {
			return err
		}
	}
	if len(round.Arrays) > 0 {
		if err := s.submitted(round, cells); err != nil {
			return err
		}
	}
	if refused != nil {
		return failf(exitIO, "sbatch submitted %d of %s; the next was refused: %v\n  "+
			"`fairway sweep resume %s` submits the rest",
			len(round.Arrays), count(len(chunks), "array"), refused, source.Plain(s.dir.path))
	}
	return nil
}

// submitted says what was submitted, and how it is cancelled.
func (s *slurmSweep) submitted(round *sweep.Round, cells int) error {
	var jobs []string
	tasks := 0
	for _, a := range round.Arrays {
		jobs, tasks = append(jobs, a.Job), tasks+a.Count
	}
	return writeOutput("", func(w io.Writer) error {
		fmt.Fprintf(w, "submitted %s of %s in job %s %s\n", count(tasks, "task"), count(cells, "cell"),
			form.Plural(len(jobs), "array", "arrays"), strings.Join(jobs, ", "))
		fmt.Fprintf(w, "cancel:  scancel %s\n", strings.Join(jobs, " "))
		_, err := fmt.Fprintf(w, "follow:  fairway sweep status %s\n", source.Plain(s.dir.path))
		return err
	})
}

// status tells of the tasks of each round: what waits and runs, and what has ended without all its cells.
func (s *slurmSweep) status(w io.Writer, rounds []*sweep.Round) error {
	if !slices.ContainsFunc(rounds, func(r *sweep.Round) bool { return len(r.Arrays) > 0 }) {
		return s.told(w, rounds, nil)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := s.ask(ctx); err != nil {
		var own *exitError
		if errors.As(err, &own) {
			fmt.Fprintf(w, "  %v\n", own.err)
		}
		return s.done(w, rounds)
	}
	var jobs []string
	for _, r := range rounds {
		for _, a := range r.Arrays {
			jobs = append(jobs, a.Job)
		}
	}
	ended := map[manager.ArrayTask]string{}
	if answer, err := s.commands.run(ctx, manager.EndedCommand(jobs)); err == nil { // else there is no accounting
		ended = manager.ReadEnded(answer)
	}
	return s.told(w, rounds, ended)
}

// done writes how many tasks of each round have all their cells: without squeue no more is known.
func (s *slurmSweep) done(w io.Writer, rounds []*sweep.Round) error {
	for i, r := range rounds {
		done := 0
		for _, cells := range r.Tasks {
			if s.left(cells) == 0 {
				done++
			}
		}
		if _, err := fmt.Fprintf(w, "  round %d: %s, %d done\n", i+1, count(len(r.Tasks), "task"), done); err != nil {
			return err
		}
	}
	return nil
}

// left is how many of the cells have no result.
func (s *slurmSweep) left(cells []string) (n int) {
	for _, id := range cells {
		if !exists(s.dir.cell(id)) {
			n++
		}
	}
	return n
}

// told writes a line for each round, and one for each task that has ended without all its cells.
func (s *slurmSweep) told(w io.Writer, rounds []*sweep.Round, ended map[manager.ArrayTask]string) error {
	for i, r := range rounds {
		counts := map[string]int{}
		var broken []string
		for k, cells := range r.Tasks {
			task, left := r.First+k, s.left(cells)
			key := arrayTask(r, task)
			switch state := s.tasks[key]; {
			case state == "PENDING":
				counts["waiting"]++
			case state != "":
				counts["running"]++
			case left == 0:
				counts["done"]++
			default:
				counts["with missing cells"]++
				broken = append(broken, fmt.Sprintf("    task %d: %s missing%s", task, count(left, "cell"),
					s.why(task, ended[key])))
			}
		}
		var parts []string
		for _, name := range []string{"done", "running", "waiting", "with missing cells"} {
			if counts[name] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
			}
		}
		fmt.Fprintf(w, "  round %d: %s, %s\n", i+1, count(len(r.Tasks), "task"), strings.Join(parts, ", "))
		if i < len(rounds)-1 {
			continue // what it left is in a later round
		}
		for at, line := range broken {
			if at == mostFailures {
				fmt.Fprintf(w, "    and %d more\n", len(broken)-at)
				break
			}
			fmt.Fprintln(w, line)
		}
	}
	return nil
}

// arrayTask is a task as Slurm has it.
func arrayTask(r *sweep.Round, task int) manager.ArrayTask {
	for _, a := range r.Arrays {
		if task >= a.Offset && task < a.Offset+a.Count {
			return manager.ArrayTask{Job: a.Job, Index: task - a.Offset}
		}
	}
	return manager.ArrayTask{}
}

// why is what is known of a task that has ended without all its cells.
func (s *slurmSweep) why(task int, state string) string {
	var parts []string
	if state != "" && state != "COMPLETED" {
		parts = append(parts, state)
	}
	switch t := s.dir.noted(task); {
	case t == nil:
		parts = append(parts, "it has not begun")
	case t.Stopped:
		parts = append(parts, "it was stopped on "+source.Plain(t.Host))
	case t.Failed > 0:
		parts = append(parts, fmt.Sprintf("%s failed on %s, see %s", count(t.Failed, "cell"), source.Plain(t.Host),
			sweepLogs))
	case t.Ended == 0:
		parts = append(parts, "it was killed on "+source.Plain(t.Host)+", or works there")
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
