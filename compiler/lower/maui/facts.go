package maui

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
)

// facts carries every setting of a maui.cfg, in Maui's words.
func (f *reader) facts(cfg *mauicfg.Config) {
	var global ir.Record
	for _, p := range cfg.Params {
		a := ir.Attr{Name: p.Name, Index: p.Index, Span: p.NameSpan}
		global.Attrs = append(global.Attrs, mauiFact(a, p.Raw, p.Value))
	}
	f.Facts.Records = append(f.Facts.Records, global)
	for _, o := range cfg.Objects {
		r := ir.Record{Kind: o.Family, Name: o.Index, Span: o.Span}
		for _, a := range o.Attrs {
			fact := ir.Attr{Name: a.Name, Index: a.Sub, Old: a.From != "", Span: a.Span}
			r.Attrs = append(r.Attrs, mauiFact(fact, a.Raw, a.Value))
		}
		f.Facts.Records = append(f.Facts.Records, r)
	}
}

func mauiFact(a ir.Attr, raw string, v mauicfg.Value) ir.Attr {
	a.Text, a.Value, a.Soft, a.Hard = raw, Value(v), v.Soft, v.Hard
	if v.Kind == mauicfg.KindFSTarget {
		a.Kind = targetKinds[v.Target]
	}
	return a
}
