package report_test

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// sharesSample is a queue of two jobs under fairshare windows: amy's, of which every credential
// has another kind of target, and that of somebody without an account, who is unknown.
func sharesSample(ratio bool) *evaluation.Result {
	config := source.NewFile("maui.cfg",
		[]byte("USERCFG[DEFAULT] FSTARGET=5\nUSERCFG[amy] FSTARGET=30\nGROUPCFG[phys] FSTARGET=40+\nACCOUNTCFG[a] "+
			"FSTARGET=10-\nQOSCFG[hi] FSTARGET=9000^\n"))
	at := func(start int) source.Span { return config.Span(start, start+5) }
	jobs := table(map[schema.ColumnID][]any{
		"job.id": {"1", "2"}, "job.user": {"amy", "new\x1b[2J"}, "job.group": {"phys", "phys"}, "job.account": {"a", ""},
		"job.qos": {"hi", "DEFAULT"}, "job.partition": {"batch", "batch"},
	})
	w := &program.Windows{Usage: fairshare.DedicatedProcSeconds, Ratio: ratio, IntervalSeconds: 43200, Depth: 4,
		Decay: 0.5, Targets: []program.Target{
			{Object: "user", Name: "DEFAULT", Others: true, Kind: "target", Value: 5, Source: "USERCFG[DEFAULT] FSTARGET",
				Span: at(17)},
			{Object: "user", Name: "amy", Kind: "target", Value: 30, Source: "USERCFG[amy] FSTARGET", Span: at(41)},
			{Object: "group", Name: "phys", Kind: "floor", Value: 40, Source: "GROUPCFG[phys] FSTARGET", Span: at(68)},
			{Object: "account", Name: "a", Kind: "ceiling", Value: 10, Source: "ACCOUNTCFG[a] FSTARGET", Span: at(95)},
			{Object: "qos", Name: "hi", Kind: "cap", Value: 9000, Source: "QOSCFG[hi] FSTARGET", Span: at(120)},
		}}
	const now = 1700000000
	start := fairshare.CurrentStart(w, now)
	usage := []snapshot.UsageWindow{{StartTime: start}, {StartTime: start - 2*43200}}
	fairshare.Add(&usage[0], fairshare.Names{"amy", "phys", "a", "batch", "hi"}, 3600)
	fairshare.Add(&usage[0], fairshare.Names{"bob", "chem", "a", "long", "DEFAULT"}, 1800)
	fairshare.Add(&usage[1], fairshare.Names{"amy", "phys", "a", "batch", "hi"}, 720)

	shares := fairshare.EvaluateWindows(w, usage, now)
	factors := func(object int, names ...string) (list []float64) {
		for _, name := range names {
			list = append(list, shares.Of(object, name).Delta)
		}
		return list
	}
	p := &program.Program{Policy: "shares", Family: "maui", Semantics: "observed", Rounding: "truncate", Windows: w}
	r := result(p, jobs, []part{{Component: program.Component{Name: "fairshare", Weight: param("FSWEIGHT", 1)}, weight: 1,
		terms: []piece{
			{Term: program.Term{Name: "fsuser", Weight: param("FSUSERWEIGHT", 10),
				Reads: []schema.ColumnID{"user.fairshare_delta", "user.fairshare_percent"}},
				weight: 10, factors: factors(fairshare.User, "amy", "new")},
			{Term: program.Term{Name: "fsgroup", Weight: param("FSGROUPWEIGHT", 1),
				Reads: []schema.ColumnID{"group.fairshare_delta"}}, weight: 1, factors: factors(fairshare.Group, "phys", "phys")},
			{Term: program.Term{Name: "fsaccount", Weight: param("FSACCOUNTWEIGHT", 1),
				Reads: []schema.ColumnID{"account.fairshare_delta"}}, weight: 1, factors: factors(fairshare.Account, "a", "")},
			{Term: program.Term{Name: "fsqos", Weight: param("FSQOSWEIGHT", 1), Reads: []schema.ColumnID{"qos.fairshare_delta"}},
				weight: 1, factors: factors(fairshare.QOS, "hi", "DEFAULT")},
		}}})
	r.Windows, r.Snapshot = shares, &snapshot.Snapshot{}
	r.Settings = map[schema.ColumnID]*evaluation.Joined{}
	for o, object := range fairshare.Objects {
		key := schema.ColumnID("job." + object)
		delta, percent := &column.Column{Type: schema.Double}, &column.Column{Type: schema.Double}
		for _, name := range jobs.Column(key).Dict {
			delta.Doubles = append(delta.Doubles, shares.Of(o, name).Delta)
			percent.Doubles = append(percent.Doubles, shares.Of(o, name).Percent)
		}
		places := len(delta.Doubles)
		r.Settings[schema.ColumnID(object+".fairshare_delta")] = &evaluation.Joined{Key: key, Column: delta,
			Source: make([]string, places), Span: make([]source.Span, places)}
		r.Settings[schema.ColumnID(object+".fairshare_percent")] = &evaluation.Joined{Key: key, Column: percent,
			Source: make([]string, places), Span: make([]source.Span, places)}
	}
	return order(r, 0, 1)
}

// documentedSign is sharesSample under the manual's sign in reports.
func documentedSign() *evaluation.Result {
	r := sharesSample(false)
	r.Program.Deviations = []string{"report_sign"}
	return r
}
