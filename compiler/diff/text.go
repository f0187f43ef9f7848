package diff

import (
	"fmt"
	"io"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Verdict says in one sentence what the report holds.
func (r *Report) Verdict() string {
	n := r.Effective()
	if n == 0 && len(r.Differences) == 0 {
		return "no effect: both mean the same"
	}
	if n == 0 {
		return "no effect: names or settings differ from which nothing is computed"
	}
	var parts []string
	for _, g := range Groups {
		k := 0
		for i := range r.Differences {
			if d := &r.Differences[i]; d.Group == g.Group && d.Effective() {
				k++
			}
		}
		if k > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", k, g.Group))
		}
	}
	word := "differences"
	if n == 1 {
		word = "difference"
	}
	return fmt.Sprintf("%d %s: %s", n, word, strings.Join(parts, ", "))
}

// WriteText prints the differences by group, each with both values and both places.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	group := Group("")
	for i := range r.Differences {
		d := &r.Differences[i]
		if d.Group != group {
			group = d.Group
			fmt.Fprintf(&b, "\n%s\n", group)
		}
		b.WriteString("  " + d.line())
		if d.Reason != "" {
			b.WriteString(" (" + plain(d.Reason) + ")")
		}
		b.WriteString("\n")
		if places := d.places(); places != "" {
			b.WriteString("      " + places + "\n")
		}
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// line is a difference in words: what it was and what it is.
func (d *Difference) line() string {
	switch d.Kind {
	case Added:
		return plain("+ " + d.Name + ": " + d.New.Value)
	case Removed:
		return plain("- " + d.Name + ": " + d.Old.Value)
	case Renamed:
		if d.Named {
			return plain("~ " + d.Old.Name + " is now called " + d.New.Name +
				": jobs that name the old one do not find it")
		}
		return plain("= " + d.Old.Name + " is now called " + d.New.Name)
	}
	name := d.Name
	if d.Old.Name != d.New.Name {
		name += ", there " + d.New.Name
	}
	return plain("~ " + name + ": " + d.Old.Value + " → " + d.New.Value)
}

func (d *Difference) places() string {
	var words []string
	for _, s := range []struct {
		word string
		side *Side
	}{{"old", d.Old}, {"new", d.New}} {
		if s.side == nil || s.side.Span.IsZero() {
			continue
		}
		place := s.word + " " + s.side.Span.String()
		if by := s.side.Source; by != "" && by != d.Name && by != s.side.Name {
			place += " (" + by + ")"
		}
		words = append(words, place)
	}
	return plain(strings.Join(words, ", "))
}

// plain is a value on one line, also where the file has it on several.
func plain(s string) string {
	return source.Plain(strings.NewReplacer("\n", " ", "\t", " ").Replace(s))
}
