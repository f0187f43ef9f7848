package sacctmgr

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// settings reads the options of a line. Of an option given twice the last
// counts, but TRES of lists add up: GrpCPUs and GrpMem are both parts of GrpTRES.
func (e *evaluator) settings(l *Line) (list Settings) {
	object := ObjectOf(l)
	table := optionsOf(object)
	for _, o := range l.Options {
		if o.Key.IsZero() || o.Value.Text == "" {
			continue // reported by Parse
		}
		known, abbreviated, ok := findOption(table, o.Key.Text)
		if !ok {
			d := e.ds.Errorf("sacctmgr-unknown-option", o.Key.Span, "%s has no option %s", object, o.Key.Text).
				Note("sacctmgr load refuses the line")
			d.DidYouMean(o.Key.Span, o.Key.Text, optionNames(table))
			continue
		}
		if abbreviated {
			e.ds.Warnf("sacctmgr-abbreviation", o.Key.Span, "%s is taken as %s", o.Key.Text, known.name).
				Note("sacctmgr completes the beginning of an option; write the whole name").
				Suggest(o.Key.Span, known.name)
		}
		s, ok := e.setting(known, o)
		if !ok {
			continue
		}
		i := slices.IndexFunc(list, func(x Setting) bool { return x.Name == s.Name })
		switch {
		case i < 0:
			list = append(list, s)
		case s.TRES != nil:
			list[i].TRES = mergeTRES(list[i].TRES, s.TRES)
			list[i].Text += "," + s.Text
		default:
			e.ds.Warnf("sacctmgr-duplicate", o.Key.Span, "%s is given twice", s.Name).
				NoteAt(list[i].Span, "this earlier value has no effect: the last one wins")
			list[i] = s
		}
	}
	return list
}

// mergeTRES replaces counts that are there already and appends the others.
func mergeTRES(list, more slurmtext.TRESList) slurmtext.TRESList {
	for _, t := range more {
		if i := slices.IndexFunc(list, func(x slurmtext.TRES) bool { return x.Name == t.Name }); i >= 0 {
			list[i] = t
		} else {
			list = append(list, t)
		}
	}
	return list
}

// setting reads one value as its option says.
func (e *evaluator) setting(known option, o Option) (Setting, bool) {
	s := Setting{Name: known.canonical(), Text: o.Value.Text, Span: o.Value.Span, Add: o.Op.Text == "+=",
		Remove: o.Op.Text == "-="}
	var err error
	switch known.kind {
	case name:
		s.Text = strings.ToLower(s.Text)
	case names:
		s.Names = splitNames(s.Text)
	case qosFlagNames:
		s.Names = e.qosFlags(s)
	case number:
		s.Number, err = parseNumber(s.Text)
	case decimal:
		s.Decimal, err = parseDecimal(s.Text)
	case minutes:
		s.Number, err = parseClearable(s.Text, slurmtext.ParseTimeMinutes)
	case seconds:
		s.Number, err = parseSeconds(s.Text)
	case shares:
		s.Number, err = parseShares(s.Text)
	case tres:
		return e.tres(s)
	case oldTRES:
		var n int64
		if n, err = parseNumber(s.Text); err == nil {
			s.TRES = slurmtext.TRESList{{Name: known.tres, Count: n}}
			s.Text = known.tres + "=" + s.Text
		}
	}
	if err != nil {
		e.ds.Errorf("sacctmgr-value", s.Span, "%s cannot be %q: %v", known.name, s.Text, err).
			Note("sacctmgr ignores the option")
	}
	return s, err == nil
}

// tres reads a TRES list; a name that is no TRES voids the limit.
func (e *evaluator) tres(s Setting) (Setting, bool) {
	list, err := slurmtext.ParseTRES(s.Text)
	if err != nil {
		e.ds.Errorf("sacctmgr-tres", errorSpan(s, err), "%s is wrong: %v", s.Name, err).
			Note("write for instance cpu=64,mem=100G,gres/gpu=4")
		return s, false
	}
	for _, t := range list {
		if !slurmtext.IsTRESType(t.Name) {
			d := e.ds.Errorf("sacctmgr-tres", s.Span, "%s names no TRES %s", s.Name, t.Name).
				Note("sacctmgr ignores the limit; TRES are cpu, mem, node, energy, billing, gres/NAME, license/NAME " +
					"and others of AccountingStorageTRES")
			if near := strings.TrimSuffix(t.Name, "s"); slurmtext.IsTRESType(near) {
				d.Note("did you mean %q?", near)
			}
			return s, false
		}
	}
	s.TRES = mergeTRES(nil, list)
	return s, true
}

// errorSpan points into the value when it is there without quotes or in one pair.
func errorSpan(s Setting, err error) source.Span {
	e := (*slurmtext.Error)(nil)
	if !errors.As(err, &e) {
		return s.Span
	}
	quote := (len(s.Span.Text()) - len(s.Text)) / 2
	return s.Span.Sub(quote+e.Offset, quote+len(s.Text))
}

// splitNames splits a list of QOS, coordinators or flags.
func splitNames(text string) (list []string) {
	for _, w := range strings.Split(strings.ToLower(text), ",") {
		if w = strings.TrimSpace(w); w != "" {
			list = append(list, w)
		}
	}
	return list
}

var errNumber = errors.New("it is no whole number, and no -1 to clear the limit")

// parseNumber reads a count. -1 and INFINITE both lift a limit in Slurm; -1 is
// how flat files say so.
func parseNumber(text string) (int64, error) {
	if strings.EqualFold(text, "INFINITE") || strings.EqualFold(text, "UNLIMITED") {
		return slurmtext.Infinite, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < -1 {
		return 0, errNumber
	}
	if n > math.MaxUint32 {
		return 0, errors.New("it is more than 4294967295, the largest that Slurm holds")
	}
	return n, nil
}

func parseDecimal(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, errors.New("it is no number")
	}
	return n, nil
}

// parseClearable reads a time, keeping -1, which the time parser would take as infinite.
func parseClearable(text string, parse func(string) (int64, error)) (int64, error) {
	if text == "-1" {
		return -1, nil
	}
	return parse(text)
}

// parseSeconds reads GraceTime and PreemptExemptTime: a plain number is seconds
// there, a time string is taken as such.
func parseSeconds(text string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= -1 {
		return n, nil
	}
	return slurmtext.ParseTimeSeconds(text)
}

// parseShares follows sacctmgr's set-association-record parser. It reads Fairshare: a number from 0 on, or a word that
// begins with parent.
func parseShares(text string) (int64, error) {
	if len(text) >= 6 && strings.EqualFold(text[:6], "parent") {
		return useParentShares, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if n == -1 && err == nil {
		return 1, nil // back to the default
	}
	if err != nil || n < 0 || n > math.MaxUint32 {
		return 0, errors.New("it is neither a number nor parent")
	}
	return n, nil
}

// qosFlags reports names that are no flag and leaves them out, as sacctmgr does.
func (e *evaluator) qosFlags(s Setting) []string {
	return slices.DeleteFunc(splitNames(s.Text), func(word string) bool {
		if slurmtext.IsQOSFlag(word) {
			return false
		}
		e.ds.Warnf("sacctmgr-qos-flag", s.Span, "no QOS has a flag %s", word).
			Note("it has no effect; the flags are %s", strings.Join(slurmtext.QOSFlags, ", ")).
			DidYouMean(s.Span, word, slurmtext.QOSFlags)
		return true
	})
}

// sacctmgr dump writes typed resources without quotes, as in
// GrpTRES=cpu=100,gres/gpu:a100=2, and the colon that parts name and type is the
// one that ends an option. sacctmgr load before 26.05.1 ends it there and refuses
// the file (seen in 22.05.8; the correction is in the change log of 26.05.1). Here
// such a colon belongs to the value where nothing else can be meant.

// isTyped reports whether the colon at i is within the name of a resource: after
// the slash of the entry's name, and before a type that has a count and is no option.
// The value of a list of TRES begins at start.
func (s *scanner) isTyped(start, i, stop int) bool {
	before := s.file[start:i]
	before = before[bytes.LastIndexByte(before, ',')+1:]
	if !bytes.ContainsRune(before, '/') || bytes.ContainsAny(before, "=:'\"") ||
		dialect.IsSpace(before[len(before)-1]) {
		return false
	}
	after := s.file[i+1 : stop]
	equals := bytes.IndexByte(after, '=')
	if equals <= 0 || bytes.ContainsAny(after[:equals], ",:'\"# \t\v\f\r") || equals+1 == len(after) {
		return false
	}
	for _, table := range [][]option{options().association, options().qos} {
		if _, abbreviated, ok := findOption(table, string(after[:equals])); ok && !abbreviated {
			return false
		}
	}
	count := after[equals+1]
	return count == '-' || count >= '0' && count <= '9'
}

// holdsTRES reports whether an option of an object is a list of TRES.
func holdsTRES(object, key string) bool {
	known, _, ok := findOption(optionsOf(objectNamed(object)), key)
	return ok && known.kind == tres
}

// checkTyped says once what becomes of typed resources without quotes.
func checkTyped(f *File, ds *diag.Bounded) {
	var first Word
	n := 0
	for _, l := range f.Lines {
		for _, o := range l.Options {
			if isUnquotedTyped(o.Value) {
				if n++; n == 1 {
					first = o.Value
				}
			}
		}
	}
	if n == 0 {
		return
	}
	d := ds.Warnf("sacctmgr-typed-tres", first.Span,
		"sacctmgr load before 26.05.1 refuses the file: it takes the colon in %s for the end of the option",
		first.Text).
		Note("it is read here as sacctmgr dump means it; a value in quotes is read by all versions, and `fairway " +
			"fmt` writes it so")
	if n > 1 {
		d.Note("%d values are written so", n)
	}
	d.Suggest(first.Span, "'"+first.Text+"'")
}

// isUnquotedTyped: only a list of TRES has a colon without quotes.
func isUnquotedTyped(w Word) bool {
	return !w.IsZero() && w.Span.Text() == w.Text && strings.Contains(w.Text, ":") && !strings.ContainsAny(w.Text, `'"`)
}
