package slurmconf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Options say for which Slurm a configuration is read.
type Options struct {
	Version  string // release such as "22.05.8"; "" is the newest that accepts the lines
	Until    string // the newest release that may be found so; "" is the newest there is
	Fragment bool   // the lines are a part of a configuration, and what they lack may be in the rest

	guessed bool // Version is not stated, but one of those that are tried
}

// Evaluate gives what slurmctld would hold after reading the lines, which come
// from Load or from a File. Like Slurm's parser it reads on after a mistake; of
// a template, which Parse has reported, only the plain lines are there.
func Evaluate(lines []*Line, opt Options) (*Config, diag.List) {
	if opt.Version == "" {
		return accepting(lines, opt)
	}
	return evaluate(lines, opt)
}

func evaluate(lines []*Line, opt Options) (*Config, diag.List) {
	e := &evaluator{
		cfg: &Config{}, ds: bounds.Findings(), defaults: map[string]*defaults{}, told: map[source.Span]bool{},
	}
	e.run(lines, opt)
	found := e.ds.List()
	template := branching(lines)
	return e.cfg, slices.DeleteFunc(found, func(d *diag.Diagnostic) bool {
		return template && slices.Contains(ofTemplate, d.Code) || d.Code == "slurm-time-minutes-seconds" &&
			meansMinutes(lines, d.Span)
	})
}

// threeFields is a time of hours, minutes and seconds.
var threeFields = source.Pattern(`^[0-9]+:[0-9]+:[0-9]+$`)

// meansMinutes reports a time of two fields whose author knows what they mean: records besides its own have hours
// in three. Within one record the two may be mixed up. Hours of half a day and more, such as 24:00, are never meant as
// minutes, nor are limits of one to four minutes.
func meansMinutes(lines []*Line, s source.Span) bool {
	minutes, seconds, _ := strings.Cut(strings.Trim(s.Text(), `"`), ":")
	if n, err := strconv.Atoi(minutes); err == nil && seconds == "00" && n > 0 && (n < 5 || n%12 == 0 && n%60 != 0) {
		return false
	}
	elsewhere := false
	for _, l := range lines {
		if !writesHours(l) {
			continue
		}
		if l.Span.File == s.File && l.Span.Start <= s.Start && s.End <= l.Span.End {
			return false
		}
		elsewhere = true
	}
	return elsewhere
}

func writesHours(l *Line) bool {
	return slices.ContainsFunc(l.Pairs, func(p Pair) bool { return threeFields().MatchString(p.Value.Text) })
}

func (e *evaluator) run(lines []*Line, opt Options) {
	branch, ok := Branch(opt.Version)
	if !ok {
		branch = Newest()
		e.ds.Errorf("slurm-unknown-version", source.Span{}, "%q is no Slurm release", opt.Version).
			Note("releases are %s", strings.Join(Versions, " ")).Note("read as %s instead", branch)
	}
	e.version, e.cfg.Version = branch, branch
	if hopeless(lines) {
		return
	}
	e.guessed = opt.guessed
	e.partial = opt.Fragment || templated(lines)
	for _, f := range filesOf(lines) {
		e.ds.Resume(f.Source, f.kept)
	}
	e.moreOfControllers = slices.ContainsFunc(lines, oldControllers)
	for _, l := range lines {
		e.line(l)
	}
	e.lateDefaults()
	e.required(lines)
	e.scalars()
	e.memory()
	e.nodes()
	e.nodeSets()
	e.partitions()
	e.somePartition(lines)
	e.downNodes()
	e.suspendExcluded()
}

type evaluator struct {
	cfg               *Config
	ds                *diag.Bounded
	version           string
	defaults          map[string]*defaults // by record kind
	byName            map[string]int       // node name → index, made by nodes
	setByName         map[string]int       // node set → index, made by nodeSets
	expanded          int                  // host names expanded so far
	specOf            []int32              // of each node the number of its spec
	specGroup         []int32              // scratch, by those numbers
	partial           bool                 // an Include or NodeName could not be read, so what is missing may be there
	guessed           bool                 // no release is stated
	moreOfControllers bool                 // old keys besides ControlMachine name controllers and their addresses
	told              map[source.Span]bool // values of DEFAULT lines that were reported, which each heir has again
}

// maxLineBytes is the line buffer of Slurm up to 20.02.
const maxLineBytes = 4096

// line hands a logical line to its first key. A line without pairs is blank, or
// Parse has reported what is wrong with it.
func (e *evaluator) line(l *Line) {
	if l.Include != nil {
		e.partial = true
		if path := l.Include.Path; !path.IsZero() && !l.Include.reported {
			e.ds.Errorf("slurm-include-unavailable", path.Span, "the included file %s was not read", path.Text).
				Note("the settings in it are missing here")
		}
		return
	}
	if len(l.Pairs) == 0 {
		return
	}
	if n := len(l.logical.text); n >= maxLineBytes && before(e.version, "20.11") {
		e.ds.Errorf("slurm-long-line", l.Span, "the line has %d bytes after joining", n).
			Note("up to 20.02 Slurm cut lines at %d bytes; split the record", maxLineBytes-1)
	}
	first := l.Pairs[0]
	p := e.known("global", first, nil)
	if kind := RecordKind(first.Key.Text); kind != "" {
		if p != nil {
			e.record(kind, l)
		}
		return
	}
	if p != nil {
		e.swallowed("global", first)
		e.global(p, first)
	}
	if len(l.Pairs) > 1 {
		e.secondPair(l)
	}
}

// global stores a key that stands alone on its line. The last one wins, but
// hooks accumulate since 24.05.
func (e *evaluator) global(p *stdlib.Param, pair Pair) {
	v, ok := typed(p, pair.Value, e.version, e.ds)
	if !ok {
		e.cfg.Refused = append(e.cfg.Refused, p.Name)
		return
	}
	for i := range e.cfg.Params {
		q := &e.cfg.Params[i]
		if q.Name != p.Name {
			continue
		}
		if p.Type == "strings" && !before(e.version, "24.05") {
			q.All = append(q.All, v)
			return
		}
		e.ds.Add(again(q.Value, v), "slurm-duplicate-key", pair.Key.Span, "%s is set again", p.Name).
			NoteAt(q.Span, "this earlier value has no effect: the last one wins")
		q.Value, q.All = v, []Value{v}
		return
	}
	e.cfg.Params = append(e.cfg.Params, Param{Name: p.Name, Value: v, All: []Value{v}})
}

// again is how bad it is to set a key twice: to the same value is harmless.
func again(before, after Value) diag.Severity {
	if before.Text == after.Text {
		return diag.Info
	}
	return diag.Warning
}

// secondPair: only the handlers of record keys look at the rest of their line.
// Anything left over after a plain key makes s_p_parse_file fail.
func (e *evaluator) secondPair(l *Line) {
	first, second := l.Pairs[0].Key, l.Pairs[1].Key
	d := e.ds.Errorf("slurm-second-pair", second.Span, "%s is on the line of %s", second.Text, first.Text).
		Note("a setting takes a line of its own; Slurm refuses the whole file")
	if kinds := recordsWith(second.Text); len(kinds) > 0 {
		d.Note("%s belongs on a %s line", second.Text, strings.Join(kinds, " or "))
	}
}

// memory: as in partitions, the limits per node win over those per CPU.
func (e *evaluator) memory() {
	for _, kind := range []string{"DefMem", "MaxMem"} {
		perCPU, ok := e.cfg.Param(kind + "PerCPU")
		if perNode, both := e.cfg.Param(kind + "PerNode"); ok && both {
			e.ds.Warnf("slurm-overruled", perCPU.Span, "%sPerCPU has no effect beside %sPerNode", kind, kind).
				NoteAt(perNode.Span, "the value per node counts").Note("keep the one that is meant")
		}
	}
}

// required tests what slurmctld cannot start without.
func (e *evaluator) required(lines []*Line) {
	if len(e.cfg.Params) == 0 && len(e.cfg.Records) > 0 {
		return // nodes and partitions alone: a part that another file includes
	}
	if !slices.ContainsFunc(lines,
		func(l *Line) bool { return len(l.Pairs) > 0 || l.Include != nil || !l.Junk.IsZero() }) {
		return // comments alone, which whoever reads the file tells
	}
	place := source.Span{}
	if len(lines) > 0 {
		place = lines[0].Span.Sub(0, 0)
	}
	if p, ok := e.cfg.Param("ClusterName"); ok {
		e.cfg.ClusterName = strings.ToLower(p.Text)
	} else if !e.partial && before(e.version, "17.11") {
		e.ds.Infof("slurm-required-key", place, "ClusterName is not set").
			Note("from 17.11 on slurmctld does not start without; write for instance ClusterName=cluster")
	} else if !e.partial {
		e.ds.Errorf("slurm-required-key", place, "ClusterName is not set").
			Note("slurmctld does not start without; write for instance ClusterName=cluster")
	}
	_, host := e.cfg.Param("SlurmctldHost")
	_, machine := e.cfg.Param("ControlMachine")
	if !host && !machine && !e.partial {
		e.ds.Errorf("slurm-required-key", place, "neither SlurmctldHost nor ControlMachine is set").
			Note("slurmctld does not start without; write %s=host", e.controllerKey())
	}
}

// controllerKey names the host of slurmctld in this version.
func (e *evaluator) controllerKey() string {
	if p := Known("global", "SlurmctldHost"); !Exists(p, e.version) {
		return "ControlMachine"
	}
	return "SlurmctldHost"
}
