package impact

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Verdict says in a few lines what the change does; the first line is for those who read no further.
func (c *Comparison) Verdict() []string {
	s := &c.Summary
	if c.Same() {
		return append([]string{fmt.Sprintf("nothing happens to this queue: %d jobs keep their places", s.Compared)},
			c.unplanned()...)
	}
	var lines []string
	if s.MovedJobs == 0 {
		lines = append(lines, fmt.Sprintf("no job moves: %d jobs keep their places", s.Compared))
	} else {
		lines = append(lines, fmt.Sprintf("%d of %d jobs move (%s): %d up by at most %d, %d down by at most %d; %s of all "+
			"pairs change their order",
			s.MovedJobs, s.Compared, percent(s.Moved), s.Up, s.MaxUp, s.Down, s.MaxDown, percent(s.Swapped)))
	}
	if s.Reprioritised > 0 && s.MovedJobs == 0 {
		lines = append(lines, fmt.Sprintf("%d get another priority", s.Reprioritised))
	}
	if s.Blocked+s.Released+s.OtherBlocks > 0 {
		lines = append(lines, fmt.Sprintf("%d may not start any more, %d may start now, %d are stopped by something else",
			s.Blocked, s.Released, s.OtherBlocks))
	}
	if s.Shares > 0 {
		change := "%d fairshare values change"
		if s.Shares == 1 {
			change = "%d fairshare value changes"
		}
		lines = append(lines, fmt.Sprintf(change, s.Shares))
	}
	if s.Planned {
		lines = append(lines, s.starts())
	}
	lines = append(lines, c.unplanned()...)
	var words []string
	for i, x := range c.Causes {
		if i == 3 {
			words = append(words, "…")
			break
		}
		words = append(words, fmt.Sprintf("%s (%d up, %d down)", x.Part, x.Up, x.Down))
	}
	if len(words) > 0 {
		lines = append(lines, "moved by: "+strings.Join(words, ", "))
	}
	return lines
}

// unplanned says that starts are not compared, so that nobody takes silence for no change.
func (c *Comparison) unplanned() []string {
	if c.Unplanned == "" {
		return nil
	}
	return []string{"starts are not compared: " + c.Unplanned}
}

// starts is what the plans differ in.
func (s *Summary) starts() string {
	if s.Sooner+s.Later+s.LostStart+s.FoundStart == 0 {
		return fmt.Sprintf("all %d planned jobs start when they did", s.Starts) + s.reservations()
	}
	line := fmt.Sprintf("of %d planned jobs", s.Starts)
	if s.Sooner+s.Later > 0 {
		line += fmt.Sprintf(" %d start sooner and %d later (by at most %s; all on average by %s),", s.Sooner, s.Later,
			duration(float64(s.MaxDelaySeconds)), SignedDuration(s.MeanDelaySeconds))
	}
	if s.LostStart+s.FoundStart > 0 {
		line += fmt.Sprintf(" %d have no start any more and %d have one now,", s.LostStart, s.FoundStart)
	}
	return line + fmt.Sprintf(" %d start now instead of %d", s.NewNow, s.OldNow) + s.reservations()
}

// reservations is whose start is no longer kept, which others may then delay.
func (s *Summary) reservations() string {
	if s.LostReservation+s.FoundReservation == 0 {
		return ""
	}
	return fmt.Sprintf("; %d have only an estimate instead of a reservation, and %d the other way round",
		s.LostReservation, s.FoundReservation)
}

// WriteText prints the verdict, who gains and who loses, and then the details: of each table at most so many
// rows, all for 0.
func (c *Comparison) WriteText(w io.Writer, limit int) error {
	var b strings.Builder
	for _, line := range c.Verdict() {
		b.WriteString(source.Plain(line) + "\n")
	}
	c.writeGroups(&b)
	t := table{&b, limit}
	t.write("moves", len(c.Moves), "job\tuser\taccount\tqos\tpartition\trank\tpriority\tplaces\tcause",
		func(i int) string {
			m := &c.Moves[i]
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s → %s\t%d → %d\t%s\t%s", m.ID, m.User, m.Account, m.QOS, m.Partition,
				rank(m.OldRank), rank(m.NewRank), m.OldPriority, m.NewPriority, m.PlacesText(), m.Cause.text(m.Places))
		})
	t.write("blocked and let go", len(c.Blocks), "job\tuser\taccount\tpartition\twas\tis", func(i int) string {
		x := &c.Blocks[i]
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", x.ID, x.User, x.Account, x.Partition, x.Old.Text(), x.New.Text())
	})
	t.write("fairshare", len(c.Shares), "of\tname\twas\tis", func(i int) string {
		x := &c.Shares[i]
		return fmt.Sprintf("%s\t%s\t%s\t%s", x.Kind, x.Name, number(x.Old), number(x.New))
	})
	t.write("starts (UTC)", len(c.Starts), "job\tuser\taccount\tpartition\twas\tis\tlater by", func(i int) string {
		x := &c.Starts[i]
		later := "-"
		if x.Later != nil {
			later = SignedDuration(float64(*x.Later))
		}
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s", x.ID, x.User, x.Account, x.Partition, x.Was(), x.Is(), later)
	})
	_, err := io.WriteString(w, b.String())
	return err
}

// inVerdict bounds the rows of who gains and who loses, so that they are on one screen with the verdict.
const inVerdict = 3

// writeGroups prints of each grouping those that gain most and those that lose most.
func (c *Comparison) writeGroups(b *strings.Builder) {
	var rows []string
	for _, g := range groupings {
		var list []*Group
		for i := range c.Groups {
			if c.Groups[i].By == g.by && c.Groups[i].Name != "" {
				list = append(list, &c.Groups[i])
			}
		}
		for i, x := range list {
			if i < inVerdict || i >= len(list)-inVerdict {
				rows = append(rows, fmt.Sprintf("%s %s\t%d\t%d\t%d\t%+.1f\t%d\t%d\t%s", x.By, x.Name, x.Jobs, x.Up, x.Down, x.Mean,
					x.Blocked, x.Released, SignedDuration(x.Delay)))
			}
		}
	}
	t := table{b, 0}
	t.write("who gains, who loses", len(rows), "of\tjobs\tup\tdown\tplaces each\tblocked\tlet go\tlater by",
		func(i int) string { return rows[i] })
}

type table struct {
	b     *strings.Builder
	limit int
}

// write prints a table with its title; one without rows is left out.
func (t *table) write(title string, rows int, head string, row func(i int) string) {
	if rows == 0 {
		return
	}
	fmt.Fprintf(t.b, "\n%s\n", title)
	w := tabwriter.NewWriter(t.b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "  %s\n", head)
	shown := rows
	if t.limit > 0 {
		shown = min(rows, t.limit)
	}
	for i := range shown {
		fmt.Fprintf(w, "  %s\n", cells(row(i)))
	}
	_ = w.Flush() // to memory
	if shown < rows {
		fmt.Fprintf(t.b, "  … and %d more: --limit 0 shows all\n", rows-shown)
	}
}

func (c *Cause) text(places int32) string {
	switch {
	case c == nil && places == 0:
		return ""
	case c == nil:
		return "others moved around it"
	}
	s := c.Part + " " + Points(c.Change)
	if places != 0 {
		s += ", average " + Points(c.Change-c.Beyond)
	}
	if c.SetBy != "" && c.SetBy != "constant" && c.Source != nil {
		s += fmt.Sprintf(" (%s %s)", c.SetBy, c.Source)
	}
	return s
}

// Text is the state and what stops the job, in words.
func (s *Stopped) Text() string {
	if s.By == "" {
		return s.State
	}
	out := s.State + ": " + s.By
	if s.Source != nil {
		out += " (" + s.Source.String() + ")"
	}
	return out
}

func rank(r int32) string {
	if r == 0 {
		return "-"
	}
	return fmt.Sprint(r)
}

func number(f *float64) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprintf("%.6g", *f)
}

// PlacesText is by how many places the job moves, or that it does not count because one policy alone lets it start.
func (m *Move) PlacesText() string {
	switch m.Change {
	case "blocked":
		return "blocked"
	case "eligible":
		return "let go"
	}
	if m.Places == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", m.Places)
}

func startText(at *int64, by, never, reason string) string {
	switch {
	case at != nil && by == string(backfill.ByEstimate):
		return time.Unix(*at, 0).UTC().Format(time.DateTime) + " (estimate)"
	case at != nil:
		return time.Unix(*at, 0).UTC().Format(time.DateTime)
	case never != "":
		return "never: " + never
	case reason != "":
		return "none: " + reason
	}
	return "-"
}

// percent does not say 100% of what is not all.
func percent(f float64) string {
	if text := fmt.Sprintf("%.3g%%", 100*f); f == 1 || text != "100%" {
		return text
	}
	return "over 99.9%"
}

// duration is [D-]HH:MM:SS, as the schedulers write it.
func duration(seconds float64) string {
	s := int64(math.Round(math.Abs(seconds)))
	text := fmt.Sprintf("%02d:%02d:%02d", s/3600%24, s/60%60, s%60)
	if days := s / 86400; days > 0 {
		text = fmt.Sprintf("%d-%s", days, text)
	}
	return text
}

// SignedDuration is by how much later something is, [D-]HH:MM:SS after its sign.
func SignedDuration(seconds float64) string {
	switch {
	case math.Round(seconds) == 0:
		return "0"
	case seconds < 0:
		return "-" + duration(seconds)
	}
	return "+" + duration(seconds)
}

// Points is a change of a priority. Whole numbers are never cut short by an exponent: Slurm's weights go into the
// millions.
func Points(f float64) string {
	if math.Abs(f) >= 1e6 {
		return fmt.Sprintf("%+.0f", f)
	}
	return fmt.Sprintf("%+.6g", f)
}

// cells is a row of a table whose cells tabs part, each of them plain.
func cells(row string) string {
	list := strings.Split(row, "\t")
	for i, cell := range list {
		list[i] = source.Plain(cell)
	}
	return strings.Join(list, "\t")
}
