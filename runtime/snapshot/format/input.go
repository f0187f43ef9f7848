package format

import (
	"errors"
	"strconv"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// MaxOfAKind is how many bad records of one kind are reported one by one.
const MaxOfAKind = 20

// Input is one file being read: its text, the tables its reader fills, and
// what is to report about it.
type Input struct {
	Name     string
	origin   *Origin
	Text     []byte
	File     *source.File
	Options  Options
	Passed   func(until int) // called as records are done with; may be nil
	passed   int             // what it was called with last
	Snapshot Snapshot        // what is ready: time, family, usage; tables join at the end
	Counts   Source

	JobRows, nodeRows, sprioRows *column.Builder
	reservationRows, licenseRows *column.Builder
	credentialRows               map[string]*column.Builder
	Submits                      []Place // of each job's submit time, or of the job
	repeatsExpected              bool    // several records of one job are this format's way
	Records                      bool    // jobs are read as records of what ran, see ReadRecords
	ends, moments                Span    // of job records: when jobs ended, and all times they have

	record Record // the one being read

	Diags diag.List
	kinds map[string]int  // how often each code was reported
	said  map[string]bool // what is reported only once

	fields map[schema.ColumnID]*field
	keys   map[*RecordShape]*Keys[*member]    // of records
	keyed  map[schema.ColumnID]*Keys[*member] // of objects of numbers, as in job.tres
}

// Jobs is the table of jobs this input fills.
func (in *Input) Jobs() *column.Builder { return started(&in.JobRows, "job") }

// Nodes is the table of nodes this input fills.
func (in *Input) Nodes() *column.Builder { return started(&in.nodeRows, "node") }

// Sprio is the table of recorded factors this input fills.
func (in *Input) Sprio() *column.Builder { return started(&in.sprioRows, "sprio") }

// Reservations is the table of reservations this input fills.
func (in *Input) Reservations() *column.Builder { return started(&in.reservationRows, "reservation") }

// Licenses is the table of licences this input fills.
func (in *Input) Licenses() *column.Builder { return started(&in.licenseRows, "license") }

// Credentials is the table of one kind of credential this input fills.
func (in *Input) Credentials(object string) *column.Builder {
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

// Now notes the time this input states; the surest statement is kept.
func (in *Input) Now(epochSeconds int64, how nowCertainty) {
	if how >= in.Snapshot.Certainty && epochSeconds != 0 { // files write 0 for a time that they do not know
		in.Snapshot.Now, in.Snapshot.Certainty = epochSeconds, how
	}
}

// Record counts a record that was read.
func (in *Input) Record() { in.Counts.Records++ }

// Bad counts a record that could not be read and reports it; [start, end) is
// its place in the text. Beyond maxOfAKind of one code only the count grows.
func (in *Input) Bad(code string, start, end int, message string, args ...any) *diag.Diagnostic {
	in.Counts.Bad++
	if code == "snapshot-bad-record" && in.JobRows != nil && in.nodeRows == nil {
		in.Counts.BadJobs++ // only Fairway's own form has jobs and nodes in one file
	}
	return in.Warn(code, start, end, message, args...)
}

// Warn reports a fault that loses no record, with the same bound as bad.
func (in *Input) Warn(code string, start, end int, message string, args ...any) *diag.Diagnostic {
	if in.kinds[code]++; in.kinds[code] > MaxOfAKind {
		return (&diag.List{}).Warnf(code, Nowhere, message, args...)
	}
	return in.Diags.Warnf(code, in.File.Span(start, end), message, args...)
}

// InfoOnce reports something worth knowing once per subject; nil when it has
// been reported.
func (in *Input) InfoOnce(code, subject string, start, end int, message string, args ...any) *diag.Diagnostic {
	if in.said[code+"\x00"+subject] {
		return nil
	}
	in.said[code+"\x00"+subject] = true
	return in.Diags.Infof(code, in.File.Span(start, end), message, args...)
}

// BrokenError ends the reading of a file whose text is broken at an offset.
type BrokenError struct {
	Offset  int
	Message string
}

func (e *BrokenError) Error() string { return e.Message }

// ErrStop ends the reading of a file whose fault has been reported.
var ErrStop = errors.New("stop")

// NewInput is a file of a format, which reads it.
func NewInput(f *Format, name string, text []byte, options Options) *Input {
	return &Input{
		Name: name, origin: f.Origin, Text: text, File: source.NewFile(name, text), Options: options,
		Counts: Source{Name: name, Format: f.Name}, credentialRows: map[string]*column.Builder{},
		kinds: map[string]int{}, said: map[string]bool{},
		fields: map[schema.ColumnID]*field{}, keys: map[*RecordShape]*Keys[*member]{},
		keyed: map[schema.ColumnID]*Keys[*member]{},
	}
}

func (in *Input) Broken(err error) {
	offset := 0
	var at *BrokenError
	if errors.As(err, &at) {
		offset = at.Offset
	}
	in.Diags.Errorf("snapshot-broken-file", in.File.Span(offset, offset+1), "%s", err).
		Note("%s before that place can be read; write the file again, it may have been cut short",
			HowMany(in.Counts.Records, "record"))
}

// Finish turns the rows into tables of one row per id.
func (in *Input) Finish() {
	s := &in.Snapshot
	if in.JobRows != nil {
		s.Jobs = in.checkSubmitTimes(in.JobRows.Table())
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
	in.CountTheRest()
	s.Sources = []Source{in.Counts}
}

// Abridge lets what is reported about a long text keep no more of it than it shows.
func (in *Input) Abridge() {
	if len(in.Text) <= source.Long {
		return
	}
	var spans []*source.Span
	add := func(s *source.Span) {
		if s.File == in.File {
			spans = append(spans, s)
		}
	}
	for _, d := range in.Diags {
		add(&d.Span)
		for i := range d.Notes {
			add(&d.Notes[i].Span)
		}
		if d.Fix != nil {
			add(&d.Fix.Span)
		}
	}
	in.File.Abridge(spans, in.Passed)
}

// CountTheRest says how many places of each kind are not listed.
func (in *Input) CountTheRest() {
	for _, code := range SortedKeys(in.kinds) {
		if more := in.kinds[code] - MaxOfAKind; more > 0 {
			in.Diags.Warnf("snapshot-more-of-a-kind", in.File.Span(0, 0), "%s more like the first %d of %s",
				HowMany(more, "place"), MaxOfAKind, code).
				Note("they are counted but not listed one by one")
		}
	}
}

func (in *Input) joinRepeats(t *column.Table, key schema.ColumnID) *column.Table {
	example, repeats := column.RepeatedKeys(t, key)
	if repeats == 0 {
		return t
	}
	if !in.repeatsExpected {
		in.Diags.Warnf("snapshot-repeated-id", in.File.Span(0, 0),
			"%s repeating the %s of an earlier one, for instance %q", HowMany(repeats, "record"), key, example).
			Note("one row is kept; where both state a value, the later one counts")
	}
	return column.Join(nil, t, key, column.LaterWins)
}

// HowMany writes "1 job", "2 jobs".
func HowMany(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Nowhere is the place of what no single text shows.
var Nowhere source.Span

// Options are what the inputs do not say themselves.
type Options struct {
	Location *time.Location // zone of times written without one; nil is UTC
	Now      int64          // epoch seconds, overrides what the inputs say; 0 leaves it to them
	AtZero   bool           // Now is 0 and means the start of a trace, whose times begin there

	// WholeTrace: the jobs of a trace or of accounting are wanted as they are recorded, of all times.
	WholeTrace bool
}

// At is the time that was chosen, if one was.
func (o *Options) At() (epochSeconds int64, chosen bool) { return o.Now, o.Now != 0 || o.AtZero }
