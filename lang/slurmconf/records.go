package slurmconf

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// defaults are the DEFAULT records of one kind so far: newer keys replace,
// others persist (NodeName and PartitionName only).
type defaults struct {
	attrs   []Attr
	pending source.Span // a DEFAULT line that no record has followed yet
	records int         // records seen
}

// notInherited lists keys that slurmctld reads from the record's own line only,
// whatever DEFAULT says; notInDefault those it refuses there.
var (
	notInherited = map[string][]string{
		"PartitionName": {"DisableRootJobs", "ExclusiveUser", "ExclusiveTopo", "PowerDownOnIdle", "SelectTypeParameters",
			"SuspendTime"},
		"NodeName": {"GresConf"},
	}
	notInDefault = map[string][]string{"NodeName": {"NodeAddr", "NodeHostname", "BcastAddr"}}
)

func hasDefault(kind string) bool { return kind == "NodeName" || kind == "PartitionName" }

// record reads one record line of the kinds whose handlers parse the rest of
// the line with their own table (read_config.c, _parse_nodename,
// _parse_partitionname and so on), takes over what it inherits, and keeps it.
func (e *evaluator) record(kind string, l *Line) {
	name := l.Pairs[0].Value
	r := &Record{Kind: kind, Name: name, Span: l.Span, Attrs: e.attrs(kind, l.Pairs[1:])}
	if kind == "SlurmctldHost" {
		e.controller(name)
		return
	}
	if !hasDefault(kind) {
		e.cfg.Records = append(e.cfg.Records, r)
		return
	}
	d := e.defaults[kind]
	if d == nil {
		d = &defaults{}
		e.defaults[kind] = d
	}
	if strings.EqualFold(name.Text, "DEFAULT") {
		e.addDefaults(kind, d, r)
		return
	}
	d.pending = source.Span{}
	d.records++
	for _, a := range d.attrs {
		if _, own := r.Get(a.Name); !own && !slices.Contains(notInherited[kind], a.Name) {
			a.Inherited = true
			r.Attrs = append(r.Attrs, a)
		}
	}
	e.cfg.Records = append(e.cfg.Records, r)
}

// attrs reads the pairs of a record's own table. Slurm stops at the first
// unknown key; the rest is left over and makes it refuse the file.
func (e *evaluator) attrs(kind string, pairs []Pair) (attrs []Attr) {
	attrs = make([]Attr, 0, len(pairs))
	for _, pair := range pairs {
		p := e.known(kind, pair, pairs)
		if p == nil {
			continue
		}
		e.swallowed(kind, pair)
		ds := e.ds
		if p.Name == "DefaultTime" && e.hoursExceed(kind, pairs, pair.Value.Text) {
			ds = bounds.Findings() // two fields that can be minutes and seconds alone
		}
		v, ok := typed(p, pair.Value, e.version, ds)
		if !ok {
			continue
		}
		i := slices.IndexFunc(attrs, func(a Attr) bool { return a.Name == p.Name })
		if i < 0 {
			attrs = append(attrs, Attr{p.Name, v})
			continue
		}
		e.ds.Add(again(attrs[i].Value, v), "slurm-duplicate-key", pair.Key.Span, "%s is set again on this line", p.Name).
			NoteAt(attrs[i].Span, "this earlier value has no effect: the last one wins")
		attrs[i].Value = v
	}
	return attrs
}

// hoursExceed reports a DefaultTime of two fields that would be longer than the partition's MaxTime if they
// were hours and minutes: its author knew what they are. A MaxTime of two fields says nothing of that.
func (e *evaluator) hoursExceed(kind string, pairs []Pair, text string) bool {
	if strings.Count(text, ":") != 1 || strings.Contains(text, "-") {
		return false
	}
	standard, err := slurmtext.ParseTimeMinutes(text + ":00")
	if err != nil {
		return false
	}
	limit := ""
	if d := e.defaults[kind]; d != nil {
		for _, a := range d.attrs {
			if a.Name == "MaxTime" {
				limit = a.Text
			}
		}
	}
	for _, pair := range pairs {
		if strings.EqualFold(pair.Key.Text, "MaxTime") {
			limit = pair.Value.Text
		}
	}
	longest, err := slurmtext.ParseTimeMinutes(limit)
	return limit != "" && err == nil && (strings.Count(limit, ":") != 1 || strings.Contains(limit, "-")) &&
		longest != slurmtext.Infinite && standard > longest
}

func (e *evaluator) addDefaults(kind string, d *defaults, r *Record) {
	d.pending = r.Name.Span
	for _, a := range r.Attrs {
		switch {
		case slices.Contains(notInDefault[kind], a.Name):
			e.ds.Errorf("slurm-not-in-default", a.Span, "%s is not allowed in a DEFAULT record", a.Name).
				Note("it is different for every node; write it on the node's own line")
			continue
		case slices.Contains(notInherited[kind], a.Name):
			e.ds.Warnf("slurm-not-inherited", a.Span, "%s in a DEFAULT record has no effect", a.Name).
				Note("Slurm reads it from each %s line itself; write it there", kind)
		}
		if i := slices.IndexFunc(d.attrs, func(b Attr) bool { return b.Name == a.Name }); i >= 0 {
			d.attrs[i] = a
		} else {
			d.attrs = append(d.attrs, a)
		}
	}
}

// lateDefaults reports only a DEFAULT without effect on anything: one between
// records is how sites give the later ones other defaults. It finds DEFAULT lines after every record they could affect.
func (e *evaluator) lateDefaults() {
	for _, kind := range []string{"NodeName", "PartitionName"} {
		if d := e.defaults[kind]; d != nil && d.records > 0 && !d.pending.IsZero() {
			e.ds.Warnf("slurm-late-default", d.pending, "no %s line follows this DEFAULT record", kind).
				Note("a DEFAULT affects later lines only; move it before the records it is meant for")
		}
	}
}

// hostOf is the name in HOST(ADDRESS).
func hostOf(controller string) string {
	host, _, _ := strings.Cut(controller, "(")
	return host
}

// controller keeps SlurmctldHost as a repeatable global key.
func (e *evaluator) controller(name Word) {
	v := Value{Text: name.Text, Span: name.Span}
	for i := range e.cfg.Params {
		if q := &e.cfg.Params[i]; q.Name == "SlurmctldHost" {
			for _, old := range q.All {
				if hostOf(old.Text) == hostOf(v.Text) {
					e.ds.Errorf("slurm-duplicate-controller", v.Span, "the host %s is named twice", hostOf(v.Text)).
						NoteAt(old.Span, "it is a controller already; slurmctld refuses to start")
				}
			}
			q.All = append(q.All, v)
			return
		}
	}
	e.cfg.Params = append(e.cfg.Params, Param{Name: "SlurmctldHost", Value: v, All: []Value{v}})
}
