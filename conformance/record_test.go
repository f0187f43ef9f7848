package conformance_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// copiedSlurm are one of each family; of the two recorded versions, the newer
// only where an answer is the version's own.
const copiedSlurm = `^(age-7d|age-1d-bigweight|assoc-factor|assoc-nonormal|jobsize-[a-z-]+|jobsize-favor-large-v25\.11|nice-site-held|nice-site-overflow|` +
	`partition-(factor|multi-tres|nonormal|assoc-fairtree)|prio-mix-(fairtree|nonormalall)|prio-mix-nonormalall-v25\.11|qos-factor|qos-nonormal|tres-[a-z]+)$`

// TestRecord rewrites the compact copies from the full set: go test -run TestRecord -update.
func TestRecord(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	for _, r := range fullRecordings(t, "maui", copiedMaui) {
		if mauiUnrecorded[r.name] != "" {
			continue
		}
		write(t, "maui", r.name, compactMaui(t, r))
	}
	recordRandom(t)
	for _, r := range fullRecordings(t, "slurm", copiedSlurm) {
		write(t, "slurm", r.name, compactSlurm(t, r))
	}
}

func write(t *testing.T, scheduler, name string, a *txtar.Archive) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("recorded", scheduler, name+".txtar"), txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// jobPerLine writes expectations so that each job is one line.
func jobPerLine(t *testing.T, want any) []byte {
	t.Helper()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	s := regexp.MustCompile(`("[^"]+":\{("eff_queue_time":\d+,)?"raw_sum"|"[^"]+":\{"start_priority"|\{"job":|\{"job_id":|\{"now":|"(diagnose_p|starts|queue|blocked_reasons|checkjob|later_steps)")`).ReplaceAllString(string(text), "\n $1")
	return []byte(s + "\n")
}

// slurmOutputs are the commands whose output is kept; of a group, the first that a case has.
var slurmOutputs = [][]string{
	{"scontrol_job.txt"}, {"scontrol_partition.txt"}, {"sacctmgr_qos.psv"},
	{"sacctmgr_assoc.psv", "assoc_mgr.txt"}, {"sshare_full.psv", "sshare.psv"},
}

// harness are settings of slurm.conf that only attach the daemons to the machine they ran on.
var harness = regexp.MustCompile(`(?m)^(Slurm(ctld|d)?(Port|User|PidFile|LogFile|Timeout|Debug|SpoolDir)|SlurmdParameters|AuthType|CredType|AuthInfo|StateSaveLocation|AccountingStorage(Host|Port)|` +
	`ProctrackType|TaskPlugin|JobAcctGatherType|SwitchType|MpiDefault|MailProg|ReturnToService|InactiveLimit|KillWait|MinJobAge|Waittime|CommunicationParameters|LogTimeFormat|DebugFlags|MaxJobCount|MaxArraySize|TreeWidth|PluginDir)=.*\n`)

// noise are fields of scontrol show job that no priority depends on.
var noise = regexp.MustCompile(` (JobName|SLUID|MCS_label|Requeue|BatchFlag|Reboot|ExitCode|DerivedExitCode|RunTime|EndTime|SuspendTime|SecsPreSuspend|LastSchedEval|Scheduler|AllocNode:Sid|ReqNodeList|ExcNodeList|NodeList|` +
	`ReqB:S:C:T|Socks/Node|CoreSpec|MinTmpDiskNode|DelayBoot|Contiguous|Network|Command|WorkDir|StdErr|StdIn|StdInExpanded|StdOut|Power|Comment|Deadline|Features|OverSubscribe|Licenses|TresPerTask|TimeMin|Restarts|BatchHost|OOMKillStep)=[^ \n]*`)

// submitLine holds blanks; zeros are the running TRES that sshare prints of each association, limits what
// assoc_mgr does, padding what aligns columns.
var (
	submitLine = regexp.MustCompile(` SubmitLine=.* WorkDir=\S*`)
	zeros      = regexp.MustCompile(`\|cpu=0,[^|\n]*`)
	limits     = regexp.MustCompile(`(?m) ?\b(Grp|Max|Used)\w+=\S*`)
	padding    = regexp.MustCompile(`(?m)(^| *\|) +`)
)

// compactSlurm keeps the configuration, what the commands printed of what a
// priority depends on, and the priorities.
func compactSlurm(t *testing.T, r recording) *txtar.Archive {
	var want slurmExpected
	r.expected(t, &want)
	if len(want.Snapshots) != 1 {
		t.Fatalf("%s has %d snapshots", r.name, len(want.Snapshots))
	}
	conf := harness.ReplaceAllString(string(r.read(t, "inputs/slurm.conf")), "")
	conf = regexp.MustCompile(` Node(Addr|Hostname)=\S+`).ReplaceAllString(conf, "")
	a := &txtar.Archive{Comment: []byte(want.Description + ".\nRecorded from Slurm " + want.Version + ".\n")}
	if strings.Contains(conf, "PriorityWeightFairshare") {
		a.Comment = append(a.Comment, "Priorities agree to within one: sshare prints the factors with six decimals.\n"...)
	}
	add := func(name string, text []byte) { a.Files = append(a.Files, txtar.File{Name: name, Data: text}) }
	add("inputs/slurm.conf", []byte(conf))
	outputs := slurmOutputs
	if strings.HasPrefix(r.name, "nice-site") { // only sprio knows site factors
		outputs = append(slices.Clip(outputs), []string{"sprio_full.psv"})
	}
	for _, group := range outputs {
		for _, name := range group {
			if text := outputOf(t, r, name); text != nil {
				add("raw/"+name, shorten(name, text))
				break
			}
		}
	}
	jobs := want.Snapshots[0].Jobs
	want.Snapshots[0].Jobs = slices.DeleteFunc(jobs, func(j slurmJob) bool { return j.State != "PENDING" })
	add("expected.json", jobPerLine(t, want))
	return a
}

func shorten(name string, text []byte) []byte {
	switch {
	case name == "scontrol_job.txt":
		return noise.ReplaceAll(submitLine.ReplaceAll(text, nil), nil)
	case name == "assoc_mgr.txt":
		return limits.ReplaceAll(text, nil)
	case strings.HasPrefix(name, "sshare"):
		return zeros.ReplaceAll(text, []byte("|"))
	case strings.HasPrefix(name, "sprio"):
		return padding.ReplaceAllFunc(text, func(b []byte) []byte {
			return bytes.TrimSpace(b)
		})
	}
	return text
}

// outputOf reads an output that may be packed; nil if the case has none.
func outputOf(t *testing.T, r recording, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(r.files, "raw/"+name)
	if err == nil {
		return text
	}
	packed, err := r.files.Open("raw/" + name + ".gz")
	if err != nil {
		return nil
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = io.ReadAll(in); err != nil {
		t.Fatal(err)
	}
	return text
}
