package snapshot

import (
	"math"
	"strconv"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// Since 21.08 Slurm has written the same number as 5, null, {"set": true,
// "infinite": false, "number": 5}, "5" and "Infinity", by version and by the
// flags of --json. slurmJSON reads any of them.
type slurmJSON struct {
	*jsonCursor
	strings map[string]string // each different string is kept once
	fault   error             // first fault of the record being read
	faultAt int               // its place
}

func newSlurmJSON(text []byte) *slurmJSON {
	return &slurmJSON{jsonCursor: &jsonCursor{text: text}, strings: map[string]string{}}
}

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
	at := c.at
	switch b := c.peek(); {
	case b == 'n':
		return n, c.word("null")
	case b == '{':
		return c.numberObject(field)
	case b == '"':
		text, err := c.stringBytes()
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
		text, err := c.number()
		if err != nil {
			return n, err
		}
		if n, ok := parseJSONNumber(text); ok {
			return n, nil
		}
	default:
		if err := c.skip(); err != nil {
			return n, err
		}
	}
	c.fail(field, at, "%s is no number", excerpt(c.text[at:c.at]))
	return n, nil
}

func parseJSONNumber(text []byte) (jsonNumber, bool) {
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

// numberObject: infinite wins over set, as the data parser writes it.
func (c *slurmJSON) numberObject(field string) (n jsonNumber, err error) {
	set, infinite := true, false
	err = c.object(func(key []byte) error {
		switch string(key) {
		case "set":
			set = c.peek() == 't'
		case "infinite":
			infinite = c.peek() == 't'
		case "number":
			n, err = c.numeric(field)
			return err
		}
		return nil
	})
	switch {
	case infinite:
		return jsonNumber{set: true, infinite: true}, err
	case !set:
		return jsonNumber{}, err
	}
	return n, err
}

// signed reads a whole number; infinite leaves it open.
func (c *slurmJSON) signed(field string) (optional[int64], error) {
	at := c.at
	n, err := c.numeric(field)
	switch {
	case err != nil || !n.set || n.infinite || n.isWhole && n.whole == noVal32:
		return open[int64](), err
	case !n.isWhole:
		c.fail(field, at, "%s is no whole number", excerpt(c.text[at:c.at]))
		return open[int64](), nil
	}
	return known(n.whole), nil
}

// integer is a whole number that Slurm keeps without sign: all but nice.
func (c *slurmJSON) integer(field string) (optional[int64], error) {
	at := c.at
	n, err := c.signed(field)
	if n.value < 0 {
		c.fail(field, at, "%d is negative", n.value)
		return open[int64](), err
	}
	return n, err
}

// nice reads a nice value, which lies evenly around 0. Up to 22.05 (data parser
// v0.0.38) a negative one is printed modulo 2^32.
func (c *slurmJSON) nice(field string) (optional[int64], error) {
	const modulo = 1 << 32
	at := c.at
	n, err := c.signed(field)
	if n.value >= modulo-maxNice && n.value < modulo {
		n.value -= modulo
	}
	if n.value < -maxNice || n.value > maxNice {
		c.fail(field, at, "%d lies outside %d to %d", n.value, -maxNice, maxNice)
		return open[int64](), err
	}
	return n, err
}

// count is an integer for which 0 means that nothing was asked for.
func (c *slurmJSON) count(field string) (optional[int64], error) {
	n, err := c.integer(field)
	if n.value == 0 || n.value == infinite32 || n.value == noVal16 || n.value == infinite16 {
		return open[int64](), err
	}
	return n, err
}

// epoch reads a time; 0 is never.
func (c *slurmJSON) epoch(field string) (optional[int64], error) {
	at := c.at
	n, err := c.integer(field)
	switch {
	case n.value == 0 || n.value == infinite32:
		return open[int64](), err
	case !validTime(n.value):
		c.fail(field, at, "%d is no time in seconds since 1970", n.value)
		return open[int64](), err
	}
	return n, err
}

// minutes reads a limit in minutes as seconds, slurmtext.Infinite when there is none.
func (c *slurmJSON) minutes(field string) (optional[int64], error) {
	at := c.at
	n, err := c.numeric(field)
	switch {
	case err != nil || !n.set:
		return open[int64](), err
	case n.infinite || n.whole == infinite32:
		return known(slurmtext.Infinite), nil
	case n.whole == noVal32:
		return open[int64](), nil
	case !n.isWhole || n.whole < 0 || n.whole > math.MaxUint32:
		c.fail(field, at, "%s is no number of minutes", excerpt(c.text[at:c.at]))
		return open[int64](), nil
	}
	return known(n.whole * 60), nil
}

// words reads a string; null is the empty one.
func (c *slurmJSON) words(field string) (optional[string], error) {
	switch c.peek() {
	case 'n':
		return known(""), c.word("null")
	case '"':
		b, err := c.stringBytes()
		if err != nil {
			return open[string](), err
		}
		return known(c.keep(b)), nil
	}
	at := c.at
	if err := c.skip(); err != nil {
		return open[string](), err
	}
	c.fail(field, at, "%s is no string", excerpt(c.text[at:c.at]))
	return open[string](), nil
}

func (c *slurmJSON) keep(b []byte) string {
	if s, ok := c.strings[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(s) <= 64 && len(c.strings) < 1<<16 {
		c.strings[s] = s
	}
	return s
}

// wordList reads a list of strings, or one string as a list.
func (c *slurmJSON) wordList(field string, into []string) ([]string, error) {
	if c.peek() != '[' {
		w, err := c.words(field)
		if w.value != "" {
			into = append(into, w.value)
		}
		return into, err
	}
	err := c.array(func() error {
		w, err := c.words(field)
		into = append(into, w.value)
		return err
	})
	return into, err
}

// boolean reads true, false or null.
func (c *slurmJSON) boolean(field string) (optional[bool], error) {
	switch c.peek() {
	case 't':
		return known(true), c.word("true")
	case 'f':
		return known(false), c.word("false")
	case 'n':
		return open[bool](), c.word("null")
	}
	at := c.at
	err := c.skip()
	c.fail(field, at, "%s is neither true nor false", excerpt(c.text[at:c.at]))
	return open[bool](), err
}

// tres reads a TRES string.
func (c *slurmJSON) tres(field string) (optional[slurmtext.TRESList], error) {
	at := c.at
	w, err := c.words(field)
	if err != nil {
		return open[slurmtext.TRESList](), err
	}
	list, fault := textTRES(w.value)
	if fault != nil {
		c.fail(field, at, "%s", fault)
	}
	return list, nil
}

// hosts reads a host list.
func (c *slurmJSON) hosts(field string) (optional[[]string], error) {
	at := c.at
	w, err := c.words(field)
	if err != nil {
		return open[[]string](), err
	}
	hosts, fault := textHosts(w.value)
	if fault != nil {
		c.fail(field, at, "%s", fault)
	}
	return hosts, nil
}

// tresRecords reads [{"type": "gres", "name": "gpu", "count": 2}], the form of
// accounting, as a list.
func (c *slurmJSON) tresRecords(field string) (optional[slurmtext.TRESList], error) {
	// noVal64 and infinite64 are NO_VAL64 and INFINITE64, which this list prints with a sign.
	const noVal64, infinite64 = -2, -1
	var list slurmtext.TRESList
	err := c.array(func() error {
		var kind, name string
		var n optional[int64]
		err := c.object(func(key []byte) (err error) {
			var w optional[string]
			switch string(key) {
			case "type":
				w, err = c.words(field)
				kind = w.value
			case "name":
				w, err = c.words(field)
				name = w.value
			case "count":
				at := c.at
				if n, err = c.signed(field); n.value < noVal64 {
					c.fail(field, at, "%d is negative", n.value)
				}
			}
			return err
		})
		if name != "" {
			kind += "/" + name
		}
		if n.known && n.value != noVal64 && n.value != infinite64 && kind != "" {
			list = append(list, slurmtext.TRES{Name: kind, Count: n.value})
		}
		return err
	})
	if len(list) == 0 {
		return open[slurmtext.TRESList](), err
	}
	return known(list), err
}

// records reads an array of objects. A record with a fault is reported and
// done is not called for it; done may find a fault of its own. Null is the empty array.
func (c *slurmJSON) records(in *input, member func(key []byte) error, begin func(), done func() error) error {
	switch c.peek() {
	case '[':
	case 'n':
		return c.word("null")
	default:
		return &brokenError{c.at, "a list of records should stand here"}
	}
	return c.array(func() error { return c.record(in, member, begin, done) })
}

func (c *slurmJSON) record(in *input, member func(key []byte) error, begin func(), done func() error) error {
	start := c.at
	c.fault = nil
	begin()
	if c.peek() != '{' {
		if err := c.skip(); err != nil {
			return err
		}
		in.bad("snapshot-bad-record", start, c.at, "an object should stand here, not %s", excerpt(c.text[start:c.at])).
			Note("it is left out")
		return nil
	}
	if err := c.object(member); err != nil {
		return err
	}
	if c.fault == nil {
		if err := done(); err != nil {
			c.fault, c.faultAt = err, start
		}
	}
	if c.fault != nil {
		in.bad("snapshot-bad-record", c.faultAt, c.faultAt+1, "%s", c.fault).
			Note("the whole record is left out; no value is guessed")
	}
	return nil
}
