package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// blockedSample is the sample with a block of each shape.
func blockedSample() *evaluation.Result {
	r := sample()
	r.Program.Limits = []program.Limit{{Name: "MAXJOB", Object: "user", Row: "amy", Counts: "jobs", Per: []string{"user"},
		Phase: "active",
		Soft:  2, Hard: 4, When: program.NoReg, Source: "USERCFG[amy] MAXJOB", Span: spanOf("USERCFG[amy]")}}
	r.Program.Holds = []program.Flag{{Name: "too_long", Span: spanOf("CREDCAP")}}
	r.Program.Windows = &program.Windows{Targets: []program.Target{
		{Object: "user", Name: "amy", Kind: "relative_cap", Value: 15, Source: "USERCFG[amy] FSTARGET",
			Span: spanOf("USERCFG[amy]")}}}
	over := &limit.Violation{Object: "user", Name: "amy", Per: []string{"user"}, Names: []string{"amy"}, Counts: "jobs",
		Phase: "active",
		Bound: limit.Soft, Value: 2, InUse: 2, Request: 1}
	capped := &fairshare.Violation{Object: "user", Name: "amy", Value: 15, Usage: 900, Request: 100.5, Percent: 16.25}
	for job, b := range map[int]*evaluation.Block{
		0: {Kind: evaluation.BlockLimit, Text: maui.LimitText(over, "DEFAULT"), Limit: over,
			Also: []*evaluation.Block{{Kind: evaluation.BlockCap, Text: "cap", Cap: capped}}},
		1: {Kind: evaluation.BlockPolicy, Text: "too long"},
		2: {Kind: evaluation.BlockPriority},
	} {
		r.Why[job] = b
	}
	r.Stored = make([]int64, r.Jobs.Rows)
	r.RunPriority = make([]float64, r.Jobs.Rows)
	for job := range r.RunPriority {
		r.Stored[job], r.RunPriority[job] = int64(job), math.NaN()
	}
	r.RunPriority[6] = 1234.5
	return r
}

func TestJSONWhy(t *testing.T) {
	out := text(t, eval.WriteJSONLines, blockedSample(), eval.Options{})
	for _, want := range []string{
		`"why":{"kind":"limit","text":"violates active SOFT MAXJOB limit of 2 for user amy  (R: 1, U: 2)","object":"user","name":"amy",` +
			`"per":[{"object":"user","name":"amy"}],"limit":"MAXJOB","counts":"jobs","phase":"active","bound":"soft","value":2,"in_use":2,"request":1,` +
			`"source":{"name":"USERCFG[amy] MAXJOB","file":"maui.cfg","line":6,"column":1},` +
			`"also":[{"kind":"fairshare_cap","text":"cap","object":"user","name":"amy","limit":"relative_cap","value":15,"in_use":900,"request":100.5,"percent":16.25,` +
			`"source":{"name":"USERCFG[amy] FSTARGET","file":"maui.cfg","line":6,"column":1}}]},"stored_priority":0,`,
		`"why":{"kind":"policy","text":"too long","limit":"too_long",`,
		`"why":{"kind":"priority","text":null},"stored_priority":2,`,
		`"stored_priority":6,"run_priority":1234.5,`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the result lacks\n%s\nin\n%s", want, out)
		}
	}
}
