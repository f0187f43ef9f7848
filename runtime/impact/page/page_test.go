package page_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/impact/page"
)

// queue is a comparison in which n jobs move, of users with hostile names.
func queue(n int) *impact.Comparison {
	c := &impact.Comparison{Summary: impact.Summary{Compared: n, MovedJobs: n, OldRanked: n, NewRanked: n, Up: n / 2,
		Down: n - n/2}}
	for i := range n {
		m := impact.Move{OldRank: int32(i + 1), NewRank: int32(n - i), Places: int32(2*i + 1 - n), OldPriority: int64(i),
			NewPriority: int64(n - i)}
		if m.Places == 0 {
			m.Places = 1
		}
		m.Job = impact.Job{ID: fmt.Sprint(i), User: `<script>alert("x")</script>`, Account: "a&b", Partition: `"q'`}
		m.Cause = &impact.Cause{Part: "age", Change: 1.5, SetBy: "PriorityWeightAge",
			Source: &impact.Place{File: "slurm.conf", Line: 1, Column: 2}}
		c.Moves = append(c.Moves, m)
		c.Starts = append(c.Starts, impact.Start{Job: m.Job, NewNever: "it asks for <too> much"})
		c.Blocks = append(c.Blocks, impact.Block{Job: m.Job, Change: "blocked",
			New: impact.Stopped{State: "blocked", By: "MAXJOB of user <b>"}})
	}
	return c
}

func write(t *testing.T, p *page.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var settings = []page.Setting{{Group: "priority", Kind: "changed", Name: "PriorityWeightAge", Old: "1", New: "<2>",
	OldPlace: "a:1:1"}}

// A page needs nothing else: no address, no file, and a policy that forbids what is not in it.
func TestSelfContained(t *testing.T) {
	text := write(t, &page.Page{Old: "old.conf", New: "new.conf", Verdict: "1 difference", Settings: settings,
		Queue: queue(20), Charts: []page.Chart{{Title: "before", SVG: []byte("<svg/>")}}})
	if found := regexp.MustCompile(`(?i)https?:|//cdn|\bsrc="[^d]|@import|url\(|<link`).FindString(text); found != "" {
		t.Errorf("the page asks for something else: %s", found)
	}
	for _, want := range []string{`default-src 'none'`, `<html lang="en">`, `prefers-color-scheme: dark`, `aria-sort`,
		`<main>`, `id="moves"`, `id="starts"`, `id="blocks"`, `id="settings"`, `role="img"`,
		`src="data:image/svg&#43;xml;base64,PHN2Zy8&#43;"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// Names of users are text everywhere.
func TestEscaped(t *testing.T) {
	text := write(t, &page.Page{Old: `<img src=x>`, New: "new", Verdict: "v", Settings: settings, Queue: queue(20)})
	if strings.Contains(text, "<script>alert") || strings.Contains(text, "<img") || strings.Contains(text, "<too>") ||
		strings.Contains(text, "<2>") {
		t.Error("a name became markup")
	}
	if !strings.Contains(text, "&lt;script&gt;alert") {
		t.Error("the name is not shown")
	}
}

// Every element is closed, and every row has as many cells as its table has heads.
func TestWellFormed(t *testing.T) {
	text := write(t, &page.Page{Old: "old", New: "new", Verdict: "v", Settings: settings, Queue: queue(30)})
	body := text[strings.Index(text, "<main>") : strings.Index(text, "</main>")+len("</main>")]
	d := xml.NewDecoder(strings.NewReader(body))
	d.Entity = xml.HTMLEntity
	heads, cells, tables := 0, 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "table":
				heads = 0
				tables++
			case "th":
				heads++
			case "tr":
				cells = 0
			case "td":
				cells++
			}
		case xml.EndElement:
			if e.Name.Local == "tr" && cells > 0 && cells != heads {
				t.Fatalf("%d cells under %d heads", cells, heads)
			}
		}
	}
	if tables < 4 {
		t.Errorf("%d tables", tables)
	}
}

// A queue of 100000 jobs makes no larger page than one of thousands: the largest moves are in it, and it says so.
func TestLargeQueue(t *testing.T) {
	text := write(t, &page.Page{Old: "old", New: "new", Verdict: "v", Queue: queue(100_000)})
	if len(text) > 1<<20 {
		t.Errorf("the page has %d bytes", len(text))
	}
	if n := strings.Count(text, "<path "); n == 0 || n > 150 {
		t.Errorf("%d lines in the plot", n)
	}
	if n := strings.Count(text, "<tr>"); n > 3*(page.Rows+1) {
		t.Errorf("%d rows", n)
	}
	if !strings.Contains(text, "The 500 largest of 100000; -o json has all.") {
		t.Error("the page does not say that it leaves rows out")
	}
}

// Of many jobs a sample is drawn in which both sides are seen, also where all that move farthest lose, and that reaches
// from the first rank to the last.
func TestSample(t *testing.T) {
	c := &impact.Comparison{Summary: impact.Summary{Compared: 100_000, OldRanked: 100_000, NewRanked: 100_000}}
	for i := range 100_000 {
		m := impact.Move{OldRank: int32(i + 1), NewRank: int32(i), Places: 1}
		if i%100 == 0 { // one in a hundred loses by far
			m.NewRank, m.Places = int32(min(i+5000, 100_000)), -5000
		}
		c.Moves = append(c.Moves, m)
	}
	slices.SortStableFunc(c.Moves, func(a, b impact.Move) int { return int(a.Places) - int(b.Places) })
	text := write(t, &page.Page{Old: "old", New: "new", Verdict: "v", Queue: c})
	up, down := strings.Count(text, `<path class="up"`), strings.Count(text, `<path class="down"`)
	if up+down != 150 || up < 30 || down < 30 || up < down {
		t.Errorf("%d lines go up and %d down", up, down)
	}
	if !strings.Contains(text, "A sample of 150 of the 100000 jobs that move") {
		t.Error("the page does not say that it draws a sample")
	}
	last := regexp.MustCompile(`<title>job  of : rank (\d+)`).FindAllStringSubmatch(text, -1)
	if n, _ := strconv.Atoi(last[len(last)-1][1]); n < 95_000 {
		t.Errorf("the last job drawn stood at %d", n)
	}
}

// Every table says what its rows are.
func TestCaptions(t *testing.T) {
	text := write(t, &page.Page{Old: "old", New: "new", Verdict: "v", Settings: settings, Queue: queue(30)})
	if tables, captions := strings.Count(text, "<table>"),
		regexp.MustCompile(`<caption><span>[A-Z][^<]+\.</span></caption>`).
			FindAllString(text, -1); tables != len(captions) || tables < 4 {
		t.Errorf("%d tables have %d captions", tables, len(captions))
	}
}

// Words and numbers are not broken in the middle to fit a column: the table scrolls.
func TestNoBreakInWords(t *testing.T) {
	text := write(t, &page.Page{Old: "old", New: "new", Verdict: "v", Queue: queue(3)})
	style := text[strings.Index(text, "<style>"):strings.Index(text, "</style>")]
	for _, rule := range regexp.MustCompile(`(?m)^[^\n]*anywhere[^\n]*$`).FindAllString(style, -1) {
		if !strings.HasPrefix(rule, "h1 ") {
			t.Errorf("cells break anywhere: %s", rule)
		}
	}
}

// Without a snapshot there are the settings alone, and without differences the verdict.
func TestSettingsAlone(t *testing.T) {
	text := write(t, &page.Page{Old: "old", New: "new", Verdict: "1 difference: 1 in priority", Settings: settings})
	if strings.Contains(text, "<svg") || strings.Contains(text, `id="moves"`) ||
		!strings.Contains(text, "PriorityWeightAge") {
		t.Error("a page of settings alone has other parts")
	}
	if text = write(t, &page.Page{Old: "old", New: "new", Verdict: "no effect"}); strings.Contains(text, "<table") ||
		!strings.Contains(text, "no effect") {
		t.Error("a page without differences has tables")
	}
}

// At the width of a small screen no column is pushed out of sight: heads of numbers are broken between their words,
// which is said with more weight than that numbers are not, and places between folders.
func TestNarrow(t *testing.T) {
	c := queue(20)
	c.Moves[0].Cause.Source = &impact.Place{File: "conf/site/<slurm>.conf", Line: 1, Column: 2}
	deep := []page.Setting{{Group: "priority", Name: "PriorityWeightAge", OldPlace: "conf/a:1:1", NewPlace: "b:1:1"}}
	text := write(t, &page.Page{Old: "old.conf", New: "new.conf", Settings: deep, Queue: c})
	if !regexp.MustCompile(`(?m)^th\.n \{[^}]*white-space: normal`).MatchString(text) {
		t.Error("heads of numbers are not broken into lines")
	}
	for _, want := range []string{`<td>PriorityWeightAge conf/<wbr/>site/<wbr/>&lt;slurm&gt;.conf:1:2<wbr/></td>`,
		`<td>conf/<wbr/>a:1:1<wbr/></td>`, `<td>b:1:1<wbr/></td>`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// The numbers of the verdict are tiles, those that are 0 dimmed; who is stopped leaves the flow of ranks.
func TestTilesAndLanes(t *testing.T) {
	c := queue(3)
	c.Summary.Blocked = 1
	c.Blocks = append(c.Blocks, impact.Block{Job: impact.Job{ID: "77", User: "ana"}, OldRank: 2, Change: "blocked"},
		impact.Block{Job: impact.Job{ID: "78", User: "bo"}, NewRank: 1, Change: "eligible"})
	text := write(t, &page.Page{Old: "old", New: "new", Verdict: "v", Queue: c})
	for _, want := range []string{`<li><b>3</b> of 3 jobs move`, `<li class="gain"><b>1</b> up`,
		`<li class="loss"><b>1</b> may not start any more`,
		`<li class="zero"><b>0</b> may start now</li>`, `<path class="stop"`, `job 77 of ana: rank 2, may not start any more`,
		`<path class="go"`, `job 78 of bo: may start now, rank 1`, `>stopped</text>`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}
