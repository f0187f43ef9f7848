package slurmrun_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
)

var (
	update   = flag.Bool("update", false, "rewrite the compact copies from the full set")
	loopback = flag.String("loopback", "", "a folder of recordings of which copies are added to recorded/loopback")
)

// TestRecordSlurm rewrites the compact copies from the full set: go test -run TestRecord -update.
func TestRecordSlurm(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	old, err := filepath.Glob("../recorded/slurm*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range recordedtest.FullSlurm(t, copiedSlurm) {
		recordedtest.WriteCopy(t, "slurm", r.Name, compactSlurm(t, r))
	}
	for _, r := range recordedtest.Full(t, "slurm-planner", copiedPlanner) {
		recordedtest.WriteCopy(t, "slurm-planner", r.Name, compactSlurm(t, r))
	}
}

// TestRecordLoopback adds copies of recordings of one's own, each in a folder as the full set has them: the snapshots
// before and after the first cycle, of a queue that formed while the partitions were down.
func TestRecordLoopback(t *testing.T) {
	if *loopback == "" {
		t.Skip("only with -loopback=FOLDER")
	}
	cases, err := recorded.Full(os.DirFS(*loopback))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		recordedtest.WriteCopy(t, "loopback", c.Name, compactSlurm(t, recordedtest.Case{Case: c, Set: "loopback"}))
	}
}

// large are the cases of hundreds of jobs.
var large = regexp.MustCompile(`^big-`)

// copiedSlurm are the cases of which a compact copy is kept. Of the older version all; of the newer one those
// that it answers differently, and a few of each kind.
const copiedSlurm = `^(age|assoc|big|decay|doc|eligible|fs|incr|jobsize|limit|nice|no|partition|periodic|prio|qos|tres|usage)-[a-z0-9-]+$|` +
	`^backfill-[a-z0-9-]+$|` +
	`^(age-1d-bigweight|assoc-factor|backfill-(assoc-limit-stop|features-gres|linear-multipart|linear-select|max-job-part-array|multi-partition|random-1|random-2-cpus|reservations|timemin)|decay-weekly-reset-classic|doc-example-(classic|depth-oblivious|fairtree)|eligible-age|` +
	`fs-(classic-1|fairtree-1|parent-classic|parent-fairtree|ties-accounts|zero-shares-fairtree)|incr-only|jobsize-[a-z-]+|` +
	`limit-(accrue|factor-usagefactor|grptresmins-safe|hierarchy|maxjobs-submit|partition|partition-qos|qos-[a-z-]+|resources-reasons|usage-threshold[a-z-]*)|` +
	`nice-site-overflow|no-enforcement|partition-assoc-fairtree|periodic-fairtree|prio-mix-nonormalall|qos-factor|tres-weights|usage-running-[a-z-]+)-v25\.11$`

// copiedPlanner are the cases of the rest of slurmctld's planner of which a compact copy is kept: all but those that
// differ from another in one word.
const copiedPlanner = `^(gres-typed|hetjob-(full|plan)|oversubscribe-(exclusive|force2|yes2)|power-(cloud|suspend)|` +
	`preempt-(exempt|order-(strict|youngest)|part-(cpus|modes|requeue|suspend)|qos-(cpus-reorder|modes|requeue))|` +
	`select-(core|cpu|lln|pack|socket|weight)|topology-(cpus|plain|switches))$`

// ofPlanner are the same, and those of recorded/loopback.
var ofPlanner = regexp.MustCompile(copiedPlanner + `|^loopback-`)

// plannerOutputs are the outputs that a plan of these depends on.
var plannerOutputs = []string{
	"date_before.txt", "sacctmgr_dump.cfg", "sacctmgr_qos.psv", "sacctmgr_tres.psv", "scontrol_partition.txt",
	"scontrol_node.txt", "scontrol_reservation.txt", "scontrol_job.txt",
}

// slurmOutputs are the outputs that are kept, of what all moments of a case share and of each moment.
var slurmOutputs = []string{
	"date_before.txt", "sacctmgr_dump.cfg", "sacctmgr_qos.psv", "sacctmgr_tres.psv", "scontrol_partition.txt",
	"scontrol_node.txt", "scontrol_reservation.txt",
	"scontrol_job.txt", "assoc_mgr.txt", "sshare_full.psv", "sprio_full.psv",
}

// compactSlurm keeps the configuration, what the commands printed that a priority, a limit or a
// reason depends on, and what is compared.
func compactSlurm(t *testing.T, r recordedtest.Case) *txtar.Archive {
	want, err := slurmrun.Open(recorded.Case{Name: r.Name, Files: r.Files})
	if err != nil {
		t.Fatal(err)
	}
	a := &txtar.Archive{Comment: []byte(want.Description + ".\nRecorded from Slurm " + want.Version + ".\n")}
	add := func(name string, text []byte) {
		if len(text) > 0 {
			a.Files = append(a.Files, txtar.File{Name: name, Data: text})
		}
	}
	inputs, err := fs.Glob(r.Files, "inputs/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range inputs {
		switch text := r.Read(t, name); {
		case strings.HasPrefix(name, "inputs/slurm.conf"):
			add(name, harness.ReplaceAll(text, nil))
		case name == "inputs/topology.conf":
			add(name, text)
		case name == "inputs/injected_last_decay.json", name == "inputs/injected_qos_usage.json":
			add(name, append(bytes.TrimSpace(text), '\n'))
		}
	}
	more, kept := map[string][]string(nil), slurmOutputs
	if ofPlanner.MatchString(r.Name) {
		more, kept = plannerFields, plannerOutputs
	}
	before := []byte(nil)
	if large.MatchString(r.Name) { // the queue before it was scheduled says the same of priorities
		before = startedLater(r.Output(t, "raw/before/scontrol_job.txt"), &want.Snapshots[1])
		want.Snapshots = want.Snapshots[1:]
	}
	folders := []string{"raw"}
	for k := range want.Snapshots {
		if tag := want.Snapshots[k].Tag; tag != "" {
			folders = append(folders, "raw/"+tag)
		}
	}
	if strings.HasPrefix(r.Name, "usage-running-") {
		kept = append(slices.Clip(kept), "sacct.psv")
	}
	for _, folder := range folders {
		for _, name := range kept {
			text := r.Output(t, path.Join(folder, name))
			if text == nil && name == "sshare_full.psv" {
				name = "sshare.psv"
				text = r.Output(t, path.Join(folder, name))
			}
			if name == "sprio_full.psv" && large.MatchString(r.Name) {
				text = everyFifth(text)
			}
			add(path.Join(folder, name), shorten(name, text, more))
		}
	}
	add("raw/before/scontrol_job.txt", shorten("scontrol_job.txt", before, more))
	add("expected.json", recordedtest.JobPerLine(t, withoutOutputs(want)))
	return a
}

// startedLater keeps the records of the jobs that run in a later snapshot: what they were before they started.
func startedLater(jobs []byte, later *slurmrun.Snapshot) []byte {
	runs := map[string]bool{}
	for i := range later.Jobs {
		if j := &later.Jobs[i]; j.State == "RUNNING" {
			runs[strconv.FormatInt(j.ID, 10)] = true
		}
	}
	return lines.ReplaceAllFunc(jobs, func(line []byte) []byte {
		id, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("JobId=")), []byte(" "))
		if runs[string(id)] {
			return line
		}
		return nil
	})
}

// everyFifth keeps the header of a table and one row of five.
func everyFifth(text []byte) []byte {
	i := -1
	return lines.ReplaceAllFunc(text, func(line []byte) []byte {
		if i++; i%5 == 0 {
			return line
		}
		return nil
	})
}

var lines = regexp.MustCompile(`.*\n`)

// withoutOutputs drops what the outputs say.
func withoutOutputs(r *slurmrun.Run) *slurmrun.Run {
	weight, planner := r.Setting("PriorityWeightFairshare"), ofPlanner.MatchString(r.Name)
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		if !planner {
			s.Captured = 0
		}
		if !slurmPlans.MatchString(r.Name) && !planner {
			s.Backfill = nil
		}
		// else their usage is followed from pass to pass
		if r.Injected == nil && !strings.HasPrefix(r.Name, "usage-running-") {
			s.Associations = nil
		}
		for i := range s.Jobs {
			j := &s.Jobs[i]
			if j.Sprio = j.Sprio[:min(1, len(j.Sprio))]; weight == "" || weight == "0" {
				j.Sprio = nil
			}
			if planner {
				j.Sprio = nil
			} else {
				j.Submit = 0 // asked of jobs that were requeued
			}
			if j.Sharing != "NO" {
				j.Sharing = ""
			}
			if !slurmPlans.MatchString(r.Name) && !planner {
				j.Planned, j.PlannedNodes, j.Scheduler, j.Nodes = 0, "", "", ""
			} else if j.State == "PENDING" {
				j.Scheduler = ""
			}
			if j.State == "PENDING" || j.State == "CANCELLED" && j.Start == 0 {
				*j = slurmrun.Job{ID: j.ID, Array: j.Array, Task: j.Task, State: j.State, Reason: j.Reason, Priority: j.Priority,
					Sharing: j.Sharing, ByPartition: j.ByPartition, Sprio: j.Sprio,
					Planned: j.Planned, PlannedNodes: j.PlannedNodes, Submit: j.Submit}
			}
		}
		for i, q := range s.QOS {
			s.QOS[i] = map[string]string{"QOS": q["QOS"], "UsageRaw": q["UsageRaw"]}
		}
	}
	return r
}

// harness are settings of slurm.conf that only attach the daemons to the machine they ran on.
var harness = regexp.MustCompile(`(?m)^(Slurm(ctld|d)?(Port|User|PidFile|LogFile|Timeout|Debug|SpoolDir)|SlurmdParameters|AuthType|CredType|AuthInfo|StateSaveLocation|AccountingStorage(Host|Port)|` +
	`ProctrackType|TaskPlugin|JobAcctGatherType|SwitchType|MpiDefault|MailProg|ReturnToService|InactiveLimit|KillWait|MinJobAge|Waittime|CommunicationParameters|LogTimeFormat|DebugFlags|MaxJobCount|MaxArraySize|TreeWidth|PluginDir)=.*\n` +
	`| Node(Addr|Hostname)=\S+`)

// keptFields are what is kept of records of scontrol, by the key that begins them: what a priority, a limit or a
// reason depends on.
var keptFields = map[string][]string{
	"JobId": {"JobId", "ArrayJobId", "ArrayTaskId", "ArrayTaskThrottle", "UserId", "Priority", "Nice", "Account", "QOS",
		"JobState", "Reason", "Dependency", "Restarts", "TimeLimit", "TimeMin",
		"SubmitTime", "EligibleTime", "Deadline", "AccrueTime", "StartTime", "EndTime", "LastSchedEval", "Partition",
		"ReqNodeList", "ExcNodeList", "NodeList", "NumNodes", "NumCPUs", "NumTasks", "CPUs/Task", "NtasksPerN:B:S:C",
		"Nodes", "CPU_IDs", "TRES", "ReqTRES", "AllocTRES", "TresPerNode", "TresPerJob", "MinMemoryNode", "MinMemoryCPU",
		"Features", "OverSubscribe", "Licenses", "Reservation"},
	"ClusterName": {"ClusterName", "Account", "UserName", "Partition", "Priority", "SharesRaw/Norm/Level/Factor",
		"UsageRaw/Norm/Efctv", "ParentAccount",
		"GrpJobs", "GrpJobsAccrue", "GrpSubmitJobs", "GrpWall", "GrpTRES", "GrpTRESMins", "GrpTRESRunMins",
		"MaxJobs", "MaxJobsAccrue", "MaxSubmitJobs", "MaxWallPJ", "MaxTRESPJ", "MaxTRESPN", "MaxTRESMinsPJ", "MinPrioThresh"},
	"QOS": {"QOS", "UsageRaw", "GrpJobs", "GrpJobsAccrue", "GrpSubmitJobs", "GrpWall", "GrpTRES", "GrpTRESMins",
		"GrpTRESRunMins",
		"MaxWallPJ", "MaxTRESPJ", "MaxTRESPN", "MaxTRESMinsPJ", "MinPrioThresh", "MinTRESPJ", "Priority"},
	"NodeName": {"NodeName", "CPUTot", "RealMemory", "Gres", "State", "Partitions", "AvailableFeatures"},
}

// plannerFields are kept as well where the case is one of copiedPlanner.
var plannerFields = map[string][]string{
	"JobId": {"TresPerTask", "TresPerSocket", "CpusPerTres", "Switches", "HetJobId", "HetJobOffset", "HetJobIdSet",
		"PreemptTime",
		"SuspendTime", "ReqB:S:C:T", "Mem", "GRES"},
	"NodeName": {"CoresPerSocket", "Sockets", "ThreadsPerCore", "Weight"},
}

// saysNothing are fields of jobs that print what is so without them, and noValue the ways of
// printing that there is none.
var (
	saysNothing = []string{"NtasksPerN:B:S:C=0:0:*:*", "Restarts=0", "OverSubscribe=OK", "StartTime=Unknown",
		"EndTime=Unknown",
		"PreemptTime=None", "SuspendTime=None", "ReqB:S:C:T=0:0:*:*"}
	noValue = []string{"", "(null)", "N/A"}
)

var (
	comments = regexp.MustCompile(`(?m)^#.*\n|:(Description|Organization)='[^']*'`)
	cells    = regexp.MustCompile(`[^|\n]+`)
	zeros    = regexp.MustCompile(`^([\w/]+=0,)+[\w/]+=0$`) // of an association that has used nothing
	unused   = regexp.MustCompile(`,?[\w/:]+=N\(0\)`)       // neither limited nor used
	padding  = regexp.MustCompile(`(?m)(^| *\|) +`)         // aligns columns
	blocks   = regexp.MustCompile(`\n   +`)                 // scontrol show node prints several lines a node
	// how much of a QOS each account and user has; the limits are the same for all
	firstOfEach = regexp.MustCompile(`((?:Account|User) Limits= )([^ ={}]+=\{[^}]*\})`)
)

// shorten drops what nothing depends on. Values stay as they were printed.
func shorten(name string, text []byte, more map[string][]string) []byte {
	switch {
	case name == "scontrol_job.txt", name == "scontrol_node.txt", name == "assoc_mgr.txt":
		return keepFields(text, more)
	case name == "sacctmgr_dump.cfg":
		return comments.ReplaceAll(text, nil)
	case strings.HasPrefix(name, "sshare"):
		return cells.ReplaceAllFunc(text, func(cell []byte) []byte { return zeros.ReplaceAll(cell, nil) })
	case strings.HasPrefix(name, "sprio"):
		return padding.ReplaceAllFunc(text, bytes.TrimSpace)
	}
	return text
}

func keepFields(text []byte, more map[string][]string) []byte {
	var b strings.Builder
	for line := range bytes.Lines(blocks.ReplaceAll(text, []byte(" "))) {
		line, each, _ := bytes.Cut(line, []byte(" Account Limits="))
		first, _, _ := bytes.Cut(line, []byte("="))
		keys := keptFields[string(first)]
		if keys == nil {
			if first[0] != '\n' && string(first) != "UserName" {
				b.Write(line)
			}
			continue
		}
		var kept []string
		for word := range strings.FieldsSeq(string(line)) {
			key, value, ok := strings.Cut(word, "=")
			if strings.HasPrefix(key, "GrpTRES") {
				value = withoutUnused(value)
			}
			if ok && (slices.Contains(keys, key) || slices.Contains(more[string(first)], key)) &&
				(string(first) == "NodeName" || !slices.Contains(saysNothing, word) && !slices.Contains(noValue, value)) {
				kept = append(kept, key+"="+value)
			}
		}
		for _, m := range firstOfEach.FindAllSubmatch(append([]byte("Account Limits="), each...), -1) {
			kept = append(kept, string(m[1])+withoutUnused(string(m[2])))
		}
		b.WriteString(strings.Join(kept, " ") + "\n")
	}
	return []byte(b.String())
}

// withoutUnused drops from a list of TRES those that are neither limited nor used.
func withoutUnused(list string) string {
	return strings.TrimPrefix(strings.ReplaceAll(unused.ReplaceAllString(list, ""), "=,", "="), ",")
}
