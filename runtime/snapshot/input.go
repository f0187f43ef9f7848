package snapshot

import (
	"errors"
	"strconv"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// maxOfAKind is how many bad records of one kind are reported one by one.
const maxOfAKind = 20

// input is one file being read: its text, the tables its reader fills, and
// what is to be said about it.
type input struct {
	name     string
	origin   *origin
	text     []byte
	file     *source.File
	options  Options
	snapshot Snapshot // what is ready: time, family, usage; tables join at the end
	counts   Source

	jobRows, nodeRows, sprioRows *column.Builder
	reservationRows, licenseRows *column.Builder
	credentialRows               map[string]*column.Builder
	submits                      []place // of each job's submit time, or of the job
	repeatsExpected              bool    // several records of one job are this format's way
	records                      bool    // jobs are read as records of what ran, see ReadRecords
	ends, moments                Span    // of job records: when jobs ended, and all times they have

	scratch record // the record being read; its cells are used again

	diags diag.List
	kinds map[string]int  // how often each code was reported
	said  map[string]bool // what is said only once
}

// jobs is the table of jobs this input fills.
func (in *input) jobs() *column.Builder { return started(&in.jobRows, "job") }

// nodes is the table of nodes this input fills.
func (in *input) nodes() *column.Builder { return started(&in.nodeRows, "node") }

// sprio is the table of recorded factors this input fills.
func (in *input) sprio() *column.Builder { return started(&in.sprioRows, "sprio") }

// reservations is the table of reservations this input fills.
func (in *input) reservations() *column.Builder { return started(&in.reservationRows, "reservation") }

// licenses is the table of licences this input fills.
func (in *input) licenses() *column.Builder { return started(&in.licenseRows, "license") }

// credentials is the table of one kind of credential this input fills.
func (in *input) credentials(object string) *column.Builder {
	b := in.credentialRows[object]
	if b == nil {
		b = column.NewBuilder(object)
		in.credentialRows[object] = b
	}
	return b
}

func started(b **column.Builder, name string) *column.Builder {
	if *b == nil {
		*b = column.NewBuilder(name)
	}
	return *b
}

// now notes the time this input states; the surest statement is kept.
func (in *input) now(epochSeconds int64, how nowCertainty) {
	if how >= in.snapshot.certainty && epochSeconds != 0 { // files write 0 for a time that they do not know
		in.snapshot.Now, in.snapshot.certainty = epochSeconds, how
	}
}

// record counts a record that was read.
func (in *input) record() { in.counts.Records++ }

// bad counts a record that could not be read and reports it; [start, end) is
// its place in the text. Beyond maxOfAKind of one code only the count grows.
func (in *input) bad(code string, start, end int, message string, args ...any) *diag.Diagnostic {
	in.counts.Bad++
	if code == "snapshot-bad-record" && in.jobRows != nil && in.nodeRows == nil {
		in.counts.BadJobs++ // only Fairway's own form has jobs and nodes in one file
	}
	return in.warn(code, start, end, message, args...)
}

// warn reports a fault that loses no record, with the same bound as bad.
func (in *input) warn(code string, start, end int, message string, args ...any) *diag.Diagnostic {
	if in.kinds[code]++; in.kinds[code] > maxOfAKind {
		return (&diag.List{}).Warnf(code, nowhere, message, args...)
	}
	return in.diags.Warnf(code, in.file.Span(start, end), message, args...)
}

// infoOnce reports something worth knowing once per subject; nil when it has
// been said.
func (in *input) infoOnce(code, subject string, start, end int, message string, args ...any) *diag.Diagnostic {
	if in.said[code+"\x00"+subject] {
		return nil
	}
	in.said[code+"\x00"+subject] = true
	return in.diags.Infof(code, in.file.Span(start, end), message, args...)
}

// brokenError ends the reading of a file whose text is broken at an offset.
type brokenError struct {
	offset  int
	message string
}

func (e *brokenError) Error() string { return e.message }

// errStop ends the reading of a file whose fault has been reported.
var errStop = errors.New("stop")

// newInput is a file of a format, which reads it.
func newInput(f *format, name string, text []byte, options Options) *input {
	return &input{
		name: name, origin: f.origin, text: text, file: source.NewFile(name, text), options: options,
		counts: Source{Name: name, Format: f.name}, credentialRows: map[string]*column.Builder{},
		kinds: map[string]int{}, said: map[string]bool{},
	}
}

func (in *input) broken(err error) {
	offset := 0
	var at *brokenError
	if errors.As(err, &at) {
		offset = at.offset
	}
	in.diags.Errorf("snapshot-broken-file", in.file.Span(offset, offset+1), "%s", err).
		Note("%s before that place can be read; write the file again, it may have been cut short", howMany(in.counts.Records, "record"))
}

// finish turns the rows into tables of one row per id.
func (in *input) finish() {
	s := &in.snapshot
	if in.jobRows != nil {
		s.Jobs = in.checkSubmitTimes(in.jobRows.Table())
	}
	if s.Jobs != nil {
		s.Jobs = in.joinRepeats(s.Jobs, "job.id")
	}
	if in.nodeRows != nil {
		s.Nodes = in.joinRepeats(in.nodeRows.Table(), "node.id")
	}
	if in.reservationRows != nil {
		s.Reservations = in.joinRepeats(in.reservationRows.Table(), "reservation.name")
	}
	if in.licenseRows != nil {
		s.Licenses = in.joinRepeats(in.licenseRows.Table(), "license.name")
	}
	if in.sprioRows != nil {
		s.Sprio = in.sprioRows.Table()
	}
	for _, o := range schema.Objects {
		if b := in.credentialRows[o.Name]; b != nil {
			if s.Credentials == nil {
				s.Credentials = map[string]*column.Table{}
			}
			s.Credentials[o.Name] = in.joinRepeats(b.Table(), schema.ColumnID(o.Name+".name"))
		}
	}
	in.countTheRest()
	s.Sources = []Source{in.counts}
}

// countTheRest says how many places of each kind are not listed.
func (in *input) countTheRest() {
	for _, code := range sortedKeys(in.kinds) {
		if more := in.kinds[code] - maxOfAKind; more > 0 {
			in.diags.Warnf("snapshot-more-of-a-kind", in.file.Span(0, 0), "%s more like the first %d of %s", howMany(more, "place"), maxOfAKind, code).
				Note("they are counted but not listed one by one")
		}
	}
}

func (in *input) joinRepeats(t *column.Table, key schema.ColumnID) *column.Table {
	example, repeats := repeatedKeys(t, key)
	if repeats == 0 {
		return t
	}
	if !in.repeatsExpected {
		in.diags.Warnf("snapshot-repeated-id", in.file.Span(0, 0), "%s repeating the %s of an earlier one, for instance %q", howMany(repeats, "record"), key, example).
			Note("one row is kept; where both state a value, the later one counts")
	}
	return join(nil, t, key, laterWins)
}

// howMany writes "1 job", "2 jobs".
func howMany(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// nowhere is the place of what no single text shows.
var nowhere source.Span

// Options are what the inputs do not say themselves.
type Options struct {
	Location *time.Location // zone of times written without one; nil is UTC
	Now      int64          // epoch seconds, overrides what the inputs say; 0 leaves it to them
	AtZero   bool           // Now is 0 and means the start of a trace, whose times begin there
}

// at is the time that was chosen, if one was.
func (o *Options) at() (epochSeconds int64, chosen bool) { return o.Now, o.Now != 0 || o.AtZero }
