// Package sheet is what our HTML pages share: how they look in light, in dark and on paper, and tables that a click on
// a head sorts. A page needs nothing else: no network, no other file.
//
// In: a page's own template, and tables. Out: a template that the page executes. Called by the reports that are pages.
package sheet

import (
	_ "embed"
	"html/template"
	"strings"
)

//go:embed sheet.html
var text string

// New is a page's template with those that all pages share: head, table (of a Table) and sort, which comes last.
func New(name, page string) *template.Template {
	return template.Must(template.Must(template.New(name).Parse(text)).Parse(page))
}

// Table is what a page shows sortable.
type Table struct {
	ID, Title, Caption string
	Head               []Column
	Rows               [][]Cell
}

// Column is a head. A long one has sentences, which need room before they are broken into lines; places may be broken
// between folders, so that a long path does not push columns out of sight.
type Column struct {
	Name                string
	Number, Long, Place bool
}

// Cell is a text, and a number to sort by where the text is none.
type Cell struct {
	Text string
	Sort string
}

// Folders are the parts of a place between which it may be broken.
func (c Cell) Folders() []string { return strings.SplitAfter(c.Text, "/") }

// Columns reads heads that are separated by commas. Those that begin with # are numbers, those with * are long, those
// with @ are places.
func Columns(heads string) (list []Column) {
	for name := range strings.SplitSeq(heads, ",") {
		plain, number := strings.CutPrefix(name, "#")
		plain, long := strings.CutPrefix(plain, "*")
		plain, place := strings.CutPrefix(plain, "@")
		list = append(list, Column{plain, number, long, place})
	}
	return list
}

// Words are cells of text.
func Words(list ...string) (out []Cell) {
	for _, s := range list {
		out = append(out, Cell{Text: s})
	}
	return out
}

// Sorted is a cell with what it is sorted by.
func Sorted(text, by string) Cell { return Cell{Text: text, Sort: by} }
