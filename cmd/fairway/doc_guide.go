package main

import (
	"embed"
	"io"
	"slices"
	"strings"
)

// The commands of a guide run in a test, and print what the guide shows.
//
//go:embed guides/*.md
var guideFiles embed.FS

// guides are in the order in which a newcomer reads them.
var guides = []string{"site", "language", "cookbook", "review", "desk", "replay", "push", "maui-to-slurm", "protocols",
	"glossary"}

// guide is a text of this folder, which begins with its title and says in a first paragraph what it is for.
type guide struct{ name, title, about, text string }

func guideOf(name string) (guide, error) {
	if !slices.Contains(guides, name) {
		return guide{}, failf(exitUsage, "%s", unknownWord("guide", name, guides))
	}
	text, err := guideFiles.ReadFile("guides/" + name + ".md")
	if err != nil {
		return guide{}, err
	}
	parts := strings.SplitN(string(text), "\n\n", 3)
	return guide{name, strings.TrimPrefix(parts[0], "# "), strings.ReplaceAll(parts[1], "\n", " "), string(text)}, nil
}

// docGuide prints a guide, or which there are.
func docGuide(w io.Writer, args []string) error {
	if len(args) > 0 {
		g, err := guideOf(args[0])
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, g.text)
		return err
	}
	m := newMarkdown(w, "Guides")
	m.para("`fairway doc guide NAME` prints one, `fairway doc guide NAME -o man | man -l -` shows it as a manual page.")
	m.head("guide", "title", "about")
	for _, name := range guides {
		g, err := guideOf(name)
		if err != nil {
			return err
		}
		m.row("`"+g.name+"`", g.title, g.about)
	}
	return m.err
}

// manGuide prints a guide as a manual page.
func manGuide(w io.Writer, args []string) error {
	if len(args) == 0 {
		return failf(exitUsage, "doc guide -o man takes the name of a guide: %s", strings.Join(guides, ", "))
	}
	g, err := guideOf(args[0])
	if err != nil {
		return err
	}
	date, err := pageDate()
	if err != nil {
		return err
	}
	return g.writeManual(w, date)
}

// page is the name of a guide's manual page, which is in section 7.
func (g guide) page() string { return "fairway-guide-" + g.name }

func (g guide) writeManual(w io.Writer, date string) error {
	m := &manual{w: w}
	m.linef(`.TH "%s" 7 "%s" "fairway %s" "Fairway"`, escaped(strings.ToUpper(g.page())), date, escaped(programVersion()))
	m.linef(".nh\n.ad l")
	m.section("NAME")
	m.linef(`%s \- %s`, escaped(g.page()), escaped(g.title))
	m.section("DESCRIPTION")
	m.markdown(strings.TrimPrefix(g.text, "# "+g.title))
	m.section("SEE ALSO")
	m.linef(".BR fairway (1)")
	return m.err
}

// markdown writes the part of Markdown that guides are written in: headings, paragraphs, lists, tables, and code
// between fences.
func (m *manual) markdown(text string) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		until := i + 1 // the end of what begins here
		for until < len(lines) && goesOn(line, lines[until]) {
			until++
		}
		block := lines[i:until]
		switch mark, rest, _ := strings.Cut(line, " "); {
		case line == "":
		case mark == "##":
			m.section(escaped(strings.ToUpper(rest)))
		case mark == "###":
			m.linef(".SS %s", escaped(rest))
		case strings.HasPrefix(line, "```"):
			m.linef(".PP\n.nf")
			for _, code := range block[1:] {
				m.linef("%s", escaped(code))
			}
			m.linef(".fi")
			until++ // the closing fence
		case strings.HasPrefix(line, "|"):
			m.table(block)
		case mark == "-":
			m.linef(".IP \\(bu 2")
			m.inline(strings.Join(block, "\n")[2:])
		case strings.HasSuffix(mark, ".") && strings.Trim(mark, "0123456789.") == "":
			m.linef(".IP %s 4", mark)
			m.inline(strings.TrimPrefix(strings.Join(block, "\n"), mark+" "))
		default:
			m.linef(".PP")
			m.inline(strings.Join(block, "\n"))
		}
		i = until - 1
	}
}

// goesOn reports whether a line belongs to the block that begins with first.
func goesOn(first, line string) bool {
	switch {
	case strings.HasPrefix(first, "```"):
		return !strings.HasPrefix(line, "```")
	case first == "", first[0] == '#':
		return false
	case first[0] == '|':
		return strings.HasPrefix(line, "|")
	}
	return line != "" && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "```") &&
		!strings.HasPrefix(line, "|") &&
		(line[0] < '0' || line[0] > '9')
}

// table writes each row under its first cell: a table does not fit a narrow terminal.
func (m *manual) table(rows []string) {
	for _, row := range rows[min(2, len(rows)):] { // after the heads and the rule below them
		cells := strings.Split(strings.ReplaceAll(strings.Trim(row, "| "), `\|`, "\x00"), " | ")
		for i := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), "\x00", "|")
		}
		m.linef(".TP")
		m.inline(cells[0])
		m.inline(strings.Join(cells[1:], "; "))
	}
}

// inline writes running text: code and bold in bold, emphasis in italics, and a link as its words.
func (m *manual) inline(text string) {
	var out strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "`*[")
		if at < 0 {
			break
		}
		out.WriteString(roff.Replace(text[:at]))
		text = text[at:]
		for _, span := range []struct{ open, close, before, after string }{
			{"`", "`", `\fB`, `\fR`}, {"**", "**", `\fB`, `\fR`}, {"*", "*", `\fI`, `\fR`}, {"[", "]", "", ""},
		} {
			inside, rest, ok := strings.Cut(strings.TrimPrefix(text, span.open), span.close)
			if !ok || !strings.HasPrefix(text, span.open) {
				continue
			}
			if span.open == "[" {
				if _, after, is := strings.Cut(rest, ")"); is && strings.HasPrefix(rest, "(") {
					rest = after
				}
				inside = strings.Trim(inside, "`")
			}
			out.WriteString(span.before + roff.Replace(inside) + span.after)
			text = rest
			break
		}
	}
	out.WriteString(roff.Replace(text))
	for line := range strings.SplitSeq(out.String(), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		m.linef("%s", line)
	}
}
