package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Read reads a state file that is to be the one before an evaluation of that family at that
// time. The Checkpoint is nil if the list has an error.
func Read(f *source.File, family string, now int64) (*Checkpoint, diag.List) {
	r := &reader{file: f, dec: json.NewDecoder(bytes.NewReader(f.Text)), seen: map[string]bool{}, ids: map[string]bool{}}
	r.dec.DisallowUnknownFields()
	r.document()
	if !r.diags.HasErrors() {
		r.fits(family, now)
	}
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	return &r.out, r.diags
}

type reader struct {
	file  *source.File
	dec   *json.Decoder
	head  header
	out   Checkpoint
	seen  map[string]bool // members of the document
	at    []int           // where each window begins in the file
	ids   map[string]bool // of jobs
	diags diag.List
}

// document reads member by member: the place of each job is known then. The two members that
// say what the file is come first, so that a foreign file is called foreign, not wrong.
func (r *reader) document() {
	if !r.delim('{') {
		return
	}
	for r.dec.More() {
		at := r.offset()
		token, err := r.dec.Token()
		name, _ := token.(string)
		if err != nil {
			r.torn()
			return
		}
		if r.seen[name] {
			r.fault(at, "%q is here twice", name)
			return
		}
		r.seen[name] = true
		if len(r.seen) > 2 && !r.ours() {
			return
		}
		if !r.member(name, at) {
			return
		}
	}
	if !r.delim('}') || !r.ours() {
		return
	}
	end := r.offset()
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		r.fault(end, "something follows the end of the state")
		return
	}
	for _, name := range []string{"family", "time", "interval_seconds", "windows", "jobs"} {
		if !r.seen[name] {
			r.fault(0, "the state has no %q", name)
			return
		}
	}
	r.out.Family, r.out.Time, r.out.IntervalSeconds = r.head.Family, r.head.Time, r.head.IntervalSeconds
	r.alignment()
}

// alignment: windows begin at multiples of their length since the epoch, none of them after the state.
// Their length may come after them in the file.
func (r *reader) alignment() {
	for i, w := range r.out.Usage {
		ok := r.check(r.at[i], r.out.IntervalSeconds > 0, "a state without a length of windows has one") &&
			r.check(r.at[i], w.StartTime%r.out.IntervalSeconds == 0, "a window begins at %d, which is no multiple of %d",
				w.StartTime, r.out.IntervalSeconds) &&
			r.check(r.at[i], w.StartTime <= r.out.Time, "a window begins at %d, after the state", w.StartTime)
		if !ok {
			return
		}
	}
}

// member reads one value of the document.
func (r *reader) member(name string, at int) bool {
	switch name {
	case "format_version":
		return r.decode(&r.head.FormatVersion)
	case "kind":
		return r.decode(&r.head.Kind)
	case "family":
		return r.decode(&r.head.Family)
	case "time":
		return r.decode(&r.head.Time) && r.check(at, r.head.Time > 0, "the time of the state is %d", r.head.Time)
	case "interval_seconds":
		return r.decode(&r.head.IntervalSeconds) &&
			r.check(at, r.head.IntervalSeconds >= 0, "windows are %d seconds long", r.head.IntervalSeconds)
	case "windows":
		return r.array(r.window)
	case "jobs":
		return r.array(r.job)
	case "chunk_until":
		return r.decode(&r.out.ChunkUntil) &&
			r.check(at, r.out.ChunkUntil >= 0, "resources are kept until %d", r.out.ChunkUntil)
	case "standing":
		return r.array(r.standing)
	case "last_reset":
		return r.decode(&r.tree().LastReset) &&
			r.check(at, r.tree().LastReset >= 0, "usage was reset at %d", r.tree().LastReset)
	case "associations":
		return r.array(r.used(&r.tree().Associations))
	case "qos":
		return r.array(r.used(&r.tree().QOS))
	}
	if !r.ours() {
		return false
	}
	r.fault(at, "a state has no %q", name)
	return false
}

// ours checks what kind of file it is, once both members for it were read or another has come.
func (r *reader) ours() bool {
	switch {
	case r.head.Kind != kind || !r.seen["format_version"]:
		r.report("state-foreign", 0, "%s is no state file", r.file.Name).
			Note("it is left as it is; name another file, which is made if it does not exist")
	case r.head.FormatVersion != FormatVersion:
		r.report("state-version", r.placeOf("format_version"), "the state is of format version %d, not %d",
			r.head.FormatVersion, FormatVersion).
			Note("use the version of Fairway that wrote it, or start anew with another file")
	default:
		return true
	}
	return false
}

func (r *reader) window(at int) bool {
	var w window
	if !r.decode(&w) || !r.check(at, w.Start >= 0, "a window begins at %d", w.Start) {
		return false
	}
	if !r.check(at, isUsage(w.Total), "a window has a total of %g, which is none", w.Total) {
		return false
	}
	for _, object := range slices.Sorted(maps.Keys(w.Usage)) {
		if !r.check(at, slices.Contains(objects, object), "usage is kept of users, groups and the like, not of %q", object) {
			return false
		}
		for _, name := range slices.Sorted(maps.Keys(w.Usage[object])) {
			if x := w.Usage[object][name]; !r.check(at, isUsage(x), "%s %s has a usage of %g, which is none", object, name, x) {
				return false
			}
		}
	}
	if n := len(r.out.Usage); n > 0 &&
		!r.check(at, r.out.Usage[n-1].StartTime > w.Start, "windows are not listed newest first") {
		return false
	}
	r.at = append(r.at, at)
	r.out.Usage = append(r.out.Usage, snapshot.UsageWindow{StartTime: w.Start, Total: w.Total, Usage: w.Usage})
	return true
}

// objects may have usage: those with fairshare, and the whole scheduler, which Maui's files name too.
var objects = append(slices.Clone(fairshare.Objects[:]), "sched")

func (r *reader) job(at int) bool {
	var j job
	if !r.decode(&j) {
		return false
	}
	ok := r.check(at, j.ID != "", "a job has no id") &&
		r.check(at, !r.ids[j.ID], "job %s is here twice", j.ID) &&
		r.check(at, j.State == Pending || j.State == Held || j.State == Running, "job %s is in state %q, which is none", j.ID,
			j.State) &&
		r.check(at, j.EligibleSeconds >= 0, "job %s was eligible for %d seconds", j.ID, j.EligibleSeconds) &&
		r.check(at, j.Bypass >= 0, "job %s was overtaken %d times", j.ID, j.Bypass) &&
		r.check(at, j.FirstSeen > 0, "job %s was first seen at %d", j.ID, j.FirstSeen) &&
		r.check(at, j.DeferredUntil >= 0, "job %s is deferred until %d", j.ID, j.DeferredUntil) &&
		r.reservation(at, &j)
	r.ids[j.ID] = true
	r.out.Jobs = append(r.out.Jobs, Job(j))
	return ok
}

func (r *reader) standing(at int) bool {
	var s Standing
	if !r.decode(&s) {
		return false
	}
	r.out.Standing = append(r.out.Standing, s)
	return r.check(at, s.Name != "", "a standing reservation has no name") &&
		r.check(at, s.Start > 0, "standing reservation %s began at %d", s.Name, s.Start)
}

// reservation checks what is kept for a job.
func (r *reader) reservation(at int, j *job) bool {
	kept := j.Reservation
	if kept == nil {
		return true
	}
	ok := r.check(at, kept.Start > 0 && kept.End >= kept.Start, "job %s has a reservation from %d to %d", j.ID, kept.Start,
		kept.End) &&
		r.check(at, len(kept.Nodes) > 0, "job %s has a reservation of no nodes", j.ID) &&
		r.check(at, kept.Kind >= 0 && kept.Kind < Kinds, "job %s has a reservation of kind %d, which is none", j.ID, kept.Kind)
	for _, share := range kept.Nodes {
		ok = ok && r.check(at, share.Node != "" && share.Tasks > 0, "job %s has a reservation of %d tasks on node %q", j.ID,
			share.Tasks, share.Node)
	}
	return ok
}

// tree is the account tree, which a state need not have.
func (r *reader) tree() *Tree {
	if r.out.Tree == nil {
		r.out.Tree = &Tree{}
	}
	return r.out.Tree
}

// used reads what associations or QOS have used.
func (r *reader) used(list *[]Used) func(at int) bool {
	names := map[string]bool{}
	return func(at int) bool {
		var u used
		if !r.decode(&u) {
			return false
		}
		ok := r.check(at, u.Name != "", "a record of usage has no name") &&
			r.check(at, !names[u.Name], "%s is here twice", u.Name)
		for _, x := range append([]float64{u.Seconds, u.WallSeconds}, slices.Collect(maps.Values(u.TRES))...) {
			ok = ok && r.check(at, isUsage(x), "%s has a usage of %g, which is none", u.Name, x)
		}
		names[u.Name] = true
		*list = append(*list, Used(u))
		return ok
	}
}

// isUsage: sums and quotients of usage must stay finite.
func isUsage(x float64) bool { return x >= 0 && x <= 1e100 }

// fits refuses a state that belongs to something else.
func (r *reader) fits(family string, now int64) {
	err := r.out.Fits(family, now)
	switch {
	case err == nil:
	case r.out.Family != family:
		r.report("state-family", r.placeOf("family"), "%s", err.Error()).Note("keep one state file for each policy")
	default:
		r.report("state-future", r.placeOf("time"), "%s", err.Error()).
			Note("give the newer snapshot, or the state file that belongs to this one")
	}
}

// placeOf is where a member's name comes first.
func (r *reader) placeOf(name string) int {
	return max(0, strings.Index(string(r.file.Text), `"`+name+`"`))
}

// array reads an array of objects, each with one.
func (r *reader) array(one func(at int) bool) bool {
	if !r.delim('[') {
		return false
	}
	for r.dec.More() {
		if !one(r.offset()) {
			return false
		}
	}
	return r.delim(']')
}

func (r *reader) delim(want json.Delim) bool {
	at := r.offset()
	token, err := r.dec.Token()
	switch got, is := token.(json.Delim); {
	case err != nil:
		r.torn()
	case !is || got != want:
		if r.ours() { // a document that is no object is foreign
			r.fault(at, "expected %q", want.String())
		}
	default:
		return true
	}
	return false
}

// decode reads one value.
func (r *reader) decode(into any) bool {
	at := r.offset()
	err := r.dec.Decode(into)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return true
	case errors.As(err, &wrong) && !r.seen["windows"] && !r.seen["jobs"] && r.head.Kind != kind:
		r.ours()
	case errors.As(err, &wrong):
		r.fault(at, "%s cannot be of type %s", cmp.Or(wrong.Field, "this"), wrong.Value)
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		r.fault(at, "a state has no %s", strings.TrimPrefix(err.Error(), "json: unknown field "))
	default:
		r.torn()
	}
	return false
}

// torn reports text that is no JSON. A file that is cut off, or empty, is torn as well. The
// decoder's own offsets leave out what was read token by token, so the text is scanned anew.
func (r *reader) torn() {
	at, message := len(r.file.Text), "the state ends in the middle"
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal(r.file.Text, &json.RawMessage{}), &syntax) && int(syntax.Offset) < at {
		at, message = max(0, int(syntax.Offset)-1), "the state is no JSON: "+syntax.Error()
	}
	r.report("state-torn", at, "%s", message).
		Note("the file is left as it is; restore it from a backup, or delete it to start anew")
}

func (r *reader) check(at int, ok bool, format string, args ...any) bool {
	if !ok {
		r.fault(at, format, args...)
	}
	return ok
}

func (r *reader) fault(at int, format string, args ...any) {
	r.report("state-value", at, format, args...).Note("correct it, or delete the file to start anew")
}

func (r *reader) report(code string, at int, format string, args ...any) *diag.Diagnostic {
	return r.diags.Errorf(code, r.file.Span(at, at), format, args...)
}

// offset is where the next token begins.
func (r *reader) offset() int {
	at := int(r.dec.InputOffset())
	for at < len(r.file.Text) && strings.IndexByte(" \t\r\n,:", r.file.Text[at]) >= 0 {
		at++
	}
	return at
}
