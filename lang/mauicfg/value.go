package mauicfg

import "math"

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
