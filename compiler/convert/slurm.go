package convert

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurm writes the lines of a slurm.conf and of what it includes: keys that stand alone as parameters, records
// as they stand, DEFAULT lines too.
func (w *writer) slurm(lines []*slurmconf.Line, opt lower.Options) {
	cfg, _ := slurmconf.Evaluate(lines, slurmconf.Options{Version: w.policy.Version})
	said := map[source.Span]bool{}
	for _, p := range cfg.Params {
		if slurmconf.RecordKind(p.Name) != "" {
			continue // SlurmctldHost, which is a record for the reader and a parameter for all else
		}
		for _, v := range p.All { // since 24.05 hooks add up
			said[v.Span] = true
			w.param(p.Name, "", setting{text: v.Text, span: v.Span})
		}
	}
	for _, l := range lines {
		if len(l.Pairs) == 0 {
			continue
		}
		first := l.Pairs[0]
		kind := slurmconf.RecordKind(first.Key.Text)
		if kind == "" {
			if !said[first.Value.Span] {
				w.leftOut(first.Key.Span, first.Key.Text,
					"a later line replaces it, or this version of Slurm has no use for it")
			}
			continue
		}
		r := record{kind: kind, name: first.Value.Text, span: first.Key.Span}
		for _, p := range l.Pairs[1:] {
			r.settings = w.replaced(r.settings, setting{p.Key.Text, p.Value.Text, p.Key.Span})
		}
		w.records = append(w.records, r)
	}
}

// replaced adds a setting; of two on one line the last one counts.
func (w *writer) replaced(list []setting, s setting) []setting {
	for i := range list {
		if strings.EqualFold(list[i].name, s.name) {
			w.leftOut(list[i].span, list[i].name, "it stands on this line again")
			return append(append(list[:i:i], list[i+1:]...), s)
		}
	}
	return append(list, s)
}

// dump writes the objects of a sacctmgr dump in their order, on which their places in the tree depend.
func (w *writer) dump(file *sacctmgr.File) {
	for _, l := range file.Lines {
		if l.Object.IsZero() || l.Name.Text == "" {
			if !l.Object.IsZero() || !l.Junk.IsZero() {
				w.leftOut(l.Span, "a line that names no object", "sacctmgr load reads lines such as Account - 'name'")
			}
			continue
		}
		r := record{kind: l.Object.Text, name: l.Name.Text, span: l.Object.Span}
		for _, o := range l.Options {
			if o.Key.IsZero() {
				w.leftOut(o.Value.Span, o.Value.Text, "it has no = and sets nothing")
				continue
			}
			name := o.Key.Text
			if op := strings.TrimSuffix(o.Op.Text, "="); op != "" {
				name += op
			}
			r.settings = w.replaced(r.settings, setting{name, o.Value.Text, o.Key.Span})
		}
		w.records = append(w.records, r)
	}
}
