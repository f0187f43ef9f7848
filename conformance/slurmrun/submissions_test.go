package slurmrun_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// unjudged are rejections that follow from what no input states.
var unjudged = regexp.MustCompile(`^(Access denied to requested reservation|User's group not permitted to use this partition)$`)

// acceptedLater: 25.11 takes a job for more GPU nodes than there are, which waits for ever; 22.05
// does not.
var acceptedLater = regexp.MustCompile(`^backfill-features-gres-v25\.11 .* -N 4 .*--gres=gpu:1$`)

func TestRecordedSubmissions(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), c.submissions)
	c.atLeast(t, map[string]int{"accepted": 2700, "rejected": 80})
}

func TestFullRecordedSubmissions(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, ""), c.submissions)
	c.atLeast(t, map[string]int{"accepted": 5400, "rejected": 115})
}

// submissions asks about every sbatch of a recording, in their order, whether it would be accepted: all
// that were are, and all others are rejected with sbatch's words.
func (c compared) submissions(t *testing.T, r *slurmrun.Run) {
	list := slices.DeleteFunc(slices.Clone(r.Submissions), func(s slurmrun.Submission) bool { // sbatch did not even ask
		return s.Error != nil && strings.HasPrefix(*s.Error, "sbatch: error:")
	})
	if len(list) == 0 {
		return
	}
	first := &r.Snapshots[0]
	conf, err := r.Conf(first)
	if err != nil {
		t.Fatal(err)
	}
	result := recordedtest.EvaluateSlurm(t, r, first, true, func(state *snapshot.Snapshot) {
		state.Jobs = submittedJobs(t, list, string(conf.Text), first.Now)
	})
	if len(result.State) != len(list) {
		t.Fatalf("%d of %d submissions are there\n%s", len(result.State), len(list), recordedtest.Text(result.Findings))
	}
	for i, s := range list {
		word := ""
		if s.Error != nil {
			word = *s.Error
		}
		if unjudged.MatchString(word) {
			continue
		}
		got := ""
		if result.State[i] == evaluation.Rejected {
			got = result.Reason[i]
			c["rejected"]++
		} else {
			c["accepted"]++
		}
		if got != word && !acceptedLater.MatchString(r.Name+" "+s.Command) {
			t.Errorf("%d %s: %q, recorded was %q%s", i, s.Command, got, word, stopText(result.Why[int32(i)]))
		}
	}
}

// submittedJobs turns sbatch commands into jobs that are about to be submitted.
func submittedJobs(t *testing.T, list []slurmrun.Submission, conf string, now int64) *column.Table {
	t.Helper()
	var jobs []map[string]any
	for i, s := range list {
		job := sbatchJob(t, s.Command, conf)
		job["id"], job["state"], job["submit_time"] = fmt.Sprintf("s%d", i), "submitting", now
		jobs = append(jobs, job)
	}
	text, err := json.Marshal(map[string]any{"format_version": 1, "now": now, "jobs": jobs})
	if err != nil {
		t.Fatal(err)
	}
	read, diags, err := snapshot.Read(fstest.MapFS{"jobs.json": &fstest.MapFile{Data: text}}, []string{"jobs.json"},
		snapshot.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, recordedtest.Text(diags))
	}
	return read.Jobs
}

var (
	defaultPartition = regexp.MustCompile(`(?m)^PartitionName=(\S+).*Default=YES`)
	defaultMemory    = regexp.MustCompile(`(?m)^DefMemPerCPU=(\d+)`)
)

// sbatchJob reads the options of one sbatch as slurmctld completes them.
func sbatchJob(t *testing.T, command, conf string) map[string]any {
	t.Helper()
	job := map[string]any{"qos": "normal"}
	tasks, perTask, perNode, nodes, most := int64(0), int64(1), int64(0), int64(1), int64(0)
	gpus, memory, memoryPerCPU := int64(0), int64(0), int64(0)
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return n
	}
	words := strings.Fields(command)[1:]
	for i := 0; i < len(words); i++ {
		key, value, long := strings.Cut(words[i], "=")
		if !long && !strings.HasPrefix(key, "--") {
			if key, value = words[i][:2], words[i][2:]; value == "" {
				i++
				value = words[i]
			}
		}
		switch key {
		case "--uid":
			job["user"] = value
		case "-A":
			job["account"] = value
		case "-t":
			job["walltime_seconds"] = 60 * number(value)
		case "-n":
			tasks = number(value)
		case "-c":
			perTask = number(value)
		case "--ntasks-per-node":
			perNode = number(value)
		case "-N":
			low, high, _ := strings.Cut(value, "-")
			nodes = number(low)
			if most = nodes; high != "" {
				most = number(high)
			}
		case "-p":
			job["partitions"] = strings.Split(value, ",")
		case "--qos":
			job["qos"] = value
		case "--exclusive":
			job["exclusive"] = true
		case "--nice":
			job["nice"] = number(value)
		case "--mem":
			memory = number(value)
		case "--mem-per-cpu":
			memoryPerCPU = number(value)
		case "--gres":
			fields := strings.Split(value, ":")
			gpus = number(fields[len(fields)-1])
		case "--licenses", "-L":
			job["licenses"] = value
		case "-C":
			job["features"] = strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(`&|"`, r) })
		case "--array":
			first := &fstest.MapFile{Data: []byte("JobId=1 ArrayJobId=1 ArrayTaskId=" + value +
				" UserId=u(1) JobState=PENDING\n")}
			read, _, err := snapshot.Read(fstest.MapFS{"a": first}, []string{"a"}, snapshot.Options{})
			if err != nil {
				t.Fatal(err)
			}
			job["array_tasks"] = read.Jobs.Value("job.array_tasks", 0).Int
		case "--begin", "-d", "--hold", "--time-min", "--deadline", "--job-name", "--priority", "--reservation", "-w":
		default:
			t.Fatalf("the option %s is not known", words[i])
		}
	}
	if job["partitions"] == nil {
		if m := defaultPartition.FindStringSubmatch(conf); m != nil {
			job["partitions"] = []string{m[1]}
		}
	}
	if perNode > 0 && tasks > 0 {
		nodes = max(nodes, (tasks+perNode-1)/perNode)
	}
	if tasks == 0 {
		tasks = nodes * max(1, perNode)
	}
	procs := tasks * perTask
	if memory == 0 && memoryPerCPU == 0 {
		if m := defaultMemory.FindStringSubmatch(conf); m != nil {
			memoryPerCPU = number(m[1])
		}
	}
	job["partition"] = job["partitions"].([]string)[0]
	job["procs"], job["nodes"], job["gpus"] = procs, nodes, gpus*nodes
	job["mem_mb"] = memory*nodes + memoryPerCPU*procs
	if most > 0 {
		job["nodes_max"] = most
	}
	return job
}
