package slurmconf

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Value is what one key holds: the text Slurm stores, and for typed keys the
// number or truth it means. The zero Span means a default.
type Value struct {
	Text      string
	Span      source.Span
	Bool      bool
	Number    uint64 // in the unit of the table: seconds, minutes, MB or plain
	Infinite  bool   // UNLIMITED or INFINITE; Number is then what Slurm stores
	Inherited bool   // from a DEFAULT record
}

// IsSet reports whether the site wrote the value.
func (v Value) IsSet() bool { return !v.Span.IsZero() }

// typed reads a word as the table's row says. It reports false, with a
// diagnostic, when slurmctld would refuse the text.
func typed(p *stdlib.Param, w Word, version string, ds *diag.Bounded) (Value, bool) {
	v := Value{Text: w.Text, Span: w.Span}
	var err error
	switch p.Type {
	case "bool":
		v.Bool, err = parseBool(w.Text)
	case "uint16":
		v.Number, v.Infinite, err = parseUint(w.Text, 16)
	case "uint32":
		v.Number, v.Infinite, err = parseUint(w.Text, 32)
	case "uint64":
		v.Number, v.Infinite, err = parseUint(w.Text, 64)
	case "time":
		return typedTime(p, v, ds)
	case "enum":
		return v, checkEnum(p, w, version, ds)
	case "tres_weights":
		return v, checkWeights(w, ds)
	}
	if err != nil {
		d := ds.Errorf("slurm-value", w.Span, "%s cannot be %q: %v", p.Name, w.Text, err).
			Note("%s is of type %s: %s", p.Name, p.Type, p.Doc)
		if mb, ok := megabytes(w.Text); ok && p.Unit == "mb" {
			d.Note("it is in MB, without a unit; write %s=%s", p.Name, mb).Suggest(w.Span, mb)
		}
		return v, false
	}
	if strings.HasPrefix(p.Type, "uint") {
		checkNotation(p, v, ds)
	}
	return v, true
}

// megabytes reads an amount of memory with a unit, such as 64G or 512MB.
func megabytes(text string) (mb string, ok bool) {
	digits := strings.TrimRight(strings.ToUpper(text), "KMGTBI")
	n, err := strconv.ParseUint(digits, 10, 32)
	factor := map[string]uint64{"M": 1, "MB": 1, "MIB": 1, "G": 1 << 10, "GB": 1 << 10, "GIB": 1 << 10, "T": 1 << 20,
		"TB":  1 << 20,
		"TIB": 1 << 20}[strings.ToUpper(text)[len(digits):]]
	return strconv.FormatUint(n*factor, 10), err == nil && n*factor > 0
}

var errBool = errors.New("it must be yes, up, true, 1, no, down, false or 0")

// parseBool takes the words of s_p_get_boolean, in any case.
func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "yes", "up", "true", "1":
		return true, nil
	case "no", "down", "false", "0":
		return false, nil
	}
	return false, errBool
}

// parseUint reads a number as strtoul with base 0 does: 0x is hexadecimal and
// a leading 0 octal. From 32 bits on one k at the end multiplies by 1024.
func parseUint(text string, bits int) (n uint64, infinite bool, err error) {
	limit := uint64(math.MaxUint64) >> (64 - bits)
	if strings.EqualFold(text, "UNLIMITED") || strings.EqualFold(text, "INFINITE") {
		return limit, true, nil
	}
	digits, factor := text, uint64(1)
	if bits > 16 && (strings.HasSuffix(text, "k") || strings.HasSuffix(text, "K")) {
		digits, factor = text[:len(text)-1], 1024
	}
	digits = strings.TrimPrefix(digits, "+")
	switch {
	case len(digits) > 2 && (strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X")):
		n, err = strconv.ParseUint(digits[2:], 16, 64)
	case len(digits) > 1 && digits[0] == '0':
		n, err = strconv.ParseUint(digits, 8, 64)
	default:
		n, err = strconv.ParseUint(digits, 10, 64)
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false, errors.New("it is no whole number from 0 on")
	}
	if err != nil || n > limit/factor {
		return 0, false, errors.New("it is more than " + strconv.FormatUint(limit, 10))
	}
	return n * factor, false, nil
}

// checkNotation warns of numbers that are not what they look like.
func checkNotation(p *stdlib.Param, v Value, ds *diag.Bounded) {
	decimal := strconv.FormatUint(v.Number, 10)
	if v.Infinite || v.Text == decimal || v.Text == "+"+decimal {
		return
	}
	ds.Warnf("slurm-number-notation", v.Span, "%s=%s means %s", p.Name, v.Text, decimal).
		Note("a leading 0 is octal, 0x hexadecimal, and k multiplies by 1024").Suggest(v.Span, decimal)
}

// infiniteMinutesInSeconds is what Slurm stores for an infinite time that it
// keeps in minutes and multiplies by 60 in 32 bits.
const infiniteMinutesInSeconds = math.MaxUint32 * 60 % (1 << 32)

// typedTime reads a time string as the code that uses the key converts it. PriorityDecayHalfLife, PriorityMaxAge and
// PriorityCalcPeriod are rounded up to minutes before they become seconds.
func typedTime(p *stdlib.Param, v Value, ds *diag.Bounded) (Value, bool) {
	read, factor := slurmtext.ParseTimeMinutes, int64(1)
	switch {
	case p.Name == "PreemptExemptTime":
		read = slurmtext.ParseTimeSeconds
	case p.Unit == "seconds":
		factor = 60
	}
	n, err := read(v.Text)
	if err == nil && n != slurmtext.Infinite && n*factor > math.MaxUint32 {
		err = errors.New("it is too long for 32 bits")
	}
	if err != nil {
		ds.Errorf("slurm-time", v.Span, "%s cannot be %q: %v", p.Name, v.Text, err).
			Note("write minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes[:seconds] or UNLIMITED")
		return v, false
	}
	switch v.Number = uint64(n * factor); {
	case n == slurmtext.Infinite:
		v.Infinite, v.Number = true, math.MaxUint32
		if factor == 60 {
			v.Number = infiniteMinutesInSeconds
		}
	case p.Name != "PreemptExemptTime" && strings.Count(v.Text, ":") == 1 && !strings.Contains(v.Text, "-"):
		ds.Warnf("slurm-time-minutes-seconds", v.Span, "%s=%s means %s", p.Name, v.Text, count(int(n), "minute")).
			Note("two fields are minutes:seconds; for hours and minutes write %s:00", v.Text)
	}
	if p.Name == "PriorityCalcPeriod" && (v.Infinite || v.Number < 60) {
		ds.Errorf("slurm-value", v.Span,
			"PriorityCalcPeriod cannot be %q: it must be at least one minute and finite", v.Text).
			Note("the default is 5 minutes")
		return v, false
	}
	return v, true
}

// checkWeights tests PriorityWeightTRES and TRESBillingWeights; a bad entry
// keeps slurmctld from starting.
func checkWeights(w Word, ds *diag.Bounded) bool {
	if _, err := slurmtext.ParseTRESWeights(w.Text); err != nil {
		ds.Errorf("slurm-tres-weights", valueSpan(w, err), "the TRES weights are wrong: %v", err).
			Note("write for instance CPU=1.0,Mem=0.25G,GRES/gpu=2.0")
		return false
	}
	return true
}

// scalars tests global values whose rule is their own.
func (e *evaluator) scalars() {
	e.plugins()
	e.pluginWords()
	e.submitPlugins()
	if p, ok := e.cfg.Param("AccountingStorageEnforce"); ok {
		e.enforce(p.Value)
	}
	if p, ok := e.cfg.Param("PriorityFlags"); ok {
		e.priorityFlags(p.Value)
	}
	if p, ok := e.cfg.Param("SchedulerParameters"); ok {
		e.schedulerParameters(p.Value)
	}
	if p, ok := e.cfg.Param("PriorityWeightTRES"); ok {
		e.weights(p.Name, p.Value)
	}
	e.ignoredWeights()
	e.weightSum()
	e.refusedWords()
	e.refusedPairs()
	e.refusedNumbers()
	e.trackedTRES()
	if p, ok := e.cfg.Param("Licenses"); ok && p.Text != "" && licenses(p.Text) == nil {
		e.ds.Errorf("slurm-value", p.Span, "Licenses cannot be %q", p.Text).
			Note("write name:count, for instance matlab:10,abaqus:5; Slurm ignores the whole list")
	}
}

// enforce tests the words of AccountingStorageEnforce, the one list that Slurm
// splits at its commas and whose unknown words it does not ignore.
func (e *evaluator) enforce(v Value) {
	var words []string
	for _, w := range enforceWords {
		words = append(words, w.words[0])
	}
	places := placesIn(v.Text, v.Span)
	for _, it := range entries(v.Text) {
		if _, unknown := ParseEnforce(it.text); len(unknown) == 0 {
			continue
		}
		place := places.at(it.at, it.end())
		e.ds.Errorf("slurm-enforce", place, "AccountingStorageEnforce does not know %q", it.text).
			Note("slurmctld refuses to start; it is a comma list of %s", strings.Join(words, ", ")).
			DidYouMean(place, it.text, words)
	}
}

// ReadSetting reads text as the value of a global key the way a line of slurm.conf is
// read, with all that Evaluate says of it; false if slurmctld would refuse it. The
// findings are in a file that holds "name=text".
//
// tracked is AccountingStorageTRES as the site has it, "" for the default. What else depends on
// other keys is read as if they were set so that this one counts.
func ReadSetting(name, text string, opt Options, tracked string) (Value, diag.List, bool) {
	if strings.ContainsAny(text, "\n\x00") {
		return Value{}, nil, false // these would end the line
	}
	var lines []*Line
	beside := []struct{ name, text string }{
		{"PriorityType", "priority/multifactor"},
		{"AccountingStorageType", "accounting_storage/slurmdbd"},
		{"AccountingStorageTRES", tracked},
	}
	for _, b := range beside {
		if b.text != "" && b.name != name {
			lines = append(lines, settingLine(b.name, b.text))
		}
	}
	line := settingLine(name, text)
	cfg, found := Evaluate(append(lines, line), opt)
	var own diag.List
	for _, d := range found {
		if d.Span.File == line.Span.File {
			own = append(own, d)
		}
	}
	p, ok := cfg.Param(name)
	return p.Value, own, ok && !own.HasErrors()
}

// settingLine is the line name=text, whatever the text has in it.
func settingLine(name, text string) *Line {
	whole := name + "=" + text
	f := source.NewFile(name, []byte(whole))
	word := func(start, end int) Word { return Word{Text: whole[start:end], Span: f.Span(start, end)} }
	n := len(name)
	return &Line{
		Span: f.Span(
			0,
			len(whole),
		),
		file:    &File{Source: f},
		logical: &logicalLine{text: []byte(whole), end: len(whole), eol: len(whole)},
		Pairs:   []Pair{{Key: word(0, n), Op: word(n, n+1), Value: word(n+1, len(whole))}},
	}
}

// count is "1 node" or "2 nodes".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
