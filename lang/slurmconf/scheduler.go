package slurmconf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// schedulerParameters finds entries of SchedulerParameters that do nothing or
// something else than they say. Every part of Slurm searches the list for the
// words it wants: "word" for a switch, "word=" and then atoi for a number.
// A word that no part searches for is ignored.
func (e *evaluator) schedulerParameters(v Value) {
	l := optionList{
		e:      e,
		text:   v.Text,
		lower:  strings.ToLower(v.Text),
		places: placesIn(v.Text, v.Span),
		found:  map[*stdlib.Param]int{},
	}
	rows := stdlib.SlurmScheduler.Params()
	for i := range rows {
		if p := &rows[i]; Exists(p, e.version) && isSearchedFor(p, e.cfg.Text("SchedulerType"), e.version) {
			l.known = append(l.known, p.Name)
			l.searched = append(l.searched, searched(p))
		}
	}
	for _, it := range items(v.Text) {
		l.entry(it)
	}
}

// optionList is SchedulerParameters while it is tested.
type optionList struct {
	e               *evaluator
	text, lower     string
	places          *places
	known, searched []string              // names, and what is searched for: a number's with =
	found           map[*stdlib.Param]int // places, by first
}

// later are the names that only newer versions know.
func (l *optionList) later() (names []string) {
	for _, p := range stdlib.SlurmScheduler.Params() {
		if before(l.e.version, p.Since) {
			names = append(names, p.Name)
		}
	}
	return names
}

func searched(p *stdlib.Param) string {
	if p.Type == "flag" {
		return p.Name
	}
	return p.Name + "="
}

func (l *optionList) entry(it item) {
	name, value, assigned := strings.Cut(it.text, "=")
	row := findWord(stdlib.SlurmScheduler, name)
	place := l.places.at(it.at, it.end())
	hit := longestIn(it.text, l.searched)
	switch {
	case row == nil && hit != "":
		l.e.worksAs(place, it.text, hit, nil)
	case row == nil && name == "":
		l.e.unknownWord(place, "SchedulerParameters", it.text, nil)
	case row == nil:
		d := l.e.unknownWord(l.places.at(it.at, it.at+len(name)), "SchedulerParameters", name, l.known)
		if d == nil || d.Fix != nil {
			return
		}
		if near := findWord(stdlib.SlurmScheduler, diag.Nearest(name, l.later())); near != nil {
			d.Note("%s comes with %s", near.Name, near.Since)
		}
	case slices.Contains(l.known, row.Name):
		l.knownEntry(it, row, value, assigned)
	case hit != "":
		l.e.worksAs(place, it.text, hit, row)
	case row.Name == "interval":
		l.e.ds.Warnf("slurm-word-other-version", place, "interval has no effect with sched/backfill").
			Note("only sched/builtin reads it; write bf_interval")
	default:
		l.e.otherVersion(place, "SchedulerParameters", row)
	}
}

// knownEntry tests what comes after a known name.
func (l *optionList) knownEntry(it item, row *stdlib.Param, value string, assigned bool) {
	place := l.places.at(it.at, it.end())
	switch {
	case row.Effective == "fatal":
		l.fatal(place, row)
	case row.Type == "flag":
		if assigned && !isYes(value) {
			l.e.ds.Warnf("slurm-word-switch", place, "%s switches %s on", it.text, row.Name).
				Note("Slurm only looks whether the word is there; delete it to switch it off")
		}
	case !assigned:
		l.e.ds.Warnf("slurm-word-value", place, "%s has no value and is ignored", row.Name).
			Note("Slurm searches for %s=", row.Name)
	case l.first(row) < it.at:
		l.shadowed(it, row)
	case row.Type == "enum":
		if !slices.ContainsFunc(
			row.Enum,
			func(w string) bool { return strings.HasPrefix(strings.ToLower(value), w) },
		) {
			l.e.ds.Warnf("slurm-word-value", place, "%s cannot be %q and is ignored", row.Name, value).
				Note("it is one of %s", strings.Join(row.Enum, ", ")).
				DidYouMean(l.places.at(it.end()-len(value), it.end()), value, row.Enum)
		}
	case row.Type == "time":
		if _, err := slurmtext.ParseTimeSeconds(value); err != nil {
			l.e.ds.Warnf("slurm-word-value", place, "%s cannot be %q and is ignored: %v", row.Name, value, err).
				Note("write it as a time limit, such as 10:00 for ten minutes")
		}
	default:
		l.number(place, row, value)
	}
}

// isYes: a switch with one of these after it does what it says.
func isYes(value string) bool { return containsFold([]string{"yes", "true", "1", "on", "up"}, value) }

// first is where Slurm finds a number: at the first place where the name and its
// = are, be it within a longer name.
func (l *optionList) first(row *stdlib.Param) int {
	at, ok := l.found[row]
	if !ok {
		at = strings.Index(l.lower, strings.ToLower(row.Name)+"=")
		l.found[row] = at
	}
	return at
}

func (l *optionList) shadowed(it item, row *stdlib.Param) {
	first := l.first(row)
	d := l.e.ds.Warnf(
		"slurm-word-repeated",
		l.places.at(it.at, it.end()),
		"%s is ignored: the first %s= in the list counts",
		it.text,
		row.Name,
	)
	d.NoteAt(l.places.at(first, first+len(row.Name)), "Slurm finds it here; delete one of the two")
}

// fatal: max_job_bf, under its old name, stops sched/backfill.
func (l *optionList) fatal(place source.Span, row *stdlib.Param) {
	if l.e.cfg.Text("SchedulerType") == "sched/backfill" && !before(l.e.version, "20.11") {
		l.e.ds.Errorf("slurm-fatal-setting", place, "%s in SchedulerParameters keeps slurmctld from starting", row.Name).
			Note("it is called %s now", row.ReplacedBy)
	}
}

var wholeNumber = source.Pattern(`^\s*[+-]?\d+$`)

// number tests what atoi makes of a value, and the bounds.
func (l *optionList) number(place source.Span, row *stdlib.Param, value string) {
	n := atoi(value)
	if !wholeNumber().MatchString(value) {
		d := l.e.ds.Warnf("slurm-word-value", place, "%s=%s counts as %d", row.Name, value, n).
			Note("Slurm reads digits and stops at the first other character")
		if row.Unit != "" {
			d.Note("write a whole number of %s", row.Unit)
		}
		return
	}
	low, high, bounded := l.bounds(row)
	if !bounded || n >= low && n <= high || switchesOff(row, n) {
		return
	}
	if n > high && (row.Name == "max_script_size" || row.Name == "max_submit_line_size") &&
		!before(l.e.version, "21.08") {
		l.e.ds.Errorf("slurm-fatal-setting", place, "%s above %d keeps slurmctld from starting", row.Name, high).
			Note("write a smaller number of bytes")
		return
	}
	instead := "is ignored"
	if text, ok := Default(row.Name, l.e.version); ok {
		instead = "counts as " + text + ", the default"
	}
	l.e.ds.Warnf("slurm-word-bounds", place, "%s=%s %s", row.Name, value, instead).
		Note("Slurm takes %s; what is outside it logs as an error at most", between(low, high))
}

// bounds are those of the option. A main pass may take half of the message timeout.
func (l *optionList) bounds(row *stdlib.Param) (low, high int64, bounded bool) {
	low, high, bounded = optionBounds(row)
	if row.Name == "max_sched_time" {
		timeout, _, _ := parseUint(l.e.cfg.Text("MessageTimeout"), 16)
		high = max(1, int64(timeout/2))
	}
	return low, high, bounded
}

func between(low, high int64) string {
	switch {
	case low == -unbounded:
		return "at most " + strconv.FormatInt(high, 10)
	case high == unbounded:
		return strconv.FormatInt(low, 10) + " or more"
	}
	return strconv.FormatInt(low, 10) + " to " + strconv.FormatInt(high, 10)
}

// Option is one entry that SchedulerParameters may have, with what slurmctld makes of it.
type Option struct {
	*stdlib.Param
	Value   schema.Value // a switch is a Bool, a number an Int, other words a String; unknown where there is none
	Default schema.Value // of the version
	Refused bool         // the number is outside its bounds, so the default counts
	At      int          // where in the list it begins; -1: it is not there
	Text    string       // as written, up to the next comma
}

// SchedulerOptions reads SchedulerParameters as a version of slurmctld does: each entry that the version
// looks for, in the order of the table. slurmctld searches the list for "word", of a number for "word=", in
// any case of letters, and takes the first place where that occurs, within a longer word too (slurm.conf(5);
// sched/backfill's and the controller's readers).
func SchedulerOptions(list, schedulerType, version string) []Option {
	branch, ok := Branch(version)
	if !ok {
		branch = Newest()
	}
	lower := strings.ToLower(list)
	rows := stdlib.SlurmScheduler.Params()
	out := make([]Option, 0, len(rows))
	for i := range rows {
		if row := &rows[i]; Exists(row, branch) && isSearchedFor(row, schedulerType, branch) {
			out = append(out, readOption(row, list, lower, branch))
		}
	}
	return out
}

// isSearchedFor: interval was also backfill's until 2.5; since then only sched/builtin reads it, as it alone
// reads max_job_bf, which stops backfill instead.
func isSearchedFor(p *stdlib.Param, schedulerType, branch string) bool {
	return p.Name != "interval" || before(branch, "2.6") || strings.EqualFold(schedulerType, "sched/builtin")
}

func readOption(row *stdlib.Param, list, lower, branch string) Option {
	at := strings.Index(lower, strings.ToLower(searched(row)))
	o := Option{Param: row, Default: optionDefault(row, branch), At: at}
	if o.Value = o.Default; o.At < 0 {
		return o
	}
	o.Text, _, _ = strings.Cut(list[o.At:], ",")
	_, value, _ := strings.Cut(o.Text, "=")
	switch row.Type {
	case "flag":
		o.Value = schema.BoolValue(true)
	case "int":
		n := atoi(value)
		if low, high, bounded := optionBounds(row); !bounded || n >= low && n <= high || switchesOff(row, n) {
			o.Value = schema.IntValue(n)
		} else {
			o.Refused = true
		}
	default:
		o.Value = schema.StringValue(value)
	}
	return o
}

func optionDefault(row *stdlib.Param, branch string) schema.Value {
	text, ok := Default(row.Name, branch)
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case row.Type == "flag":
		return schema.BoolValue(false)
	case row.Type == "int" && ok && err == nil:
		return schema.IntValue(n)
	}
	return schema.Value{} // another option's value, or none
}

// switchesOff: some numbers may be -1 besides what their bounds allow.
func switchesOff(row *stdlib.Param, n int64) bool {
	return n == -1 && strings.HasPrefix(row.Notes, "-1 switches it off")
}

const unbounded = int64(1) << 62

// optionBounds are the table's. Where a bound is another option, going beyond it is only logged.
func optionBounds(row *stdlib.Param) (low, high int64, bounded bool) {
	low, high = -unbounded, unbounded
	if n, err := strconv.ParseInt(row.Min, 10, 64); err == nil {
		low, bounded = n, true
	}
	if n, err := strconv.ParseInt(row.Max, 10, 64); err == nil {
		high, bounded = n, true
	}
	return low, high, bounded
}
