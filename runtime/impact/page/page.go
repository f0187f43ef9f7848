// Package page writes what a change does to a queue as one HTML page that needs nothing else: no network, no other
// file. It is read in light and dark, with the keyboard and without a mouse, and without scripts, which only sort.
//
// In: a comparison of two results, and the differences of the settings as text. Out: HTML. Called by the command
// line. Of long lists the page has the first rows, which are the largest changes; JSON has all.
package page

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/report/sheet"
)

// Page is what is shown.
type Page struct {
	Old, New string // what the user calls the two policies
	Verdict  string // of the settings
	Settings []Setting
	Queue    *impact.Comparison // nil without a snapshot
	Charts   []Chart            // of the two plans; none where there are none
}

// Chart is a plan over time, an SVG. It is shown as an image, so that its styles are its own.
type Chart struct {
	Title string
	SVG   []byte
}

// Image is the chart as an address that needs nothing else.
func (c Chart) Image() template.URL {
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(c.SVG))
}

// tile is a number that decides, with what it counts.
type tile struct{ Value, Label, More, Class string }

// tiles are the numbers of the verdict; those that are 0 are dimmed.
func tiles(s *impact.Summary) (list []tile) {
	add := func(value, label, more, class string, zero bool) {
		if zero {
			more, class = "", "zero"
		}
		list = append(list, tile{value, label, more, class})
	}
	count := func(n int, label, more, class string) { add(fmt.Sprint(n), label, more, class, n == 0) }
	count(s.MovedJobs, fmt.Sprintf("of %d jobs move", s.Compared), fmt.Sprintf("%.3g %% of all pairs change their order",
		100*s.Swapped), "")
	count(s.Up, "up", fmt.Sprintf("by at most %d", s.MaxUp), "gain")
	count(s.Down, "down", fmt.Sprintf("by at most %d", s.MaxDown), "loss")
	count(s.Blocked, "may not start any more", "", "loss")
	count(s.Released, "may start now", "", "gain")
	if s.Planned {
		count(s.Sooner, "start sooner", "", "gain")
		count(s.Later, "start later", "by at most "+strings.TrimPrefix(impact.Later(float64(s.MaxDelaySeconds)), "+"), "loss")
		count(s.LostReservation, "lose what is kept for their start", "", "loss")
	}
	return list
}

// Setting is a difference between the policies.
type Setting struct {
	Group, Kind, Name, Old, New string
	OldPlace, NewPlace          string
}

// Rows bounds each table and lines the plot, so that a browser stays quick whatever the queue is.
const (
	Rows  = 500
	lines = 150
)

type (
	table = sheet.Table
	cell  = sheet.Cell
)

var words, sortedBy = sheet.Words, sheet.Sorted

//go:embed page.html
var text string

var page = sheet.New("page", text)

// Write writes the page.
func Write(w io.Writer, p *Page) error {
	data := struct {
		*Page
		Tiles  []tile
		Lines  []string
		Tables []table
		Plot   *plot
	}{Page: p}
	if p.Queue != nil {
		data.Tiles, data.Lines = tiles(&p.Queue.Summary), p.Queue.Notes()
		data.Plot = newPlot(p.Queue)
		data.Tables = queueTables(p.Queue)
	}
	if len(p.Settings) > 0 {
		data.Tables = append(data.Tables, settingsTable(p.Settings))
	}
	return page.Execute(w, data)
}

// captions say of each table what a row is.
var captions = map[string]string{
	"groups": "What happens to the jobs of each user, account, QOS and partition. Places are gained by each of its " +
		"jobs on average, and later starts each that starts at another time.",
	"causes": "The part of the priority that pushed a job most, beyond what it did to the average job.",
	"moves": "Jobs with another place or priority, those that move farthest first. A job that one policy alone " +
		"lets start has no places.",
	"blocks":    "Waiting jobs that one policy alone lets start, or that each stops for something else.",
	"fairshare": "Credentials whose usage counts for something else, the largest changes first.",
	"starts": "Waiting jobs that start at another time, the largest delays first. For an estimate nothing is kept: " +
		"others may still delay it.",
	"settings": "Settings that differ, by what they affect.",
}

// newTable makes a table of its first rows.
func newTable(id, title, head string, total int, row func(i int) []cell) table {
	t := table{ID: id, Title: title, Caption: captions[id], Head: sheet.Columns(head)}
	for i := range min(total, Rows) {
		t.Rows = append(t.Rows, row(i))
	}
	if total > Rows {
		which := "largest"
		if id == "settings" {
			which = "first"
		}
		t.Caption += fmt.Sprintf(" The %d %s of %d; -o json has all.", Rows, which, total)
	}
	return t
}

func number[T int | int32 | int64 | float64](v T) cell {
	return cell{Text: strings.TrimPrefix(impact.Points(float64(v)), "+"), Sort: fmt.Sprint(v)}
}

func signed[T int | int32 | int64 | float64](v T) cell {
	if v == 0 {
		return sortedBy("0", "0")
	}
	return cell{Text: impact.Points(float64(v)), Sort: fmt.Sprint(v)}
}

// later is by how much later something starts, as the text says it.
func later(seconds float64) cell { return sortedBy(impact.Later(seconds), fmt.Sprint(seconds)) }

// rank is a place in the queue; jobs without one come last.
func rank(r int32) cell {
	if r == 0 {
		return sortedBy("–", fmt.Sprint(math.MaxInt32))
	}
	return number(r)
}

// places is by how many places a job moves, or why it does not count.
func places(m *impact.Move) cell { return sortedBy(m.PlacesText(), fmt.Sprint(m.Places)) }

func whole(v int64) cell { return sortedBy(fmt.Sprint(v), fmt.Sprint(v)) }

func known(f *float64) cell {
	if f == nil {
		return sortedBy("–", "-1e300")
	}
	return number(*f)
}

// at is a time with its words; what has none comes last.
func at(epoch *int64, words string) cell {
	if epoch == nil {
		return sortedBy(words, "1e300")
	}
	return sortedBy(words, fmt.Sprint(*epoch))
}

func queueTables(c *impact.Comparison) (out []table) {
	add := func(id, title, head string, total int, row func(i int) []cell) {
		if total > 0 {
			out = append(out, newTable(id, title, head, total, row))
		}
	}
	groups := c.Groups
	if len(groups) > Rows { // those that gain most come first, and those that lose most would be left out
		groups = slices.Clone(groups)
		slices.SortStableFunc(groups, func(a,
			b impact.Group) int {
			return max(b.Places, -b.Places) - max(a.Places, -a.Places)
		})
	}
	add("groups", "Who gains, who loses", "by,name,#jobs,#up,#down,#places each,#blocked,#let go,#starts", len(groups),
		func(i int) []cell {
			g := &groups[i]
			return append(words(g.By, g.Name), number(g.Jobs), number(g.Up), number(g.Down), signed(math.Round(g.Mean*10)/10),
				number(g.Blocked), number(g.Released), later(g.Delay))
		})
	add("causes", "What moves jobs", "part of the priority,#up,#down", len(c.Causes), func(i int) []cell {
		x := &c.Causes[i]
		return append(words(x.Part), number(x.Up), number(x.Down))
	})
	add("moves", "Moves", "job,user,account,QOS,partition,#old rank,#new rank,#places,#old priority,#new "+
		"priority,*cause,@set at", len(c.Moves), func(i int) []cell {
		m := &c.Moves[i]
		row := append(words(m.ID, m.User, m.Account, m.QOS, m.Partition), rank(m.OldRank), rank(m.NewRank), places(m),
			whole(m.OldPriority), whole(m.NewPriority))
		if m.Cause == nil {
			around := ""
			if m.Places != 0 {
				around = "others moved around it"
			}
			return append(row, words(around, "")...)
		}
		place := m.Cause.SetBy
		if m.Cause.Source != nil {
			place += " " + m.Cause.Source.String()
		}
		return append(row, words(m.Cause.Part+" "+impact.Points(m.Cause.Change)+", average "+
			impact.Points(m.Cause.Change-m.Cause.Beyond), strings.TrimSpace(place))...)
	})
	add("blocks", "Blocked and let go", "job,user,account,partition,change,*was,*is", len(c.Blocks), func(i int) []cell {
		b := &c.Blocks[i]
		return words(b.ID, b.User, b.Account, b.Partition, b.Change, b.Old.Text(), b.New.Text())
	})
	add("fairshare", "Fairshare", "of,name,#was,#is", len(c.Shares), func(i int) []cell {
		s := &c.Shares[i]
		return append(words(s.Kind, s.Name), known(s.Old), known(s.New))
	})
	add("starts", "Starts (UTC)", "job,user,account,partition,#was,#is,#change", len(c.Starts), func(i int) []cell {
		s := &c.Starts[i]
		by := sortedBy("–", "1e300")
		if s.Later != nil {
			by = later(float64(*s.Later))
		}
		return append(words(s.ID, s.User, s.Account, s.Partition), at(s.OldStart, s.Was()), at(s.NewStart, s.Is()), by)
	})
	add("lost", "Work lost (processor-hours)", "of,name,#was,#is", len(c.Lost), func(i int) []cell {
		x := &c.Lost[i]
		return append(words(x.By, x.Name), known(&x.Old), known(&x.New))
	})
	return out
}

func settingsTable(list []Setting) table {
	return newTable("settings", "Settings", "affects,kind,setting,*old,*new,@set in old,@set in new", len(list),
		func(i int) []cell {
			s := &list[i]
			return words(s.Group, s.Kind, s.Name, s.Old, s.New, s.OldPlace, s.NewPlace)
		})
}
