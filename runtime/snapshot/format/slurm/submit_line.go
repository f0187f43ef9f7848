package slurm

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Accounting has what a job got, not all that it asked for. The command that submitted it says more, as far as the
// options are there and not in the script: sacct has it as SubmitLine since 21.08.

// withArgument are the short options of sbatch that take one.
const withArgument = "AaBbcCdDeFGiJLMmNnopqStwx"

// flagsOnly are the long options without one, as far as they are common.
var flagsOnly = map[string]bool{"exclusive": true, "parsable": true, "hold": true, "requeue": true, "no-requeue": true,
	"contiguous": true, "overcommit": true, "oversubscribe": true, "wait": true, "quiet": true, "verbose": true,
	"spread-job": true, "use-min-nodes": true, "test-only": true, "ignore-pbs": true, "reboot": true}

// submitOptions are the options of a command line, long ones by their names and short ones by their letters.
func submitOptions(line string) map[string]string {
	words, options := strings.Fields(line), map[string]string{}
	for i := 1; i < len(words); i++ {
		word := words[i]
		name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case !strings.HasPrefix(word, "-") || name == "wrap": // the script
			return options
		case strings.HasPrefix(word, "--") && !given && !flagsOnly[name] && i+1 < len(words):
			i++
			value = words[i]
		case !strings.HasPrefix(word, "--") && len(word) > 1 && strings.Contains(withArgument, word[1:2]):
			name, value = word[1:2], word[2:]
			if value == "" && i+1 < len(words) {
				i++
				value = words[i]
			}
		}
		options[name] = strings.Trim(value, `"'`)
	}
	return options
}

// settleSubmission takes what the command asked for: sizes, dependencies, the throttle of an array, and the begin time,
// which is the time at which the job became eligible.
func (r *slurmRecord) settleSubmission() {
	line := r.text(jobSubmitLine)
	if line == "" {
		return
	}
	options := submitOptions(line)
	asked := func(long, short string) string {
		if v := options[long]; v != "" {
			return v
		}
		return options[short]
	}
	count := func(text string) (int64, bool) {
		text, _, _ = strings.Cut(text, "-")
		n, err := strconv.ParseInt(text, 10, 32)
		return n, err == nil && n > 0
	}
	nodes, hasNodes := count(asked("nodes", "N"))
	tasks, hasTasks := count(asked("ntasks", "n"))
	each, hasEach := count(asked("cpus-per-task", "c"))
	if hasTasks || hasNodes { // else they are in the script, or the defaults
		if !hasEach {
			each = 1
		}
		if !hasTasks {
			tasks = max(1, nodes)
		}
		r.setInt(jobNodes, nodes)
		r.setInt(jobTasks, tasks)
		r.setInt(jobProcsPerTask, each)
		r.setInt(jobProcs, tasks*each)
	}
	if mb, ok := megabytes(options["mem-per-cpu"]); ok {
		r.setInt(jobMemPerCPU, mb)
	}
	if mb, ok := megabytes(options["mem"]); ok {
		r.setInt(jobMemPerNode, mb)
	}
	dependency := asked("dependency", "d")
	if dependency != "" {
		r.setText(jobDependency, dependency)
	}
	if _, throttle, ok := strings.Cut(asked("array", "a"), "%"); ok {
		if n, ok := count(throttle); ok {
			r.setInt(jobArrayMax, n)
		}
	}
	if eligible := r.get(jobEligible); asked("begin", "b") != "" && dependency == "" && eligible.Known() &&
		eligible.Int > r.int(jobSubmit) {
		r.set(jobBeginTime, schema.TimestampValue(eligible.Int))
	}
}

// megabytes reads 500, 4G or 2T.
func megabytes(text string) (int64, bool) {
	by := int64(1)
	if n := len(text) - 1; n > 0 {
		switch text[n] | 0x20 {
		case 'm':
			text = text[:n]
		case 'g':
			text, by = text[:n], 1<<10
		case 't':
			text, by = text[:n], 1<<20
		}
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return n * by, err == nil && n > 0
}
