package manager

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// This file hands job arrays to Slurm: the commands, and what they answer.

// ArrayLimits bound what a user may submit; 0 is no bound that is known.
type ArrayLimits struct {
	Size   int // MaxArraySize: an index is below it (slurm.conf(5))
	Jobs   int // MaxJobCount: jobs that slurmctld keeps, each task of an array being one
	Submit int // MaxSubmitJobs of the user's association
}

// ConfigCommand asks slurmctld for its settings.
func ConfigCommand() []string { return []string{"scontrol", "show", "config"} }

// AssociationCommand asks for the bound of a user's associations.
func AssociationCommand(user string) []string {
	return []string{"sacctmgr", "-n", "-P", "show", "associations", "user=" + user, "format=MaxSubmitJobs"}
}

// ReadArrayLimits reads the answers. What has no line is no bound, but for MaxArraySize, which every slurmctld has.
func ReadArrayLimits(config, associations []byte) (l ArrayLimits, err error) {
	for line := range strings.Lines(string(config)) {
		name, value, _ := strings.Cut(line, "=")
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "maxarraysize":
			l.Size = n
		case "maxjobcount":
			l.Jobs = n
		case "maxsubmitjobs":
			l.Submit = n
		}
	}
	if l.Size < 2 {
		return l, errors.New("`scontrol show config` says no MaxArraySize, or one below 2: job arrays are switched off")
	}
	for line := range strings.Lines(string(associations)) { // the strictest of them: which one counts is not known here
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && n > 0 && (l.Submit == 0 || n < l.Submit) {
			l.Submit = n
		}
	}
	return l, nil
}

// Most is how many tasks may be submitted, where so many of the user's are there already.
func (l ArrayLimits) Most(there int) int {
	most := 1 << 30
	for _, bound := range []int{l.Jobs, l.Submit} {
		if bound > 0 {
			most = min(most, bound-there)
		}
	}
	return max(0, most)
}

// ArrayJob is a job array to submit.
type ArrayJob struct {
	Name, Script, Log string
	Count             int
	AtOnce            int // tasks that run at the same time at most; 0 is all
	Minutes           int // time limit of a task
	Options           []string
	Arguments         []string // of the script
}

// Command submits it. Options of the user come last, so that they win.
func (a *ArrayJob) Command() []string {
	array := fmt.Sprintf("--array=0-%d", a.Count-1)
	if a.AtOnce > 0 {
		array += fmt.Sprintf("%%%d", a.AtOnce)
	}
	argv := []string{"sbatch", "--parsable", "--job-name=" + a.Name, array, "--output=" + a.Log, "--open-mode=append",
		fmt.Sprintf("--time=%d", a.Minutes)}
	return append(append(append(argv, a.Options...), a.Script), a.Arguments...)
}

// ReadSubmitted reads the job id that `sbatch --parsable` answers, perhaps with the cluster's name.
func ReadSubmitted(answer []byte) (job string, err error) {
	text := strings.TrimSpace(string(answer))
	job, _, _ = strings.Cut(text, ";")
	if n, err := strconv.ParseUint(job, 10, 32); err != nil || n == 0 {
		return "", fmt.Errorf("sbatch answered %q, which is no job id", source.Plain(text))
	}
	return job, nil
}

// TasksCommand asks which tasks of a user wait or run.
func TasksCommand(user string) []string {
	return []string{"squeue", "-h", "-r", "-u", user, "-o", "%F|%K|%T"}
}

// ArrayTask is a task of a job array.
type ArrayTask struct {
	Job   string
	Index int
}

// ReadTasks reads states of array tasks; jobs counts all of the user's.
func ReadTasks(answer []byte) (states map[ArrayTask]string, jobs int) {
	states = map[ArrayTask]string{}
	for line := range strings.Lines(string(answer)) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 3 {
			continue
		}
		jobs++
		if index, err := strconv.Atoi(fields[1]); err == nil {
			states[ArrayTask{fields[0], index}] = source.Plain(fields[2])
		}
	}
	return states, jobs
}

// EndedCommand asks the accounting how tasks of arrays ended.
func EndedCommand(jobs []string) []string {
	return []string{"sacct", "-X", "-n", "-P", "-j", strings.Join(jobs, ","), "-o", "JobID,State"}
}

// ReadEnded reads the answer. A state such as "CANCELLED by 0" is its first word.
func ReadEnded(answer []byte) map[ArrayTask]string {
	states := map[ArrayTask]string{}
	for line := range strings.Lines(string(answer)) {
		id, state, _ := strings.Cut(strings.TrimSpace(line), "|")
		job, index, isTask := strings.Cut(id, "_")
		n, err := strconv.Atoi(index)
		if word, _, _ := strings.Cut(state, " "); isTask && err == nil && word != "" {
			states[ArrayTask{job, n}] = source.Plain(word)
		}
	}
	return states
}
