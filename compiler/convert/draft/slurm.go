package draft

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurm writes the lines of a slurm.conf and of what it includes: keys that stand alone as parameters, records
// as they stand, DEFAULT lines too.
func (w *Writer) slurm(lines []*slurmconf.Line, opt lower.Options) {
	cfg, _ := slurmconf.Evaluate(lines, slurmconf.Options{Version: w.Policy.Version})
	said := map[source.Span]bool{}
	for _, p := range cfg.Params {
		if slurmconf.RecordKind(p.Name) != "" {
			continue // SlurmctldHost, which is a record for the reader and a parameter for all else
		}
		for _, v := range p.All { // since 24.05 hooks add up
			said[v.Span] = true
			w.param(p.Name, "", Setting{Text: v.Text, Span: v.Span})
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
				w.LeftOut(first.Key.Span, first.Key.Text,
					"a later line replaces it, or this version of Slurm has no use for it")
			}
			continue
		}
		r := Record{Kind: kind, Name: first.Value.Text, Span: first.Key.Span}
		for _, p := range l.Pairs[1:] {
			r.Settings = w.replaced(r.Settings, Setting{p.Key.Text, p.Value.Text, p.Key.Span})
		}
		w.Records = append(w.Records, r)
	}
}

// replaced adds a setting; of two on one line the last one counts.
func (w *Writer) replaced(list []Setting, s Setting) []Setting {
	for i := range list {
		if strings.EqualFold(list[i].Name, s.Name) {
			w.LeftOut(list[i].Span, list[i].Name, "it is on this line again")
			return append(append(list[:i:i], list[i+1:]...), s)
		}
	}
	return append(list, s)
}

// dump writes the objects of a sacctmgr dump in their order, on which their places in the tree depend.
func (w *Writer) dump(file *sacctmgr.File) {
	for _, l := range file.Lines {
		if l.Object.IsZero() || l.Name.Text == "" {
			if !l.Object.IsZero() || !l.Junk.IsZero() {
				w.LeftOut(l.Span, "a line that names no object", "sacctmgr load reads lines such as Account - 'name'")
			}
			continue
		}
		r := Record{Kind: l.Object.Text, Name: l.Name.Text, Span: l.Object.Span}
		for _, o := range l.Options {
			if o.Key.IsZero() {
				w.LeftOut(o.Value.Span, o.Value.Text, "it has no = and sets nothing")
				continue
			}
			name := o.Key.Text
			if op := strings.TrimSuffix(o.Op.Text, "="); op != "" {
				name += op
			}
			r.Settings = w.replaced(r.Settings, Setting{name, o.Value.Text, o.Key.Span})
		}
		w.Records = append(w.Records, r)
	}
}
