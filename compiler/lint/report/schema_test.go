package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/fairway-sched/fairway/compiler/lint/report"
)

// TestSARIFSchema: the log holds by the JSON schema of SARIF 2.1.0, which the library brings. It validates what it has
// read, so nothing may be lost by reading: a property that the standard does not have would be.
func TestSARIFSchema(t *testing.T) {
	for name, in := range map[string]report.Input{"findings": input(), "none": {Version: "1.2.3", Rule: input().Rule}} {
		var b bytes.Buffer
		if err := report.SARIF(&b, in); err != nil {
			t.Fatal(err)
		}
		if err := validSARIF(b.Bytes()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var b bytes.Buffer
	if err := report.SARIF(&b, input()); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range [][2]string{{`"level": "note"`, `"level": "info"`}, {`"ruleIndex"`, `"ruleNumber"`},
		{`"startLine": 1`, `"startLine": 0`}, {`"version": "2.1.0"`, `"version": "2.2"`}} {
		text := strings.Replace(b.String(), wrong[0], wrong[1], 1)
		if text == b.String() || validSARIF([]byte(text)) == nil {
			t.Errorf("%s is not noticed in the place of %s", wrong[1], wrong[0])
		}
	}
}

func validSARIF(text []byte) error {
	log, err := sarif.FromBytes(text)
	if err != nil {
		return err
	}
	again, err := json.Marshal(log)
	if err != nil {
		return err
	}
	for _, run := range log.Runs { // what the library writes empty where nothing was read, against the schema
		run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\n"}
	}
	if err := log.Validate(); err != nil {
		return err
	}
	var was, is any
	if err := errors.Join(json.Unmarshal(text, &was), json.Unmarshal(again, &is)); err != nil {
		return err
	}
	return within(was, is, "")
}

// within reports what is not alike; the second value may have more properties, which are defaults.
func within(a, b any, at string) error {
	switch a := a.(type) {
	case map[string]any:
		b, _ := b.(map[string]any)
		for name, v := range a {
			if err := within(v, b[name], at+"/"+name); err != nil {
				return err
			}
		}
		return nil
	case []any:
		b, _ := b.([]any)
		if len(a) != len(b) {
			return fmt.Errorf("%s has %d elements, read are %d", at, len(a), len(b))
		}
		for i := range a {
			if err := within(a[i], b[i], fmt.Sprintf("%s/%d", at, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if !cmp.Equal(a, b) {
		return fmt.Errorf("%s is %v, read is %v", at, a, b)
	}
	return nil
}

// element is what an element of a document may hold.
type element struct {
	must, may map[string]string // attributes with their values as regular expressions
	children  []string
	text      bool
}

const (
	count  = `[0-9]+`
	anyOf  = `(?s).*`
	some   = `(?s).+`
	moment = `[0-9]+(\.[0-9]+)?`
)

// junitFormat is what the readers of JUnit's reports have in common: the schema of the Jenkins plugin xunit
// (junit-10.xsd).
var junitFormat = map[string]element{
	"": {children: []string{"testsuites"}},
	"testsuites": {may: map[string]string{"name": anyOf, "time": moment, "tests": count, "failures": count,
		"errors": count, "disabled": count},
		children: []string{"testsuite"}},
	"testsuite": {must: map[string]string{"name": some, "tests": count},
		may:      map[string]string{"failures": count, "errors": count, "time": moment, "skipped": count},
		children: []string{"properties", "testcase", "system-out", "system-err"}},
	"testcase": {must: map[string]string{"name": some, "classname": some}, may: map[string]string{"time": moment},
		children: []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"failure":    {may: map[string]string{"message": anyOf, "type": `error|warning`}, text: true},
	"system-out": {text: true},
}

// checkstyleFormat is what Checkstyle's own XMLLogger writes.
var checkstyleFormat = map[string]element{
	"":           {children: []string{"checkstyle"}},
	"checkstyle": {must: map[string]string{"version": `[0-9]+(\.[0-9]+)+`}, children: []string{"file"}},
	"file":       {must: map[string]string{"name": some}, children: []string{"error"}},
	"error": {must: map[string]string{"severity": `ignore|info|warning|error`, "message": some,
		"source": `[A-Za-z][A-Za-z0-9.-]*`},
		may: map[string]string{"line": `[1-9][0-9]*`, "column": `[1-9][0-9]*`}},
}

// TestXMLFormats: no element and no attribute but those that readers know, each with a value of its kind.
func TestXMLFormats(t *testing.T) {
	for _, c := range []struct {
		name   string
		write  func(io.Writer, report.Input) error
		format map[string]element
		wrong  [][2]string
	}{
		{"junit", report.JUnit, junitFormat,
			[][2]string{{`tests="5"`, `tests="five"`}, {`classname=`, `class=`},
				{`<system-out>a note</system-out>`, `<output/>`}, {`type="error"`, `type="fatal"`}}},
		{"checkstyle", report.Checkstyle, checkstyleFormat,
			[][2]string{{`line="1"`, `line="0"`}, {`severity="info"`, `severity="note"`}, {`source="fairway.maui-octal"`, ``},
				{`<checkstyle version="4.3">`, `<checkstyle version="4.3">text`}}},
	} {
		for name, in := range map[string]report.Input{"findings": input(), "none": {Version: "1.2.3", Rule: input().Rule}} {
			var b bytes.Buffer
			if err := c.write(&b, in); err != nil {
				t.Fatal(err)
			}
			if err := validXML(b.String(), c.format); err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			for _, w := range c.wrong {
				text := strings.Replace(b.String(), w[0], w[1], 1)
				if name == "findings" && (text == b.String() || validXML(text, c.format) == nil) {
					t.Errorf("%s: %s is not noticed in the place of %s", c.name, w[1], w[0])
				}
			}
		}
	}
}

func validXML(text string, format map[string]element) error {
	d := xml.NewDecoder(strings.NewReader(text))
	open := []string{""}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		in := open[len(open)-1]
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			e, known := format[name]
			if !known || !slices.Contains(format[in].children, name) {
				return fmt.Errorf("there is no %s in %q", name, in)
			}
			left := maps.Clone(e.must)
			for _, a := range x.Attr {
				pattern, ok := e.must[a.Name.Local]
				if !ok {
					pattern, ok = e.may[a.Name.Local]
				}
				if !ok || !regexp.MustCompile(`^(?:`+pattern+`)$`).MatchString(a.Value) {
					return fmt.Errorf("%s cannot have %s=%q", name, a.Name.Local, a.Value)
				}
				delete(left, a.Name.Local)
			}
			if len(left) > 0 {
				return fmt.Errorf("%s lacks %v", name, slices.Collect(maps.Keys(left)))
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if !format[in].text && strings.TrimSpace(string(x)) != "" {
				return fmt.Errorf("there is text in %q: %s", in, x)
			}
		}
	}
}
