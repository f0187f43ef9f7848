package celexpr

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/source"
)

// FuzzCompile: any bytes give an expression or a diagnostic with a place
// inside the text, and an expression has cel-go's values.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		"job.procs * 2", "job.user in param.USERS ? 1.0 : 0.0", "[1, 2].exists(x, job.procs == x)", `job.tres("gres/gpu")`,
		"1 / 0", "now - job.submit_time > param.DAY",
		"(((", "job.procs +", "'", "r'''", "\xff", "a.b.c(d)[e]{f: g}", "-9223372036854775808", "0x", "1e", "job.?x",
		"each.key", "${", "\t\r\n//x", "{1: job}[1]", "math.least()",
		"[[[[]]]].map(x, x.map(y, y))", "日本", "job . procs", ".job.procs", "has(job.tres)", "has(job)", "job{a: 1}",
		"type(job.procs) == int", "b'x'", "1u", "null", "param", "`a`", "job.procs==1&&!true",
	} {
		f.Add([]byte(seed), byte(0))
		f.Add([]byte(seed), byte(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, want byte) {
		file := source.NewFile("fuzz.hcl", append([]byte("x = "), text...))
		src := Source{Span: file.Span(4, len(file.Text)), Scope: OverrideScope}
		c, list := fixture.Compile(src, Want(want%4))
		if c == nil && !list.HasErrors() {
			t.Fatalf("%q: neither expression nor error", text)
		}
		for _, d := range list {
			if d.Span.File != file || d.Span.Start < 4 || d.Message == "" || strings.HasSuffix(d.Message, ".") {
				t.Fatalf("%q: bad diagnostic %+v", text, d)
			}
			if d.Fix != nil && (d.Fix.Span.File != file || d.Fix.Span.Start < 4) {
				t.Fatalf("%q: bad fix %+v", text, d.Fix)
			}
		}
		if err := diag.WriteText(new(strings.Builder), list, false); err != nil {
			t.Fatal(err)
		}
		if c == nil {
			return
		}
		reference := oracle(t, src, Want(want%4))
		for _, r := range fixtureRows {
			got, gotErr := expr.Eval(c.Expr, r.get)
			celValue, celErr := reference(r)
			if !same(got, gotErr, celValue, celErr) {
				t.Fatalf("%q: %s gives %s, cel-go gives %s", text, c.Expr, show(got, gotErr), show(celValue, celErr))
			}
		}
	})
}
