package slurm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// A kind reads the values of fields: from text, as scontrol and tables have it, and from JSON, where path says which
// member it is. Most set the field and no other.
type (
	textKind = func(r *slurmRecord, s slot, text string) error
	jsonKind = func(c *slurmJSON, r *slurmRecord, s slot, path string) error
)

type kind struct {
	text textKind
	json jsonKind
}

// kinds are the words of the tables of fields for them.
var kinds = map[string]kind{
	"words":            {value(textWords), member((*slurmJSON).words)},
	"raw":              {value(textRaw), member((*slurmJSON).words)},
	"name(number)":     {text: value(func(t string) (schema.Value, error) { return textRaw(userName(t)) })},
	"if none":          {json: ifNone},
	"joined":           {json: joinedWords},
	"first word":       {json: firstWord},
	"count":            {value(textCount), member((*slurmJSON).count)},
	"count if any":     {json: ifKnown((*slurmJSON).count)},
	"clock":            {text: textIfKnown(textClock)},
	"number":           {value(textCount), member((*slurmJSON).integer)},
	"number twice":     {text: numberTwice},
	"first number":     {text: firstNumber},
	"range":            {text: textRange},
	"range if any":     {text: rangeIfAny},
	"bound":            {value(textBound), member((*slurmJSON).count)},
	"nice":             {value(textNice), member((*slurmJSON).nice)},
	"priority":         {value(textPriority), member((*slurmJSON).integer)},
	"managed priority": {text: value(managedPriority)},
	"threshold":        {value(textThreshold), member((*slurmJSON).integer)},
	"shares":           {value(textShares), member((*slurmJSON).sharesOf)},
	"real":             {value(textDouble), member((*slurmJSON).real)},
	"finite real":      {json: member((*slurmJSON).finiteReal)},
	"real if any":      {json: ifKnown((*slurmJSON).finiteReal)},
	"first real":       {text: firstReal},
	"usage":            {text: value(textUsage)},
	"load":             {textIfKnown(textDouble), ifKnown((*slurmJSON).hundredths)},
	"flag":             {value(textYes), member((*slurmJSON).boolean)},
	"memory":           {value(textMemory), member((*slurmJSON).count)},
	"time":             {textTime, member((*slurmJSON).epoch)},
	"time if any":      {timeIfAny, ifKnown((*slurmJSON).epoch)},
	"limit":            {value(textLimit), member((*slurmJSON).minutes)},
	"least limit":      {leastLimit, leastMinutes},
	"finite limit":     {value(finiteLimit), member((*slurmJSON).finiteMinutes)},
	"minutes":          {text: value(textMinutes)},
	"elapsed":          {elapsed, member((*slurmJSON).integer)},
	"seconds":          {text: textIfKnown(textSeconds)},
	"hosts":            {value(textHosts), member((*slurmJSON).hosts)},
	"list":             {value(textList), member((*slurmJSON).commaList)},
	"names":            {value(allNames), member((*slurmJSON).commaList)},
	"word list":        {json: member((*slurmJSON).wordValues)},
	"tres":             {tresText, (*slurmJSON).tres},
	"tres list":        {json: (*slurmJSON).tresRecords},
	"weights":          {value(textWeights), (*slurmJSON).weights},
	"version":          {slurmVersionText, slurmVersionJSON},

	"id":                 {jobIdentifier, (*slurmJSON).identifier},
	"array":              {text: arrayIdentifier},
	"task":               {text: arrayTask},
	"tasks":              {json: arrayTasks},
	"throttle":           {text: throttle, json: member((*slurmJSON).count)},
	"state":              {value(oneState), member((*slurmJSON).wordValues)},
	"states":             {splitStates, moreStates},
	"share":              {text: squeuePriority},
	"by partition":       {json: (*slurmJSON).partitionPriorities},
	"reason":             {value(textReason), member((*slurmJSON).words)},
	"hosts or reason":    {text: value(hostsOrReason)},
	"cpu time":           {cpuTime, cpuSecondsOf(1)},
	"cpu microseconds":   {json: cpuSecondsOf(1e-6)},
	"cpus had":           {text: cpusHad},
	"cpus asked":         {text: cpusAsked},
	"first":              {text: value(firstCount)},
	"last":               {text: value(lastCount)},
	"first and last":     {text: firstAndLast},
	"sharing":            {sharing, sharingJSON},
	"switches":           {text: switches},
	"granted processors": {text: grantedProcs},
	"granted memory":     {text: grantedMemory},
	"job resources":      {json: (*slurmJSON).jobResources},
	"flag words":         {value(textFlags), member((*slurmJSON).reservationFlags)},
	"qos flags":          {value(textList), member((*slurmJSON).qosFlags)},
	"used time":          {text: usedTime},
	"used tres":          {text: usedTRES},
}

// value is the kind of a text that says all of one field, textIfKnown of one that says nothing where it is open.
func value(read func(string) (schema.Value, error)) textKind {
	return func(r *slurmRecord, s slot, text string) error {
		v, err := read(text)
		r.setIf(err == nil, s, v)
		return err
	}
}

func textIfKnown(read func(string) (schema.Value, error)) textKind {
	return func(r *slurmRecord, s slot, text string) error {
		v, err := read(text)
		r.setIf(v.Known() && err == nil, s, v)
		return err
	}
}

// member and ifKnown are the same of JSON.
func member(read func(*slurmJSON, string) (schema.Value, error)) jsonKind {
	return func(c *slurmJSON, r *slurmRecord, s slot, path string) error {
		v, err := c.like(path, read)
		r.set(s, v)
		return err
	}
}

func ifKnown(read func(*slurmJSON, string) (schema.Value, error)) jsonKind {
	return func(c *slurmJSON, r *slurmRecord, s slot, path string) error {
		v, err := c.like(path, read)
		r.setIf(v.Known(), s, v)
		return err
	}
}

// ifNone: accounting has the user of a job twice.
func ifNone(c *slurmJSON, r *slurmRecord, s slot, path string) error {
	if r.text(s) != "" {
		return nil
	}
	v, err := c.words(path)
	r.set(s, v)
	return err
}

func joinedWords(c *slurmJSON, r *slurmRecord, s slot, path string) error {
	list, err := c.wordList(path, nil)
	r.setText(s, strings.Join(list, ","))
	return err
}

func firstWord(c *slurmJSON, r *slurmRecord, s slot, path string) error {
	list, err := c.wordList(path, nil)
	if len(list) > 0 {
		r.setText(s, list[0])
	}
	return err
}

// numberTwice is of this field and the next.
func numberTwice(r *slurmRecord, s slot, text string) error {
	n, err := textCount(text)
	r.set(s, n)
	r.set(s+1, n)
	return err
}

// firstNumber: "Account Limits=" follows the priority, whose name has a blank.
func firstNumber(r *slurmRecord, s slot, text string) error {
	number, _, _ := strings.Cut(strings.ReplaceAll(text, "\n", " "), " ")
	return value(textCount)(r, s, number)
}

// managedPriority is of the controller, which prints the numbers for none.
func managedPriority(text string) (schema.Value, error) {
	n, err := textCount(text)
	if n.Int == infinite32 || n.Int == noVal32 {
		n = schema.Value{}
	}
	return n, err
}

// firstReal is of numbers parted by slashes.
func firstReal(r *slurmRecord, s slot, text string) error {
	first, _, _ := strings.Cut(text, "/")
	return value(textDouble)(r, s, first)
}

// textRange reads a count or low-high, as NumNodes and NumCPUs are printed; high is the next field.
func textRange(r *slurmRecord, s slot, text string) error {
	if strings.HasPrefix(text, "-") {
		return fmt.Errorf("the count %q is negative", text)
	}
	from, to, _ := strings.Cut(text, "-")
	low, err := textCount(from)
	if err != nil {
		return err
	}
	high, err := textCount(to)
	r.set(s, low)
	r.set(s+1, high)
	return err
}

// rangeIfAny: a table prints no maximum where there is none.
func rangeIfAny(r *slurmRecord, s slot, text string) error {
	err := textRange(r, s, text)
	if !r.known(s + 1) {
		r.forget(s + 1)
	}
	return err
}

func timeIfAny(r *slurmRecord, s slot, text string) error {
	err := textTime(r, s, text)
	if !r.known(s) {
		r.forget(s)
	}
	return err
}

// leastLimit: squeue prints 0:00 of a job without --time-min, JSON 0.
func leastLimit(r *slurmRecord, s slot, text string) error {
	v, err := textLimit(text)
	r.set(s, unlessZero(v))
	return err
}

func leastMinutes(c *slurmJSON, r *slurmRecord, s slot, path string) error {
	v, err := c.minutes(path)
	r.set(s, unlessZero(v))
	return err
}

func throttle(r *slurmRecord, s slot, text string) error {
	v, err := textCount(text)
	r.set(s, unlessZero(v))
	return err
}

func unlessZero(v schema.Value) schema.Value {
	if v.Int == 0 {
		return schema.Value{}
	}
	return v
}

// finiteLimit leaves an unlimited time open.
func finiteLimit(text string) (schema.Value, error) {
	v, err := textLimit(text)
	return finite(v), err
}

func finite(v schema.Value) schema.Value {
	if v.Int == slurmtext.Infinite {
		return schema.Value{}
	}
	return v
}

// elapsed is [days-[hours:]]minutes:seconds, or in seconds in another column, which counts.
func elapsed(r *slurmRecord, s slot, text string) error {
	if isOpen(text) || r.known(s) {
		return nil
	}
	seconds, err := slurmtext.ParseTimeSeconds(text)
	if err == nil && seconds == slurmtext.Infinite {
		err = fmt.Errorf("%q is no time that passed", text)
	}
	r.setIf(err == nil, s, schema.IntValue(seconds))
	return err
}

func textSeconds(text string) (v schema.Value, err error) {
	if isOpen(text) {
		return v, nil
	}
	n, ok := format.WholeNumber(text)
	if !ok || n < 0 || n > math.MaxUint32 {
		return v, fmt.Errorf("%q is no number of seconds", text)
	}
	return schema.IntValue(n), nil
}

// cpuTime has thousandths: 1-02:03:04 or 03:04.567.
func cpuTime(r *slurmRecord, s slot, text string) error {
	if isOpen(text) {
		return nil
	}
	whole, fraction, _ := strings.Cut(text, ".")
	seconds, err := slurmtext.ParseTimeSeconds(whole)
	if err == nil && (seconds == slurmtext.Infinite || strings.Trim(fraction, "0123456789") != "") {
		err = fmt.Errorf("%q is no CPU time", text)
	}
	thousandths, _ := format.RealNumber("0." + fraction + "0")
	r.setIf(err == nil, s, schema.DoubleValue(float64(seconds)+thousandths))
	return err
}

// cpuSecondsOf adds what JSON has in two members.
func cpuSecondsOf(unit float64) jsonKind {
	return func(c *slurmJSON, r *slurmRecord, s slot, path string) error {
		n, err := c.integer(path)
		seconds := float64(n.Int)
		if unit != 1 {
			seconds /= 1e6
		}
		r.set(s, schema.DoubleValue(r.get(s).Double+seconds))
		return err
	}
}

func tresText(r *slurmRecord, s slot, text string) error {
	list, err := textTRES(text)
	r.setTRES(s, list)
	return err
}

func slurmVersionText(r *slurmRecord, _ slot, text string) error {
	slurmVersion(r.in, text)
	return nil
}

func slurmVersionJSON(c *slurmJSON, r *slurmRecord, _ slot, path string) error {
	v, err := c.words(path)
	if r.in.Snapshot.Version == "" {
		slurmVersion(r.in, v.Str)
	}
	return err
}

// The kinds of single fields of jobs follow.

// jobIdentifier tells apart the two forms of an id that one header names: 12_3 or 12_[4-9] as people write it, and the
// number of the record.
func jobIdentifier(r *slurmRecord, s slot, text string) error {
	switch id := r.text(s); {
	case text == "":
		return fieldError("JOBID", "the row names no job")
	case id == "":
		r.setText(s, text)
	case strings.Contains(id, "_"):
		r.setText(jobRecord, text)
	case strings.Contains(text, "_"):
		r.setText(s, text)
		r.setText(jobRecord, id)
	case strings.Contains(id, "+"): // a component of a heterogeneous job
		r.component(id)
		r.setText(s, text)
	case strings.Contains(text, "+"):
		r.component(text)
	}
	return nil
}

// component takes 20+1, the second component of a heterogeneous job.
func (r *slurmRecord) component(text string) {
	job, offset, _ := strings.Cut(text, "+")
	n, err := strconv.ParseInt(job, 10, 64)
	k, errOffset := strconv.ParseInt(offset, 10, 64)
	if err == nil && errOffset == nil {
		r.setInt(jobHet, n)
		r.setInt(jobHetOffset, k)
	}
}

// arrayIdentifier: squeue prints the job's own id where there is no array.
func arrayIdentifier(r *slurmRecord, s slot, text string) error {
	if !strings.Contains(r.text(jobID), "_") {
		return nil
	}
	return value(textCount)(r, s, text)
}

// arrayTask takes a single index; ranges such as 0-7%3 belong to the record of the tasks that are not split off.
func arrayTask(r *slurmRecord, s slot, text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case isOpen(text):
		r.set(s, schema.Value{})
	case err == nil:
		r.setInt(s, n)
	default:
		r.set(s, schema.Value{})
		r.setBool(jobUnsplit, true)
		r.tasksOf(text)
	}
	return nil
}

// arrayTasks are the tasks not yet split off, such as 0-7%3.
func arrayTasks(c *slurmJSON, r *slurmRecord, _ slot, path string) error {
	rest, err := c.words(path)
	if r.forget(jobUnsplit); rest.Str != "" {
		r.setBool(jobUnsplit, true)
		r.tasksOf(rest.Str)
	}
	return err
}

// oneState keeps the word in full or in the compact form of %t.
func oneState(text string) (schema.Value, error) { return schema.ListValue([]string{text}), nil }

// splitStates are a base state and its flags.
func splitStates(r *slurmRecord, s slot, text string) error {
	r.setList(s, strings.Split(text, "+"))
	return nil
}

func moreStates(c *slurmJSON, r *slurmRecord, s slot, path string) error {
	list, err := c.wordList(path, r.list(s))
	r.setList(s, list)
	return err
}

// squeuePriority takes %Q, the number itself, or %p, its share of 2^32-1 with 14 decimals, which is enough to get the
// number back.
func squeuePriority(r *slurmRecord, s slot, text string) error {
	switch {
	case isOpen(text):
		r.setIf(!r.stated(s), s, schema.Value{})
		return nil
	case !strings.Contains(text, "."):
		return value(textCount)(r, s, text)
	}
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || share < 0 || share > 1 {
		return fieldError("PRIORITY", "%q is no priority", text)
	}
	r.setIf(!r.known(s), s, schema.IntValue(int64(math.Round(share*math.MaxUint32))))
	return nil
}

// textReason keeps the reason as scontrol writes it.
func textReason(text string) (schema.Value, error) {
	if text == "(null)" {
		text = ""
	}
	return schema.StringValue(OneWord(text)), nil
}

// hostsOrReason reads squeue's NODELIST(REASON): nodes, or the reason in parentheses.
func hostsOrReason(text string) (schema.Value, error) {
	if reason, ok := strings.CutPrefix(text, "("); ok {
		return textReason(strings.TrimSuffix(reason, ")"))
	}
	return schema.StringValue("None"), nil
}

// OneWord writes a reason as scontrol does, which joins words by _ where squeue and JSON have blanks. The
// other way round names with _ would be lost.
func OneWord(reason string) string { return strings.ReplaceAll(reason, " ", "_") }

// cpusHad: what the job has is also what it wants, unless it has none yet.
func cpusHad(r *slurmRecord, s slot, text string) error {
	n, err := textCount(text)
	if n.Int > 0 {
		r.set(jobCPUsHad, n)
		r.set(s, n)
	}
	return err
}

// cpusAsked: newer sacct prints 0 for a job that has none yet.
func cpusAsked(r *slurmRecord, s slot, text string) error {
	n, err := textCount(text)
	r.setIf(n.Int > 0 && !r.known(s), s, n)
	return err
}

// firstCount and lastCount are of a list parted by colons, if it states one.
func firstCount(text string) (schema.Value, error) {
	first, _, _ := strings.Cut(text, ":")
	if first == "0" {
		first = ""
	}
	return textCount(first)
}

func lastCount(text string) (schema.Value, error) {
	last := text[strings.LastIndexByte(text, ':')+1:]
	if last == "*" || last == "0" {
		last = ""
	}
	return textCount(last)
}

// firstAndLast are of this field and the next, and the part before the last of the one after it, as in
// NtasksPerN:B:S:C: tasks on each node, core and socket.
func firstAndLast(r *slurmRecord, s slot, text string) error {
	if err := value(firstCount)(r, s, text); err != nil {
		return err
	}
	if at := strings.LastIndexByte(text, ':'); at >= 0 && strings.Count(text, ":") > 2 {
		if err := value(lastCount)(r, s+2, text[:at]); err != nil {
			return err
		}
	}
	return value(lastCount)(r, s+1, text)
}

// oversubscribe: NO is --exclusive, OK the default, YES a wish to share; USER and MCS are exclusive to one user or
// label, not whole nodes for one job.
func oversubscribe(text string) (v schema.Value, err error) {
	switch text {
	case "NO", "EXCLUSIVE":
		return schema.BoolValue(true), nil
	case "OK", "YES", "USER", "MCS", "TOPO":
		return schema.BoolValue(false), nil
	}
	if !isOpen(text) {
		err = fieldError("OverSubscribe", "%q is none of NO, OK, YES, USER, MCS, TOPO", text)
	}
	return v, err
}
