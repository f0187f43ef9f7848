package slurm

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// Since 21.08 Slurm has written the same number as 5, null, {"set": true,
// "infinite": false, "number": 5}, "5" and "Infinity", by version and by the
// flags of --json. slurmJSON reads any of them.
type slurmJSON struct {
	*format.Cursor
	strings   map[string]string             // each different string is kept once
	lists     map[string][]string           // each list of one word
	list      []string                      // used again
	resources map[string]slurmtext.TRESList // by the text that names them
	forms     []numberForm                  // those of objects with numbers, lately
	reads     *jsonMember                   // the member that is read
	fault     error                         // first fault of the record being read
	faultAt   int                           // its place
}

func newSlurmJSON(text []byte) *slurmJSON {
	return &slurmJSON{Cursor: &format.Cursor{Text: text}, strings: map[string]string{}, lists: map[string][]string{},
		resources: map[string]slurmtext.TRESList{}}
}

// mostKept is how many different texts are kept.
const mostKept = 1 << 16

// Numbers that older serialisers print where a value is not set or infinite:
// NO_VAL and INFINITE of slurm.h, in 16, 32 and 64 bits.
const (
	noVal16, infinite16 = 0xfffe, 0xffff
	noVal32, infinite32 = 0xfffffffe, 0xffffffff
)

// jsonNumber is a number in any of its forms.
type jsonNumber struct {
	value    float64
	whole    int64
	isWhole  bool
	set      bool
	infinite bool
}

// fail notes the first fault of a record.
func (c *slurmJSON) fail(field string, at int, format string, args ...any) {
	if c.fault == nil {
		c.fault, c.faultAt = fieldError(field, format, args...), at
	}
}

// numeric reads a number; what is none is a fault of the record.
func (c *slurmJSON) numeric(field string) (n jsonNumber, err error) {
	at := c.At
	switch b := c.Peek(); {
	case b == 'n':
		return n, c.Word("null")
	case b == '{':
		return c.numberObject(field)
	case b == '"':
		text, err := c.StringBytes()
		if err != nil {
			return n, err
		}
		switch string(text) {
		case "":
			return n, nil
		case "Infinity", "UNLIMITED", "INFINITE":
			return jsonNumber{set: true, infinite: true}, nil
		}
		if n, ok := parseJSONNumber(text); ok {
			return n, nil
		}
	case b == '-' || (b >= '0' && b <= '9'):
		text, err := c.Number()
		if err != nil {
			return n, err
		}
		if n, ok := parseJSONNumber(text); ok {
			return n, nil
		}
	default:
		if err := c.Skip(); err != nil {
			return n, err
		}
	}
	c.fail(field, at, "%s is no number", format.Excerpt(c.Text[at:c.At]))
	return n, nil
}

func parseJSONNumber(text []byte) (jsonNumber, bool) {
	if n, plain := digits(text); plain {
		return jsonNumber{value: float64(n), whole: n, isWhole: true, set: true}, true
	}
	if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return jsonNumber{value: float64(i), whole: i, isWhole: true, set: true}, true
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(f, 0) || f != f {
		return jsonNumber{}, false
	}
	whole := f == math.Trunc(f) && math.Abs(f) < 1<<53
	return jsonNumber{value: f, whole: int64(f), isWhole: whole, set: true}, true
}

// digits reads what most numbers are: few digits and no sign.
func digits(text []byte) (n int64, plain bool) {
	for _, b := range text {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = n*10 + int64(b-'0')
	}
	return n, len(text) > 0 && len(text) <= 18
}

// numberForm is what is around the digits of an object with a number, and what it says of the number.
type numberForm struct {
	before, after []byte
	set, infinite bool
}

// maxForms is how many forms one document may have: by set and infinite, and by how deep the lines are indented.
const maxForms = 16

// numberObject: infinite wins over set, as the data parser writes it.
func (c *slurmJSON) numberObject(field string) (n jsonNumber, err error) {
	for i := range c.forms {
		if n, ok := c.forms[i].number(c); ok {
			return n, nil
		}
	}
	f, start, at := numberForm{set: true}, c.At, 0
	err = c.Object(func(key []byte) error {
		switch string(key) {
		case "set":
			f.set = c.Peek() == 't'
		case "infinite":
			f.infinite = c.Peek() == 't'
		case "number":
			c.Peek()
			at = c.At
			n, err = c.numeric(field)
			f.before, f.after = c.Text[start:at], c.Text[c.At:]
			return err
		}
		return nil
	})
	if _, plain := digits(c.Text[at : len(c.Text)-len(f.after)]); plain && err == nil && len(c.forms) < maxForms {
		f.after = f.after[:c.At-(len(c.Text)-len(f.after))]
		c.forms = append(c.forms, f)
	}
	return f.of(n), err
}

// number reads the digits of an object of the form.
func (f *numberForm) number(c *slurmJSON) (n jsonNumber, ok bool) {
	text := c.Text[c.At:]
	if !bytes.HasPrefix(text, f.before) {
		return n, false
	}
	text = text[len(f.before):]
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	whole, plain := digits(text[:end])
	if !plain || end > 1 && text[0] == '0' || !bytes.HasPrefix(text[end:], f.after) {
		return n, false
	}
	c.At += len(f.before) + end + len(f.after)
	return f.of(jsonNumber{value: float64(whole), whole: whole, isWhole: true, set: true}), true
}

// of is the number that an object says, which has n.
func (f *numberForm) of(n jsonNumber) jsonNumber {
	switch {
	case f.infinite:
		return jsonNumber{set: true, infinite: true}
	case !f.set:
		return jsonNumber{}
	}
	return n
}

// signed reads a whole number; infinite leaves it open.
func (c *slurmJSON) signed(field string) (schema.Value, error) {
	at := c.At
	n, err := c.numeric(field)
	switch {
	case err != nil || !n.set || n.infinite || n.isWhole && n.whole == noVal32:
		return schema.Value{}, err
	case !n.isWhole:
		c.fail(field, at, "%s is no whole number", format.Excerpt(c.Text[at:c.At]))
		return schema.Value{}, nil
	}
	return schema.IntValue(n.whole), nil
}

// integer is a whole number that Slurm keeps without sign: all but nice.
func (c *slurmJSON) integer(field string) (schema.Value, error) {
	at := c.At
	n, err := c.signed(field)
	if n.Int < 0 {
		c.fail(field, at, "%d is negative", n.Int)
		return schema.Value{}, err
	}
	return n, err
}

// nice reads a nice value, which lies evenly around 0. Up to 22.05 (data parser
// v0.0.38) a negative one is printed modulo 2^32.
func (c *slurmJSON) nice(field string) (schema.Value, error) {
	const modulo = 1 << 32
	at := c.At
	n, err := c.signed(field)
	if n.Int >= modulo-format.MaxNice && n.Int < modulo {
		n.Int -= modulo
	}
	if n.Int < -format.MaxNice || n.Int > format.MaxNice {
		c.fail(field, at, "%d lies outside %d to %d", n.Int, -format.MaxNice, format.MaxNice)
		return schema.Value{}, err
	}
	return n, err
}

// count is an integer for which 0 means that nothing was asked for.
func (c *slurmJSON) count(field string) (schema.Value, error) {
	n, err := c.integer(field)
	if n.Int == 0 || n.Int == infinite32 || n.Int == noVal16 || n.Int == infinite16 {
		return schema.Value{}, err
	}
	return n, err
}

// epoch reads a time; 0 is never.
func (c *slurmJSON) epoch(field string) (schema.Value, error) {
	at := c.At
	n, err := c.integer(field)
	switch {
	case !n.Known() || n.Int == 0 || n.Int == infinite32:
		return schema.Value{}, err
	case !format.ValidTime(n.Int):
		c.fail(field, at, "%d is no time in seconds since 1970", n.Int)
		return schema.Value{}, err
	}
	return schema.TimestampValue(n.Int), err
}

// minutes reads a limit in minutes as seconds, slurmtext.Infinite when there is none.
func (c *slurmJSON) minutes(field string) (schema.Value, error) {
	at := c.At
	n, err := c.numeric(field)
	switch {
	case err != nil || !n.set:
		return schema.Value{}, err
	case n.infinite || n.whole == infinite32:
		return schema.IntValue(slurmtext.Infinite), nil
	case n.whole == noVal32:
		return schema.Value{}, nil
	case !n.isWhole || n.whole < 0 || n.whole > math.MaxUint32:
		c.fail(field, at, "%s is no number of minutes", format.Excerpt(c.Text[at:c.At]))
		return schema.Value{}, nil
	}
	return schema.IntValue(n.whole * 60), nil
}

// words reads a string; null is the empty one.
func (c *slurmJSON) words(field string) (schema.Value, error) {
	switch c.Peek() {
	case 'n':
		return schema.StringValue(""), c.Word("null")
	case '"':
		b, err := c.StringBytes()
		if err != nil {
			return schema.Value{}, err
		}
		return schema.StringValue(c.keep(b)), nil
	}
	at := c.At
	if err := c.Skip(); err != nil {
		return schema.Value{}, err
	}
	c.fail(field, at, "%s is no string", format.Excerpt(c.Text[at:c.At]))
	return schema.Value{}, nil
}

func (c *slurmJSON) keep(b []byte) string {
	if s, ok := c.strings[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(s) <= 64 && len(c.strings) < mostKept {
		c.strings[s] = s
	}
	return s
}

// wordList reads a list of strings, or one string as a list.
func (c *slurmJSON) wordList(field string, into []string) ([]string, error) {
	if c.Peek() != '[' {
		w, err := c.words(field)
		if w.Str != "" {
			into = append(into, w.Str)
		}
		return into, err
	}
	err := c.Array(func() error {
		w, err := c.words(field)
		into = append(into, w.Str)
		return err
	})
	return into, err
}

// boolean reads true, false or null.
func (c *slurmJSON) boolean(field string) (schema.Value, error) {
	switch c.Peek() {
	case 't':
		return schema.BoolValue(true), c.Word("true")
	case 'f':
		return schema.BoolValue(false), c.Word("false")
	case 'n':
		return schema.Value{}, c.Word("null")
	}
	at := c.At
	err := c.Skip()
	c.fail(field, at, "%s is neither true nor false", format.Excerpt(c.Text[at:c.At]))
	return schema.Value{}, err
}

// wordValues is the same as a value; most are one word.
func (c *slurmJSON) wordValues(field string) (schema.Value, error) {
	list, err := c.wordList(field, c.list[:0])
	if c.list = list; len(list) != 1 {
		return schema.ListValue(slices.Clone(list)), err
	}
	one := c.lists[list[0]]
	if one == nil {
		one = slices.Clone(list)
		c.lists[list[0]] = one
	}
	return schema.ListValue(one), err
}

// commaList reads a list written as an array or as one comma-separated string.
func (c *slurmJSON) commaList(field string) (schema.Value, error) {
	if c.Peek() == '[' {
		list, err := c.wordList(field, nil)
		return schema.ListValue(list), err
	}
	w, err := c.words(field)
	list, _ := textList(w.Str)
	return list, err
}

// judged notes what text says is wrong with a string.
func (c *slurmJSON) judged(field string, text func(string) (schema.Value, error)) (schema.Value, error) {
	at := c.At
	w, err := c.words(field)
	if err != nil {
		return schema.Value{}, err
	}
	v, fault := text(w.Str)
	if fault != nil {
		c.fail(field, at, "%s", fault)
	}
	return v, nil
}

func (c *slurmJSON) hosts(field string) (schema.Value, error) { return c.judged(field, textHosts) }

func (c *slurmJSON) weights(r *slurmRecord, s slot, field string) error {
	v, err := c.judged(field, textWeights)
	r.set(s, v)
	return err
}

// tres reads a TRES string.
func (c *slurmJSON) tres(r *slurmRecord, s slot, field string) error {
	m, at := c.reads, c.At
	if c.Again(m.text) {
		r.setTRES(s, m.tres)
		return nil
	}
	_, err := c.judged(field, func(text string) (schema.Value, error) {
		list, known := c.resources[text]
		var fault error
		if !known {
			if list, fault = textTRES(text); fault == nil && len(c.resources) < mostKept {
				list = slices.Clip(list)
				c.resources[text] = list
			}
		}
		r.setTRES(s, list)
		return schema.Value{}, fault
	})
	if err == nil && c.fault == nil {
		m.text, m.tres = c.Text[at:c.At], r.tres(s)
	}
	return err
}

// finiteMinutes leaves an unlimited time open.
func (c *slurmJSON) finiteMinutes(field string) (schema.Value, error) {
	v, err := c.minutes(field)
	return finite(v), err
}

// sharesOf leaves open that the parent's are used.
func (c *slurmJSON) sharesOf(field string) (schema.Value, error) {
	v, err := c.integer(field)
	if v.Int == sharesOfParent {
		v = schema.Value{}
	}
	return v, err
}

// real reads a decimal number; infinite is +Inf.
func (c *slurmJSON) real(field string) (schema.Value, error) {
	n, err := c.numeric(field)
	switch {
	case !n.set:
		return schema.Value{}, err
	case n.infinite:
		return schema.DoubleValue(math.Inf(1)), err
	}
	return schema.DoubleValue(n.value), err
}

// finiteReal reads a decimal number; infinite is none.
func (c *slurmJSON) finiteReal(field string) (schema.Value, error) {
	v, err := c.real(field)
	if math.IsInf(v.Double, 0) {
		v = schema.Value{}
	}
	return v, err
}

// hundredths is a load.
func (c *slurmJSON) hundredths(field string) (schema.Value, error) {
	n, err := c.count(field)
	if !n.Known() {
		return n, err
	}
	return schema.DoubleValue(float64(n.Int) / 100), err
}

// tresRecords reads [{"type": "gres", "name": "gpu", "count": 2}], the form of accounting.
func (c *slurmJSON) tresRecords(r *slurmRecord, s slot, field string) error {
	list, err := c.tresList(field)
	r.setTRES(s, list)
	return err
}

func (c *slurmJSON) tresList(field string) (list slurmtext.TRESList, err error) {
	// noVal64 and infinite64 are NO_VAL64 and INFINITE64, which this list prints with a sign.
	const noVal64, infinite64 = -2, -1
	err = c.Array(func() error {
		var kind, name, n schema.Value
		err := c.Object(func(key []byte) (err error) {
			switch string(key) {
			case "type":
				kind, err = c.words(field)
			case "name":
				name, err = c.words(field)
			case "count":
				at := c.At
				if n, err = c.signed(field); n.Int < noVal64 {
					c.fail(field, at, "%d is negative", n.Int)
				}
			}
			return err
		})
		if name.Str != "" {
			kind.Str += "/" + name.Str
		}
		if n.Known() && n.Int != noVal64 && n.Int != infinite64 && kind.Str != "" {
			list = append(list, slurmtext.TRES{Name: kind.Str, Count: n.Int})
		}
		return err
	})
	return list, err
}
