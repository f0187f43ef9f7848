package encode

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/source"
)

// FuzzString: whatever bytes a name has, what is written is valid JSON in valid
// UTF-8 on one line and reads back as the name with its faults replaced.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "amy", "a\"b\\c", "\x00\x1f\x7f\n", "\xff\xfe", "é日\u2028\u2029", "\xed\xa0\x80",
		"<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := appendString(nil, s)
		if !utf8.Valid(b) || strings.ContainsAny(string(b), "\n\r") {
			t.Fatalf("%q is written as %q", s, b)
		}
		var back string
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		want := ""
		for _, c := range s { // each invalid byte is one replacement
			want += string(c)
		}
		if back != want {
			t.Fatalf("%q reads back as %q", s, back)
		}
		if p := source.Plain(s); !utf8.ValidString(p) || strings.ContainsRune(p, 0x1b) {
			t.Fatalf("%q is printed as %q", s, p)
		}
	})
}

// FuzzNumber: a double reads back as the same bits, but for a negative zero; those that
// JSON has not are strings or null.
func FuzzNumber(f *testing.F) {
	for _, v := range []float64{0, math.Copysign(0, -1), 1.0 / 3, 1e-7, 1e21, 5e-324, math.MaxFloat64, math.Inf(1),
		math.Inf(-1), math.NaN(), 1 << 53} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		var out strings.Builder
		j := New(&out)
		j.num(v)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		switch s := out.String(); {
		case math.IsNaN(v):
			if s != "null" {
				t.Fatalf("NaN is written as %s", s)
			}
		case math.IsInf(v, 0):
			if s != `"inf"` && s != `"-inf"` || (s == `"inf"`) != (v > 0) {
				t.Fatalf("%v is written as %s", v, s)
			}
		default:
			var back float64
			if err := json.Unmarshal([]byte(s), &back); err != nil || math.Float64bits(back) != math.Float64bits(v+0) {
				t.Fatalf("%v is written as %s and reads back as %v: %v", v, s, back, err)
			}
		}
	})
}

// failing is a writer whose disk is full.
type failing struct{ written int }

func (w *failing) Write(p []byte) (int, error) {
	w.written += len(p)
	return 0, errFull
}

var errFull = errors.New("disk full")

// TestWriteErrorIsKept: the first error of the writer comes out at the end.
func TestWriteErrorIsKept(t *testing.T) {
	w := &failing{}
	if err := Write(w, make([]struct{}, 3*flushBytes)); err != errFull {
		t.Errorf("the error is %v", err)
	}
	if w.written > 2*flushBytes {
		t.Errorf("%d bytes were written after the error", w.written)
	}
}
