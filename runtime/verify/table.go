package verify

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// TableOptions say how much a table shows.
type TableOptions struct {
	Limit int  // most lines of differences; 0 for all
	All   bool // list explained numbers one by one, too
}

// WriteTable writes a report for people: what was compared, what differs, and what explains it.
func WriteTable(w io.Writer, r *Report, o TableOptions) error {
	var b bytes.Buffer
	p := r.Result.Program
	name := p.Policy
	if facts := r.Result.Facts; facts.Database {
		name = strings.TrimSpace(facts.Title + " " + p.Version)
	}
	fmt.Fprintf(&b, "%s, %s; snapshot of %s\n\n", name, p.Semantics, clockText(r.CapturedAt))
	writeChecks(&b, r)
	open, explained := split(r.Differences)
	if len(open) > 0 {
		b.WriteString("\ndiffers\n")
		writeDifferences(&b, open, o.Limit)
	}
	few := r.fewDigits(len(explained))
	if len(explained)+few > 0 {
		b.WriteString("\nexplained\n")
		if few > 0 {
			fmt.Fprintf(&b, "%s: %s\n  %s\n", fewDigits.Name, numbers(few), fewDigits.Doc)
		}
		if o.All && len(explained) > 0 {
			writeDifferences(&b, explained, o.Limit)
		} else {
			writeCauses(&b, explained)
		}
	}
	b.WriteString("\n" + r.verdict() + "\n")
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func writeChecks(b *bytes.Buffer, r *Report) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "compared\tnumbers\tequal\texplained\tdifferent\tcomputed")
	for i := range r.Checks {
		k := &r.Checks[i]
		fmt.Fprintf(t, "%s\t%7d\t%5d\t%9d\t%9d\t%s\n", k.Of, k.Compared, k.Equal, k.Explained, k.Different,
			k.Pass.text(r.CapturedAt))
	}
	_ = t.Flush() // to memory
	for i := range r.Checks {
		for _, s := range r.Checks[i].Skipped {
			fmt.Fprintf(b, "not compared, of %s: %d; %s\n", r.Checks[i].Of, s.Count, s.Why)
		}
	}
}

// text says when numbers were computed and how that is known.
func (p Pass) text(captured int64) string {
	switch {
	case p == Pass{}:
		return ""
	case !p.Sought:
		return clockText(p.Time)
	case p.Telling == 0:
		return "at any time"
	}
	text := clockText(p.Time)
	switch d := captured - p.Time; {
	case d > 0:
		text += ", " + secondsText(d) + " before the snapshot"
	case d < 0:
		text += ", " + secondsText(-d) + " after the snapshot began"
	}
	return text + fmt.Sprintf(" (%d of %d numbers say so)", p.Votes, p.Telling)
}

func split(list []Difference) (open, explained []Difference) {
	for _, d := range list {
		if d.Benign() {
			explained = append(explained, d)
		} else {
			open = append(open, d)
		}
	}
	return open, explained
}

func writeDifferences(b *bytes.Buffer, list []Difference, limit int) {
	shown := list
	if limit > 0 {
		shown = list[:min(limit, len(list))]
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "in\tof\tpartition\tnumber\tprinted\tours\toff\tcause")
	why := ""
	for i := range shown {
		d := &shown[i]
		cause := "none found"
		if d.Cause != nil {
			cause = d.Cause.Name
			if d.Why != "" && d.Why != why {
				cause += ": " + d.Why
			}
		}
		why = d.Why
		printed, ours, off := d.texts()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", d.Check, d.of(), d.Partition, d.Field, printed, ours, off, cause)
	}
	_ = t.Flush()
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintf(b, "and %d more; --limit 0 shows all\n", n)
	}
}

func (d *Difference) of() string {
	if d.Association != "" {
		return d.Association
	}
	return d.Job
}

// texts are the numbers as people compare them.
func (d *Difference) texts() (printed, ours, off string) {
	if d.Words != [2]string{} {
		return d.Words[0], d.Words[1], ""
	}
	return number(d.Recorded), number(d.Computed), signed(d.Computed - d.Recorded)
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 9, 64)
}

func signed(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		text = strconv.FormatFloat(x, 'f', 0, 64)
	}
	if x > 0 {
		text = "+" + text
	}
	return text
}

// writeCauses has a paragraph for each cause, with some of what it explains.
func writeCauses(b *bytes.Buffer, list []Difference) {
	const some = 8
	for _, c := range Causes() {
		n := 0
		var of []string
		for i := range list {
			if list[i].Cause.Name != c.Name {
				continue
			}
			n++
			if name := list[i].of(); !slices.Contains(of, name) {
				of = append(of, name)
			}
		}
		if n == 0 {
			continue
		}
		more := ""
		if len(of) > some {
			more = fmt.Sprintf(" and %d more", len(of)-some)
			of = of[:some]
		}
		fmt.Fprintf(b, "%s: %s, of %s%s\n  %s\n", c.Name, numbers(n), strings.Join(of, " "), more, c.Doc)
	}
}

// fewDigits counts what is explained and not listed.
func (r *Report) fewDigits(listed int) int {
	n := -listed
	for i := range r.Checks {
		n += r.Checks[i].Explained
	}
	return n
}

// verdict is the last line.
func (r *Report) verdict() string {
	var compared, explained, different int
	for i := range r.Checks {
		k := &r.Checks[i]
		compared, explained, different = compared+k.Compared, explained+k.Explained, different+k.Different
	}
	switch {
	case compared == 0:
		return "nothing could be compared"
	case different > 0:
		return fmt.Sprintf("%d of %s differ", different, numbers(compared))
	case explained > 0:
		return fmt.Sprintf("clean: %s, %d of them explained", numbers(compared), explained)
	}
	return "clean: " + numbers(compared)
}

func numbers(n int) string {
	if n == 1 {
		return "1 number"
	}
	return strconv.Itoa(n) + " numbers"
}

// String is the difference in one line.
func (d *Difference) String() string {
	printed, ours, off := d.texts()
	text := d.Check + " " + d.of()
	if d.Partition != "" {
		text += " in " + d.Partition
	}
	text += ": " + d.Field + " was printed as " + printed + " and is " + ours + " here"
	if off != "" {
		text += ", " + off
	}
	if d.Cause != nil {
		text += "; " + d.Cause.Name + ": " + d.Why
	}
	return text
}
