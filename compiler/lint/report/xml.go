package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

type checkstyle struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr,omitempty"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// Checkstyle writes the XML of the program of that name: a file, and in it its findings.
func Checkstyle(w io.Writer, in Input) error {
	out := checkstyle{Version: "4.3"}
	names, found := in.files()
	for _, name := range names {
		f := checkstyleFile{Name: source.Plain(name)}
		for _, d := range found[name] {
			e := checkstyleError{Severity: d.Severity.String(), Message: whole(d, "; "), Source: "fairway." + d.Code}
			if p := diag.PlaceOf(d.Span); p != nil {
				e.Line, e.Column = p.Line, p.Column
			}
			f.Errors = append(f.Errors, e)
		}
		out.Files = append(out.Files, f)
	}
	return WriteXML(w, out)
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a suite for each file: a failed case for each error and warning, a passed one with the
// text as output for each info, and one passed case for a file without findings.
func JUnit(w io.Writer, in Input) error {
	out := junitSuites{Name: "fairway lint"}
	names, found := in.files()
	for _, name := range names {
		s := junitSuite{Name: source.Plain(name), Time: "0"}
		for _, d := range found[name] {
			c := junitCase{Name: d.Code, Class: s.Name, Time: "0"}
			if p := diag.PlaceOf(d.Span); p != nil {
				c.Name = fmt.Sprintf("%s %d:%d", d.Code, p.Line, p.Column)
			}
			if text := whole(d, "\n"); d.Severity == diag.Info {
				c.Out = text
			} else {
				c.Failure = &junitFailure{Message: source.PlainLines(d.Message), Type: d.Severity.String(), Text: text}
				s.Failures++
			}
			s.Cases = append(s.Cases, c)
		}
		if len(s.Cases) == 0 {
			s.Cases = append(s.Cases, junitCase{Name: "no findings", Class: s.Name, Time: "0"})
		}
		s.Tests = len(s.Cases)
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Suites = append(out.Suites, s)
	}
	return WriteXML(w, out)
}

// WriteXML writes a document.
func WriteXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
