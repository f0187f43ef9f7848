package snapshot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
)

func rowsOf(t *column.Table) int {
	if t == nil {
		return 0
	}
	return t.Rows
}

// row prints the cells asked for of one row, unknown as ?.
func row(t *column.Table, n int, columns ...string) string {
	var cells []string
	for _, id := range columns {
		cells = append(cells, shown(t.Value(schema.ColumnID(id), n)))
	}
	return strings.Join(cells, " ")
}

func shown(v schema.Value) string {
	switch v.Type {
	case schema.Invalid:
		return "?"
	case schema.String:
		return v.Str
	case schema.StringList:
		return "[" + strings.Join(v.List, " ") + "]"
	case schema.Double:
		return fmt.Sprint(v.Double)
	}
	return fmt.Sprint(v.Int)
}

// TestSlurmJSONForms: one number in all the forms that versions and flags give it.
func TestSlurmJSONForms(t *testing.T) {
	for _, c := range []struct{ version, limit, want string }{
		{"v0.0.37", `90`, "5400 0"},
		{"v0.0.37", `null`, "? 0"},
		{"v0.0.38", `4294967295`, "? 1"},
		{"v0.0.38", `4294967294`, "? 0"},
		{"v0.0.39", `{"set": true, "infinite": false, "number": 90}`, "5400 0"},
		{"v0.0.40", `{"set": false, "infinite": true, "number": 0}`, "? 1"},
		{"v0.0.41", `{"set": false, "infinite": false, "number": 0}`, "? 0"},
		{"v0.0.42", `"Infinity"`, "? 1"},
		{"v0.0.43", `"90"`, "5400 0"},
		{"v0.0.44", `{"number": 90.0, "infinite": false, "set": true}`, "5400 0"},
		{"v0.0.45", `""`, "? 0"},
	} {
		s, diags := readText(t, "squeue.json",
			fmt.Sprintf(`{"jobs": [{"job_id": 7, "job_state": "PENDING", "user_name": "amy", "submit_time": 1700000000, `+
				`"time_limit": %s}], "meta": {"plugin": {"data_parser": "data_parser/%s"}}}`, c.limit, c.version))
		if got := row(s.Jobs, 0, "job.walltime_seconds", "job.walltime_unlimited"); got != c.want || len(diags) > 0 {
			t.Errorf("%s %s: %s, want %s %v", c.version, c.limit, got, c.want, diags)
		}
	}
}

func TestSlurmJSONJob(t *testing.T) {
	s, diags := readText(t, "answer", `{
	 "last_update": {"set": true, "infinite": false, "number": 1700000000},
	 "jobs": [
	  {"job_id": 8, "array_job_id": {"set": true, "infinite": false, "number": 6}, "array_task_id": {"set": true, "infinite": false, "number": 0},
	   "user_name": "amy", "group_name": "phys", "account": "a", "qos": "hi", "partition": "fast,main", "job_state": ["RUNNING", "COMPLETING"], "state_reason": "None",
	   "priority": {"set": true, "infinite": false, "number": 4294967295}, "nice": -3, "hold": false, "accrue_time": 0, "submit_time": 1699990000, "start_time": 1699990200, "end_time": 1699990300,
	   "cpus": {"set": true, "infinite": false, "number": 8}, "node_count": {"set": true, "infinite": false, "number": 2}, "nodes": "n[1-2]", "shared": ["none"],
	   "tres_req_str": "cpu=4,mem=1G,node=1,billing=4", "tres_alloc_str": "cpu=8,mem=2G,node=2,billing=8,gres/gpu:a100=2"},
	  {"job_id": 6, "array_job_id": 6, "array_task_id": null, "array_task_string": "1-7%3", "user_name": "amy", "job_state": ["PENDING"], "state_reason": "BeginTime",
	   "priority": 0, "eligible_time": 1700009000, "submit_time": 1699990000, "start_time": 1700009000, "cpus": 4, "max_cpus": 16, "node_count": 1, "memory_per_cpu": 500, "tres_per_node": "gres:gpu:2"}
	 ],
	 "meta": {"Slurm": {"version": {"major": 25, "micro": 7, "minor": 11}, "release": "25.11.7"}}, "errors": []}`)
	if len(diags) > 0 {
		t.Fatal(diags[0].Message)
	}
	if s.Now != 1700000000 || s.Version != "25.11" || s.Family != "slurm" {
		t.Errorf("now %d version %q family %q", s.Now, s.Version, s.Family)
	}
	columns := []string{"job.id", "job.partition", "job.partitions", "job.state", "job.state_word", "job.held",
		"job.recorded_priority", "job.nice", "job.accrue_time",
		"job.begin_time", "job.start_time", "job.procs", "job.nodes", "job.mem_mb", "job.gpus", "job.exclusive",
		"job.allocated_hosts", "job.tres(cpu)", "job.tres(gres/gpu:a100)"}
	want := []string{
		"6_0 fast [fast main] completing RUNNING,COMPLETING 0 4294967295 -3 ? ? 1699990200 8 2 2048 2 1 [n1 n2] 8 2",
		"6  [] pending PENDING 1 0 ? ? 1700009000 ? 16 1 2000 2 ? [] ? ?",
	}
	for i, w := range want {
		if got := row(s.Jobs, i, columns...); got != w {
			t.Errorf("row %d\n got %s\nwant %s", i, got, w)
		}
	}
}

const scontrolJobs = `JobId=12 ArrayJobId=12 ArrayTaskId=4-9%2 JobName=my Nice=7 job=x
   UserId=amy(1000) GroupId=phys(100) MCS_label=N/A
   Priority=0 Nice=-5 Account=(null) QOS=normal
   JobState=PENDING Reason=JobHeldUser Dependency=afterok:3(unfulfilled)
   TimeLimit=Partition_Limit TimeMin=00:30:00
   SubmitTime=2026-01-31T12:00:00 EligibleTime=Unknown AccrueTime=Unknown
   StartTime=2026-01-31T13:00:00 EndTime=2026-01-31T14:00:00 Deadline=N/A
   Partition=main,fast ReqNodeList=n1 ExcNodeList=(null) NodeList=
   NumNodes=1K-2K NumCPUs=2-8 NumTasks=2 CPUs/Task=1
   ReqTRES=cpu=2,mem=1.50G,node=1024,billing=2 AllocTRES=(null)
   MinTmpDiskNode=10G Features=(intel|amd)&ib*2 OverSubscribe=NO
   Comment=please Priority=99 keep
   Command=/home/amy/run me.sh --Account=x
   WorkDir=/tmp

JobId=13 JobName=b UserId=1700(1700) Priority=5 Nice=0 JobState=RUNNING Reason=None TimeLimit=UNLIMITED SubmitTime=1769860800 StartTime=1769860900 EndTime=Unknown Partition=main NumNodes=1 NumCPUs=2 TRES=cpu=2,node=1 OverSubscribe=OK NodeList=n7
`

func TestScontrolJob(t *testing.T) {
	s, diags := readText(t, "jobs.txt", scontrolJobs)
	if len(diags) > 0 {
		t.Fatal(diags[0].Message)
	}
	columns := []string{"job.id", "job.array_job_id", "job.array_task_id", "job.name", "job.user", "job.account",
		"job.held", "job.recorded_priority", "job.nice", "job.dependency"}
	if got, want := row(s.Jobs, 0, columns...), "12 12 ? my Nice=7 job=x amy  1 0 -5 afterok:3(unfulfilled)"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	columns = []string{"job.walltime_seconds", "job.walltime_min_seconds", "job.submit_time", "job.eligible_time",
		"job.start_time", "job.partitions", "job.hosts", "job.nodes", "job.nodes_max", "job.procs", "job.mem_mb",
		"job.disk_mb", "job.features", "job.exclusive", "job.comment"}
	if got, want := row(s.Jobs, 0, columns...),
		"? 1800 1769860800 ? ? [main fast] [n1] 1024 2048 8 1536 10485760 [intel amd ib] 1 please Priority=99 "+
			"keep"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	columns = []string{"job.id", "job.user", "job.state", "job.walltime_seconds", "job.walltime_unlimited",
		"job.submit_time", "job.start_time", "job.end_time", "job.allocated_hosts", "job.gpus"}
	if got, want := row(s.Jobs, 1, columns...), "13 1700 running ? 1 1769860800 1769860900 ? [n7] 0"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestSlurmLocation: a time without zone is in the given one.
func TestSlurmLocation(t *testing.T) {
	s, _, err := Read(mapFS{"j": "JobId=1 UserId=a(1) JobState=PENDING SubmitTime=2026-01-31T12:00:00\n"}.open(),
		[]string{"j"}, format.Options{Location: time.FixedZone("CET", 3600)})
	if err != nil || s.Jobs.Value("job.submit_time", 0).Int != 1769860800-3600 {
		t.Error(err, s.Jobs.Value("job.submit_time", 0))
	}
}

// TestBadSlurmRecords: a record that cannot be read is left out with its place
// and the field; the others stay.
func TestBadSlurmRecords(t *testing.T) {
	for _, c := range []struct{ text, place, message string }{
		{"JobId=1 JobState=PENDING Priority=high\nJobId=2 JobState=PENDING\n", "f:1:26",
			`Priority: "high" is no whole number`},
		{"JobId=1 JobState=LOST\nJobId=2 JobState=PENDING\n", "f:1:9", `JobState: "LOST" is no job state of Slurm`},
		{"JobId=2 JobState=PENDING\nJobId=1 JobState=PENDING SubmitTime=2 days ago\n", "f:2:26",
			`SubmitTime: "2 days ago" is no time like 2026-01-31T12:00:00 or epoch seconds`},
		{"JobId=2 JobState=PENDING\nJobId=1 JobName=x UserId=root(0) Priority=9 UserId=a(1) JobState=PENDING\n", "f:2:9",
			"JobName: the job name holds text like UserId=, so the fields after it are ambiguous"},
		{"JobId=2 JobState=PENDING\nJobId=2 JobState=PENDING\n", "f:2:1", "JobId: job 2 is in the file twice"},
		{`{"jobs": [{"job_id": 1, "job_state": "PENDING", "time_limit": "soon"}, {"job_id": 2, "job_state": "PENDING"}]}`,
			"f:1:63", `time_limit: "soon" is no number`},
		{`{"jobs": [{"job_id": 2, "job_state": "PENDING"}, {"job_id": null, "job_state": "PENDING"}]}`, "f:1:61",
			"job_id: null is no id"},
		{`{"jobs": [{"job_id": 2, "job_state": "PENDING"}, 7]}`, "f:1:50", "an object is expected here, not 7"},
		{"JOBID|USER|STATE\n2|a|PENDING\n3|b\n", "f:3:1", "row: the row has 2 cells where the header has 3"},
		{"JOBID|USER|STATE\n2|a|PENDING\n3|b|PENDING|c\n", "f:3:1", "row: the row has 4 cells where the header has 3"},
	} {
		s, diags := readText(t, "f", c.text)
		diags = except(diags, "snapshot-job-without-user")
		if rowsOf(s.Jobs) != 1 || s.Jobs.Value("job.id", 0).Str != "2" || s.Sources[0].Bad != 1 {
			t.Errorf("%s: %d jobs, %+v", c.text, rowsOf(s.Jobs), s.Sources)
		}
		if len(diags) != 1 || diags[0].Code != "snapshot-bad-record" || diags[0].Span.String() != c.place ||
			diags[0].Message != c.message {
			t.Errorf("%s: %v", c.text, texts(diags))
		}
	}
}

// TestReasonForms: every output gives the same words for the same reason.
func TestReasonForms(t *testing.T) {
	const want = "Job's_account_not_permitted_to_use_this_partition_(big_mem_allows_a_b_not_c)"
	for name, text := range map[string]string{
		"scontrol": "JobId=7 JobName=x UserId=u(1) Priority=1 Account=c QOS=normal JobState=PENDING Reason=" + want +
			" Dependency=(null) SubmitTime=2026-01-31T12:00:00 EligibleTime=2026-01-31T12:00:00 Partition=big_mem NumNodes=1 " +
			"NumCPUs=1\n",
		"squeue": "JOBID|USER|STATE|REASON\n7|u|PENDING|Job's account not permitted to use this partition (big_mem " +
			"allows a_b not c)\n",
		"%R": "JOBID|USER|STATE|NODELIST(REASON)\n7|u|PENDING|(Job's account not permitted to use this partition " +
			"(big_mem allows a_b not c))\n",
		"json": `{"meta": {}, "jobs": [{"job_id": 7, "user_name": "u", "job_state": "PENDING", "state_description": ` +
			`"Job's account not permitted to use this partition (big_mem allows a_b not c)", "state_reason": ` +
			`"AccountNotAllowed"}]}`,
	} {
		s, diags := readText(t, "f", text)
		if len(diags) > 0 || rowsOf(s.Jobs) != 1 {
			t.Fatalf("%s: %v", name, texts(diags))
		}
		if got := s.Jobs.Value("job.state_reason", 0).Str; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for text, want := range map[string]string{"n[1-2]": "None", "(Priority)": "Priority", "": "None"} {
		s, _ := readText(t, "f", "JOBID|USER|STATE|NODELIST(REASON)\n7|u|PENDING|"+text+"\n")
		if got := s.Jobs.Value("job.state_reason", 0).Str; got != want {
			t.Errorf("NODELIST(REASON) %q: %q, want %q", text, got, want)
		}
	}
}

// TestBeginTimes: an eligible time to come is one that the job asked for, unless a pass has tried the
// job since, or it was submitted only then.
func TestBeginTimes(t *testing.T) {
	const noon = 1769860800 // 2026-01-31T12:00:00
	for _, c := range []struct{ state, reason, submit, eligible, evaluated, want string }{
		{"PENDING", "None", "11:00:00", "13:00:00", "", "1769864400"},
		{"PENDING", "Priority", "11:00:00", "13:00:00", "11:30:00", "1769864400"},
		{"PENDING", "BeginTime", "11:00:00", "13:00:00", "", "1769864400"},
		{"PENDING", "Priority", "11:00:00", "11:00:00", "", "?"},
		{"PENDING", "PartitionDown", "11:00:00", "12:00:02", "", "?"},
		{"PENDING", "Priority", "11:00:00", "12:00:02", "12:00:03", "?"},
		{"PENDING", "None", "12:00:02", "12:00:02", "", "?"},
		{"RUNNING", "None", "11:00:00", "13:00:00", "", "?"},
	} {
		evaluated := "Unknown"
		if c.evaluated != "" {
			evaluated = "2026-01-31T" + c.evaluated
		}
		text := fmt.Sprintf("JobId=7 JobName=x UserId=u(1) Priority=1 JobState=%s Reason=%s SubmitTime=2026-01-31T%s "+
			"EligibleTime=2026-01-31T%s LastSchedEval=%s NumNodes=1 NumCPUs=1\n",
			c.state, c.reason, c.submit, c.eligible, evaluated)
		s, diags, err := Read(fstest.MapFS{"q": {Data: []byte(text)}}, []string{"q"}, format.Options{Now: noon})
		if err != nil || len(diags) > 0 {
			t.Fatal(err, texts(diags))
		}
		if got := row(s.Jobs, 0, "job.begin_time"); got != c.want {
			t.Errorf("%+v: begin time %s", c, got)
		}
	}
}

func TestSqueueTable(t *testing.T) {
	s, diags := readText(t, "q", `JOBID|JOBID|USER|PARTITION|ST|PRIORITY|TIME_LIMIT|NODES|CPUS|START_TIME|FEATURES|OVER_SUBSCRIBE|REASON
6_0|8|amy|main|R|0.00002990546637|1:30:00|2|2K|2026-01-31T12:00:00|(null)|OK|None
6_[1-7%3]|6|amy|fast,main|PD|0.00002990546637|30:00|2|4|N/A|zen|skl|NO|Nodes required for job are DOWN
`)
	if len(diags) > 0 {
		t.Fatal(texts(diags))
	}
	columns := []string{"job.id", "job.array_task_id", "job.state", "job.recorded_priority", "job.walltime_seconds",
		"job.procs", "job.start_time", "job.feature_expression", "job.exclusive", "job.state_reason"}
	want := "6_0 0 running 128443 5400 2048 1769860800  0 None\n6 ? pending 128443 1800 4 ? zen|skl 1 " +
		"Nodes_required_for_job_are_DOWN"
	if got := row(s.Jobs, 0, columns...) + "\n" + row(s.Jobs, 1, columns...); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestSqueueByPartition: squeue --priority has a row for each partition of a job.
func TestSqueueByPartition(t *testing.T) {
	s, diags := readText(t, "q", "JOBID|PARTITION|PRIORITY|STATE|USER\n4|fast|20|PENDING|a\n5|main|15|PENDING|a\n4|main|10|PENDING|a\n")
	if got := row(s.Jobs, 0, "job.id", "job.partitions", "job.recorded_priority"); got != "4 [fast main] 20" ||
		s.Jobs.Rows != 2 || len(diags) > 0 {
		t.Error(got, s.Jobs.Rows, texts(diags))
	}
}

// TestUnsplitTasks: what squeue --array expands is one row elsewhere, and
// sprio knows a split-off task by the number of its record.
func TestUnsplitTasks(t *testing.T) {
	s, diags, err := Read(mapFS{
		"scontrol": "JobId=6 ArrayJobId=6 ArrayTaskId=1-2 UserId=a(1) JobState=PENDING Priority=5 Nice=0\nJobId=8 " +
			"ArrayJobId=6 ArrayTaskId=0 UserId=a(1) JobState=PENDING Priority=5 Nice=0\n",
		"squeue": "JOBID|JOBID|USER|STATE|NAME\n6_1|6|a|PENDING|x\n6_2|6|a|PENDING|x\n6_0|8|a|PENDING|x\n9|9|b|PENDING|y\n",
		"sprio": "          JOBID PARTITION   PRIORITY       SITE        AGE                 TRES\n              6 " +
			"main             12          7          5\n              8 main             11         -3          8 " +
			"cpu=4,mem=7,gres/gpu\n",
	}.open(), []string{"."}, format.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, texts(diags))
	}
	var got []string
	for i := range s.Jobs.Rows {
		got = append(got, row(s.Jobs, i, "job.id", "job.name", "job.site_factor"))
	}
	if d := cmp.Diff([]string{"6  7", "6_0 x -3", "9 y 0"}, got); d != "" {
		t.Error(d)
	}
	if got := row(s.Sprio, 1, "sprio.id", "sprio.partition_name", "sprio.priority", "sprio.age",
		"sprio.tres(cpu)"); got != "6_0 main 11 8 ?" {
		t.Error(got)
	}
}

// TestAccountingGivesWay: sacct alone is read; beside the queue it is left out.
func TestAccountingGivesWay(t *testing.T) {
	sacct := "JobID|User|State|Submit|Start|TimelimitRaw|NCPUS|ReqTRES\n1|a|CANCELLED by " +
		"0|2026-01-31T12:00:00|Unknown|90|0|cpu=3,mem=1G\n1.batch||COMPLETED|2026-01-31T12:00:00||||\n" +
		"2|a|RUNNING|2026-01-31T12:00:00|2026-01-31T12:00:01|UNLIMITED|4|cpu=4\n"
	s, diags := readText(t, "sacct", sacct)
	if got := row(s.Jobs, 0, "job.state", "job.walltime_seconds", "job.procs", "job.mem_mb") + " " +
		row(s.Jobs, 1, "job.state", "job.walltime_unlimited", "job.tres(mem)"); got != "done 5400 3 1024 running 1 0" ||
		len(diags) > 0 {
		t.Error(got, texts(diags))
	}
	fsys := mapFS{"sacct": sacct, "squeue": "JOBID|USER|STATE|START_TIME\n2|a|PENDING|N/A\n"}.open()
	for _, paths := range [][]string{{"."}, {"sacct", "squeue"}, {"squeue", "sacct"}} {
		s, diags, err := Read(fsys, paths, format.Options{})
		if err != nil || s.Jobs.Rows != 1 || row(s.Jobs, 0, "job.id", "job.state", "job.start_time") != "2 pending ?" {
			t.Error(paths, err, row(s.Jobs, 0, "job.id", "job.state", "job.start_time"))
		}
		if d := cmp.Diff([]string{"snapshot-accounting-left-out"}, codesOf(diags)); d != "" {
			t.Error(paths, d)
		}
	}
}

func TestSlurmNodes(t *testing.T) {
	text, diags := readText(t, "nodes", `NodeName=g1 Arch=x86_64 CoresPerSocket=16
   CPUAlloc=4 CPUEfctv=30 CPUTot=32 CPULoad=8.62
   AvailableFeatures=zen,ib
   Gres=gpu:a100:4(S:0-1),shard:8
   OS=Linux 6.1 #1 SMP Thu Jun 18
   RealMemory=2000 AllocMem=500 TmpDisk=0 Weight=3 State=MIXED+DRAIN Partitions=cpu,debug
   CfgTRES=cpu=32,mem=2000M,billing=32
   Reason=ECC errors RealMemory=9 [root@2026-01-01T00:00:00]

NodeName=g2 CPUTot=32 State=IDLE+DRAIN
NodeName=g3 CPUTot=32 State=DOWN* CfgTRES=cpu=32,gres/gpu=2
`)
	json, more := readText(t, "nodes", `{"nodes": [{"name": "g1", "state": ["MIXED", "DRAIN"], "cpus": 32, "alloc_cpus": 4, "cpu_load": 862, "features": ["zen", "ib"], "gres": "gpu:a100:4(S:0-1),shard:8",
	 "real_memory": 2000, "alloc_memory": 500, "temporary_disk": 0, "weight": 3, "partitions": ["cpu", "debug"], "tres": "cpu=32,mem=2000M,billing=32"}], "meta": {}}`)
	if len(diags)+len(more) > 0 {
		t.Fatal(texts(diags), texts(more))
	}
	columns := []string{"node.id", "node.state", "node.up", "node.procs", "node.procs_available", "node.mem_available_mb",
		"node.load", "node.gpus", "node.features", "node.partitions", "node.weight", "node.tres(cpu)"}
	want := "g1 MIXED+DRAIN 1 32 28 1500 8.62 4 [zen ib] [cpu debug] 3 32"
	if a, b := row(text.Nodes, 0, columns...), row(json.Nodes, 0, columns...); a != want || b != want {
		t.Errorf("text %s\njson %s\nwant %s", a, b, want)
	}
	if got := row(text.Nodes, 1, "node.up", "node.gpus") + " " +
		row(text.Nodes, 2, "node.up", "node.gpus"); got != "0 ? 0 2" {
		t.Error(got)
	}
}

// TestSlurmPartitions: text, the flat JSON up to v0.0.38 and the nested since say the same.
func TestSlurmPartitions(t *testing.T) {
	for _, form := range []string{
		"PartitionName=p\n   QoS=pq DefaultTime=01:00:00 MaxTime=2-00:00:00\n   PriorityJobFactor=7 PriorityTier=2\n   " +
			"State=UP TotalCPUs=64 TotalNodes=2\n   TRES=cpu=64,mem=1G,gres/gpu=4\n",
		`{"partitions": [{"name": "p", "qos": "pq", "default_time_limit": 60, "max_time_limit": 2880, "priority_job_factor": 7, "priority_tier": 2, "state": "UP", "total_cpus": 64, "total_nodes": 2, "tres": "cpu=64,mem=1G,gres/gpu=4"}], "meta": {}}`,
		`{"partitions": [{"name": "p", "qos": {"assigned": "pq"}, "defaults": {"time": {"set": true, "infinite": false, "number": 60}}, "maximums": {"time": {"set": true, "infinite": false, "number": 2880}},
		  "priority": {"job_factor": 7, "tier": 2}, "partition": {"state": ["UP"]}, "cpus": {"total": 64}, "nodes": {"total": 2}, "tres": {"configured": "cpu=64,mem=1G,gres/gpu=4"}}], "meta": {}}`,
		`{"sinfo": [{"partition": {"name": "p", "qos": {"assigned": "pq"}, "defaults": {"time": {"set": true, "infinite": false, "number": 60}}, "maximums": {"time": {"set": true, "infinite": false, "number": 2880}},
		  "priority": {"job_factor": 7, "tier": 2}, "partition": {"state": ["UP"]}, "cpus": {"total": 64}, "nodes": {"total": 2}, "tres": {"configured": "cpu=64,mem=1G,gres/gpu=4"}}}, {"partition": {"name": "p"}}], "meta": {}}`,
	} {
		s, diags := readText(t, "p", form)
		columns := []string{"name", "qos", "walltime_default_seconds", "walltime_max_seconds", "priority_job_factor",
			"priority_tier", "state", "procs", "nodes", "tres(mem)", "tres(gres/gpu)"}
		for i, c := range columns {
			columns[i] = "partition." + c
		}
		if got := row(s.Credentials["partition"], 0, columns...); got != "p pq 3600 172800 7 2 UP 64 2 1024 4" ||
			len(diags) > 0 || s.Credentials["partition"].Rows != 1 {
			t.Errorf("%s\n%s %v", form, got, texts(diags))
		}
	}
}

// TestAssociations: the tree from sshare's blanks, priorities inherited from
// sacctmgr's columns, and controller output before both.
func TestAssociations(t *testing.T) {
	s, diags, err := Read(mapFS{
		"sshare": "Account|User|Partition|RawShares|RawUsage|FairShare|LevelFS\nroot||||100||\n a|||3|60||0.5\n  " +
			"a|u1||parent|20|0.25|\n  b|||1|40||inf\n   b|u1|fast|2|40|0.75|inf\n",
		"sacctmgr": "Cluster|Account|User|Partition|Share|Priority|ParentName\nc|root|||1||\nc|a|||3|50|root\nc|a|u1||parent||\nc|b|||1||a\nc|b|u1|fast|2|0|\n",
	}.open(), []string{"."}, format.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, texts(diags))
	}
	var got []string
	for i := range s.Credentials["association"].Rows {
		got = append(got, row(s.Credentials["association"], i, "association.name", "association.parent", "association.shares",
			"association.priority", "association.usage_seconds", "association.fairshare_factor", "association.level_fairshare"))
	}
	want := []string{"root  1 0 100 ? ?", "a root 3 50 60 ? 0.5", "a/u1 a ? 50 20 0.25 ?", "b a 1 50 40 ? +Inf",
		"b/u1/fast b 2 0 40 0.75 +Inf"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAssocMgr(t *testing.T) {
	s, diags := readText(t, "assoc", `Current Association Manager state

User Records

UserName=u1(1000) DefAccount=a DefWckey= AdminLevel=None

Association Records

ClusterName=c Account=a UserName= Partition= Priority=9 ID=3
    SharesRaw/Norm/Level/Factor=2147483647/0.23/1222/0.00
    UsageRaw/Norm/Efctv=1763443.67/0.26/0.26
    ParentAccount=root(1) Lft=2 DefAssoc=No
ClusterName=c Account=a UserName=u1(1000) Partition= Priority=9 ID=4
    SharesRaw/Norm/Level/Factor=66/0.22/68/0.00
    UsageRaw/Norm/Efctv=0.00/0.00/0.25
    ParentAccount= Lft=3 DefAssoc=Yes
QOS Records

QOS=high(2)
    UsageRaw=0.000000
    PreemptMode=OFF
    Priority=1000
    Account Limits=
      a={MaxJobsPA=N(0)}
`)
	if len(diags) > 0 {
		t.Fatal(texts(diags))
	}
	a := s.Credentials["association"]
	columns := []string{"association.name", "association.parent", "association.shares", "association.priority",
		"association.usage_seconds"}
	if got := row(a, 0, columns...) + " / " + row(a, 1, columns...); got != "a root ? 9 1.76344367e+06 / a/u1 a 66 9 0" {
		t.Error(got)
	}
	if got := row(s.Credentials["qos"], 0, "qos.name", "qos.priority"); got != "high 1000" {
		t.Error(got)
	}
}

func TestSlurmQOSAndShares(t *testing.T) {
	s, diags, err := Read(mapFS{
		"qos":    "Name|Priority|Flags|UsageFactor\nhi|1000|DenyOnLimit,NoDecay|2.000000\nlo|0||1.000000\n",
		"q.json": `{"QOS": [{"name": "json", "priority": {"set": true, "infinite": false, "number": 3}, "usage_factor": {"set": true, "infinite": false, "number": 0.5}, "flags": ["NO_DECAY"]}], "meta": {}}`,
		"a.json": `{"associations": [{"account": "a", "user": "", "partition": "", "parent_account": "root", "priority": {"set": false, "infinite": true, "number": 0}, "shares_raw": 2147483647}], "meta": {}}`,
		"s.json": `{"shares": {"shares": [{"name": "u", "parent": "a", "partition": "p", "type": ["USER"], "shares": {"set": true, "infinite": false, "number": 4}, "usage": 12, "fairshare": {"factor": 0.5, "level": {"set": true, "infinite": true, "number": 0}}}]}}`,
	}.open(), []string{"."}, format.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, texts(diags))
	}
	q := s.Credentials["qos"]
	columns := []string{"qos.name", "qos.priority", "qos.usage_factor", "qos.flags"}
	if got := row(q, 0, columns...) + "; " + row(q, 1, columns...) + "; " +
		row(q, 2, columns...); got != "hi 1000 2 [DenyOnLimit NoDecay]; lo 0 1 []; json 3 0.5 [NoDecay]" {
		t.Error(got)
	}
	a := s.Credentials["association"]
	columns = []string{"association.name", "association.parent", "association.shares", "association.priority",
		"association.fairshare_factor", "association.level_fairshare"}
	if got := row(a, 0, columns...) + "; " + row(a, 1, columns...); got != "a root ? 0 ? ?; a/u/p a 4 0 0.5 +Inf" {
		t.Error(got)
	}
}

// TestSlurmClock: the order of preference among the files that state a time.
func TestSlurmClock(t *testing.T) {
	files := mapFS{
		"config":          "Configuration data as of 2026-01-31T12:00:04\nSLURM_VERSION           = 24.05.3\n",
		"date_before.txt": "1769860802.25\n",
		"sdiag":           "****\nsdiag output at Sat Jan 31 12:00:03 2026 (1769860803)\n",
		"squeue.json":     `{"jobs": [], "meta": {}, "last_update": 1769860801}`,
	}
	for _, c := range []struct {
		without string
		now     int64
	}{{"", 1769860801}, {"squeue.json", 1769860802}, {"date_before.txt", 1769860803}, {"sdiag", 1769860804},
		{"config", 0}} {
		delete(files, c.without)
		if len(files) == 0 {
			continue
		}
		s, diags, err := Read(files.open(), []string{"."}, format.Options{})
		if err != nil || len(diags) > 0 || s.Now != c.now || s.Version != "24.05" {
			t.Errorf("without %s: now %d version %s %v %v", c.without, s.Now, s.Version, err, texts(diags))
		}
	}
	s, _ := readText(t, "sdiag", "sdiag output at Wed Apr 12 11:04:01 2017\n")
	if s.Now != 1491995041 {
		t.Error(s.Now)
	}
}

func TestSlurmStates(t *testing.T) {
	for words, want := range map[string]string{
		"PD": "pending", "CG": "completing", "CANCELLED by 1000": "done", "STOPPED": "running", "OOM": "done",
		"SPECIAL_EXIT":       "pending",
		"RUNNING,COMPLETING": "completing", "PENDING,REQUEUED": "pending", "FAILED,REQUEUED": "pending",
		"RUNNING,NEW_FLAG": "running", "SUSPENDED": "suspended",
	} {
		if got, _, err := slurm.SlurmState(strings.Split(words, ",")); err != nil || got != want {
			t.Errorf("%s: %s %v", words, got, err)
		}
	}
	if _, _, err := slurm.SlurmState([]string{"GONE"}); err == nil {
		t.Error("an unknown state is taken")
	}
}

func TestGPURequests(t *testing.T) {
	for text, want := range map[string]int64{"gres/gpu:a100:2": 2, "gres:gpu:3": 3, "gres/gpu=4": 4, "gres/gpu": 1,
		"gres:gpu:a100": 1, "gres/gpu:1,gres/shard:5": 1, "": 0, "gres/gpu:v100=2": 2} {
		if got := slurm.GPUsIn(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	for text, want := range map[string]int64{"7": 7, "2K": 2048, "1.5K": 1536, "3M": 3 << 20, "-4": -4} {
		if got, err := slurm.ParseCount(text); err != nil || got != want {
			t.Errorf("%s: %d %v", text, got, err)
		}
	}
	for _, text := range []string{"", "K", "x", "1.5", "9e9", fmt.Sprint(math.MaxInt64) + "K", "--1", "nan", "NaNK",
		"InfK"} {
		if got, err := slurm.ParseCount(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// A priority set by hand is distinguished from a computed one that happens to have no factors.
func TestSlurmDirectPriority(t *testing.T) {
	files := mapFS{
		"a": "JOBID|USER|STATE|PRIORITY\n1|a|PENDING|777\n2|a|PENDING|1\n3|a|PENDING|40\n4|a|PENDING|90\n",
		"b": "JOBID|PARTITION|PRIORITY|AGE|ASSOC|FAIRSHARE|JOBSIZE|PARTITION|QOS|SITE|NICE\n1|p|777|0|0|0|0|0|0|0|0\n2|p|1|0|0|0|0|0|0|0|0\n3|p|40|0|0|0|0|0|0|50|10\n4|p|90|80|0|0|0|0|0|10|0\n",
	}
	s, _, err := Read(files.open(), []string{"."}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for i := range s.Jobs.Rows {
		got = append(got, s.Jobs.Value("job.direct_priority", i).Int)
	}
	if want := []int64{1, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("set by hand: %v, want %v", got, want)
	}
}

func texts(diags diag.List) (lines []string) {
	for _, d := range diags {
		lines = append(lines, d.Span.String()+" "+d.Code+" "+d.Message)
	}
	return lines
}

// TestComponentsOfOneJob: squeue names a component of a heterogeneous job by its place, scontrol by its record.
func TestComponentsOfOneJob(t *testing.T) {
	files := fstest.MapFS{
		"scontrol": {Data: []byte("JobId=10 HetJobId=10 HetJobOffset=0 UserId=amy(1) Account=bio Priority=70 Nice=30 " +
			"JobState=PENDING Reason=Resources Partition=main\n" +
			"JobId=11 HetJobId=10 HetJobOffset=1 UserId=amy(1) Account=bio Priority=70 Nice=30 JobState=PENDING " +
			"Reason=Resources Partition=main\n")},
		"start": {Data: []byte("JOBID|PARTITION|NAME|USER|STATE|START_TIME|NODES|SCHEDNODES|REASON|PRIORITY\n" +
			"10+1|main|wrap|amy|PENDING|2026-11-23T18:44:05|1|n5|Resources|70\n10+0|main|wrap|amy|PENDING|2026-11-23T17:44:05|1|n1|Resources|70\n")},
	}
	for _, paths := range [][]string{{"scontrol", "start"}, {"start", "scontrol"}} {
		s, diags, err := Read(files, paths, format.Options{Now: 1795454643})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		got := []string{}
		for i := range s.Jobs.Rows {
			got = append(got, row(s.Jobs, i, "job.id", "job.account", "job.nice", "job.name"))
		}
		slices.Sort(got)
		if want := []string{"10 bio 30 wrap", "11 bio 30 wrap"}; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", paths, got, want)
		}
	}
}
