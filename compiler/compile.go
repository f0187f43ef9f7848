// Package compiler turns policy text into a program.
//
// In: source files in any of the three languages. Out: program.Program, with every
// finding on the way. The stages are in the table below; each can be dumped.
package compiler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/check"
	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/compiler/optimize"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/program/form"
)

// Input is what to compile: the files of one policy, later ones adding to or
// overriding earlier ones.
type Input struct {
	Files   []*source.File
	Lang    lower.Lang  // forces the language of every file; empty: recognised by content
	Include lower.Files // where Include and #INCLUDE are looked up
	NoOpt   []string    // passes of the optimiser that are left out, see OptimizerPasses
	Parsed  *Parsed     // some of the files as they were parsed before; nil parses all
	lower.Options
}

// Parsed are parsed files, for who compiles the same ones again and again with other options. Nothing changes them.
type Parsed struct {
	units map[*source.File]parsedFile
}

type parsedFile struct {
	unit  lower.Unit
	diags diag.List
}

// Parse parses the files of an input once. They are good while its language and the files that they include are.
func Parse(in Input) *Parsed {
	p := &Parsed{map[*source.File]parsedFile{}}
	for _, f := range in.Files {
		unit, diags := lower.Parse(f, in.Lang, in.Include)
		p.units[f] = parsedFile{unit.Keep(), diags}
	}
	return p
}

// unit is a parsed file.
func (in *Input) unit(f *source.File) (lower.Unit, diag.List) {
	if in.Parsed != nil {
		if was, ok := in.Parsed.units[f]; ok {
			return was.unit, was.diags
		}
	}
	return lower.Parse(f, in.Lang, in.Include)
}

// Output is everything the stages made. Program is nil if there are errors.
type Output struct {
	Policy  *ir.Policy
	Program *program.Program // keeps each term's register: for explanations
	Fused   *program.Program // the same for scoring only
	Diags   diag.List

	units     []lower.Unit
	generated *program.Program
}

// pass is one stage. It reads what earlier ones put into the output.
type pass struct {
	name string
	doc  string
	run  func(*Input, *Output)
	made func(*Output) made
}

// made is what a stage makes: its short form, and the value.
type made struct {
	text  string
	name  string
	value any // nil: the text is all of it
}

// passes in order. A stage that reports an error is the last one to run.
var passes = []pass{
	{"parse", "text to syntax trees, each file in its own language", parse, madeUnits},
	{"lower", "dialects and policy files to one policy, inheriting the library's formula", lowerUnits, madePolicy},
	{"fold", "what depends on parameters alone becomes constant; after lower, which sets them", foldPolicy, madePolicy},
	{"check", "what could not be run is refused; after fold, so dead branches do not count", checkPolicy, madePolicy},
	{"codegen", "policy to instructions over registers, computed per run, per name or per job", generate, madeProgram},
	{"fuse", "the programs that run: sums in few passes, memory shared; explained, and scores alone", fuse, madeFused},
}

// PassDoc documents a stage.
type PassDoc struct{ Name, Doc string }

// Passes lists the stages in order.
func Passes() []PassDoc {
	out := make([]PassDoc, len(passes))
	for i, p := range passes {
		out[i] = PassDoc{p.name, p.doc}
	}
	return out
}

// OptimizerPasses are those of the stage fuse. No result depends on them.
func OptimizerPasses() []string { return optimize.Passes() }

// Compile runs every stage.
func Compile(in Input) *Output {
	out, _ := run(in, passes[len(passes)-1].name, false)
	return out
}

// Whole prints all that a stage's value holds, field by field; "" of syntax trees, which Dump prints whole.
func Whole(out *Output, name string) string {
	p := stage(name)
	if p == nil {
		return ""
	}
	m := p.made(out)
	if m.value == nil {
		return ""
	}
	return form.Whole(m.name, m.value)
}

func stage(name string) *pass {
	i := slices.IndexFunc(passes, func(p pass) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &passes[i]
}

// Dump runs the stages up to the named one and prints what it made.
func Dump(in Input, name string) (string, *Output, error) {
	if stage(name) == nil {
		names := make([]string, len(passes))
		for i, p := range passes {
			names[i] = p.name
		}
		return "", nil, fmt.Errorf("there is no pass %q; the passes are %s", name, strings.Join(names, ", "))
	}
	out, text := run(in, name, true)
	return text, out, nil
}

// run runs the stages up to the last one, whose text is made only if it is wanted: it takes as long as they do.
func run(in Input, last string, wanted bool) (out *Output, dumped string) {
	out = &Output{}
	defer func() {
		out.Diags.Sort()
		out.Diags = slices.CompactFunc(out.Diags, same) // for_each reads one text several times
	}()
	for _, p := range passes {
		p.run(&in, out)
		if p.name == last || out.Diags.HasErrors() {
			if wanted && p.name == last && !out.Diags.HasErrors() {
				dumped = p.made(out).text
			}
			break
		}
	}
	if out.Diags.HasErrors() {
		out.Program, out.Fused = nil, nil
	}
	return out, dumped
}

func same(a, b *diag.Diagnostic) bool {
	return a.Code == b.Code && a.Span == b.Span && a.Message == b.Message
}

func parse(in *Input, out *Output) {
	for _, f := range in.Files {
		unit, diags := in.unit(f)
		out.Diags = append(out.Diags, diags...)
		out.units = append(out.units, unit)
	}
}

func lowerUnits(in *Input, out *Output) {
	policy, diags := lower.Lower(out.units, in.Options)
	out.Policy = policy
	out.Diags = append(out.Diags, diags...)
}

func foldPolicy(_ *Input, out *Output) { out.Policy = fold.Policy(out.Policy) }

func checkPolicy(_ *Input, out *Output) { out.Diags = append(out.Diags, check.Policy(out.Policy)...) }

func generate(in *Input, out *Output) {
	prog, diags := codegen.Generate(out.Policy)
	if prog != nil {
		for _, p := range in.Params {
			prog.Params = append(prog.Params, program.Given{Name: p.Name, Value: p.Value})
		}
	}
	out.generated = prog
	out.Diags = append(out.Diags, diags...)
}

func fuse(in *Input, out *Output) {
	out.Program = optimize.Explained(out.generated, in.NoOpt...)
	out.Fused = optimize.Scores(out.generated, in.NoOpt...)
}

func madeUnits(out *Output) made {
	var b strings.Builder
	for _, u := range out.units {
		b.WriteString(u.String())
	}
	return made{text: b.String()}
}

func madePolicy(out *Output) made { return made{out.Policy.String(), "policy", out.Policy} }

func madeProgram(out *Output) made { return made{out.generated.String(), "program", out.generated} }

func madeFused(out *Output) made { return made{out.Fused.String(), "program", out.Fused} }

// Queries is a program of the policy's queries alone, a term each of its only component: what is asked of jobs never
// has a part in what is evaluated.
func Queries(p *ir.Policy) (*program.Program, diag.List) {
	asks := *p
	one := ir.Scalar{Expr: expr.NewConst(schema.DoubleValue(1), p.Span)}
	c := ir.Component{Name: "query", Weight: one}
	for i, q := range p.Queries {
		c.Terms = append(c.Terms, ir.Term{Name: strconv.Itoa(i), Weight: one, Factor: q.Value, Span: q.Span})
	}
	asks.Components, asks.Holds, asks.Finish = []ir.Component{c}, nil, ir.Finish{Span: p.Finish.Span}
	out, diags := codegen.Generate(&asks)
	if out == nil {
		return nil, diags
	}
	return optimize.Explained(out), diags
}

// WithoutTerm is the program of a policy that compiled, as it would score if one of its terms weighed nothing, or with
// edit.AllTerms none of a component.
func WithoutTerm(p *ir.Policy, component, term int) *program.Program {
	other := *p
	other.Components = slices.Clone(p.Components)
	c := &other.Components[component]
	c.Terms = slices.Clone(c.Terms)
	for i := range c.Terms {
		if t := &c.Terms[i]; i == term || term == edit.AllTerms {
			t.Weight = ir.Scalar{Expr: expr.NewConst(schema.DoubleValue(0), t.Span)}
		}
	}
	prog, diags := codegen.Generate(&other)
	if prog == nil {
		panic("INVARIANT: a policy that compiled does not without a term: " + diags[0].Message)
	}
	return optimize.Scores(prog)
}
