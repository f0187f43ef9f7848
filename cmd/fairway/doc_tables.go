package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/stdlib"
)

// markdown writes a page and remembers the first error.
type markdown struct {
	w   io.Writer
	err error
}

func newMarkdown(w io.Writer, title string) *markdown {
	m := &markdown{w: w}
	m.printf("# %s\n\n", title)
	return m
}

func (m *markdown) printf(format string, args ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.w, format, args...)
	}
}

func (m *markdown) heading(text string) { m.printf("\n## %s\n\n", text) }
func (m *markdown) para(text string)    { m.printf("%s\n\n", text) }

func (m *markdown) head(cells ...string) {
	m.row(cells...)
	m.row(strings.Split(strings.Repeat("---|", len(cells)-1)+"---", "|")...)
}

func (m *markdown) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.ReplaceAll(c, "|", "\\|"), "\n", " ")
	}
	m.printf("| %s |\n", strings.Join(cells, " | "))
}

// visible writes control characters of an example as escapes.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

func docColumns(w io.Writer, args []string) error {
	m := newMarkdown(w, "Columns")
	m.para("What expressions can read. *Absent* says what it means when no input has the column: `error` refuses to " +
		"run, `unknown` makes every value unknown (`has()` is false), `0` takes it as zero or empty.")
	shown := 0
	for _, o := range schema.Objects {
		if len(args) > 0 && args[0] != o.Name && args[0] != o.Alias {
			continue
		}
		shown++
		title := o.Name
		if o.Alias != "" {
			title += " (also " + o.Alias + ")"
		}
		m.heading(title)
		m.para(o.Doc)
		if o.Plural != "" {
			m.para(fmt.Sprintf("`%s.max_COLUMN` is the largest value of a number over all rows, used or not.", o.Plural))
		}
		m.head("column", "type", "unit", "from", "absent", "Maui", "Slurm", "meaning")
		for _, c := range o.Columns {
			m.row("`"+string(c.ID)+"`", c.Type.String(), string(c.Unit), c.Origin.String(), c.Absent.String(), c.Maui, c.Slurm,
				c.Doc)
		}
	}
	if shown == 0 {
		var names []string
		for _, o := range schema.Objects {
			names = append(names, o.Name)
		}
		return failf(exitUsage, "%s", unknownWord("object", args[0], names))
	}
	return m.err
}

func docFunctions(w io.Writer, _ []string) error {
	m := newMarkdown(w, "Functions")
	m.heading("In expressions (CEL)")
	m.para("All of standard CEL, with the strings, math, lists and sets extensions, and the functions of this table. " +
		"What is listed here runs as a vector; everything else runs value by value.")
	m.head("function", "types", "result", "meaning", "example")
	for _, f := range schema.Functions {
		types := make([]string, len(f.Params))
		for i, p := range f.Params {
			types[i] = p.String()
		}
		example := ""
		if len(f.Examples) > 0 {
			example = "`" + f.Examples[0].Expr + "` = `" + f.Examples[0].Want + "`"
		}
		m.row("`"+f.Name+"`", strings.Join(types, ", "), f.Result.String(), f.Doc, example)
	}
	m.heading("In policy files (HCL)")
	m.head("function", "meaning")
	for _, f := range policy.Functions() {
		m.row("`"+f.Usage+"`", f.Doc)
	}
	return m.err
}

// docLanguage prints every block, or those of one name: term is one of a component and one of a test's expect.
func docLanguage(w io.Writer, args []string) error {
	if len(args) == 0 {
		m := newMarkdown(w, "The policy language")
		m.para(strings.TrimSuffix(helpText("language.md"), "\n"))
		for _, b := range policy.Blocks() {
			m.block(b)
		}
		return m.err
	}
	m, names := &markdown{w: w}, []string{}
	found := false
	for _, b := range policy.Blocks() {
		names = append(names, b.Type)
		if b.ID == args[0] || b.Type == args[0] {
			m.block(b)
			found = true
		}
	}
	if !found {
		hint := ""
		if near := diag.Nearest(args[0], names); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return failf(exitUsage, "there is no block %q%s", args[0], hint)
	}
	return m.err
}

// block prints what a block means and takes.
func (m *markdown) block(b policy.BlockDoc) {
	labels := ""
	for _, l := range b.Labels {
		labels += " \"" + strings.ToUpper(l) + "\""
	}
	m.heading(b.ID)
	m.para("`" + b.Type + labels + " { … }`: " + b.Doc)
	if b.Instances {
		m.para("Takes `for_each`, `override`, `remove` and `doc`.")
	}
	if b.Object != "" {
		m.para("Every column of `" + b.Object + "` is an attribute too: `fairway doc columns " + b.Object + "`.")
	}
	if len(b.Attributes) > 0 {
		m.head("attribute", "kind", "type", "meaning")
		for _, a := range b.Attributes {
			doc := a.Doc
			if len(a.Values) > 0 {
				doc += " One of " + strings.Join(a.Values, ", ") + "."
			}
			m.row("`"+a.Name+"`", fmt.Sprint(a.Kind), string(a.Type), doc)
		}
	}
	if len(b.Blocks) > 0 {
		m.para("\nBlocks inside: " + strings.Join(b.Blocks, ", ") + ".")
	}
}

// paramTables says which tables belong to a family.
var paramTables = map[string][]stdlib.Table{
	"maui": {stdlib.MauiParams, stdlib.MauiAttributes},
	"slurm": {stdlib.SlurmParams, stdlib.SlurmPartition, stdlib.SlurmScheduler, stdlib.SlurmPriorityFlags,
		stdlib.SlurmPendingReasons},
}

func docParams(w io.Writer, args []string) error {
	families := []string{"maui", "slurm"}
	if len(args) > 0 {
		if paramTables[args[0]] == nil {
			return failf(exitUsage, "params are of maui or slurm, not of %q", args[0])
		}
		families = args[:1]
	}
	if len(args) > 1 {
		return docParam(w, args[0], args[1])
	}
	m := newMarkdown(w, "Parameters")
	for _, f := range families {
		for _, t := range paramTables[f] {
			m.heading(string(t))
			m.head("name", "type", "default", "unit", "versions", "effective", "meaning")
			for _, p := range t.Params() {
				name := p.Name
				if p.Record != "" && p.Record != "global" {
					name = p.Record + " " + name
				}
				m.row("`"+name+"`", p.Type, p.Default, p.Unit, versions(p), p.Effective, p.Doc)
			}
		}
	}
	return m.err
}

func versions(p stdlib.Param) string {
	if p.Since == "" && p.Until == "" {
		return ""
	}
	return p.Since + "–" + p.Until
}

func docParam(w io.Writer, family, name string) error {
	found := false
	var names []string
	m := &markdown{w: w}
	for _, t := range paramTables[family] {
		for _, p := range t.Params() {
			names = append(names, p.Name)
			if !strings.EqualFold(p.Name, name) {
				continue
			}
			found = true
			m.printf("## %s\n\n%s\n\n", strings.TrimSpace(p.Record+" "+p.Name), p.Doc)
			for _, f := range []struct{ what, text string }{
				{"type", p.Type}, {"one of", strings.Join(p.Enum, ", ")}, {"unit", p.Unit}, {"default", p.Default},
				{"default in the manual", p.DocDefault},
				{"at least", p.Min}, {"at most", p.Max}, {"since", p.Since}, {"until", p.Until}, {"replaced by", p.ReplacedBy},
				{"also written", strings.Join(p.Aliases, ", ")}, {"effective", p.Effective}, {"note", p.Notes},
				{"table", string(t)},
			} {
				if f.text != "" {
					m.printf("- %s: %s\n", f.what, f.text)
				}
			}
			m.printf("\n")
		}
	}
	if !found {
		hint := ""
		if near := diag.Nearest(name, names); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return failf(exitUsage, "%s has no parameter %q%s", family, name, hint)
	}
	return m.err
}
