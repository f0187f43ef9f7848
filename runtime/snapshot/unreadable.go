package snapshot

import (
	"archive/tar"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// unknownFile says of a file given by name why it cannot be read: it is empty, it
// is broken JSON, or it is in no known format.
func (r *reading) unknownFile(name string, text []byte) {
	file := source.NewFile(name, text)
	if len(bytes.TrimSpace(text)) == 0 {
		r.diags.Errorf("snapshot-broken-file", file.Span(0, 0), "the file is empty").
			Note("the command that should have written it printed nothing; of a cluster without jobs, too, each " +
				"prints a header, a sentence or JSON")
		return
	}
	if broken := syntaxErrorIn(text); broken != nil {
		r.brokenJSON(file, broken)
		return
	}
	d := r.diags.Errorf("snapshot-unknown-format", file.Span(0, 0), "the file is in no known snapshot format")
	d.Note("formats are recognised by content; these can be read, packed by gzip or zstd or not, and folders of them " +
		"as tar:")
	for _, o := range format.Origins {
		d.Note("%s: %s", o.Name, o.Accepts)
	}
}

// cutJSON reports a file of a directory whose JSON is cut off before it shows
// what it is: left out with a mere word, half a queue would pass for a whole
// one. JSON that is wrong in the middle is foreign, such as settings with
// comments or a result with the bare word Infinity.
func (r *reading) cutJSON(name string) (bool, error) {
	head, err := r.upTo(name, format.HeadBytes)
	if err != nil || !beginsLikeJSON(head) {
		return false, err
	}
	text, err := r.text(name)
	if err != nil {
		return true, r.unpackable(name, err)
	}
	broken := syntaxErrorIn(text)
	if broken == nil || broken.Offset < len(text) {
		return false, nil
	}
	r.brokenJSON(source.NewFile(name, text), broken)
	return true, nil
}

// mentionRecords warns of a file of a directory that holds records with ids and still looks like none
// that can be read: the queue or the nodes may be in it.
func (r *reading) mentionRecords(name string) bool {
	text, err := r.upTo(name, format.HeadBytes)
	if err != nil {
		return false
	}
	h := format.NewHead(name, text)
	if h.JSON.Open != '[' || !h.JSON.Record["id"] && !h.JSON.Record["name"] {
		return false
	}
	r.diags.Warnf("snapshot-file-skipped", source.NewFile(name, text).Span(0, 0),
		"a list of records is left out, because nothing tells what they are").
		Note("nodes are recognised by procs, classes or avail_procs, jobs of Maui by wclimit and tasks; Fairway's own " +
			"form has format_version").
		Note("move it out of the folder if it is no part of the snapshot")
	return true
}

func (r *reading) brokenJSON(file *source.File, broken *format.BrokenError) {
	r.diags.Errorf("snapshot-broken-file", file.Span(broken.Offset, broken.Offset+1), "%s", broken.Message).
		Note("write the file again, it may have been cut short")
}

// syntaxErrorIn is the first syntax error of a text that begins like JSON, or nil.
func syntaxErrorIn(text []byte) *format.BrokenError {
	if !beginsLikeJSON(text) {
		return nil
	}
	c := &format.Cursor{Text: text}
	for c.Peek() != 0 { // JSON lines are several values
		var broken *format.BrokenError
		if errors.As(c.Skip(), &broken) {
			return broken
		}
	}
	return nil
}

// beginsLikeJSON: an object, or a list of objects. A bracket alone also opens
// sections of INI files and lines of logs.
func beginsLikeJSON(text []byte) bool {
	c := &format.Cursor{Text: text}
	switch c.Peek() {
	case '{':
		return true
	case '[':
		c.At++
		b := c.Peek()
		return b == '{' || b == 0
	}
	return false
}

// unpackable reports a compressed file that cannot be unpacked; any other
// error is given back, being no fault of the content.
func (r *reading) unpackable(name string, err error) error {
	message := ""
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		message = "the compressed file is cut off"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err,
		&corrupt), damagedZstd(err), errors.Is(err, tar.ErrHeader):
		message = "the compressed file is damaged"
	case errors.Is(err, errTooMuch):
		message = "the compressed file unpacks to more than a snapshot can be"
	case errors.Is(err, errSparse):
		message = "the archive holds a sparse file, which may unpack to any length; pack it without --sparse"
	case errors.Is(err, errTwice):
		message = "the archive holds a file twice, and it would depend on who unpacks it which one counts"
	default:
		return err
	}
	r.diags.Errorf("snapshot-broken-file", source.NewFile(name, nil).Span(0, 0), "%s", message).
		Note("nothing is read from it; compress or copy it again (gzip -t and zstd -t check it)")
	return nil
}
