package source

import (
	"testing"
	"unicode/utf8"
)

func TestPosition(t *testing.T) {
	f := NewFile("f", []byte("ab\nåc\r\n\nx"))
	for _, c := range []struct {
		offset       int
		line, column int
	}{{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 2}, {8, 3, 1}, {9, 4, 1}, {10, 4, 2}, {99, 4, 2}, {-1, 1, 1}} {
		if got := f.Position(c.offset); got != (Position{c.line, c.column}) {
			t.Errorf("offset %d is %v, want %d:%d", c.offset, got, c.line, c.column)
		}
	}
	if got := f.Line(2); got != "åc" {
		t.Errorf("line 2 is %q", got)
	}
	if f.Line(0) != "" || f.Line(5) != "" {
		t.Error("lines outside the file are not empty")
	}
}

func TestSpan(t *testing.T) {
	f := NewFile("f", []byte("hello world"))
	s := f.Span(6, 11)
	if s.Text() != "world" || s.String() != "f:1:7" || s.IsZero() {
		t.Errorf("span is %q at %s", s.Text(), s)
	}
	if got := s.Sub(1, 3).Text(); got != "or" {
		t.Errorf("sub-span is %q", got)
	}
	if f.Span(20, 5).Text() != "" || f.Span(-4, 5).Text() != "hello" {
		t.Error("spans are not clamped to the file")
	}
	var zero Span
	if !zero.IsZero() || zero.Text() != "" || zero.String() != "" || zero.Sub(1, 2) != zero {
		t.Error("the zero span is not nowhere")
	}
}

// Position agrees with counting from the start, for any text and offset.
func FuzzPosition(f *testing.F) {
	f.Add([]byte("a\nb\xff\r\nå"), 3)
	f.Fuzz(func(t *testing.T, text []byte, offset int) {
		file := NewFile("f", text)
		got := file.Position(offset)
		line, start := 1, 0
		end := min(max(offset, 0), len(text))
		for i := range end {
			if text[i] == '\n' {
				line, start = line+1, i+1
			}
		}
		if want := (Position{line, utf8.RuneCount(text[start:end]) + 1}); got != want {
			t.Errorf("offset %d of %q is %v, want %v", offset, text, got, want)
		}
	})
}

func TestShownName(t *testing.T) {
	for _, c := range []struct{ shown, main, path, want string }{
		{"a.conf", "a.conf", "b.conf", "b.conf"},
		{"a.conf", "etc/slurm/a.conf", "etc/slurm/x/b.conf", "x/b.conf"},
		{"a.conf", "etc/slurm/a.conf", "opt/b.conf", "/opt/b.conf"},
		{"/etc/slurm/a.conf", "etc/slurm/a.conf", "etc/slurm/b.conf", "/etc/slurm/b.conf"},
		{"-", "home/x", "home/b.conf", "home/b.conf"},
	} {
		if got := ShownName(c.shown, c.main, c.path); got != c.want {
			t.Errorf("%s beside %s (%s) is shown as %s, want %s", c.path, c.main, c.shown, got, c.want)
		}
	}
}
