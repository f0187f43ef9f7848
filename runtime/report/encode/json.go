// Package encode writes the value of a report as JSON: the fields of structs in their order, under the names of
// their tags.
//
// What is not known is null: a number that is NaN, a nil pointer. Values go out as they come, so that a long
// queue never is in memory as a tree. A bad name never makes the text invalid.
package encode

import (
	"io"
	"math"
	"reflect"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/source"
)

// JSON is a text in the making. Methods chain; the first write error is kept for Close.
type JSON struct {
	w     io.Writer
	buf   []byte
	comma bool // a value is before the next one
	err   error

	places  map[source.Span]string // quoted; many rows point to one place
	numbers [256]number            // those written last
	typ     reflect.Type           // of the struct written last
	plan    []field                // of its fields
}

// number is a double as it is written. Many rows have the same.
type number struct {
	bits uint64
	text [31]byte
	len  uint8
}

// Write writes one value on a line of its own.
func Write(w io.Writer, v any) error {
	j := New(w)
	j.Record(v)
	return j.Close()
}

// New begins a text.
func New(w io.Writer) *JSON { return &JSON{w: w} }

// flushBytes is the buffered size at which text goes out.
const flushBytes = 1 << 16

func (j *JSON) flush() {
	if j.err == nil {
		_, j.err = j.w.Write(j.buf)
	}
	j.buf = j.buf[:0]
}

// Close writes the rest.
func (j *JSON) Close() error {
	j.flush()
	return j.err
}

// Record writes a value as a line of JSON lines.
func (j *JSON) Record(v any) {
	j.Value(v)
	j.buf = append(j.buf, '\n')
	j.comma = false
}

func (j *JSON) separate() {
	if j.comma {
		j.buf = append(j.buf, ',')
	}
	j.comma = true
}

func (j *JSON) open(bracket byte) {
	j.separate()
	j.buf = append(j.buf, bracket)
	j.comma = false
}

func (j *JSON) shut(bracket byte) {
	j.buf = append(j.buf, bracket)
	j.comma = true
	if len(j.buf) >= flushBytes {
		j.flush()
	}
}

// Key begins a member of an object; its value follows.
func (j *JSON) Key(name string) *JSON {
	j.separate()
	j.buf = append(appendString(j.buf, name), ':')
	j.comma = false
	return j
}

func (j *JSON) str(s string) {
	j.separate()
	j.buf = appendString(j.buf, s)
}

func (j *JSON) raw(s string) {
	j.separate()
	j.buf = append(j.buf, s...)
}

func (j *JSON) int(i int64) {
	j.separate()
	j.buf = strconv.AppendInt(j.buf, i, 10)
}

// num writes a double in the shortest form that reads back as the same bits. JSON has no infinities, so they are
// strings. A negative zero, such as −1 times no nice, is 0.
func (j *JSON) num(f float64) {
	switch {
	case math.IsNaN(f):
		j.raw("null")
		return
	case math.IsInf(f, 1):
		j.raw(`"inf"`)
		return
	case math.IsInf(f, -1):
		j.raw(`"-inf"`)
		return
	}
	const exact = 1 << 53
	if n := int64(f); float64(n) == f && n > -exact && n < exact {
		j.int(n)
		return
	}
	j.separate()
	bits := math.Float64bits(f)
	last := &j.numbers[bits*0x9e3779b97f4a7c15>>56]
	if last.bits == bits && last.len > 0 {
		j.buf = append(j.buf, last.text[:last.len]...)
		return
	}
	format := byte('f')
	if a := math.Abs(f); a < 1e-6 || a >= 1e21 {
		format = 'e'
	}
	start := len(j.buf)
	j.buf = strconv.AppendFloat(j.buf, f, format, -1, 64)
	if text := j.buf[start:]; len(text) <= len(last.text) {
		last.bits, last.len = bits, uint8(copy(last.text[:], text))
	}
}

// place writes file:line:column, or null where nothing was written.
func (j *JSON) place(s source.Span) {
	text, ok := j.places[s]
	if !ok {
		if j.places == nil {
			j.places = map[source.Span]string{}
		}
		text = "null"
		if at := s.String(); at != "" {
			text = string(appendString(nil, at))
		}
		j.places[s] = text
	}
	j.raw(text)
}

// appendString quotes s. Names are data from outside: bytes that are no UTF-8 become
// the replacement character, so that the text is valid whatever came in.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	plain := 0
	for plain < len(s) && s[plain] >= ' ' && s[plain] < 0x7f && s[plain] != '"' && s[plain] != '\\' {
		plain++
	}
	b = append(b, s[:plain]...)
	for _, c := range s[plain:] { // an invalid byte ranges as RuneError
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
