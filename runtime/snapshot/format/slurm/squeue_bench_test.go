package slurm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// synthesiseSqueue writes a document as squeue --json of 25.11 does (v0.0.44,
// indented), with the members of a job in their order and widths that are typical.
func synthesiseSqueue(jobs int) []byte {
	var b bytes.Buffer
	number := func(n int64) string { return fmt.Sprintf(`{"set": true, "infinite": false, "number": %d}`, n) }
	unset := `{"set": false, "infinite": false, "number": 0}`
	b.WriteString("{\n  \"jobs\": [\n")
	for i := range jobs {
		if i > 0 {
			b.WriteString(",\n")
		}
		running := i%4 == 0
		state, start, nodes, alloc := "PENDING", int64(0), "", ""
		cpus, minutes := int64(1+i%128), int64(30+i%2880)
		tres := fmt.Sprintf("cpu=%d,mem=%dM,node=%d,billing=%d", cpus, cpus*2000, 1+i%8, cpus)
		if i%10 == 0 {
			tres += fmt.Sprintf(",gres/gpu=%d,gres/gpu:a100=%d", 1+i%4, 1+i%4)
		}
		if running {
			state, start, nodes, alloc = "RUNNING", 1763000000+int64(i), fmt.Sprintf("n[%d-%d]", i%500, i%500+i%8), tres
		}
		limit := number(minutes)
		if i%97 == 0 {
			limit = `{"set": false, "infinite": true, "number": 0}`
		}
		members := []string{
			`"account": "` + fmt.Sprintf("proj%03d", i%300) + `"`, `"accrue_time": ` + number(1762990000+int64(i)),
			`"admin_comment": ""`, `"allocating_node": "login1"`,
			`"array_job_id": ` + number(0), `"array_task_id": ` + unset, `"array_max_tasks": ` + number(0),
			`"array_task_string": ""`, `"association_id": ` + strconv.Itoa(i%1000),
			`"batch_features": ""`, `"batch_flag": true`, `"batch_host": ""`,
			`"flags": ["EXACT_TASK_COUNT_REQUESTED", "USING_DEFAULT_WCKEY", "BACKFILL_ATTEMPTED"]`,
			`"billable_tres": {"set": true, "infinite": false, "number": 1.5}`, `"command": "/home/someone/project/run.sh"`,
			`"comment": ""`, `"contiguous": false`, `"cpus_per_task": ` + number(1),
			`"deadline": ` + number(0), `"delay_boot": ` + number(0), `"dependency": ""`,
			`"derived_exit_code": {"status": ["SUCCESS"], "return_code": ` + number(0) + `, "signal": {"id": ` + unset +
				`, "name": ""}}`,
			`"eligible_time": ` + number(1762990000+int64(i)), `"end_time": ` + number(0), `"excluded_nodes": ""`,
			`"features": "zen3&ib"`, `"gres_detail": []`, `"group_id": 100`, `"group_name": "users"`,
			`"job_id": ` + strconv.Itoa(100000+i), `"job_resources": null`, `"job_state": ["` + state + `"]`,
			`"last_sched_evaluation": ` + number(1763000001), `"licenses": ""`,
			`"max_cpus": ` + number(0), `"max_nodes": ` + number(0), `"name": "job-` + strconv.Itoa(i%50) + `"`,
			`"nodes": "` + nodes + `"`, `"nice": ` + strconv.Itoa(i%7),
			`"tasks_per_node": ` + number(0), `"cpus": ` + number(cpus), `"node_count": ` + number(int64(1+i%8)),
			`"tasks": ` + number(cpus), `"partition": "` + []string{"main", "fast,main", "gpu"}[i%3] + `"`,
			`"memory_per_cpu": ` + number(2000), `"memory_per_node": ` + unset, `"minimum_tmp_disk_per_node": ` + number(0),
			`"hold": false`, `"priority": ` + number(int64(1000+i)), `"priority_by_partition": []`,
			`"qos": "normal"`, `"required_nodes": ""`, `"resv_name": ""`, `"restart_cnt": 0`, `"shared": []`,
			`"start_time": ` + number(start), `"state_description": ""`, `"state_reason": "Priority"`,
			`"standard_output": "/home/someone/project/logs/out.txt"`, `"submit_time": ` + number(1762990000+int64(i)),
			`"submit_line": "sbatch -A proj -p main -N 1 \"run me.sh\""`, `"time_limit": ` + limit,
			`"time_minimum": ` + number(0),
			`"tres_per_job": ""`, `"tres_per_node": ""`, `"tres_per_task": ""`, `"tres_req_str": "` + tres + `"`,
			`"tres_alloc_str": "` + alloc + `"`, `"user_id": 20001`, `"user_name": "` + fmt.Sprintf("u%04d", i%2000) + `"`,
			`"current_working_directory": "/home/someone/project"`,
		}
		b.WriteString("    {\n      " + strings.Join(members, ",\n      ") + "\n    }")
	}
	b.WriteString("\n  ],\n  \"last_update\": " + number(1763000002) +
		",\n  \"meta\": {\"slurm\": {\"release\": \"25.11.0\"}},\n  \"errors\": [], \"warnings\": []\n}\n")
	return b.Bytes()
}

// The twin: the same document through encoding/json and a struct, slow and obvious.

type twinNumber struct {
	Set, Infinite bool
	Number        float64
}

func (n twinNumber) whole() schema.Value {
	if !n.Set || n.Infinite {
		return schema.Value{}
	}
	return schema.IntValue(int64(n.Number))
}

func (n twinNumber) positive() schema.Value {
	if v := n.whole(); v.Int > 0 {
		return v
	}
	return schema.Value{}
}

func (n twinNumber) time() schema.Value {
	v := n.positive()
	if v.Known() {
		v.Type = schema.Timestamp
	}
	return v
}

func (n twinNumber) minutes() schema.Value {
	v := n.whole()
	v.Int *= 60
	if n.Infinite {
		v = schema.IntValue(slurmtext.Infinite)
	}
	return v
}

type twinJob struct {
	Account        string
	AccrueTime     twinNumber `json:"accrue_time"`
	ArrayJobID     twinNumber `json:"array_job_id"`
	ArrayTaskID    twinNumber `json:"array_task_id"`
	ArrayTasks     string     `json:"array_task_string"`
	Comment        string
	CPUsPerTask    twinNumber `json:"cpus_per_task"`
	Deadline       twinNumber
	LastEvaluation twinNumber `json:"last_sched_evaluation"`
	Dependency     string
	EligibleTime   twinNumber `json:"eligible_time"`
	EndTime        twinNumber `json:"end_time"`
	ExcludedNodes  string     `json:"excluded_nodes"`
	Features       string
	GroupName      string   `json:"group_name"`
	JobID          int64    `json:"job_id"`
	JobState       []string `json:"job_state"`
	Licenses       string
	MaxCPUs        twinNumber `json:"max_cpus"`
	MaxNodes       twinNumber `json:"max_nodes"`
	Name           string
	Nodes          string
	Nice           int64
	TasksPerNode   twinNumber `json:"tasks_per_node"`
	CPUs           twinNumber
	NodeCount      twinNumber `json:"node_count"`
	Tasks          twinNumber
	Partition      string
	MemoryPerCPU   twinNumber `json:"memory_per_cpu"`
	MemoryPerNode  twinNumber `json:"memory_per_node"`
	TmpDisk        twinNumber `json:"minimum_tmp_disk_per_node"`
	Hold           bool
	Priority       twinNumber
	QOS            string
	RequiredNodes  string `json:"required_nodes"`
	Reservation    string `json:"resv_name"`
	Restarts       int64  `json:"restart_cnt"`
	Shared         []string
	StartTime      twinNumber `json:"start_time"`
	StateReason    string     `json:"state_reason"`
	SubmitTime     twinNumber `json:"submit_time"`
	TimeLimit      twinNumber `json:"time_limit"`
	TimeMinimum    twinNumber `json:"time_minimum"`
	TRESPerJob     string     `json:"tres_per_job"`
	TRESPerNode    string     `json:"tres_per_node"`
	TRESPerTask    string     `json:"tres_per_task"`
	TRESRequested  string     `json:"tres_req_str"`
	TRESAllocated  string     `json:"tres_alloc_str"`
	UserName       string     `json:"user_name"`
}

func twinOfSqueue(t testing.TB, text []byte) *format.Snapshot {
	t.Helper()
	var document struct {
		Jobs       []twinJob
		LastUpdate twinNumber `json:"last_update"`
		Meta       struct{ Slurm struct{ Release string } }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	in := format.NewInput(&format.Format{}, "squeue.json", text, format.Options{})
	jobs := slurmJobs(in)
	for i := range document.Jobs {
		r := jobs.record(0, 0)
		document.Jobs[i].fill(t, r)
		if err := jobs.add(r); err != nil {
			t.Fatal(err)
		}
	}
	return &format.Snapshot{Jobs: in.JobRows.Table(), Now: document.LastUpdate.whole().Int,
		Version: document.Meta.Slurm.Release[:5]}
}

func (j *twinJob) fill(t testing.TB, r *slurmRecord) {
	for name, text := range map[string]string{"requested": j.TRESRequested, "allocated": j.TRESAllocated} {
		list, err := textTRES(text)
		if err != nil {
			t.Fatal(err)
		}
		r.setTRES(jobFields.slot(name), list)
	}
	for name, text := range map[string]string{"hosts": j.RequiredNodes, "excluded_hosts": j.ExcludedNodes,
		"allocated_hosts": j.Nodes} {
		hosts, err := textHosts(text)
		if err != nil {
			t.Fatal(err)
		}
		r.set(jobFields.slot("job."+name), hosts)
	}
	if j.ArrayTasks != "" {
		r.setBool(jobUnsplit, true)
	}
	for name, text := range map[string]string{
		"id": strconv.FormatInt(j.JobID, 10), "job.name": j.Name, "job.user": j.UserName, "job.group": j.GroupName,
		"job.account": j.Account, "job.qos": j.QOS, "partition": j.Partition, "job.state_reason": j.StateReason,
		"job.dependency": j.Dependency, "tres_per_node": j.TRESPerNode, "tres_per_job": j.TRESPerJob,
		"tres_per_task": j.TRESPerTask, "job.feature_expression": j.Features, "job.licenses": j.Licenses,
		"job.reservation": j.Reservation, "job.comment": j.Comment,
	} {
		r.setText(jobFields.slot(name), text)
	}
	least := j.TimeMinimum.minutes()
	if least.Int == 0 {
		least = schema.Value{}
	}
	for name, v := range map[string]schema.Value{
		"job.array_job_id": j.ArrayJobID.positive(), "job.array_task_id": j.ArrayTaskID.whole(),
		"state":                 schema.ListValue(j.JobState),
		"job.recorded_priority": j.Priority.whole(), "hold": schema.BoolValue(j.Hold), "job.nice": schema.IntValue(j.Nice),
		"job.restarts": schema.IntValue(j.Restarts), "job.submit_time": j.SubmitTime.time(),
		"job.eligible_time": j.EligibleTime.time(),
		"job.accrue_time":   j.AccrueTime.time(), "job.start_time": j.StartTime.time(), "job.end_time": j.EndTime.time(),
		"job.deadline": j.Deadline.time(), "job.last_evaluation_time": j.LastEvaluation.time(),
		"limit": j.TimeLimit.minutes(), "job.walltime_min_seconds": least, "job.tasks": j.Tasks.positive(),
		"job.procs_per_task": j.CPUsPerTask.positive(), "cpus": j.CPUs.positive(), "cpus_max": j.MaxCPUs.positive(),
		"nodes": j.NodeCount.positive(), "job.nodes_max": j.MaxNodes.positive(),
		"job.tasks_per_node": j.TasksPerNode.positive(),
		"tmp_disk":           j.TmpDisk.whole(), "job.mem_per_proc_mb": j.MemoryPerCPU.positive(),
		"job.mem_per_node_mb": j.MemoryPerNode.positive(),
		"job.exclusive":       schema.BoolValue(len(j.Shared) > 0 && j.Shared[0] == "none"),
	} {
		r.set(jobFields.slot(name), v)
	}
}

func fastSqueue(t testing.TB, text []byte) *format.Snapshot {
	t.Helper()
	in := format.NewInput(&format.Format{Origin: format.FromSlurm}, "squeue.json", text, format.Options{})
	if err := ReadJSON(in); err != nil || len(in.Diags) > 0 {
		t.Fatal(err, in.Diags)
	}
	in.Snapshot.Jobs = in.JobRows.Table()
	return &in.Snapshot
}

func TestSqueueJSONIsTwin(t *testing.T) {
	text := synthesiseSqueue(500)
	fast, slow := fastSqueue(t, text), twinOfSqueue(t, text)
	if fast.Now != slow.Now || fast.Version != slow.Version || fast.Jobs.Rows != 500 || slow.Jobs.Rows != 500 ||
		len(fast.Jobs.Columns()) != len(slow.Jobs.Columns()) {
		t.Fatalf("now %d %d, version %q %q, %d and %d columns", fast.Now, slow.Now, fast.Version, slow.Version,
			len(fast.Jobs.Columns()), len(slow.Jobs.Columns()))
	}
	for _, c := range slow.Jobs.Columns() {
		for i := range slow.Jobs.Rows {
			if got, want := fmt.Sprint(fast.Jobs.Value(c.ID, i)), fmt.Sprint(c.Value(i)); got != want {
				t.Fatalf("%s row %d: %s, want %s", c.ID, i, got, want)
			}
		}
	}
}

// BenchmarkSqueueJSON reads 10,000 jobs with the cursor and with encoding/json
// into a struct; both end in the same table.
func BenchmarkSqueueJSON(b *testing.B) {
	text := synthesiseSqueue(10_000)
	for _, reader := range []struct {
		name string
		read func(testing.TB, []byte) *format.Snapshot
	}{{"cursor", fastSqueue}, {"encoding-json", twinOfSqueue}} {
		b.Run(reader.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if s := reader.read(b, text); s.Jobs.Rows != 10_000 {
					b.Fatal(s.Jobs.Rows)
				}
			}
		})
	}
}
