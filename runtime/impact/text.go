package impact

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// Verdict says in a few lines what the change does; the first line is for those who read no further.
func (c *Comparison) Verdict() []string {
	s := &c.Summary
	if c.Same() {
		return append([]string{fmt.Sprintf("nothing happens to this queue: %s %s", counted(s.Compared, "job"),
			form.Plural(s.Compared, "keeps its place", "keep their places"))},
			c.unplanned()...)
	}
	var lines []string
	if s.MovedJobs == 0 {
		lines = append(lines, fmt.Sprintf("no job moves: %s %s", counted(s.Compared, "job"),
			form.Plural(s.Compared, "keeps its place", "keep their places")))
	} else {
		var ways []string
		if s.Up > 0 {
			ways = append(ways, fmt.Sprintf("%d up by at most %s", s.Up, counted(s.MaxUp, "place")))
		}
		if s.Down > 0 {
			ways = append(ways, fmt.Sprintf("%d down by at most %s", s.Down, counted(s.MaxDown, "place")))
		}
		lines = append(lines, fmt.Sprintf("%d of %s %s (%s): %s; %s of all pairs change their order", s.MovedJobs,
			counted(s.Compared, "job"), form.Plural(s.MovedJobs, "moves", "move"), percent(s.Moved), strings.Join(ways, ", "),
			percent(s.Swapped)))
	}
	if s.Reprioritised > 0 && s.MovedJobs == 0 {
		lines = append(lines, fmt.Sprintf("%s another priority", verbed(s.Reprioritised, "job", "gets", "get")))
	}
	if line := sentence(
		clause{s.Blocked, "may not start any more", "may not start any more"},
		clause{s.Released, "may start now", "may start now"},
		clause{s.OtherBlocks, "is stopped by something else", "are stopped by something else"}); line != "" {
		lines = append(lines, line)
	}
	if s.Shares > 0 {
		lines = append(lines, verbed(s.Shares, "fairshare value", "changes", "change"))
	}
	if s.Planned {
		lines = append(lines, s.starts())
	}
	if line := s.lost(); line != "" {
		lines = append(lines, line)
	}
	return append(lines, c.Notes()...)
}

// Notes are what the verdict says beside its numbers: why nothing is planned, and what moves the jobs.
func (c *Comparison) Notes() []string {
	lines := c.unplanned()
	var words []string
	for i, x := range c.Causes {
		if i == 3 {
			words = append(words, "…")
			break
		}
		words = append(words, x.Part+" ("+x.ways()+")")
	}
	if len(words) > 0 {
		lines = append(lines, "causes: "+strings.Join(words, ", "))
	}
	return lines
}

// ways is how many jobs went which way.
func (x *Causes) ways() string {
	var list []string
	if x.Up > 0 {
		list = append(list, fmt.Sprintf("%d up", x.Up))
	}
	if x.Down > 0 {
		list = append(list, fmt.Sprintf("%d down", x.Down))
	}
	return strings.Join(list, ", ")
}

// unplanned says that starts are not compared, so that silence is not taken for no change.
func (c *Comparison) unplanned() []string {
	if c.Unplanned == "" {
		return nil
	}
	return []string{"starts are not compared: " + c.Unplanned}
}

// starts is what the plans differ in.
func (s *Summary) starts() string {
	if s.Sooner+s.Later+s.LostStart+s.FoundStart == 0 {
		return form.Plural(s.Starts, "the one planned job starts when it did",
			fmt.Sprintf("all %d planned jobs start when they did", s.Starts)) + s.reservations()
	}
	var parts []string
	if s.Sooner > 0 {
		parts = append(parts, verbed(s.Sooner, "", "starts sooner", "start sooner"))
	}
	if s.Later > 0 {
		parts = append(parts, verbed(s.Later, "", "starts", "start")+" up to "+duration(float64(s.MaxDelaySeconds))+" later")
	}
	if s.LostStart > 0 {
		parts = append(parts, verbed(s.LostStart, "", "has no start any more", "have no start any more"))
	}
	if s.FoundStart > 0 {
		parts = append(parts, verbed(s.FoundStart, "", "has a start now", "have a start now"))
	}
	line := fmt.Sprintf("of %s ", counted(s.Starts, "planned job")) + strings.Join(parts, ", ")
	if math.Round(s.MeanDelaySeconds) != 0 {
		line += "; on average " + Later(s.MeanDelaySeconds)
	}
	if s.NewNow != s.OldNow {
		line += fmt.Sprintf("; %s at once instead of %d", verbed(s.NewNow, "", "starts", "start"), s.OldNow)
	}
	return line + s.reservations()
}

// reservations is whose start is no longer kept, which others may then delay.
func (s *Summary) reservations() string {
	var line string
	if s.LostReservation > 0 {
		line += "; " + verbed(s.LostReservation, "", "has", "have") + " only an estimate instead of a reservation"
	}
	if s.FoundReservation > 0 {
		line += "; " + verbed(s.FoundReservation, "", "has", "have") + " a reservation instead of an estimate"
	}
	return line
}

// WriteText prints the verdict, who gains and who loses, and then the details: of each table at most so many
// rows, all for 0. Tables fit so many columns of a terminal; 0 is unlimited.
func (c *Comparison) WriteText(w io.Writer, limit, width int) error {
	var b strings.Builder
	for _, line := range c.Verdict() {
		b.WriteString(source.Plain(line) + "\n")
	}
	c.tables(&table{&b, limit, plainTable(width)})
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown is WriteText for the comments of a merge request: the verdict as a list, and tables.
func (c *Comparison) WriteMarkdown(w io.Writer, limit int) error {
	var b strings.Builder
	for i, line := range c.Verdict() {
		line = markdown(line)
		if i == 0 {
			line = "**" + line + "**"
		}
		b.WriteString("- " + line + "\n")
	}
	c.tables(&table{&b, limit, markdownTable})
	_, err := io.WriteString(w, b.String())
	return err
}

// tables writes who gains and who loses, and what happens to jobs and shares.
func (c *Comparison) tables(t *table) {
	c.writeGroups(t)
	if c.Filter != nil && len(c.Filter.By)+len(c.Filter.Where) > 0 {
		fmt.Fprintf(t.b, "\nbelow are the %s that the filter matches, of %d\n", counted(c.Filter.Match, "job"), c.Filter.Of)
	}
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
	t.write("starts (UTC)", len(c.Starts), "job\tuser\taccount\tpartition\twas\tis\tchange", func(i int) string {
		x := &c.Starts[i]
		later := "-"
		if x.Later != nil {
			later = cmp.Or(Later(float64(*x.Later)), later)
		}
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s", x.ID, x.User, x.Account, x.Partition, x.Was(), x.Is(), later)
	})
	t.write("work lost (processor-hours)", len(c.Lost), "of\tname\twas\tis", func(i int) string {
		was, is := c.Lost[i].Text()
		return fmt.Sprintf("%s\t%s\t%s\t%s", c.Lost[i].By, c.Lost[i].Name, was, is)
	})
}

// inVerdict bounds the rows of who gains and who loses, so that they are on one screen with the verdict.
const inVerdict = 3

// writeGroups prints of each grouping those that gain most and those that lose most.
func (c *Comparison) writeGroups(t *table) {
	var list []*Group
	for _, g := range groupings {
		var of []*Group
		for i := range c.Groups {
			if c.Groups[i].By == g.by && c.Groups[i].Name != "" {
				of = append(of, &c.Groups[i])
			}
		}
		for i, x := range of {
			if i < inVerdict || i >= len(of)-inVerdict {
				list = append(list, x)
			}
		}
	}
	columns := slices.DeleteFunc(slices.Clone(groupColumns), func(col groupColumn) bool {
		return col.nothing != "" &&
			!slices.ContainsFunc(list, func(g *Group) bool { return col.of(g) != col.nothing })
	})
	var head []string
	for _, col := range columns {
		head = append(head, col.head)
	}
	all := table{t.b, 0, t.put}
	all.write("who gains, who loses", len(list), strings.Join(head, "\t"), func(i int) string {
		var row []string
		for _, col := range columns {
			row = append(row, col.of(list[i]))
		}
		return strings.Join(row, "\t")
	})
}

// groupColumn is one column of who gains and who loses; one that has nothing in all rows is left out.
type groupColumn struct {
	head    string
	nothing string
	of      func(g *Group) string
}

var groupColumns = []groupColumn{
	{"of", "", func(g *Group) string { return g.By + " " + g.Name }},
	{"jobs", "", func(g *Group) string { return fmt.Sprint(g.Jobs) }},
	{"up", "0", func(g *Group) string { return fmt.Sprint(g.Up) }},
	{"down", "0", func(g *Group) string { return fmt.Sprint(g.Down) }},
	{"places each", "0", func(g *Group) string { return placesEach(g.Mean) }},
	{"blocked", "0", func(g *Group) string { return fmt.Sprint(g.Blocked) }},
	{"let go", "0", func(g *Group) string { return fmt.Sprint(g.Released) }},
	{"starts", "-", func(g *Group) string { return cmp.Or(Later(g.Delay), "-") }},
}

// placesEach is how many places jobs gain on average.
func placesEach(mean float64) string {
	if math.Abs(mean) < 0.05 {
		return "0"
	}
	return fmt.Sprintf("%+.1f", mean)
}

// table writes tables one after another, each of at most so many rows; all for 0.
type table struct {
	b     *strings.Builder
	limit int
	put   func(b *strings.Builder, title, head string, rows []string, left int)
}

// write prints a table with its title; one without rows is left out. Cells are parted by tabs.
func (t *table) write(title string, rows int, head string, row func(i int) string) {
	if rows == 0 {
		return
	}
	shown := rows
	if t.limit > 0 {
		shown = min(rows, t.limit)
	}
	list := make([]string, shown)
	for i := range list {
		list[i] = row(i)
	}
	t.put(t.b, title, head, list, rows-shown)
}

const indent = "  "

func plainTable(width int) func(b *strings.Builder, title, head string, rows []string, left int) {
	return func(b *strings.Builder, title, head string, rows []string, left int) {
		split := make([][]string, len(rows))
		for i, row := range rows {
			split[i] = cells(row, source.Plain)
		}
		g := form.Grid{Rows: len(rows)}
		for k, name := range strings.Split(head, "\t") {
			before := ""
			if k == 0 {
				before = indent
			}
			g.AddUsed(before+name, false, func(row int) string { return before + split[row][k] })
		}
		g.Fit(width)
		fmt.Fprintf(b, "\n%s\n%s", title, g.Text(false))
		if left > 0 {
			fmt.Fprintf(b, indent+"… and %d more: --limit 0 shows all\n", left)
		}
	}
}

func markdownTable(b *strings.Builder, title, head string, rows []string, left int) {
	columns := strings.Split(head, "\t")
	fmt.Fprintf(b, "\n#### %s\n\n| %s |\n|%s\n", strings.ToUpper(title[:1])+title[1:], strings.Join(columns, " | "),
		strings.Repeat("---|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells(row, markdown), " | "))
	}
	if left > 0 {
		fmt.Fprintf(b, "\n… and %d more\n", left)
	}
}

// markdown is a text that Markdown shows as it is: names are others', and may neither mark up nor address anybody.
func markdown(text string) string { return marks.Replace(source.Plain(text)) }

var marks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<",
	"&lt;",
	">", "&gt;", "&", "&amp;", "~", `\~`, "#", `\#`, "@", "&#64;", "!", `\!`, "$", `\$`)

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

// Later says in words by how much later or sooner something starts, such as 02:46:00 later; "" for no change.
func Later(seconds float64) string {
	switch {
	case math.Round(seconds) == 0:
		return ""
	case seconds < 0:
		return duration(seconds) + " sooner"
	}
	return duration(seconds) + " later"
}

// clause is what happens to a number of jobs.
type clause struct {
	n         int
	one, many string
}

// sentence joins the clauses that are of any job.
func sentence(list ...clause) string {
	var parts []string
	for _, c := range list {
		if c.n > 0 {
			what := ""
			if len(parts) == 0 {
				what = "job"
			}
			parts = append(parts, verbed(c.n, what, c.one, c.many))
		}
	}
	return strings.Join(parts, ", ")
}

// verbed is "1 job moves" or "2 jobs move".
func verbed(n int, what, one, many string) string {
	return strings.TrimSuffix(counted(n, what), " ") + " " + form.Plural(n, one, many)
}

// counted is "1 job" or "2 jobs"; without a word the number alone.
func counted[T int | int32](n T, what string) string {
	switch {
	case what == "":
		return fmt.Sprint(n)
	case n == 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Points is a change of a priority. Whole numbers are never cut short by an exponent: Slurm's weights go into the
// millions.
func Points(f float64) string {
	if math.Abs(f) >= 1e6 {
		return fmt.Sprintf("%+.0f", f)
	}
	return fmt.Sprintf("%+.6g", f)
}

// cells are those of a row that tabs part, each as it is shown.
func cells(row string, show func(string) string) []string {
	list := strings.Split(row, "\t")
	for i, cell := range list {
		list[i] = show(cell)
	}
	return list
}
