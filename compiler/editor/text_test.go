package editor

import (
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
)

func textOf(text string) *Text { return newText(source.NewFile("t", []byte(text))) }

// slowPosition counts UTF-16 units from the beginning of the text.
func slowPosition(text string, offset int) (p Position) {
	before := text[:offset]
	normal := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(before)
	if strings.HasSuffix(before, "\r") && strings.HasPrefix(text[offset:], "\n") {
		normal = strings.TrimSuffix(normal, "\n") // within a line end: the end of the line's text
	}
	last := normal[strings.LastIndexByte(normal, '\n')+1:]
	return Position{strings.Count(normal, "\n"), len(utf16.Encode([]rune(last)))}
}

func TestPositions(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		want   Position
	}{
		{"", 0, Position{0, 0}},
		{"a\tb", 2, Position{0, 2}},
		{"é🐢x", 2, Position{0, 1}},
		{"é🐢x", 6, Position{0, 3}},
		{"a\r\nb", 3, Position{1, 0}},
		{"a\r\nb", 2, Position{0, 1}},
		{"a\rb\nc", 4, Position{2, 0}},
		{"a\n", 2, Position{1, 0}},
		{"a\xff\xfeb", 3, Position{0, 3}},
	} {
		if got := textOf(c.text).Position(c.offset); got != c.want {
			t.Errorf("%q at %d: %v, not %v", c.text, c.offset, got, c.want)
		}
	}
	turtle := textOf("🐢\nab\r\n")
	for p, want := range map[Position]int{
		{0, 0}: 0, {0, 1}: 0, {0, 2}: 4, {0, 9}: 4, {1, 1}: 6, {1, 7}: 7, {2, 0}: 9, {9, 9}: 9, {-1, 3}: 0, {0, -3}: 0,
	} {
		if got := turtle.Offset(p); got != want {
			t.Errorf("%v is byte %d, not %d", p, got, want)
		}
	}
}

// TestPositionsRandom compares with a slow twin, and walks there and back.
func TestPositionsRandom(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		pieces := rapid.SampledFrom([]string{"a", "\t", "é", "🐢", "\n", "\r\n", "\r", "\u202e", "日本"})
		text := strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces"), "")
		x := textOf(text)
		w := walk{Text: x}
		for offset := range len(text) + 1 {
			if offset < len(text) && text[offset]&0xc0 == 0x80 {
				continue // within a character
			}
			got, want := x.Position(offset), slowPosition(text, offset)
			if got != want {
				t.Fatalf("%q at %d: %v, not %v", text, offset, got, want)
			}
			inLineEnd := offset > 0 && offset < len(text) && text[offset-1] == '\r' && text[offset] == '\n'
			if back := x.Offset(got); back != offset && !inLineEnd {
				t.Fatalf("%q at %d: back at %d", text, offset, back)
			}
			if walked := w.to(offset); walked != got && !inLineEnd {
				t.Fatalf("%q at %d: walked to %v, not %v", text, offset, walked, got)
			}
		}
	})
}
