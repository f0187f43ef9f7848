// Package diff compares two policies by what they mean, whatever languages they were
// written in.
//
// In: two ir.Policy values. Out: a Report of differences in the order in which a reader looks
// for them, each with the place of both sides. Called by the command line. It sees only the
// IR: what the files say otherwise, such as order, comments and notation, is no difference.
package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// Group is what a difference affects.
type Group string

// The groups, in the order of a report.
const (
	Scheduler   Group = "scheduler"
	Priority    Group = "priority"
	Fairshare   Group = "fairshare"
	Limits      Group = "limits"
	Queue       Group = "queue rules"
	Planning    Group = "planning"
	Credentials Group = "credentials"
	Other       Group = "without effect"
)

// Groups lists the groups with what they are about.
var Groups = []struct {
	Group Group
	Doc   string
}{
	{Scheduler, "which scheduler, version and semantics the policy is read for"},
	{Priority, "what a job's priority is made of"},
	{Fairshare, "how usage is counted, and who shall get how much"},
	{Limits, "what a job, a user or an account may have"},
	{Queue, "which jobs may start, and in which order they are looked at"},
	{Planning, "where and when jobs are placed"},
	{Credentials, "what users, accounts, QOS and partitions bring with them"},
	{Other, "settings that nothing is computed from, or that nothing weighs"},
}

// Kind is how two sides differ.
type Kind string

// The kinds. A renamed setting means the same under another name.
const (
	Changed Kind = "changed"
	Added   Kind = "added"
	Removed Kind = "removed"
	Renamed Kind = "renamed"
)

// Side is one policy's side of a difference. Without Span it is a default.
type Side struct {
	Name   string // where the sides call it differently
	Value  string
	Source string // what set it, as the site knows it
	Span   source.Span
}

// Difference is one setting that the policies do not have alike. Old is nil for an added one,
// New for a removed one.
type Difference struct {
	Group    Group
	Kind     Kind
	Name     string
	Named    bool   // jobs name it: under a new name it is another thing to them
	Reason   string // why it is without effect here though it may have one elsewhere
	Old, New *Side
}

// Effective reports a difference that can change a result. A new name alone changes none, but of what jobs name.
func (d *Difference) Effective() bool { return d.Group != Other && (d.Kind != Renamed || d.Named) }

// Report is all of it, by group.
type Report struct {
	Old, New    *ir.Policy
	Differences []Difference
}

// Effective counts the differences that can change a result.
func (r *Report) Effective() int {
	n := 0
	for i := range r.Differences {
		if r.Differences[i].Effective() {
			n++
		}
	}
	return n
}

// Policies compares.
func Policies(before, after *ir.Policy) *Report {
	c := &comparison{before: before, after: after, family: before.Family == after.Family, changed: map[string]bool{},
		places: map[source.Span]bool{}}
	c.pair(c.scheduler)
	c.params()
	c.terms()
	c.pair(finish)
	c.pair(c.fairshare)
	c.pair(c.limits)
	c.pair(c.queue)
	c.pair(c.planning)
	c.tables()
	if c.family {
		c.unread()
		c.facts()
	}
	slices.SortStableFunc(c.found, func(a, b Difference) int { return place(a.Group) - place(b.Group) })
	return &Report{Old: before, New: after, Differences: c.found}
}

func place(g Group) int {
	return slices.IndexFunc(Groups, func(x struct {
		Group Group
		Doc   string
	}) bool {
		return x.Group == g
	})
}

// comparison is the work on two policies.
type comparison struct {
	before, after *ir.Policy
	family        bool                 // both are for the same scheduler, so that parameters can be compared by name
	changed       map[string]bool      // parameters that are reported: what follows from them is not reported again
	places        map[source.Span]bool // where they are set
	found         []Difference
}

// item is one thing that a policy says.
type item struct {
	group   Group
	key     string   // what it is, in both policies
	name    string   // what a reader calls it
	called  string   // and what it belongs to, where that is more
	means   string   // compared; the side's value where empty
	like    string   // what it means without its name, to find renamed ones; "" if a name is all there is
	akin    string   // what it mostly means: one that is akin under another name was changed and renamed
	by      []string // parameters that it is made of
	setting bool     // it is what a parameter says, in other words
	named   bool     // jobs name it
	moved   bool     // its name may be an old one of what the key names
	why     string   // it is without effect here
	side    Side
}

func (i *item) meaning() string {
	if i.means != "" {
		return i.means
	}
	return i.side.Value
}

// pair compares what a function says of both policies.
func (c *comparison) pair(list func(*ir.Policy) []item) { c.items(list(c.before), list(c.after)) }

// items compares two lists by key. The order is that of the old policy; what is new comes last.
func (c *comparison) items(before, after []item) {
	number(before)
	number(after)
	find := map[string]*item{}
	for i := range after {
		find[after[i].key] = &after[i]
	}
	seen := map[string]bool{}
	var gone, come []*item
	for i := range before {
		x := &before[i]
		seen[x.key] = true
		switch y := find[x.key]; {
		case y == nil:
			gone = append(gone, x)
		case x.meaning() != y.meaning() && !c.said(x, y):
			c.report(Changed, x, y)
		case x.meaning() == y.meaning() && x.name != y.name && (x.moved || y.moved):
			c.report(Renamed, x, y)
		}
	}
	for i := range after {
		if y := &after[i]; !seen[y.key] {
			come = append(come, y)
		}
	}
	alike, akin := queues{}, queues{}
	for _, y := range come {
		alike.add(y.like, y.group, y)
		akin.add(y.akin, "", y)
	}
	taken := map[*item]bool{}
	for _, x := range gone {
		kind, y := Renamed, alike.take(x.like, x.group, taken)
		if y == nil {
			kind, y = Changed, akin.take(x.akin, "", taken)
		}
		switch {
		case y != nil:
			c.report(kind, x, y)
		case !c.said(x, x):
			c.report(Removed, x, nil)
		}
	}
	for _, y := range come {
		if !taken[y] && !c.said(y, y) {
			c.report(Added, nil, y)
		}
	}
}

// queues are items by what they are like, in their order.
type queues map[likeness][]*item

type likeness struct {
	like  string
	group Group
}

func (q queues) add(like string, group Group, x *item) {
	if like != "" {
		q[likeness{like, group}] = append(q[likeness{like, group}], x)
	}
}

// take is the first that is not taken yet, or nil.
func (q queues) take(like string, group Group, taken map[*item]bool) *item {
	key := likeness{like, group}
	for list := q[key]; len(list) > 0; {
		x := list[0]
		list = list[1:]
		q[key] = list
		if !taken[x] {
			taken[x] = true
			return x
		}
	}
	return nil
}

// number makes keys differ: a policy may say a thing twice.
func number(list []item) {
	times := map[string]int{}
	for i := range list {
		key := list[i].key
		if times[key]++; times[key] > 1 {
			list[i].key = fmt.Sprintf("%s #%d", key, times[key])
		}
	}
}

// said reports what follows from a parameter that is reported.
func (c *comparison) said(x, y *item) bool {
	return x.setting && (c.places[x.side.Span] || c.places[y.side.Span]) ||
		slices.ContainsFunc(slices.Concat(x.by, y.by), func(name string) bool { return c.changed[name] })
}

func (c *comparison) report(kind Kind, x, y *item) {
	d := Difference{Kind: kind}
	for _, side := range []*item{y, x} { // the old name is kept, where there is one
		if side != nil {
			d.Group, d.Name, d.Named, d.Reason = side.group, side.name, side.named, side.why
		}
	}
	if x != nil {
		d.Old = sideOf(x)
	}
	if y != nil {
		d.New = sideOf(y)
	}
	if kind == Changed && d.Old.Value == d.New.Value { // the same text with other parameters
		d.Old.Value, d.New.Value = x.meaning(), y.meaning()
	}
	for _, s := range []*Side{d.Old, d.New} {
		s.hide(d.Name)
	}
	c.found = append(c.found, d)
}

// hide takes the password out of a value. That it is not set, or empty, is none.
func (s *Side) hide(name string) {
	if s == nil || s.Span.IsZero() || s.Value == "" || s.Value == `""` {
		return
	}
	if source.Secret(name[strings.LastIndexByte(name, ' ')+1:]) {
		s.Value = source.Hidden
	} else {
		s.Value = source.Mask(s.Value)
	}
}

func sideOf(x *item) *Side {
	s := x.side
	s.Name = cmp.Or(x.called, x.name)
	return &s
}
