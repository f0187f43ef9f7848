// Package page writes what a change does to a queue as one HTML page that needs nothing else: no network, no
// other file. It is read in light and dark, with the keyboard and without a mouse, and without scripts, which only sort.
//
// In: a comparison of two results, and the differences of the settings as text. Out: HTML. Called by the command
// line. Of long lists the page has the first rows, which are the largest changes; JSON has all.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/runtime/impact"
)

// Page is what is shown.
type Page struct {
	Old, New string // what the user calls the two policies
	Verdict  string // of the settings
	Settings []Setting
	Queue    *impact.Comparison // nil without a snapshot
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

//go:embed page.html
var text string

var page = template.Must(template.New("page").Parse(text))

// Write writes the page.
func Write(w io.Writer, p *Page) error {
	data := struct {
		*Page
		Lines  []string
		Tables []table
		Plot   *plot
	}{Page: p}
	if p.Queue != nil {
		data.Lines = p.Queue.Verdict()
		data.Plot = newPlot(p.Queue)
		data.Tables = queueTables(p.Queue)
	}
	if len(p.Settings) > 0 {
		data.Tables = append(data.Tables, settingsTable(p.Settings))
	}
	return page.Execute(w, data)
}

// table is what the page shows sortable. Head cells that begin with # are numbers.
type table struct {
	ID, Title, Note string
	Head            []column
	Rows            [][]cell
}

type column struct {
	Name   string
	Number bool
}

// cell is a text, and a number to sort by where the text is none.
type cell struct {
	Text string
	Sort string
}

func newTable(id, title, head string, total int, row func(i int) []cell) table {
	t := table{ID: id, Title: title}
	for name := range strings.SplitSeq(head, ",") {
		plain, number := strings.CutPrefix(name, "#")
		t.Head = append(t.Head, column{plain, number})
	}
	for i := range min(total, Rows) {
		t.Rows = append(t.Rows, row(i))
	}
	if total > Rows {
		t.Note = fmt.Sprintf("The %d largest of %d; -o json has all.", Rows, total)
	}
	return t
}

func words(list ...string) (out []cell) {
	for _, s := range list {
		out = append(out, cell{Text: s})
	}
	return out
}

func number[T int | int32 | int64 | float64](v T) cell {
	return cell{Text: strings.TrimSuffix(fmt.Sprintf("%.6g", float64(v)), "+"), Sort: fmt.Sprint(v)}
}

func signed[T int | int32 | int64 | float64](v T) cell {
	return cell{Text: fmt.Sprintf("%+.6g", float64(v)), Sort: fmt.Sprint(v)}
}

// rank is a place in the queue; jobs without one stand last.
func rank(r int32) cell {
	if r == 0 {
		return cell{"–", fmt.Sprint(math.MaxInt32)}
	}
	return number(r)
}

func whole(v int64) cell { return cell{fmt.Sprint(v), fmt.Sprint(v)} }

func known(f *float64) cell {
	if f == nil {
		return cell{"–", "-1e300"}
	}
	return number(*f)
}

func at(epoch *int64, never string) cell {
	if epoch == nil {
		if never != "" {
			never = "never: " + never
		}
		return cell{never, "1e300"}
	}
	return cell{time.Unix(*epoch, 0).UTC().Format(time.DateTime), fmt.Sprint(*epoch)}
}

func queueTables(c *impact.Comparison) (out []table) {
	add := func(id, title, head string, total int, row func(i int) []cell) {
		if total > 0 {
			out = append(out, newTable(id, title, head, total, row))
		}
	}
	groups := c.Groups
	if len(groups) > Rows { // those that gain most stand first, and those that lose most would be left out
		groups = slices.Clone(groups)
		slices.SortStableFunc(groups, func(a, b impact.Group) int { return max(b.Places, -b.Places) - max(a.Places, -a.Places) })
	}
	add("groups", "Who gains, who loses", "by,name,#jobs,#up,#down,#places each,#blocked,#let go,#later by (min)", len(groups), func(i int) []cell {
		g := &groups[i]
		return append(words(g.By, g.Name), number(g.Jobs), number(g.Up), number(g.Down), signed(math.Round(g.Mean*10)/10), number(g.Blocked), number(g.Released), signed(math.Round(g.Delay/6)/10))
	})
	add("causes", "What moves jobs", "part of the priority,#up,#down", len(c.Causes), func(i int) []cell {
		x := &c.Causes[i]
		return append(words(x.Part), number(x.Up), number(x.Down))
	})
	add("moves", "Moves", "job,user,account,QOS,partition,#old rank,#new rank,#places,#old priority,#new priority,cause,set at", len(c.Moves), func(i int) []cell {
		m := &c.Moves[i]
		row := append(words(m.ID, m.User, m.Account, m.QOS, m.Partition), rank(m.OldRank), rank(m.NewRank), signed(m.Places), whole(m.OldPriority), whole(m.NewPriority))
		if m.Cause == nil {
			return append(row, words("others moved around it", "")...)
		}
		place := m.Cause.SetBy
		if m.Cause.Source != nil {
			place += " " + m.Cause.Source.String()
		}
		return append(row, words(fmt.Sprintf("%s %+.6g, average %+.6g", m.Cause.Part, m.Cause.Change, m.Cause.Change-m.Cause.Beyond), strings.TrimSpace(place))...)
	})
	add("blocks", "Blocked and let go", "job,user,account,partition,change,was,is", len(c.Blocks), func(i int) []cell {
		b := &c.Blocks[i]
		return words(b.ID, b.User, b.Account, b.Partition, b.Change, b.Old.Text(), b.New.Text())
	})
	add("fairshare", "Fairshare", "of,name,#was,#is", len(c.Shares), func(i int) []cell {
		s := &c.Shares[i]
		return append(words(s.Kind, s.Name), known(s.Old), known(s.New))
	})
	add("starts", "Starts (UTC)", "job,user,account,partition,#was,#is,#later by (min)", len(c.Starts), func(i int) []cell {
		s := &c.Starts[i]
		later := cell{"–", "1e300"}
		if s.Later != nil {
			later = signed(math.Round(float64(*s.Later)/6) / 10)
		}
		return append(words(s.ID, s.User, s.Account, s.Partition), at(s.OldStart, s.OldNever), at(s.NewStart, s.NewNever), later)
	})
	return out
}

func settingsTable(list []Setting) table {
	t := newTable("settings", "Settings", "affects,kind,setting,old,new,set in old,set in new", len(list), func(i int) []cell {
		s := &list[i]
		return words(s.Group, s.Kind, s.Name, s.Old, s.New, s.OldPlace, s.NewPlace)
	})
	t.Note = strings.Replace(t.Note, "largest", "first", 1)
	return t
}
