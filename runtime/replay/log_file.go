package replay

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
)

// A checkpoint of a replay is a file of lines of JSON: what it is of, each look at the queue, and the hash of these
// lines.

// logKind and logVersion tell a checkpoint from other JSON, and from one of another form.
const (
	logKind    = "fairway-replay"
	logVersion = 1
)

// Origin is what a replay is of: equal ones play the same.
type Origin struct {
	Program string   `json:"program"` // the release of Fairway
	Inputs  []Input  `json:"inputs"`
	Options []string `json:"options"` // as on the command line
}

// Input is a file that was read.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Differs says what is different in another replay; "" if nothing is.
func (o *Origin) Differs(now *Origin) string {
	if o.Program != now.Program {
		return fmt.Sprintf("it was written by Fairway %s, and this is %s", o.Program, now.Program)
	}
	for i := range max(len(o.Inputs), len(now.Inputs)) {
		switch {
		case i == len(o.Inputs):
			return now.Inputs[i].Name + " is not part of it"
		case i == len(now.Inputs):
			return "it is of " + o.Inputs[i].Name + " too"
		case o.Inputs[i].SHA256 != now.Inputs[i].SHA256:
			return now.Inputs[i].Name + " is not " + o.Inputs[i].Name + " as it was then"
		}
	}
	for _, option := range o.Options {
		if !slices.Contains(now.Options, option) {
			return "it is played with " + option
		}
	}
	for _, option := range now.Options {
		if !slices.Contains(o.Options, option) {
			return "it is played without " + option
		}
	}
	return ""
}

// The form of the lines.
type logHead struct {
	Kind    string `json:"kind"`
	Version int    `json:"format_version"`
	Origin
	Nodes []string               `json:"nodes,omitempty"`
	Procs int64                  `json:"procs,omitempty"`
	From  int                    `json:"from"`
	Left  *checkpoint.Checkpoint `json:"left,omitempty"`
}

type logLook struct {
	At      int64                  `json:"at"`
	Keeps   bool                   `json:"keeps,omitempty"`
	Starts  []logStart             `json:"starts,omitempty"`
	Stops   []Stop                 `json:"stops,omitempty"`
	Removed []string               `json:"removed,omitempty"`
	Finds   bool                   `json:"finds,omitempty"`
	Left    *checkpoint.Checkpoint `json:"left,omitempty"`
}

type logStart struct {
	Job   string      `json:"job"`
	By    backfill.By `json:"by"`
	Nodes [][4]int64  `json:"nodes"` // of each the number, tasks, processors and memory in MB
	Names *Names      `json:"names,omitempty"`
}

type logEnd struct {
	SHA256 string `json:"sha256"`
}

// Write writes a checkpoint.
func (l *Log) Write(w io.Writer, of *Origin) error {
	sum := sha256.New()
	out := bufio.NewWriter(w)
	p := logPrinter{out: out, both: io.MultiWriter(out, sum)}
	p.line(p.both, &logHead{logKind, logVersion, *of, l.Nodes, l.Procs, l.From, l.Left})
	for i := range l.Looks {
		p.line(p.both, lineOf(&l.Looks[i]))
	}
	p.line(out, &logEnd{sumText(sum)})
	if p.err != nil {
		return p.err
	}
	return out.Flush()
}

type logPrinter struct {
	out, both io.Writer
	err       error
}

func (p *logPrinter) line(w io.Writer, v any) {
	text, err := json.Marshal(v)
	if err == nil && p.err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if p.err == nil {
		p.err = err
	}
}

func sumText(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

func lineOf(l *Look) *logLook {
	did := l.did()
	out := &logLook{At: l.At, Keeps: l.Keeps, Stops: did.Stops, Removed: did.Removed, Finds: l.Finds, Left: l.Left}
	for i := range did.Starts {
		s := &did.Starts[i]
		start := logStart{s.Job, s.By, make([][4]int64, len(s.Nodes)), s.Names}
		for k, n := range s.Nodes {
			start.Nodes[k] = [4]int64{int64(n.Node), n.Tasks, n.Procs, n.MemMB}
		}
		out.Starts = append(out.Starts, start)
	}
	return out
}

// ReadLog reads a checkpoint. The log is nil if the list has an error.
func ReadLog(f *source.File) (*Log, *Origin, diag.List) {
	r := &logReader{file: f, rest: f.Text, log: &Log{}}
	of := r.read()
	if r.diags.HasErrors() {
		return nil, nil, r.diags
	}
	return r.log, of, nil
}

type logReader struct {
	file  *source.File
	rest  []byte
	log   *Log
	diags diag.List
}

func (r *logReader) read() *Origin {
	var head logHead
	var kind struct {
		Kind    string `json:"kind"`
		Version int    `json:"format_version"`
	}
	line, _ := r.line()
	if json.Unmarshal(line, &kind) != nil || kind.Kind != logKind {
		r.fault("replay-checkpoint-foreign", "%s is no checkpoint of a replay", r.file.Name).
			Note("--checkpoint FILE of `fairway replay` writes one when the replay is interrupted")
		return nil
	}
	if kind.Version != logVersion {
		r.fault("replay-checkpoint-foreign", "the checkpoint is of format version %d, not %d", kind.Version, logVersion).
			Note("go on with the version of Fairway that wrote it, or play from the beginning")
		return nil
	}
	if !r.decode(line, &head) {
		return nil
	}
	end := bytes.LastIndexByte(bytes.TrimSuffix(r.file.Text, []byte("\n")), '\n') + 1
	var last logEnd
	sum := sha256.Sum256(r.file.Text[:end])
	if json.Unmarshal(r.file.Text[end:], &last) != nil || last.SHA256 != hex.EncodeToString(sum[:]) {
		r.torn("the checkpoint is not as it was written: its end is missing, or it was changed")
		return nil
	}
	r.log.Nodes, r.log.Procs, r.log.From, r.log.Left = head.Nodes, head.Procs, head.From, head.Left
	for len(r.rest) > len(r.file.Text)-end {
		line, _ := r.line()
		var look logLook
		if !r.decode(line, &look) || !r.look(&look) {
			return nil
		}
	}
	if head.From < 0 || head.From > len(r.log.Looks) || !sound(head.Left) {
		r.torn("the checkpoint has no look number %d to go on from", head.From)
	}
	return &head.Origin
}

// line takes the next line.
func (r *logReader) line() (line []byte, more bool) {
	line, r.rest, more = bytes.Cut(r.rest, []byte("\n"))
	return line, more
}

func (r *logReader) decode(line []byte, into any) bool {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		r.torn("a line of the checkpoint cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
		return false
	}
	return true
}

// look takes a look.
func (r *logReader) look(l *logLook) bool {
	did := &Did{Stops: l.Stops, Removed: l.Removed}
	for i := range l.Starts {
		s := &l.Starts[i]
		start := Start{Job: s.Job, By: s.By, Names: s.Names}
		for _, n := range s.Nodes {
			if n[0] < 0 || n[0] >= int64(len(r.log.Nodes)) || n[1] < 0 || n[1] > mostTasks || n[2] < 0 || n[3] < 0 {
				r.torn("job %s starts on node %d with %d tasks, and the machine has %d nodes", s.Job, n[0], n[1],
					len(r.log.Nodes))
				return false
			}
			start.Nodes = append(start.Nodes, backfill.Share{Node: int32(n[0]), Tasks: n[1], Procs: n[2], MemMB: n[3]})
		}
		did.Starts = append(did.Starts, start)
	}
	if !sound(l.Left) {
		r.torn("what the look at %d begins with is none", l.At)
		return false
	}
	look := Look{At: l.At, Keeps: l.Keeps, Finds: l.Finds, Left: l.Left}
	if len(did.Starts)+len(did.Stops)+len(did.Removed) > 0 {
		look.Did = did
	}
	r.log.Looks = append(r.log.Looks, look)
	return true
}

// mostTasks is more than any node has.
const mostTasks = 1 << 24

// sound reports what an evaluation can begin with.
func sound(c *checkpoint.Checkpoint) bool {
	if c == nil {
		return true
	}
	return !slices.ContainsFunc(c.Jobs, func(j checkpoint.Job) bool {
		kept := j.Reservation
		return kept != nil && (kept.Kind < 0 || kept.Kind >= checkpoint.Kinds)
	})
}

func (r *logReader) torn(format string, args ...any) {
	r.fault("replay-checkpoint-torn", format, args...).Note("play from the beginning, without --resume")
}

// fault reports what is wrong with the line that was read last.
func (r *logReader) fault(code, format string, args ...any) *diag.Diagnostic {
	read := r.file.Text[:len(r.file.Text)-len(r.rest)]
	at := bytes.LastIndexByte(bytes.TrimSuffix(read, []byte("\n")), '\n') + 1
	return r.diags.Errorf(code, r.file.Span(at, at), format, args...)
}
