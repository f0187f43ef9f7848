package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newDocMan() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "man [VERB...]",
		RunE: func(cmd *cobra.Command, verb []string) error {
			date, err := pageDate()
			if err != nil {
				return err
			}
			if dir == "" {
				of, rest, err := cmd.Root().Find(verb)
				if err != nil || len(rest) > 0 {
					return failf(exitUsage, "%s", unknownWord("verb", strings.Join(verb, " "), verbNames(cmd.Root())))
				}
				return writeOutput("", func(w io.Writer) error { return writeManual(w, of, date) })
			}
			if len(verb) > 0 {
				return failf(exitUsage, "--to writes all pages: name a verb, or --to")
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return ioError(dir, err)
			}
			for _, of := range withPages(cmd.Root()) {
				err := writeOutput(filepath.Join(dir, pageName(of)+".1"),
					func(w io.Writer) error { return writeManual(w, of, date) })
				if err != nil {
					return err
				}
			}
			for _, name := range guides {
				g, err := guideOf(name)
				if err != nil {
					return err
				}
				if err := writeOutput(filepath.Join(dir, g.page()+".7"),
					func(w io.Writer) error { return g.writeManual(w, date) }); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "to", "", "folder in which all pages are written; made if it does not exist")
	return cmd
}

// pageDate is the day that a reproducible build says it is of (reproducible-builds.org, SOURCE_DATE_EPOCH).
func pageDate() (string, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return "", nil
	}
	epoch, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return "", failf(exitUsage, "SOURCE_DATE_EPOCH is %q, not seconds since 1970", text)
	}
	return time.Unix(epoch, 0).UTC().Format(time.DateOnly), nil
}

// withPages is a command and all below it.
func withPages(of *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{of}
	for _, c := range below(of) {
		list = append(list, withPages(c)...)
	}
	return list
}

// below is the verbs of a command; help is on every page.
func below(of *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(of.Commands()), func(c *cobra.Command) bool {
		return !c.IsAvailableCommand() || c.Name() == "help"
	})
}

func pageName(of *cobra.Command) string { return strings.ReplaceAll(of.CommandPath(), " ", "-") }

// pageFiles are what a page says of files: those that packages install, for the verbs that are about them.
var pageFiles = map[string][][2]string{
	"fairway": {
		{"/etc/fairway", "Configuration of the site; it has an example to begin with."},
		{"/var/lib/fairway/state", "What runs leave for later ones: belongs to the user fairway."},
		{"/var/lib/fairway/snapshots", "For snapshots that are kept; of the same user."},
		{"/usr/share/doc/fairway/examples", "Policies and snapshots to try."},
	},
	"fairway-push": {
		{"/etc/fairway/fairway.hcl", "What fairway-push.service hands over, where to, and its bounds."},
		{"/etc/fairway/push.env", "Whether fairway-push.service acts, or only prints what it would do, as at first."},
		{"/var/lib/fairway/state", "State directory of fairway-push.service."},
		{"audit.jsonl", "In the state directory: a line before and after each command that was sent."},
		{"plan.json", "In the state directory: the plan that was carried out last."},
	},
}

// writeManual writes a page in the macros of man(7).
func writeManual(w io.Writer, of *cobra.Command, date string) error {
	of.InitDefaultHelpFlag()
	m := &manual{w: w}
	m.linef(`.TH "%s" 1 "%s" "fairway %s" "Fairway"`, escaped(strings.ToUpper(pageName(of))), date,
		escaped(programVersion()))
	m.linef(".nh\n.ad l") // nothing is hyphenated or stretched: options are copied from here
	m.section("NAME")
	m.linef(`%s \- %s`, escaped(pageName(of)), escaped(of.Short))
	m.section("SYNOPSIS")
	m.linef(".B %s", escaped(of.CommandPath()))
	if _, rest, _ := strings.Cut(strings.TrimSuffix(of.UseLine(), " [flags]"), of.CommandPath()+" "); rest != "" {
		m.linef("%s", escaped(rest))
	}
	m.linef("[\\fIoptions\\fR]")

	about, exits := parted(cmp.Or(of.Long, of.Short))
	if exits == "" {
		exits = exitText(exitsOf(of)) + "."
	}
	m.section("DESCRIPTION")
	m.text(about)
	verbs := below(of)
	if len(verbs) > 0 {
		m.section("COMMANDS")
		for _, c := range verbs {
			m.item(`\fB`+escaped(c.CommandPath())+`\fR`, c.Short)
		}
	}
	m.section("OPTIONS")
	of.LocalFlags().VisitAll(m.flag)
	if of.Example != "" {
		m.section("EXAMPLES")
		m.text(of.Example)
	}
	m.section("EXIT STATUS")
	m.text(exits)
	if files := pageFiles[pageName(of)]; files != nil {
		m.section("FILES")
		for _, f := range files {
			m.item(`\fI`+escaped(f[0])+`\fR`, f[1])
		}
	}
	m.section("SEE ALSO")
	var others []string
	if of.HasParent() {
		others = append(others, escaped(pageName(of.Parent()))+" (1)")
	}
	for _, c := range verbs {
		others = append(others, escaped(pageName(c))+" (1)")
	}
	if !of.HasParent() {
		for _, name := range guides {
			others = append(others, escaped(guide{name: name}.page())+" (7)")
		}
	}
	for i, other := range others {
		m.linef(".BR %s%s", other, map[bool]string{true: ","}[i < len(others)-1])
	}
	return m.err
}

// parted is a help text without its paragraph on exit codes, and that paragraph.
func parted(help string) (about, exits string) {
	var rest []string
	for paragraph := range strings.SplitSeq(help, "\n\n") {
		if text, ok := strings.CutPrefix(paragraph, "Exit codes: "); ok {
			exits = text
		} else {
			rest = append(rest, paragraph)
		}
	}
	return strings.Join(rest, "\n\n"), exits
}

// manual writes lines until one fails.
type manual struct {
	w   io.Writer
	err error
}

func (m *manual) linef(format string, args ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.w, format+"\n", args...)
	}
}

func (m *manual) section(title string) { m.linef(".SH %s", title) }

func (m *manual) item(what, text string) {
	m.linef(".TP")
	m.linef("%s", what)
	m.linef("%s", escaped(text))
}

// flag says of an option what --help does.
func (m *manual) flag(f *pflag.Flag) {
	if f.Hidden {
		return
	}
	name, usage := pflag.UnquoteUsage(f)
	what := `\fB` + escaped("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		what = `\fB` + escaped("-"+f.Shorthand) + `\fR, ` + what
	}
	if name != "" {
		what += ` \fI` + escaped(name) + `\fR`
	}
	if !slices.Contains([]string{"", "false", "0", "0s", "[]"}, f.DefValue) {
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	m.item(what, usage)
}

// text fills paragraphs; what is indented, such as a table or a command, keeps its lines.
func (m *manual) text(text string) {
	literal, between := false, false
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			between = true
			continue
		}
		switch indented := line[0] == ' ' || line[0] == '\t'; {
		case indented && literal && between:
			m.linef("")
		case indented && !literal:
			if between {
				m.linef(".PP")
			}
			m.linef(".nf")
		case !indented && literal:
			m.linef(".fi")
			m.linef(".PP")
		case !indented && between:
			m.linef(".PP")
		}
		literal, between = line[0] == ' ' || line[0] == '\t', false
		m.linef("%s", escaped(strings.ReplaceAll(line, "\t", "    ")))
	}
	if literal {
		m.linef(".fi")
	}
}

var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, `"`, `\(dq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// escaped is text that means itself: what a terminal's user copies is what was written.
func escaped(text string) string {
	text = roff.Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
