package conformance_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
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

func TestFullRecordedReasons(t *testing.T) {
	for _, r := range fullRecordings(t, "slurm", `^(limit|big|backfill|usage-running)-`) {
		t.Run(r.name, func(t *testing.T) { checkReasons(t, r) })
	}
}

func checkReasons(t *testing.T, r recording) {
	var want slurmReasons
	r.expected(t, &want)
	for _, s := range want.Snapshots {
		out := r.policyOf(t, "inputs/slurm.conf", want.Version)
		result := evaluate(t, out.Program, r.stateOf(t, s))
		if len(result.Findings) > 0 && testing.Verbose() {
			t.Log(format(result.Findings))
		}
		compareReasons(t, r.name+" "+s.Tag, s, result)
	}
}

func compareReasons(t *testing.T, name string, s reasonSnapshot, result *engine.Result) {
	_, index := jobIDs(result)
	for _, w := range s.Jobs {
		if w.State != "PENDING" {
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

var _ = regexp.MustCompile
var _ = gzip.NewReader
var _ = io.ReadAll
