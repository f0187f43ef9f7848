package celexpr

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestErrors renders the diagnostics of wrong expressions, each of which must
// give at least one.
func TestErrors(t *testing.T) {
	var out strings.Builder
	for _, line := range cases(t, "errors.txt") {
		out.WriteString(line + "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		src := sourceOf(line[3:])
		src.Scope = JobScope
		if line[0] == 'w' {
			src.Scope = CredentialScope
		}
		if strings.Contains(line, "each.") && !strings.Contains(line, "each.k") {
			src.Each = nil
		}
		_, list := fixture.Compile(src, prompts[line[:3]])
		if len(list) == 0 {
			t.Errorf("%s gives no diagnostic", line)
		}
		var text strings.Builder
		diag.WriteText(&text, list, false)
		for l := range strings.Lines(text.String()) {
			out.WriteString("   " + l)
		}
	}
	golden(t, "errors.txt", out.String())
}

// TestPlaces proves that diagnostics point at the right bytes of the file: «…»
// marks what the first one must cover.
func TestPlaces(t *testing.T) {
	for _, marked := range []string{
		"job.«prcs»",
		"job.procs > 4 &&\n\t\tjob.«prcs» > 2\n\t",
		"  job.user «=» 'x'",
		"job.user == 'ämön' && job.«usr» == 'b'",
		"'日本' == job.user ? 1.0 : «job.procs * 1.5»",
		"// ä comment\njob.procs >\n\t«foo»",
		"[1, 2].exists(«job», job > 1) ? 1.0 : 0.0",
		"{'ä': 1}[job.user] + «job.tres»",
		"job.procs +\r\n  param.«NOPE» + 1",
		"math.least(1.0, «job.procs[0]», 2.0)",
		"1.0 + «(job.procs + 1) * 2.5»",
		"1.0 + «-job.procs * 2.5»",
		"1.0 + «job.user.size() * 2.5»",
		"1.0 + «[1, 2][0] * 2.5»",
		"1.0 + «job.user.startsWith(3)»",
		"size«(»",
		"«job.procs» ? 1 : 2",
		"job.user == «'open",
	} {
		cel := strings.NewReplacer("«", "", "»", "").Replace(marked)
		start := strings.Index(marked, "«")
		end := len(cel)
		if i := strings.Index(marked, "»"); i >= 0 {
			end = i - len("«")
		}
		const before, after = "policy \"ü\" {\n\tfactor = <<-CEL\n", "\nCEL\n}\n"
		f := source.NewFile("p.hcl", []byte(before+cel+after))
		_, list := fixture.Compile(Source{Span: f.Span(len(before), len(before)+len(cel))}, WantNumber)
		if len(list) == 0 {
			t.Errorf("%q gives no diagnostic", marked)
			continue
		}
		if got, want := list[0].Span, f.Span(len(before)+start, len(before)+end); got != want {
			t.Errorf("%s: %q points at %q", marked, list[0].Message, got.Text())
		}
	}
}

// TestEscapes: in a literal with escapes the text is not the file's bytes, and
// the map leads back to them.
func TestEscapes(t *testing.T) {
	raw := `factor = "job.user == \"amy\" && job.prcs > 1"`
	f := source.NewFile("p.hcl", []byte(raw))
	var text strings.Builder
	var offsets []int
	for i := len(`factor = "`); i < len(raw)-1; i++ {
		offsets = append(offsets, i)
		if raw[i] == '\\' {
			i++
		}
		text.WriteByte(raw[i])
	}
	offsets = append(offsets, len(raw)-1)
	src := Source{Span: f.Span(10, len(raw)-1), Text: text.String(), Offsets: offsets}
	_, list := fixture.Compile(src, WantBool)
	if len(list) != 1 || list[0].Span.Text() != "prcs" || list[0].Fix == nil || list[0].Fix.NewText != "procs" {
		t.Fatalf("got %v", list)
	}
}

// TestFixes applies each fix that is offered: the result must compile.
func TestFixes(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  Want
		fixed string
	}{
		{"job.procs * 1.5", WantNumber, "double(job.procs) * 1.5"},
		{"(job.procs + 1) * 1.5", WantNumber, "(double(job.procs + 1)) * 1.5"},
		{"job.queue_minutes / 60", WantNumber, "job.queue_minutes / 60.0"},
		{"clamp(job.procs, 0, 10)", WantNumber, "clamp(double(job.procs), 0.0, 10.0)"},
		{"job.held ? 1 : 0.5", WantNumber, "job.held ? 1.0 : 0.5"},
		{"job.WCLimit > 3600", WantBool, "job.walltime_seconds > 3600"},
		{"job.queue_seconds > job.WALLTIME", WantBool, "job.queue_seconds > job.walltime_seconds"},
		{"job.held == true and job.procs > 1", WantBool, "job.held == true && job.procs > 1"},
		{"job.user = 'amy'", WantBool, "job.user == 'amy'"},
		{"sqrt(2.0)", WantNumber, "math.sqrt(2.0)"},
		{"min(job.procs, 2)", WantNumber, "math.least(job.procs, 2)"},
		{"job.name.startWith('a')", WantBool, "job.name.startsWith('a')"},
		{"procs + 1", WantNumber, "job.procs + 1"},
		{"job.priority + 1", WantNumber, "job.recorded_priority + 1"},
		{"param.WEIGTH", WantNumber, "param.WEIGHT"},
		{"documented.xfactor_numerater", WantBool, "documented.xfactor_numerator"},
		{"job.tres('gpu')", WantNumber, "job.tres('gres/gpu')"},
		{"job.held && job.procs > 1", WantNumber, "(job.held && job.procs > 1) ? 1.0 : 0.0"},
		{"job.gpus", WantBool, "(job.gpus) != 0"},
		{"job.gpus", WantString, "string(job.gpus)"},
		{"job.FSTARGET", WantNumber, "user.fairshare_target"},
		{"True", WantBool, "true"},
		{"now - job.submit_time", WantNumber, "(now - job.submit_time).getSeconds()"},
	} {
		f := source.NewFile("p.hcl", []byte(c.text))
		_, list := fixture.Compile(Source{Span: f.Span(0, len(c.text))}, c.want)
		if len(list) == 0 {
			t.Errorf("%s gives no diagnostic", c.text)
			continue
		}
		fixed := ""
		if fix := list[0].Fix; fix != nil {
			fixed = c.text[:fix.Span.Start] + fix.NewText + c.text[fix.Span.End:]
			g := source.NewFile("p.hcl", []byte(fixed))
			if _, list := fixture.Compile(Source{Span: g.Span(0, len(fixed))}, c.want); len(list) > 0 {
				t.Errorf("%s: the fixed %s still gives %s", c.text, fixed, list[0].Message)
			}
		}
		if fixed != c.fixed {
			t.Errorf("%s: fixed to %q, want %q", c.text, fixed, c.fixed)
		}
	}
}

// TestCodes reports every documented code by its own example, and no other.
func TestCodes(t *testing.T) {
	for _, doc := range pages.In("expressions") {
		src := sourceOf(doc.Example())
		src.Scope, src.Each = JobScope, nil
		_, list := fixture.Compile(src, WantNumber)
		if len(list) == 0 || list[0].Code != doc.Code {
			t.Errorf("%s: the example %s gives %v", doc.Code, doc.Example(), list)
		}
		if doc.What == "" || doc.Why == "" || doc.Instead == "" {
			t.Errorf("%s is not documented", doc.Code)
		}
	}
}

func TestScopes(t *testing.T) {
	for _, c := range []struct {
		text  string
		scope Scope
		ok    bool
	}{
		{"qos.priority + param.WEIGHT", CredentialScope, true},
		{"now.getHours() + qoses.max_priority + cluster.procs", CredentialScope, true},
		{"job.procs", CredentialScope, false},
		{"job.tres('cpu')", CredentialScope, false},
		{"has(job.procs) ? 1 : 0", CredentialScope, false},
		{"score", CredentialScope, false},
		{"score", JobScope, false},
		{"score + double(job.procs)", OverrideScope, true},
	} {
		src := sourceOf(c.text)
		src.Scope = c.scope
		compiled, list := fixture.Compile(src, WantNumber)
		if (compiled != nil) != c.ok || !c.ok && list[0].Code != codeNotInScope {
			t.Errorf("%s: %v", c.text, list)
		}
	}
}

func TestMentions(t *testing.T) {
	c, _ := fixture.Compile(sourceOf("documented.component_cap ? param.WEIGHT : [param.RATIO].exists(r, r > 1.0) ? "+
		"param.WEIGHT : 2"), WantNumber)
	if strings.Join(c.Params, " ") != "WEIGHT RATIO" || strings.Join(c.Documented, " ") != "component_cap" {
		t.Errorf("got %v %v", c.Params, c.Documented)
	}
	if got := expr.Fold(c.Expr).String(); got != "10.0" {
		t.Errorf("folded to %s", got)
	}
}
