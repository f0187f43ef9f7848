package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// conversion is what there is to say of a conversion.
type conversion struct {
	list    diag.List
	errs    diag.List // why nothing could be written, besides what is in the list
	example *example  // nil if there is none
	looked  bool      // for one
	said    []string  // what was not written, though asked for
	all     bool      // each finding is stderr, also where many are alike
}

// newConversion takes what is about the conversion; what is wrong with the file itself is left to check.
func newConversion(found diag.List) *conversion {
	c := &conversion{}
	for _, d := range found {
		switch {
		case strings.HasPrefix(d.Code, "convert-"), d.Code == fileWithoutSettings:
			c.list = append(c.list, d)
		case d.Severity == diag.Error:
			c.errs = append(c.errs, d)
		}
	}
	return c
}

// fileWithoutSettings says that a file is empty: what is written means the defaults, which may not be meant.
const fileWithoutSettings = "file-without-settings"

// emptyFiles are the findings about files without settings.
func emptyFiles(found diag.List) (list diag.List) {
	for _, d := range found {
		if d.Code == fileWithoutSettings {
			list = append(list, d)
		}
	}
	return list
}

func (c *conversion) refused() bool { return c.list.HasErrors() || len(c.errs) > 0 }

func (c *conversion) info(code string, s source.Span, format string, args ...any) *diag.Diagnostic {
	return c.list.Infof(code, s, format, args...)
}

func (c *conversion) warn(code string, s source.Span, format string, args ...any) *diag.Diagnostic {
	return c.list.Warnf(code, s, format, args...)
}

func (c *conversion) say(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

// losses counts the list by what becomes of a setting.
type losses struct {
	Lost         int `json:"lost"`         // no words for it
	Rest         int `json:"rest"`         // in the policy file that is to be pushed
	Approximated int `json:"approximated"` // said in another way
	Incomplete   int `json:"incomplete"`   // to be completed by hand
	LeftOut      int `json:"left_out"`     // nothing is computed from it, or the scheduler passes it over
	Choices      int `json:"choices"`      // to be given as flags
}

func (c *conversion) count() (n losses) {
	for _, d := range c.list {
		switch {
		case d.Code == "convert-not-said":
			n.Lost++
		case d.Code == "convert-rest":
			n.Rest++
		case d.Code == "convert-left-out":
			n.LeftOut++
		case d.Code == "convert-approximated":
			n.Approximated++
		case d.Code == "convert-incomplete":
			n.Incomplete++
		case d.Code == "convert-choice":
			n.Choices++
		}
	}
	return n
}

// differs reports that results can.
func (c *conversion) differs() bool {
	n := c.count()
	return n.Lost+n.Rest+n.Approximated > 0
}

// summary is one sentence on the whole list, "" if all is translated exactly.
func (c *conversion) summary() string {
	n := c.count()
	var parts []string
	add := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(n.Lost, "setting is lost", "settings are lost")
	add(n.Rest, "is in the policy file to be pushed", "are in the policy file to be pushed")
	add(n.Approximated, "is approximated", "are approximated")
	add(n.Incomplete, "is to be completed by hand", "are to be completed by hand")
	add(n.LeftOut, "from which nothing is computed is left out", "from which nothing is computed are left out")
	add(n.Choices, "choice is to be given as flags", "choices are to be given as flags")
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, ", ")
	switch {
	case c.example != nil:
		return text + "; results differ: " + c.example.what
	case c.differs():
		return text + "; results can differ"
	}
	return text
}

// convertList is one way in which the list is written.
type convertList struct{ form, path string }

func convertLists(outputs []string) (lists []convertList, err error) {
	if len(outputs) == 0 {
		outputs = []string{"text"}
	}
	plain := 0
	for _, text := range outputs {
		form, path, _ := strings.Cut(text, "=")
		if form != "text" && form != "json" {
			return nil, failf(exitUsage, "-o is text or json, or json=PATH, not %q", text)
		}
		if path == "" {
			plain++
		}
		lists = append(lists, convertList{form, path})
	}
	if plain > 1 {
		return nil, failf(exitUsage, "two lists go to standard error; write one to a file: -o json=PATH")
	}
	if plain == 0 {
		lists = append(lists, convertList{form: "text"})
	}
	return lists, nil
}

// files are the lists that go to files.
func (c *conversion) files(lists []convertList) (files []written, err error) {
	c.list.Sort()
	for _, l := range lists {
		if l.path != "" {
			var b bytes.Buffer
			if err := c.write(&b, l.form, false); err != nil {
				return nil, err
			}
			files = append(files, written{path: l.path, text: b.Bytes()})
		}
	}
	return files, nil
}

func (c *conversion) write(w io.Writer, form string, colour bool) error {
	if form == "json" {
		return c.writeJSON(w)
	}
	return c.writeText(w, colour)
}

// report writes the list to standard error. The error is the exit code.
func (c *conversion) report(lists []convertList, strict bool) error {
	if len(c.errs) > 0 {
		return complain(c.errs)
	}
	c.list.Sort()
	for _, l := range lists {
		if l.path == "" {
			if err := c.write(os.Stderr, l.form, colourful(os.Stderr)); err != nil {
				return ioError("standard error", err)
			}
		}
	}
	n := c.count()
	if c.list.HasErrors() || n.Lost > 0 || c.example != nil || c.warns() || strict && n != (losses{}) {
		return &exitError{code: exitFindings}
	}
	return nil
}

// warns reports a warning, such as of what the scheduler would refuse.
func (c *conversion) warns() bool {
	return slices.ContainsFunc(c.list, func(d *diag.Diagnostic) bool { return d.Severity == diag.Warning })
}

func (c *conversion) writeText(w io.Writer, colour bool) error {
	var b bytes.Buffer
	list := c.list
	if !c.all {
		list = alike(list)
	}
	if err := diag.WriteText(&b, list, colour); err != nil {
		return err
	}
	for _, text := range c.said {
		fmt.Fprintf(&b, "fairway: %s\n", text)
	}
	switch text := c.summary(); {
	case c.list.HasErrors():
		b.WriteString("fairway: nothing was written\n")
	case text != "":
		fmt.Fprintf(&b, "fairway: %s\n", text)
	}
	if e := c.example; e != nil {
		b.WriteString("fairway: to see it, run these two")
		if e.policy != "" {
			b.WriteString(", " + printed(e.policy))
		}
		if !e.saved {
			fmt.Fprintf(&b, ",\nand the snapshot below as %s (--example writes it)", e.file)
		}
		fmt.Fprintf(&b, ":\n  %s\n  %s\n", e.commands[0], e.commands[1])
		if !e.saved {
			b.Write(e.snapshot)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeJSON writes the findings as every verb does, with the summary and the counter-example before them.
func (c *conversion) writeJSON(w io.Writer) error {
	var b bytes.Buffer
	if err := diag.WriteJSON(&b, c.list); err != nil {
		return err
	}
	type counterExample struct {
		What     string          `json:"what"`
		Commands []string        `json:"commands"`
		File     string          `json:"file"`
		Snapshot json.RawMessage `json:"snapshot"`
	}
	out := struct {
		FormatVersion  int             `json:"format_version"`
		Summary        losses          `json:"summary"`
		CanDiffer      bool            `json:"results_can_differ"`
		Text           string          `json:"text"`
		CounterExample *counterExample `json:"counter_example"`
		Findings       json.RawMessage `json:"findings"`
	}{Summary: c.count(), CanDiffer: c.differs(), Text: c.summary()}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		return err
	}
	if e := c.example; e != nil {
		out.CounterExample = &counterExample{e.what, e.commands, e.file, e.snapshot}
	}
	return source.WriteJSON(w, out)
}
