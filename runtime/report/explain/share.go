package explain

import (
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// shareBehind finds the credential that a fairshare column was read of, nil for other columns.
func shareBehind(r *evaluation.Result, id schema.ColumnID, row int) *eval.ShareRow {
	doc := schema.Lookup(id)
	object := slices.Index(fairshare.Objects[:], id.Object())
	if r.Windows == nil || doc == nil || object < 0 || doc.Origin != schema.Model && id.Name() != "fairshare_target" {
		return nil
	}
	name := r.Rows.Value(schema.ObjectByName(id.Object()).Key, row).Str
	x := &eval.ShareRow{Object: object, Name: name, Share: r.Windows.Of(object, name)}
	if x.Share.Target != fairshare.NoTarget {
		x.Target = &r.Windows.Model.Targets[x.Share.Target]
	}
	return x
}

// share says how a credential's part came about: its target, what it used in which window, and
// what follows.
func (t *tree) share(r *evaluation.Result, x *eval.ShareRow) {
	s := r.Windows
	word := fairshare.Objects[x.Object]
	if word == "partition" {
		word = r.Facts.Partitions.Word()
	}
	if x.Name == "" {
		t.line(4, "the job has no %s, so this adds nothing", word)
		return
	}
	if !s.Active() {
		t.line(4, "no usage is recorded, so this adds nothing")
		return
	}
	unit := "processor-seconds"
	if s.Model.Usage == fairshare.DedicatedPESeconds {
		unit = "seconds of processor equivalents"
	}
	t.line(4, "%s %s used %s percent: %s of %s %s, older windows decayed", word, source.Plain(x.Name),
		form.Exact(x.Share.Percent), form.Exact(x.Share.Usage), form.Exact(s.Total), unit)
	for k, w := range s.Windows {
		if w.Total != 0 {
			t.line(5, "from %s: %s of %s, times %s", time.Unix(w.StartTime, 0).UTC().Format("2006-01-02 15:04:05Z"),
				form.Exact(s.InWindow(x.Object, x.Name, k)), form.Exact(w.Total), form.Exact(w.Weight))
		}
	}
	t.target(r, x, word)
}

// target says what the credential should get, and what being off it is worth.
func (t *tree) target(r *evaluation.Result, x *eval.ShareRow, word string) {
	target := x.Target
	if target == nil {
		t.line(4, "it has no target, so this adds nothing")
		return
	}
	whose := target.Source + atPlace(target.Span.String())
	if target.Others && x.Name != target.Name {
		whose += ", of every " + word + " without a target"
	}
	switch target.Kind {
	case "cap":
		t.line(4, "%s: a cap of %s keeps jobs from starting and adds nothing", whose, form.Exact(target.Value))
		return
	case "relative_cap":
		t.line(4, "%s: a cap of %s percent keeps jobs from starting and adds nothing", whose, form.Exact(target.Value))
		return
	}
	bound := map[string]string{"floor": ", a floor, which never lowers",
		"ceiling": ", a ceiling, which never raises"}[target.Kind]
	t.line(4, "%s: %s percent%s", whose, form.Exact(target.Value), bound)
	switch value, percent := form.Exact(target.Value), form.Exact(x.Share.Percent); {
	case r.Windows.Model.Ratio:
		t.line(4, "1 − %s / %s is counted as %s", percent, value, form.Exact(x.Share.Delta))
	case r.Program.Documented("report_sign"):
		t.line(4, "usage − target = %s − %s = %s; %s is counted", percent, value,
			form.Exact(x.Share.Percent-target.Value), form.Exact(x.Share.Delta))
	default:
		t.line(4, "%s − %s is counted as %s", value, percent, form.Exact(x.Share.Delta))
	}
}
