package mauicfg

import (
	"math"
	"strings"
	"time"
)

// duration is a time value as Maui reads it, which is not as its manual does.
type duration struct {
	Seconds   int64
	Found     bool
	TwoFields bool // HH:MM, where the manual means MM:SS
	Absolute  bool
	Octal     bool
	Rest      string
}

// parseTime reads INFINITY, plain seconds, [[DD:]HH:]MM[:SS] or a date. With
// minuteSecond two fields are MM:SS, as the manual says.
func parseTime(text string, minuteSecond bool) duration {
	if strings.HasPrefix(text, "INFINITY") {
		return duration{Seconds: Infinity, Found: true, Rest: text[len("INFINITY"):]}
	}
	if clock, date, ok := strings.Cut(text, "_"); ok {
		return parseDate(clock, date)
	}
	fields := strings.Split(text, ":")
	if len(fields) == 1 {
		n := parseInt(text, 0)
		return duration{Seconds: n.Int, Found: n.Found, Octal: n.Octal, Rest: n.Rest}
	}
	d := duration{Found: true, TwoFields: len(fields) == 2}
	if len(fields) > 4 {
		d.Rest = ":" + strings.Join(fields[4:], ":")
		fields = fields[:4]
	}
	units := []int64{86400, 3600, 60, 1}[4-len(fields):]
	if d.TwoFields && !minuteSecond {
		units = []int64{3600, 60}
	}
	for i, f := range fields {
		n := parseInt(f, 10)
		d.Found = d.Found && n.Found
		if n.Rest != "" && d.Rest == "" {
			d.Rest = n.Rest
		}
		// No time worth telling apart is longer than Maui's infinity.
		d.Seconds += min(max(n.Int, -Infinity), Infinity) * units[i]
	}
	return d
}

// parseDate reads HH[:MM[:SS]] and MM/DD/YY.
func parseDate(clock, date string) duration {
	var f [6]int64
	ok := true
	read := func(into []int64, text, sep string) {
		parts := strings.Split(text, sep)
		ok = ok && len(parts) <= len(into)
		for i := range min(len(parts), len(into)) {
			n := parseInt(parts[i], 10)
			into[i] = n.Int
			ok = ok && n.Found && n.Rest == "" && n.Int >= 0 && n.Int < 10000
		}
	}
	read(f[:3], clock, ":")
	read(f[3:], date, "/")
	if !ok || strings.Count(date, "/") != 2 {
		return duration{}
	}
	year := int(f[5])
	switch {
	case year < 70:
		year += 2000
	case year < 100:
		year += 1900
	}
	at := time.Date(year, time.Month(f[3]), int(f[4]), int(f[0]), int(f[1]), int(f[2]), 0, time.UTC)
	return duration{Seconds: at.Unix(), Found: true, Absolute: true}
}

// Kind says which fields of a Value hold it.
type Kind string

// The kinds of values.
const (
	KindInt      Kind = "int"      // Int
	KindFloat    Kind = "float"    // Float
	KindBool     Kind = "bool"     // Bool
	KindEnum     Kind = "enum"     // Text
	KindText     Kind = "text"     // Text: string, path, expression
	KindTime     Kind = "time"     // Int, seconds
	KindList     Kind = "list"     // List
	KindLimit    Kind = "limit"    // Soft and Hard
	KindFSTarget Kind = "fstarget" // Float and Target
	KindMemory   Kind = "memory"   // Int, MB
)

// Value is a typed setting.
type Value struct {
	Kind       Kind
	Int        int64
	Float      float64
	Bool       bool
	Text       string
	List       []string
	Soft, Hard int64
	Target     TargetKind
	Absolute   bool // a time that is a date: Int is its epoch, were the server's zone UTC
}

// TargetKind is what the character after a fairshare target makes of it.
type TargetKind string

// The kinds of fairshare targets.
const (
	Target      TargetKind = "target"
	Floor       TargetKind = "floor"        // +
	Ceiling     TargetKind = "ceiling"      // -
	AbsoluteCap TargetKind = "absolute_cap" // ^, in usage units
	RelativeCap TargetKind = "relative_cap" // %, of all usage
)

// Infinity is the number of seconds that INFINITY stands for in Maui.
const Infinity = 2_140_000_000

// percentWeight is what a component weight written N% becomes
// (the percentage is kept beside it, but nothing reads it).
const percentWeight = 10

// int32Wrapped is a limit as Maui stores it, in a C int.
func int32Wrapped(v int64) int64 {
	if v >= math.MinInt32 && v <= math.MaxInt32 {
		return v
	}
	return int64(int32(v))
}
