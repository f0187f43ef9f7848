package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Report is what a client printed after an iteration, without the line that names the command; ok
// is false if it was not recorded.
func (r *Recording) Report(command string, iteration int) (text string, ok bool, err error) {
	name := command + ".txt"
	if iteration > 0 {
		name = fmt.Sprintf("step%d.%s", iteration, name)
	}
	data, err := fs.ReadFile(r.files, "expected/"+name)
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = unpack(r.files, "expected/"+name+".gz"); errors.Is(err, fs.ErrNotExist) {
			return "", false, nil
		}
	}
	_, text, _ = strings.Cut(string(data), "\n")
	return text, err == nil, err
}

// What reports hold that no input decides: which nodes the jobs that just started run on, and
// names that Maui knows by itself: its administrators and an account called ALL.
var (
	nodesActive = regexp.MustCompile(`(?m)^ +\d+ of +\d+ Nodes Active.*\n`)
	ownNames    = regexp.MustCompile(`^(root|ALL)\*? +0\.00 `)
	noUsage     = regexp.MustCompile(`^\S+ +0\.00 `)
)

// Comparable leaves of two reports of a command, the recorded one and ours, what must be the same.
func (p *Played) Comparable(command, recorded, ours string) (string, string) {
	switch {
	case command == "diagnose-f":
		return p.sameNames(recorded, ours), sectionsSorted(ours, nil)
	case command == "showq" && len(p.Result.Started) > 0:
		return nodesActive.ReplaceAllString(recorded, ""), ours
	}
	return recorded, ours
}

// sameNames is a recorded diagnose -f without the unused names that ours does not have: Maui's own
// and, after the first iteration, those of jobs that are gone, which Maui remembers.
func (p *Played) sameNames(recorded, ours string) string {
	known := strings.Split(ours, "\n")
	return sectionsSorted(recorded, func(line string) bool {
		unused := ownNames.MatchString(line) || p.Index > 0 && noUsage.MatchString(line)
		return unused && !slices.Contains(known, line)
	})
}

// sectionsSorted sorts the rows of each section, without those that are dropped: Maui's order is
// that of a hash table.
func sectionsSorted(report string, dropped func(line string) bool) string {
	const rule = "-------------\n"
	sections := strings.Split(report, rule)
	for i := 1; i < len(sections); i++ {
		rows, after, _ := strings.Cut(sections[i], "\n\n")
		lines := strings.Split(strings.TrimSuffix(rows, "\n"), "\n")
		if dropped != nil {
			lines = slices.DeleteFunc(lines, dropped)
		}
		slices.Sort(lines)
		sections[i] = strings.Join(lines, "\n") + "\n\n" + after
	}
	return strings.Join(sections, rule)
}
