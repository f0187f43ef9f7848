package conformance_test

import (
	"bytes"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// slurmReasons is what a recording says of reasons, as squeue prints them.
type slurmReasons struct {
	Version     string            `json:"slurm_version"`
	Meaningful  bool              `json:"reasons_meaningful"`
	Snapshots   []reasonSnapshot  `json:"snapshots"`
	Submissions []slurmSubmission `json:"submissions"`
}

type reasonSnapshot struct {
	Tag  string      `json:"tag"`
	Now  int64       `json:"now"`
	Jobs []reasonJob `json:"jobs"`
}

type reasonJob struct {
	slurmJob
	Reason string `json:"reason"`
}

type slurmSubmission struct {
	Command string  `json:"cmd"`
	Code    int     `json:"rc"`
	JobID   *string `json:"job_id"`
	Error   *string `json:"error"`
}

// policyOf compiles a case's slurm.conf with the dump of its accounts.
func (r recording) policyOf(t *testing.T, conf, version string) *compiler.Output {
	t.Helper()
	in := compiler.Input{Options: lower.Options{Version: strings.Join(strings.SplitN(version, ".", 3)[:2], ".")}}
	in.Include.FS = r.files
	for _, name := range []string{conf, "raw/sacctmgr_dump.cfg"} {
		if r.exists(name) {
			in.Files = append(in.Files, source.NewFile(name, r.read(t, name)))
		}
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	return out
}

// stateOf is a case's snapshot. Partitions were recorded once, at the end: those that a scenario
// had set down before it began are shown so.
func (r recording) stateOf(t *testing.T, s reasonSnapshot) *snapshot.Snapshot {
	t.Helper()
	paths := []string{"raw"}
	if s.Tag != "" && r.exists("raw/"+s.Tag) {
		paths = append(paths, "raw/"+s.Tag)
	}
	files := r.files
	if s.Tag == "before" {
		text := bytes.ReplaceAll(r.read(t, "raw/scontrol_partition.txt"), []byte("State=UP"), []byte("State=DOWN"))
		files = overlay{r.files, fstest.MapFS{"raw/scontrol_partition.txt": &fstest.MapFile{Data: text}}}
	}
	return recording{r.name, files}.snapshot(t, s.Now, paths...)
}

// overlay is a file system with some files replaced.
type overlay struct {
	fs.FS
	top fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	if _, ok := o.top[name]; ok {
		return o.top.Open(name)
	}
	return o.FS.Open(name)
}

// TestFullRecordedReasons: where no nodes were there, only what needs none says something.
func TestFullRecordedReasons(t *testing.T) {
	for _, r := range fullRecordings(t, "slurm", `^[a-z]`) {
		t.Run(r.name, func(t *testing.T) { checkReasons(t, r) })
	}
}

func checkReasons(t *testing.T, r recording) {
	var want slurmReasons
	r.expected(t, &want)
	for _, s := range want.Snapshots {
		conf := "inputs/slurm.conf"
		if r.exists(conf + "." + s.Tag) {
			conf += "." + s.Tag
		}
		result := evaluate(t, r.policyOf(t, conf, want.Version).Program, r.stateOf(t, s))
		compareReasons(t, r.name+" "+s.Tag, s, want.Meaningful, result)
	}
}

var withoutNodes = regexp.MustCompile(`^(JobHeld|Dependency|BeginTime|Reservation)`)

func compareReasons(t *testing.T, name string, s reasonSnapshot, meaningful bool, result *engine.Result) {
	_, index := jobIDs(result)
	for _, w := range s.Jobs {
		if w.State != "PENDING" || !meaningful && !withoutNodes.MatchString(w.Reason) {
			continue
		}
		i, ok := index[w.id()]
		if !ok {
			t.Errorf("%s: job %s is missing", name, w.id())
			continue
		}
		got := strings.ReplaceAll(result.Reason[i], " ", "_")
		if got != w.Reason {
			t.Errorf("%s: job %s is %s with reason %q, recorded was %q%s", name, w.id(), result.State[i], got, w.Reason, stopText(result.Why[int32(i)]))
		}
	}
}

func stopText(b *engine.Block) string {
	if b == nil || b.Slurm == nil {
		return ""
	}
	s := b.Slurm
	return " (" + strings.Join([]string{s.Level, s.Name, s.Who, s.Kind, s.TRES, s.Test.String()}, " ") + ")"
}

// TestFullComputedReasons takes the recorded reasons away: all that limits and partitions say is
// computed. Only what depends on the nodes that slurmctld chose stays with the record.
func TestFullComputedReasons(t *testing.T) {
	for _, r := range fullRecordings(t, "slurm", `^(limit|big|backfill|usage-running)-`) {
		t.Run(r.name, func(t *testing.T) {
			var want slurmReasons
			r.expected(t, &want)
			for _, s := range want.Snapshots {
				state := r.stateOf(t, s)
				state.Jobs.Put(&column.Column{ID: "job.state_reason", Type: schema.String, Codes: make([]uint32, state.Jobs.Rows), Dict: []string{""}})
				result := evaluate(t, r.policyOf(t, "inputs/slurm.conf", want.Version).Program, state)
				_, index := jobIDs(result)
				for _, w := range s.Jobs {
					if w.State != "PENDING" || !computedReason.MatchString(w.Reason) {
						continue
					}
					i := index[w.id()]
					if got := strings.ReplaceAll(result.Reason[i], " ", "_"); got != w.Reason {
						t.Errorf("%s: job %s is %s with reason %q, recorded was %q%s", r.name+" "+s.Tag, w.id(), result.State[i], got, w.Reason, stopText(result.Why[int32(i)]))
					}
				}
			}
		})
	}
}

var computedReason = regexp.MustCompile(`^(Assoc|QOS|Max|Partition|Job's|JobArrayTaskLimit|Dependency|BeginTime)`)

// TestFullRecordedCounters compares what limits count with what slurmctld counted, as scontrol show
// assoc_mgr prints it: limit(used).
func TestFullRecordedCounters(t *testing.T) {
	compared := 0
	for _, r := range fullRecordings(t, "slurm", `^(limit|big|backfill)-`) {
		t.Run(r.name, func(t *testing.T) {
			var want slurmReasons
			r.expected(t, &want)
			s := want.Snapshots[len(want.Snapshots)-1]
			result := evaluate(t, r.policyOf(t, "inputs/slurm.conf", want.Version).Program, r.stateOf(t, s))
			if result.SlurmLimits == nil {
				return
			}
			text := outputOf(t, r, s.Tag+"/assoc_mgr.txt")
			if text == nil {
				text = outputOf(t, r, "assoc_mgr.txt")
			}
			used := managedUse(string(text))
			for _, c := range result.SlurmLimits.Counters(true) {
				key := c.Object + " " + c.Name + " " + c.Kind
				if c.TRES != "" {
					key += " " + c.TRES
				}
				want, ok := used[key]
				if c.Who != "" || !ok {
					continue
				}
				if compared++; want != strconv.FormatInt(c.InUse, 10) {
					t.Errorf("%s: %d in use, recorded was %s", key, c.InUse, want)
				}
			}
		})
	}
	if compared < 100 {
		t.Errorf("only %d counters were compared", compared)
	}
}

// managedUse reads what is in the parentheses, by object, name, limit and resource.
func managedUse(text string) map[string]string {
	used := map[string]string{}
	for line := range strings.Lines(text) {
		fields := map[string]string{}
		for word := range strings.FieldsSeq(line) {
			if key, value, ok := strings.Cut(word, "="); ok && fields[key] == "" {
				fields[key] = value
			}
		}
		name := func(s string) string { s, _, _ = strings.Cut(s, "("); return s }
		object := ""
		switch {
		case strings.HasPrefix(line, "ClusterName="):
			object = "association " + fields["Account"]
			if user := name(fields["UserName"]); user != "" {
				object += "/" + user
			}
		case strings.HasPrefix(line, "QOS="):
			object = "qos " + name(fields["QOS"])
		default:
			continue
		}
		for _, kind := range []string{"GrpJobs", "GrpSubmitJobs", "MaxJobs", "MaxSubmitJobs", "GrpTRES", "GrpTRESMins", "GrpTRESRunMins"} {
			for entry := range strings.SplitSeq(fields[kind], ",") {
				tres, value, ofTRES := strings.Cut(entry, "=")
				key := object + " " + kind
				if ofTRES {
					key += " " + tres
				} else {
					value = entry
				}
				if _, use, ok := strings.Cut(strings.TrimSuffix(value, ")"), "("); ok {
					used[key] = use
				}
			}
		}
	}
	return used
}
