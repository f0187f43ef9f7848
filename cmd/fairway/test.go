package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/cmd/runner"
	"github.com/fairway-sched/fairway/compiler/lint/report"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

const testSuffix = ".fairwaytest.hcl"

func newTest() *cobra.Command {
	var junit string
	var verbose, coverage bool
	cmd := &cobra.Command{
		Use: "test [PATH...]",
		RunE: func(_ *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				paths = []string{"."}
			}
			files, err := filesBelow(paths, isTest)
			if err != nil {
				return err
			}
			if len(files) == 0 {
				return failf(exitUsage, "no *%s below %s", testSuffix, strings.Join(paths, ", "))
			}
			var opened reads
			var seen *runner.Coverage
			if coverage {
				seen = &runner.Coverage{}
			}
			suites, err := runTests(&disk{&opened}, files, verbose, seen)
			if err != nil {
				return err
			}
			if err := nothingWritten([]use{{what: "--junit", path: junit}}, opened.uses()); err != nil {
				return err
			}
			if junit != "" {
				if err := writeOutput(junit, func(w io.Writer) error { return writeJUnit(w, suites) }); err != nil {
					return err
				}
			}
			if seen != nil {
				writeCoverage(os.Stdout, seen.Parts())
			}
			return summarize(suites)
		},
	}
	cmd.Flags().StringVar(&junit, "junit", "", "also write a JUnit XML report to this file")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "name every test, not only those that fail")
	cmd.Flags().BoolVar(&coverage, "coverage", false, "list the rules of the policies that no test exercises")
	return cmd
}

func isTest(name string) bool { return strings.HasSuffix(name, testSuffix) }

// filesBelow expands folders to those of their files that take wants, by their names. A path that is no folder stays.
func filesBelow(paths []string, take func(name string) bool) ([]string, error) {
	var files []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, &exitError{code: exitIO, err: plainPathError(p, err)}
		}
		if !info.IsDir() {
			files = append(files, p)
			continue
		}
		err = filepath.WalkDir(p, func(name string, d fs.DirEntry, err error) error {
			if err == nil && take(name) && isRegular(name) {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, &exitError{code: exitIO, err: err}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// suite is one file with its outcomes.
type suite struct {
	name     string
	outcomes []runner.Outcome
}

func runTests(d *disk, files []string, verbose bool, seen *runner.Coverage) ([]suite, error) {
	var suites []suite
	for _, name := range files {
		f, err := d.readFile(name)
		if err != nil {
			return nil, err
		}
		parsed, diags := policy.Parse(f)
		if diags.HasErrors() {
			return nil, complain(diags)
		}
		s := suite{name, runner.File(parsed, d, seen)}
		for i := range s.outcomes {
			o := &s.outcomes[i]
			if !o.Passed() {
				fmt.Printf("FAIL %s: %s\n", source.Plain(name), source.Plain(o.Title))
				_ = diag.WriteText(os.Stdout, o.Failures, colourful(os.Stdout))
			} else if verbose {
				fmt.Printf("ok   %s: %s\n", source.Plain(name), source.Plain(o.Title))
			}
		}
		suites = append(suites, s)
	}
	return suites, nil
}

func summarize(suites []suite) error {
	var all []runner.Outcome
	for _, s := range suites {
		all = append(all, s.outcomes...)
	}
	_, failed, text := runner.Summary(all)
	fmt.Println(text)
	if failed > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

// writeCoverage lists what no test exercises.
func writeCoverage(w io.Writer, parts []runner.Part) {
	exercised := 0
	for _, p := range parts {
		if p.Exercised {
			exercised++
			continue
		}
		fmt.Fprintf(w, "%s: %s: %s\n", source.Plain(p.Span.String()), source.Plain(p.Name), p.Lacks)
	}
	fmt.Fprintf(w, "%d of %d %s exercised\n", exercised, len(parts), form.Plural(len(parts), "rule", "rules"))
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, suites []suite) error {
	var out junitSuites
	for _, s := range suites {
		js := junitSuite{Name: source.Plain(s.name), Tests: len(s.outcomes)}
		for i := range s.outcomes {
			o := &s.outcomes[i]
			c := junitCase{Name: source.Plain(o.Title), Class: source.Plain(s.name)}
			if !o.Passed() {
				var text strings.Builder
				_ = diag.WriteText(&text, o.Failures, false)
				c.Failure = &junitFailure{Message: source.Plain(o.Failures[0].Message), Text: text.String()}
				js.Failures++
			}
			js.Cases = append(js.Cases, c)
		}
		out.Suites = append(out.Suites, js)
	}
	return report.WriteXML(w, out)
}
