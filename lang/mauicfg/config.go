package mauicfg

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Options selects the manual's reading where Maui's own differs.
type Options struct {
	CaseInsensitive bool // names, attributes and enum values in any case
	MinuteSecond    bool // a time of two fields is MM:SS
	ManualNames     bool // names that are in the manual alone, or that no code of Maui sets, are taken
	ManualMetrics   bool // BACKFILLMETRIC has PE and PESECONDS, and is also called SCHEDULINGCRITERIA
	TargetTimes     bool // queue-time targets are times, and QOSTARGETQT sets one
	FractionalCaps  bool // caps whose format is DOUBLE in the manual keep their fraction
	UserTerms       bool // UPROCWEIGHT and UJOBWEIGHT have an effect
	ManualPolicies  bool // FSPOLICY may also be called PSDEDICATED or PSUTILIZED
	MemoryLimits    bool // MAXMEM and MINPROC are enforced
	CrossLimits     bool // throttles with any [credential] or [credential:name], and MAX…PERUSER of a QOS, are enforced
	OldSwitches     bool // old-style limits need their POLICY, and limit what their name says
	IdleDefaults    bool // idle limits of DEFAULT reach all groups, accounts and QOS
}

// Config is what Maui holds after loading: only what the site set.
type Config struct {
	Params  []Param  // in the order of the parameter table, then by index
	Objects []Object // by family, then index
	Ignored []Ignored
}

// Param is a parameter with a value. Index is "" where the parameter has no
// index; of the indexed ones, partition parameters say "" for the whole
// machine, all others say "0" when the site wrote none.
type Param struct {
	Name, Index    string
	Value          Value
	Raw            string
	Span, NameSpan source.Span
}

// Object is one user, group, QOS, node … with its attributes merged over all
// its lines, in the order they were first set.
type Object struct {
	Family, Index string
	Span          source.Span // its first line
	Attrs         []Attr
}

// Attr is an attribute of an object. Sub is the [text] after its name; the only
// limit that Maui enforces with one is MAXJOB[USER] of a class.
type Attr struct {
	Name, Sub string
	Value     Value
	Raw       string
	Span      source.Span
	From      string // the old-style parameter that set it, or ""
}

// Ignored is text that Maui ignores or whose value it refuses. Code is the
// diagnostic that says why.
type Ignored struct {
	Code        string
	Name, Index string
	Attr        string // "" for a parameter or a whole line
	Raw         string
	Span        source.Span
}

// Param returns a parameter the site set, or nil.
func (c *Config) Param(name, index string) *Param {
	for i := range c.Params {
		if p := &c.Params[i]; p.Name == name && p.Index == index {
			return p
		}
	}
	return nil
}

// Object returns an object the site wrote, or nil.
func (c *Config) Object(family, index string) *Object {
	for i := range c.Objects {
		if o := &c.Objects[i]; o.Family == family && o.Index == index {
			return o
		}
	}
	return nil
}

// Attr returns an attribute of the object, or nil; it may be asked of nil.
func (o *Object) Attr(name, sub string) *Attr {
	if o == nil {
		return nil
	}
	for i := range o.Attrs {
		if a := &o.Attrs[i]; a.Name == name && a.Sub == sub {
			return a
		}
	}
	return nil
}

// Default is the value a parameter has when the site says nothing; false if
// the name is not Maui's or it has none.
func Default(name string) (Value, bool) {
	p, ok := vocab().params[name]
	if !ok || p.Default == "" || IsFamily(p) {
		return Value{}, false
	}
	return tableValue(p, p.Default)
}

// tableValue reads a value that is in the table itself.
func tableValue(p stdlib.Param, text string) (Value, bool) {
	e := evaluator{cfg: &Config{}}
	var words []word
	for _, w := range strings.Fields(text) {
		words = append(words, word{text: w})
	}
	if words == nil {
		return Value{}, false
	}
	return e.value(setting{row: p, strict: p.Record == "", quiet: true}, words)
}
