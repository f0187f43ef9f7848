package snapshot

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/maui"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/pbs"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/trace"
)

// Records are what accounting and traces say of jobs that ran or run.
type Records struct {
	// columns job.*, one row per run of a job, each with start_time; without end_time it still runs
	Jobs    *column.Table
	Told    format.Span     // from when to when they tell of every end of a job
	Sources []format.Source // what was read, in order
}

// recordFormats are the formats with job records, as formats is the list of
// those that show a queue. A format that shows jobs with their times is in both; it is
// read anew here, because a queue has no two rows of one job and no finished ones.
var recordFormats = []format.Format{
	known("native-json", format.FromFairway, native.RecognizeJSON, recordsOf(native.ReadJSON)),
	known("native-jsonl", format.FromFairway, native.RecognizeLines, recordsOf(native.ReadLines)),
	known("native-csv", format.FromFairway, native.RecognizeCSV, recordsOf(native.ReadCSV)),
	known("slurm-accounting", format.FromSlurm, slurm.RecognizeSacct, slurm.ReadSacctRecords),
	known("slurm-accounting-json", format.FromSlurm, slurm.RecognizeAccountingJSON, slurm.ReadAccountingJSONRecords),
	known("pbs-accounting", format.FromPBS, pbs.RecognizeAccounting, pbs.ReadAccounting),
	known("maui-trace", format.FromMaui, maui.RecognizeTrace, recordsOf(maui.ReadTrace)),
	known("swf", format.FromTraces, trace.RecognizeSWF, trace.ReadSWFRecords),
}

// recordsAccept says in few words what recordFormats are.
var recordsAccept = []string{
	"PBS and TORQUE: accounting logs (server_priv/accounting/YYYYMMDD)",
	"Slurm: sacct -P with its header, or sacct --json",
	"Maui: traces of a workload",
	"traces: Standard Workload Format (.swf)",
	"Fairway's own: JSON or CSV with the columns id, user, procs, start_time and end_time",
}

// ReadRecords reads the job records of files and directories. Files complete
// one another: a run that is in several has one row, its end counting.
//
// As with Read, the error is for what cannot be read at all.
func ReadRecords(fsys fs.FS, paths []string, options format.Options) (*Records, diag.List, error) {
	r := &reading{fsys: fsys, options: options}
	if r.options.Location == nil {
		r.options.Location = time.UTC
	}
	out, h := &Records{}, &history{}
	for _, name := range paths {
		if err := r.recordsPath(path.Clean(name), out, h); err != nil {
			return nil, r.diags, err
		}
	}
	out.Jobs = r.runs(h)
	r.diags.Sort()
	return out, r.diags, nil
}

// history is the tables of all files and the place of each of their rows.
type history struct {
	tables []*column.Table
	places []source.Span
}

func (r *reading) recordsPath(name string, out *Records, h *history) error {
	info, err := fs.Stat(r.fsys, name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return r.recordsDirectory(name, out, h)
	}
	is, err := r.unpacked(name, func() error { return r.recordsDirectory(name, out, h) })
	if !is && err == nil {
		_, err = r.recordsFile(name, out, h, true)
	}
	return err
}

func (r *reading) recordsDirectory(name string, out *Records, h *history) error {
	names, err := r.list(name)
	if err != nil {
		return err
	}
	names, _, done, err := r.captured(name, names)
	if err != nil {
		return err
	}
	defer done()
	var skipped []string
	for _, n := range names {
		known, err := r.recordsFile(n, out, h, false)
		if err != nil {
			return err
		}
		if !known {
			skipped = append(skipped, path.Base(n))
		}
	}
	if len(skipped) > 0 {
		r.diags.Infof("snapshot-file-skipped", format.Nowhere, "%s: %s without job records left out: %s", name,
			format.HowMany(len(skipped), "file"), strings.Join(skipped, ", ")).
			Note("name such a file itself to see why")
	}
	return nil
}

// recordsFile reads one file; known is false for a file that has no job records.
func (r *reading) recordsFile(name string, out *Records, h *history, named bool) (known bool, err error) {
	text, err := r.text(name)
	if err != nil {
		return true, r.unpackable(name, err)
	}
	if len(bytes.TrimSpace(text)) == 0 { // the log of a day that has just begun
		out.Sources = append(out.Sources, format.Source{Name: name, Format: "empty"})
		return true, nil
	}
	f := bestFormat(recordFormats, format.NewHead(name, text))
	if f == nil {
		if named {
			r.noRecords(name, text)
		}
		return false, nil
	}
	r.take(r.input(f, name, text), out, h)
	return true, nil
}

// take adds what one file has.
func (r *reading) take(in *format.Input, out *Records, h *history) {
	in.CountTheRest()
	out.Sources = append(out.Sources, in.Counts)
	in.TellInto(&out.Told)
	if in.JobRows != nil {
		h.tables = append(h.tables, in.JobRows.Table())
		for _, at := range in.Submits {
			h.places = append(h.places, in.File.Span(at.Start, at.End))
		}
	}
	r.diags = append(r.diags, in.Diags...)
}

// noRecords says of a file given by name why it is no help here.
func (r *reading) noRecords(name string, text []byte) {
	file := source.NewFile(name, text)
	if broken := syntaxErrorIn(text); broken != nil {
		r.brokenJSON(file, broken)
		return
	}
	d := r.diags.Errorf("snapshot-no-job-records", file.Span(0, 0), "the file has no job records in a known format")
	if f := recognise(format.NewHead(name, text)); f != nil {
		d.Note("it is of the kind %s, which shows one moment; what ran before is in accounting", f.Name)
	}
	for _, accepts := range recordsAccept {
		d.Note("%s", accepts)
	}
}

// recordsOf reads job records with a reader for queues.
func recordsOf(read func(*format.Input) error) func(*format.Input) error {
	return func(in *format.Input) error {
		in.Records = true
		return read(in)
	}
}
