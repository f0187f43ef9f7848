package mauicfg

import (
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
)

// number is what C's strtol or strtod makes of a text: the value of the longest
// prefix that is a number, and what follows it.
type number struct {
	Int      int64
	Float    float64
	Found    bool // a number comes first
	Rest     string
	Octal    bool // a leading 0 made it octal, and another number than it looks
	TooLarge bool
}

// parseInt follows strtol. Base 0 reads 0x… as hexadecimal and 0… as octal.
func parseInt(text string, base int) number {
	s := strings.TrimLeft(text, "\t\n\v\f\r ")
	at, negative := sign(s)
	var n number
	switch digits := s[at:]; {
	case base == 0 && len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X") && digitValue(digits[2]) < 16:
		base, at = 16, at+2
	case base == 0 && strings.HasPrefix(digits, "0"):
		base = 8
	case base == 0:
		base = 10
	}
	start := at
	for ; at < len(s) && digitValue(s[at]) < base; at++ {
		d := int64(digitValue(s[at]))
		if n.Int > (math.MaxInt64-d)/int64(base) {
			n.TooLarge = true
		} else if !n.TooLarge {
			n.Int = n.Int*int64(base) + d
		}
	}
	if n.Found = at > start; !n.Found {
		return number{Rest: text}
	}
	if n.TooLarge {
		n.Int = math.MaxInt64
	}
	if negative {
		n.Int = -n.Int
	}
	n.Rest = s[at:]
	n.Octal = base == 8 && (n.Int > 7 || n.Int < -7 || n.Rest != "" && isDigit(n.Rest[0]))
	return n
}

// parseFloat follows strtod for decimal numbers. The words inf and nan, which C
// takes too, count as no number: no setting can mean them.
func parseFloat(text string) number {
	s := strings.TrimLeft(text, "\t\n\v\f\r ")
	at, _ := sign(s)
	start := at
	at += run(s[at:], isDigit)
	digits := at - start
	if at < len(s) && s[at] == '.' {
		fraction := run(s[at+1:], isDigit)
		if digits += fraction; digits > 0 {
			at += 1 + fraction
		}
	}
	if digits == 0 {
		return number{Rest: text}
	}
	if at < len(s) && s[at]|0x20 == 'e' {
		e, _ := sign(s[at+1:])
		if d := run(s[at+1+e:], isDigit); d > 0 {
			at += 1 + e + d
		}
	}
	v, err := strconv.ParseFloat(s[:at], 64)
	return number{Float: v, Found: true, Rest: s[at:], TooLarge: err != nil}
}

// sign reads an optional + or -.
func sign(s string) (length int, negative bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return 1, s[0] == '-'
	}
	return 0, false
}

// digitValue is the value of a digit in the bases up to 36, else 99.
func digitValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case dialect.IsLetter(c):
		return int(c|0x20-'a') + 10
	}
	return 99
}
