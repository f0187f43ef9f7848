package view

import (
	"io"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/source"
)

// jsonWriter writes JSON as it goes, so that a long queue never stands in
// memory as a tree. Methods chain; the first write error is kept for close.
type jsonWriter struct {
	w     io.Writer
	buf   []byte
	comma bool // a value stands before the next one
	err   error

	places map[source.Span]string // many rows point to one place
}

// flushBytes is the buffered size at which text goes out.
const flushBytes = 1 << 16

func (j *jsonWriter) flush() {
	if j.err == nil {
		_, j.err = j.w.Write(j.buf)
	}
	j.buf = j.buf[:0]
}

// close writes the rest.
func (j *jsonWriter) close() error {
	j.flush()
	return j.err
}

func (j *jsonWriter) separate() {
	if j.comma {
		j.buf = append(j.buf, ',')
	}
	j.comma = true
}

func (j *jsonWriter) open(bracket byte) *jsonWriter {
	j.separate()
	j.buf = append(j.buf, bracket)
	j.comma = false
	return j
}

func (j *jsonWriter) shut(bracket byte) *jsonWriter {
	j.buf = append(j.buf, bracket)
	j.comma = true
	if len(j.buf) >= flushBytes {
		j.flush()
	}
	return j
}

// line ends a line between values, for people who look at the text.
func (j *jsonWriter) line() { j.buf = append(j.buf, '\n') }

// endRecord ends a line of JSON lines: the next value needs no comma.
func (j *jsonWriter) endRecord() {
	j.line()
	j.comma = false
}

func (j *jsonWriter) key(name string) *jsonWriter {
	j.separate()
	j.buf = append(appendString(j.buf, name), ':')
	j.comma = false
	return j
}

func (j *jsonWriter) str(s string) *jsonWriter {
	j.separate()
	j.buf = appendString(j.buf, s)
	return j
}

func (j *jsonWriter) raw(s string) *jsonWriter {
	j.separate()
	j.buf = append(j.buf, s...)
	return j
}

func (j *jsonWriter) null() *jsonWriter { return j.raw("null") }

func (j *jsonWriter) bool(b bool) *jsonWriter { return j.raw(strconv.FormatBool(b)) }

func (j *jsonWriter) int(i int64) *jsonWriter {
	j.separate()
	j.buf = strconv.AppendInt(j.buf, i, 10)
	return j
}

// num writes a double in the shortest form that reads back as the same bits;
// JSON has no infinities, so they are strings, and what is not a number is unknown. A
// negative zero, such as −1 times no nice, is 0.
func (j *jsonWriter) num(f float64) *jsonWriter {
	switch {
	case math.IsNaN(f):
		return j.null()
	case math.IsInf(f, 1):
		return j.raw(`"inf"`)
	case math.IsInf(f, -1):
		return j.raw(`"-inf"`)
	}
	j.separate()
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	j.buf = strconv.AppendFloat(j.buf, f+0, format, -1, 64)
	return j
}

// known writes f, or null if it is not known.
func (j *jsonWriter) known(f float64, ok bool) *jsonWriter {
	if !ok {
		return j.null()
	}
	return j.num(f)
}

// orNull writes s, or null if it is empty.
func (j *jsonWriter) orNull(s string) *jsonWriter {
	if s == "" {
		return j.null()
	}
	return j.str(s)
}

func (j *jsonWriter) strings(list []string) *jsonWriter {
	j.open('[')
	for _, s := range list {
		j.str(s)
	}
	return j.shut(']')
}

// appendString quotes s. Names are data from outside: bytes that are no UTF-8 become
// the replacement character, so that the text is valid whatever came in.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, c := range s { // an invalid byte ranges as RuneError
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case !source.Shown(c):
			for _, u := range utf16.AppendRune(nil, c) {
				b = append(b, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
			}
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}
