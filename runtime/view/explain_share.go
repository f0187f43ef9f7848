package view

import (
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// shareBehind finds the credential that a fairshare column was read of, nil for other columns.
func shareBehind(r *engine.Result, id schema.ColumnID, row int) *shareRow {
	doc := schema.Lookup(id)
	object := slices.Index(fairshare.Objects[:], id.Object())
	if r.Windows == nil || doc == nil || object < 0 || doc.Origin != schema.Model && id.Name() != "fairshare_target" {
		return nil
	}
	name := r.Rows.Value(schema.ObjectByName(id.Object()).Key, row).Str
	x := &shareRow{object: object, name: name, share: r.Windows.Of(object, name)}
	if x.share.Target != fairshare.NoTarget {
		x.target = &r.Windows.Model.Targets[x.share.Target]
	}
	return x
}

// share says how a credential's part came about: its target, what it used in which window, and
// what follows.
func (t *tree) share(r *engine.Result, x *shareRow) {
	s := r.Windows
	word := fairshare.Objects[x.object]
	if word == "partition" {
		word = partitionWord(r)
	}
	if x.name == "" {
		t.line(4, "the job has no %s, so this adds nothing", word)
		return
	}
	if !s.Active() {
		t.line(4, "nobody used anything, so this adds nothing")
		return
	}
	unit := "processor-seconds"
	if s.Model.Usage == fairshare.DedicatedPESeconds {
		unit = "seconds of processor equivalents"
	}
	t.line(4, "%s %s used %s percent: %s of %s %s, older windows decayed", word, source.Plain(x.name), exact(x.share.Percent), exact(x.share.Usage), exact(s.Total), unit)
	for k, w := range s.Windows {
		if w.Total != 0 {
			t.line(5, "from %s: %s of %s, times %s", time.Unix(w.StartTime, 0).UTC().Format("2006-01-02 15:04:05Z"), exact(s.InWindow(x.object, x.name, k)), exact(w.Total), exact(w.Weight))
		}
	}
	t.target(r, x, word)
}

// target says what the credential should get, and what being off it is worth.
func (t *tree) target(r *engine.Result, x *shareRow, word string) {
	target := x.target
	if target == nil {
		t.line(4, "it has no target, so this adds nothing")
		return
	}
	whose := target.Source + atPlace(target.Span.String())
	if target.Others && x.name != target.Name {
		whose += ", of every " + word + " without a target"
	}
	switch target.Kind {
	case "cap":
		t.line(4, "%s: a cap of %s keeps jobs from starting and adds nothing", whose, exact(target.Value))
		return
	case "relative_cap":
		t.line(4, "%s: a cap of %s percent keeps jobs from starting and adds nothing", whose, exact(target.Value))
		return
	}
	bound := map[string]string{"floor": ", a floor, which never lowers", "ceiling": ", a ceiling, which never raises"}[target.Kind]
	t.line(4, "%s: %s percent%s", whose, exact(target.Value), bound)
	switch value, percent := exact(target.Value), exact(x.share.Percent); {
	case r.Windows.Model.Ratio:
		t.line(4, "1 − %s / %s is counted as %s", percent, value, exact(x.share.Delta))
	case r.Program.Documented("report_sign"):
		t.line(4, "usage − target = %s − %s = %s; %s is counted", percent, value, exact(x.share.Percent-target.Value), exact(x.share.Delta))
	default:
		t.line(4, "%s − %s is counted as %s", value, percent, exact(x.share.Delta))
	}
}
