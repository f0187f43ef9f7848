package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// projectName is the file in which a site says what it knows of its configurations.
const projectName = "fairway.hcl"

// project is such a file; nil where there is none.
type project struct {
	file *source.File
	*policy.Project
}

// projectBlock begins the block that makes a project file of a fairway.hcl, which may be a run configuration alone.
var projectBlock = source.Pattern(`(?m)^[ \t]*project[ \t]*\{`)

// projectOf finds the project file of a configuration: in its folder or the nearest above.
func projectOf(d *disk, name string) (*project, error) {
	folder := filepath.Dir(name)
	if isFolder(name) {
		folder = name
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, nil // where there is no folder there is no project
	}
	for {
		path := filepath.Join(folder, projectName)
		if isRegular(path) {
			file, err := d.readFile(shortName(path))
			if err != nil {
				return nil, err
			}
			if projectBlock().Match(file.Text) {
				return readProject(file)
			}
		}
		above := filepath.Dir(folder)
		if above == folder {
			return nil, nil
		}
		folder = above
	}
}

// shortName is a name as seen from the working folder, where that is shorter.
func shortName(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(short, "..") {
			return short
		}
	}
	return path
}

func readProject(file *source.File) (*project, error) {
	parsed, diags := policy.Parse(file)
	p := &project{file, parsed.Project}
	if p.Project != nil {
		p.check(&diags)
	}
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	if p.Project == nil {
		return nil, nil
	}
	return p, nil
}

// check looks for releases, rules and days that there are not.
func (p *project) check(diags *diag.List) {
	release := func(t policy.Text) {
		if _, ok := slurmconf.Branch(t.Value); t.IsSet() && !ok {
			diags.Errorf("unknown-slurm-version", t.Span, "Slurm %s is not known", t.Value).
				Note("write a release as YY.MM, such as 22.05; the newest known is %s", slurmconf.Newest())
		}
	}
	rule := func(t policy.Text) {
		if strings.ContainsAny(t.Value, "*?[") || len(lint.Codes(t.Value)) > 0 {
			return
		}
		diags.Errorf("project-rule", t.Span, "there is no rule %q", t.Value).Note("`fairway doc rules` lists them").
			DidYouMean(t.Span, t.Value, pages.Codes())
	}
	release(p.SlurmVersion)
	for _, one := range p.Policies {
		release(one.SlurmVersion)
	}
	for _, s := range p.Severities {
		rule(s.Rule)
	}
	for _, i := range p.Ignores {
		rule(i.Rule)
		if _, err := time.Parse(time.DateOnly, i.Until.Value); i.Until.IsSet() && err != nil {
			diags.Errorf("project-date", i.Until.Span, "%q is no day", i.Until.Value).Note("write it as 2027-01-01")
		}
	}
}

// beneath names files as seen from the project file.
func (p *project) beneath(names []policy.Text) (list []string) {
	return beneath(p.file.Name, names)
}

// matches reports a file that is one of those that are named, or fits one of the patterns.
func (p *project) matches(names []policy.Text, name string) bool {
	full := fullName(name)
	return slices.ContainsFunc(p.beneath(names), func(pattern string) bool {
		pattern = fullName(pattern)
		ok, err := path.Match(filepath.ToSlash(pattern), filepath.ToSlash(full))
		return full == pattern || ok && err == nil
	})
}

// release is the one that files are for, by the policy that they are of or by the project.
func (p *project) release(files []string) policy.Text {
	for _, one := range p.Policies {
		if one.SlurmVersion.IsSet() &&
			slices.ContainsFunc(files, func(name string) bool { return p.matches(one.Files, name) }) {
			return one.SlurmVersion
		}
	}
	return p.SlurmVersion
}

// stateRelease takes the release from the project file of the first file.
func (p *policyFlags) stateRelease(d *disk, files []string, opt *lower.Options, note func(string, []byte)) error {
	opt.SiteVersion.Text = p.likely
	if len(files) == 0 || opt.Version != "" {
		return nil
	}
	site, err := projectOf(d, files[0])
	if err != nil || site == nil {
		return err
	}
	note(site.file.Name, site.file.Text)
	if t := site.release(files); t.IsSet() {
		opt.SiteVersion.Text, opt.SiteVersion.Span = t.Value, t.Span
	}
	return nil
}

// ignores leaves out the findings that the project has decided about.
func (p *project) ignores(list diag.List, today time.Time) diag.List {
	if p == nil {
		return list
	}
	for _, i := range p.Ignores {
		if until, err := time.Parse(time.DateOnly, i.Until.Value); err == nil && !today.Before(until.AddDate(0, 0, 1)) {
			list.Add(pages.Of("ignore-expired").Severity, "ignore-expired", i.Span, "this has expired on %s", i.Until.Value).
				Note("mend the mistake, or give a new date")
			continue
		}
		list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool {
			return lint.Fits(i.Rule.Value, d.Code) &&
				(len(i.Files) == 0 || !d.Span.IsZero() && p.matches(i.Files, d.Span.File.Name))
		})
	}
	return list
}
