package format

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Wanted says in words what a column's value looks like.
func Wanted(t schema.Type) string {
	switch t {
	case schema.Bool:
		return "true or false"
	case schema.Int:
		return "a whole number"
	case schema.Double:
		return "a number"
	case schema.Timestamp:
		return "a time as epoch seconds or RFC 3339"
	case schema.StringList:
		return "a list of strings"
	}
	return "a string"
}

// TextValue reads a value from its text, as CSV has it; ok is false when the text is none.
func TextValue(t schema.Type, text string) (v schema.Value, ok bool) {
	switch t {
	case schema.Bool:
		switch strings.ToLower(text) {
		case "true", "1":
			return schema.BoolValue(true), true
		case "false", "0":
			return schema.BoolValue(false), true
		}
		return v, false
	case schema.Int:
		i, ok := WholeNumber(text)
		return schema.IntValue(i), ok
	case schema.Double:
		f, ok := RealNumber(text)
		return schema.DoubleValue(f), ok
	case schema.Timestamp:
		if i, ok := WholeNumber(text); ok {
			return schema.TimestampValue(i), true
		}
		at, err := time.Parse(time.RFC3339, text)
		return schema.TimestampValue(at.Unix()), err == nil
	case schema.StringList:
		var list []string
		for _, entry := range strings.Split(text, ";") {
			if entry = strings.TrimSpace(entry); entry != "" {
				list = append(list, entry)
			}
		}
		return schema.ListValue(list), true
	case schema.String:
		return schema.StringValue(text), true
	}
	return v, false
}

// WholeNumber accepts 3, 3.0 and 3e0, but nothing that a double would round.
func WholeNumber(text string) (int64, bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, true
	}
	f, ok := RealNumber(text)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// RealNumber accepts decimal numbers and the words inf and -inf of the result
// format, but neither hexadecimal nor NaN.
func RealNumber(text string) (float64, bool) {
	switch text {
	case "inf":
		return math.Inf(1), true
	case "-inf":
		return math.Inf(-1), true
	}
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// JSONValue reads a JSON value for a column. null is unknown. When the value
// is of a wrong kind it is ignored and ok is false.
func JSONValue(c *Cursor, t schema.Type) (v schema.Value, ok bool, err error) {
	switch b := c.Peek(); {
	case b == 'n':
		return v, true, c.Word("null")
	case t == schema.Bool && (b == 't' || b == 'f'):
		return schema.BoolValue(b == 't'), true, c.Skip()
	case t == schema.StringList && b == '[':
		return jsonList(c)
	case b == '"' && (t == schema.String || t == schema.Timestamp || t == schema.Double):
		s, err := c.ReadString()
		if err != nil {
			return v, false, err
		}
		if t == schema.Double && s != "inf" && s != "-inf" {
			return v, false, nil // "1.5" in quotes is a mistake, "inf" has no other form
		}
		v, ok = TextValue(t, s)
		return v, ok, nil
	case b == '-' || (b >= '0' && b <= '9'):
		n, err := c.Number()
		if err != nil || t == schema.Bool || t == schema.StringList {
			return v, false, err
		}
		if v, ok := smallCount(t, n); ok {
			return v, true, nil
		}
		v, ok = TextValue(t, string(n)) // a String column takes 4711 as a name: ids are often numbers
		return v, ok, nil
	}
	return v, false, c.Skip()
}

// smallCount reads what most numbers are: a few digits.
func smallCount(t schema.Type, digits []byte) (v schema.Value, ok bool) {
	const most = 15 // a double has as many
	if len(digits) > most {
		return v, false
	}
	n := int64(0)
	for _, b := range digits {
		if b < '0' || b > '9' {
			return v, false
		}
		n = n*10 + int64(b-'0')
	}
	switch t {
	case schema.Int:
		return schema.IntValue(n), true
	case schema.Timestamp:
		return schema.TimestampValue(n), true
	case schema.Double:
		return schema.DoubleValue(float64(n)), true
	}
	return v, false
}

func jsonList(c *Cursor) (v schema.Value, ok bool, err error) {
	list, ok := []string{}, true
	err = c.Array(func() error {
		if c.Peek() != '"' {
			ok = false
			return nil
		}
		s, err := c.ReadString()
		list = append(list, s)
		return err
	})
	return schema.ListValue(list), ok && err == nil, err
}

// Product multiplies two counts; ok is false on overflow or a negative count.
func Product(a, b int64) (int64, bool) {
	if a < 0 || b < 0 {
		return 0, false
	}
	p := a * b
	return p, a == 0 || (p/a == b && p >= 0)
}
