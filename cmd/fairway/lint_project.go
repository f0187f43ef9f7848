package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/fairway-sched/fairway/lang/policy"
)

// ofProject reads the project file of the files, and the files from it where none are given.
func (f *lintFlags) ofProject(d *disk, names []string) (list []string, err error) {
	from := "."
	if len(names) > 0 {
		from = names[0]
	}
	if isFolder(from) || from == "-" {
		from += string(os.PathSeparator) + projectName
	}
	if f.project, err = projectOf(d, from); err != nil {
		return nil, err
	}
	if f.project == nil {
		if len(names) == 0 && !f.config {
			return nil, failf(exitUsage, "name files or folders; a project file, which `fairway init` writes, may name them too")
		}
		return names, nil
	}
	if p := f.project.FailOn; p.IsSet() && !f.given("fail-on") && !f.failing {
		f.failOn = p.Value
	}
	if len(names) > 0 {
		return names, nil
	}
	for _, name := range f.project.allFiles() {
		list = append(list, shortName(name))
	}
	if len(list) == 0 && !f.config {
		return nil, failf(exitUsage, "%s names no files: write files = [\"slurm.conf\"], or name them on the command line",
			f.project.file.Name)
	}
	return list, nil
}

// allFiles are those of the project and of its policies.
func (p *project) allFiles() []string {
	list := p.beneath(p.Files)
	for _, one := range p.Policies {
		list = append(list, p.beneath(one.Files)...)
	}
	return list
}

// showConfig prints what is in force and where it is from.
func (f *lintFlags) showConfig(names []string) error {
	var b strings.Builder
	row := func(what, value, from string) { fmt.Fprintf(&b, "%-14s %-24s %s\n", what, value, from) }
	at := func(t policy.Text) string { return visible(t.Span.String()) }
	if f.project == nil {
		row("project file", "none", "")
	} else {
		row("project file", visible(f.project.file.Name), "")
	}
	version := policy.Text{}
	if f.project != nil {
		version = f.project.release(names)
	}
	switch {
	case f.pol.slurmVersion != "":
		row("slurm_version", f.pol.slurmVersion, "--slurm-version")
	case version.IsSet():
		row("slurm_version", version.Value, at(version)+", of files that state none")
	default:
		row("slurm_version", "found", "what a file states, or the newest release that accepts it")
	}
	switch {
	case f.given("fail-on") || f.project == nil || !f.project.FailOn.IsSet():
		row("fail_on", f.failOn, map[bool]string{true: "--fail-on", false: "default"}[f.given("fail-on")])
	default:
		row("fail_on", f.failOn, at(f.project.FailOn))
	}
	for _, name := range names {
		row("file", visible(name), "")
	}
	if f.project != nil {
		for _, t := range f.project.Snapshots {
			row("snapshot", visible(t.Value), at(t))
		}
		for _, s := range f.project.Severities {
			row("severity", visible(s.Rule.Value)+" "+s.Level.Value, at(s.Rule))
		}
		for _, i := range f.project.Ignores {
			row("ignore", visible(i.Rule.Value), at(i.Rule)+": "+visible(i.Reason.Value)+lastDay(i))
		}
	}
	for _, text := range f.severities {
		row("severity", visible(strings.Replace(text, "=", " ", 1)), "--severity")
	}
	return writeOutput("", func(w io.Writer) error { _, err := io.WriteString(w, trimLines(b.String())); return err })
}

func lastDay(i policy.ProjectIgnore) string {
	if !i.Until.IsSet() {
		return ""
	}
	return ", until " + visible(i.Until.Value)
}

func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
