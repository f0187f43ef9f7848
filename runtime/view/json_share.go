package view

import (
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// fairshare writes all usage, then each credential that used or should get something.
func (j *jsonWriter) fairshare(r *engine.Result) {
	j.key("fairshare").open('[')
	if r.Tree != nil {
		for _, node := range r.Tree.Listed() {
			j.separateLine()
			j.association(r, node)
		}
		j.line()
	}
	if s := r.Windows; s != nil {
		j.separateLine()
		total := shareRow{object: -1, share: fairshare.Share{Usage: s.Total, Percent: 100}}
		j.share(s, &total)
		for object := range fairshare.Objects {
			for _, row := range shareRows(r, s, object) {
				j.separateLine()
				j.share(s, &row)
			}
		}
		j.line()
	}
	j.shut(']')
}

// share writes a credential's part of all usage; an object of −1 is all of it.
func (j *jsonWriter) share(s *fairshare.WindowShares, x *shareRow) {
	kind := "total"
	if x.object >= 0 {
		kind = fairshare.Objects[x.object]
	}
	j.open('{')
	j.key("kind").str(kind)
	j.key("name").str(x.name)
	j.key("usage").num(x.share.Usage)
	j.key("usage_percent").known(x.share.Percent, s.Active())
	if t := x.target; t != nil {
		j.key("target").num(t.Value)
		j.key("target_kind").str(t.Kind)
		j.key("inherited").bool(t.Others && x.name != t.Name)
		j.key("source").place(t.Span)
	} else {
		j.key("target").null()
		j.key("target_kind").null()
		j.key("inherited").bool(false)
		j.key("source").null()
	}
	j.key("delta").num(x.share.Delta)
	j.key("windows").open('[')
	for k := range s.Windows {
		w := &s.Windows[k]
		usage := w.Total
		if x.object >= 0 {
			usage = s.InWindow(x.object, x.name, k)
		}
		if usage == 0 {
			continue
		}
		j.open('{')
		j.key("start").int(w.StartTime)
		j.key("weight").num(w.Weight)
		j.key("usage").num(usage)
		j.key("total").num(w.Total)
		j.shut('}')
	}
	j.shut(']')
	j.shut('}')
}
