// Package manager knows the commands of resource managers: which ones to run for a snapshot, and
// what to make of their answers.
//
// In: a way to run a command. Out: the outputs that package snapshot reads, under names by which
// they are recognised. It starts no process and touches no file: what runs commands and keeps
// outputs is given to it by the command line. The commands of a capture change nothing.
package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Command is one command to run.
type Command struct {
	Argv   []string
	File   string             // the name under which its output is kept
	Gives  string             // what a snapshot has from it, for people
	Needed bool               // nothing works without it
	Whole  func([]byte) error // says how an output is only part of one; nil does not look
	None   string             // what is kept if nothing is printed, where that means that there are none

	hide    func([]byte) []byte // takes out what is not to be kept, such as passwords
	instead *Command            // run where this one fails

	jobs jobsOf  // which jobs there are in the output, which is held against the lists of jobs
	role listing // whether the command is such a list and nothing of it is kept
}

// Lists reports the command that reads the jobs.
func (c Command) Lists() bool { return c.jobs != nil && c.role == kept }

func (c Command) String() string { return strings.Join(c.Argv, " ") }

// Witnesses reports a list of the jobs that is held against the command that reads them.
func (c Command) Witnesses() bool { return c.role != kept }

// Run runs a command and returns what it printed.
type Run func(ctx context.Context, argv []string) ([]byte, error)

// Missed is a command that failed and can be done without.
type Missed struct {
	Command Command
	Err     error
}

// Capture runs commands one after the other and keeps what they print. What is only part of an
// output is not kept: the command has failed. Nor is there a capture whose jobs are not those that the
// resource manager lists around them.
func Capture(ctx context.Context, list []Command, run Run, keep func(c Command, text []byte) error) ([]Missed, error) {
	var missed []Missed
	var w witness
	for _, c := range list {
		if w.gone && c.role != kept {
			continue
		}
		text, err := c.run(ctx, run)
		if other := c.instead; err != nil && other != nil && ctx.Err() == nil {
			var second error
			if text, second = other.run(ctx, run); second == nil {
				c, err = *other, nil
			} else {
				err = fmt.Errorf("%w; %s: %w", err, other, second)
			}
		}
		switch {
		case err != nil && (c.Needed || ctx.Err() != nil):
			return missed, fmt.Errorf("%s: %w", c.Argv[0], err)
		case err != nil:
			missed = append(missed, Missed{c, err})
			w.gone = w.gone || c.role != kept
			continue
		}
		if err := w.saw(c, text); err != nil {
			return missed, err
		}
		if c.role != kept {
			continue
		}
		if len(text) == 0 {
			text = []byte(c.None)
		}
		if c.hide != nil {
			text = c.hide(text)
		}
		if err := keep(c, text); err != nil {
			return missed, err
		}
	}
	return missed, nil
}

// run runs the command. What is only part of an output is an error.
func (c Command) run(ctx context.Context, run Run) ([]byte, error) {
	text, err := run(ctx, c.Argv)
	if err == nil && c.Whole != nil {
		err = c.Whole(text)
	}
	return text, err
}

// Reading is how a snapshot is captured from one kind of resource manager.
type Reading struct {
	Kind        string
	Program     string   // a command by which one sees that the resource manager is here
	Forms       []Form   // in which jobs can be read, the first one being what is taken
	Environment []string // of its commands
	commands    func(jobs []Command) []Command
}

// Form is one way in which jobs are read.
type Form struct {
	Name string
	Doc  string
	jobs Command
	list Command // a list of the jobs, run before them and after
}

// Readings is every kind there is, in the order in which they are looked for.
var Readings = []*Reading{&Slurm, &PBS}

// Commands lists the commands of a capture, in their order; ok is false for a form that is not known.
func (r *Reading) Commands(form string) (list []Command, ok bool) {
	for _, f := range r.Forms {
		if f.Name == form {
			return r.commands([]Command{f.list, f.jobs, f.list}), true
		}
	}
	return nil, false
}

// changing are the beginnings of variables by which a user's shell changes what the commands print: filters and
// formats (squeue(1), sinfo(1), sprio(1), sshare(1), sacct(1), sacctmgr(1), scontrol(1), ENVIRONMENT; TORQUE's
// qstat). SLURM_CONF, SLURM_CLUSTERS and PBS_DEFAULT say who is asked, and stay.
var changing = []string{"SQUEUE_", "SINFO_", "SPRIO_", "SSHARE_", "SACCT_", "SACCTMGR_", "SCONTROL_", "PBS_QSTAT_"}

// Environment is what commands get of a user's environment, so that they print the same from every shell, and
// never a part of the queue as if it were all of it.
func Environment(user []string) []string {
	return slices.DeleteFunc(slices.Clone(user), func(variable string) bool {
		return slices.ContainsFunc(changing, func(begin string) bool { return strings.HasPrefix(variable, begin) })
	})
}
