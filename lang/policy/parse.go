package policy

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// File is a parsed *.fairway.hcl or *.fairwaytest.hcl, a run configuration, a project file, or a study.
type File struct {
	Source   *source.File
	Policies []*Policy // in the order of the file
	Tests    []*Test
	Runs     []*Run
	Project  *Project // nil: the file has no such block
	Study    *Study   // nil: the file has no such block
}

// Policy is one policy block: its header and declarations, which are constants,
// and the rest, which Evaluate reads once the params are known.
type Policy struct {
	Name       Text
	Use        Text
	Version    Text
	Semantics  Text
	Deviations []Text
	Doc        Text
	Override   bool // the whole file may change what earlier files say

	Params         []ParamSetting // the entries of `params`
	ParamDecls     []ParamDecl
	DeviationDecls []DeviationDecl
	Records        []Record // in the order of the file
	Span           source.Span

	file   *source.File
	edits  []edit
	faulty map[int]bool // lines with syntax errors
	block  *hclsyntax.Block
	header *node // the policy's own attributes, param and deviation blocks
}

// isHeader reports a block that is read before the params are known.
func isHeader(word string) bool { return word == "param" || word == "deviation" || isRecord(word) }

// Parse reads a file. It goes on after errors: what could be read is returned.
func Parse(f *source.File) (*File, diag.List) {
	var diags diag.List
	out := &File{Source: f}
	e := constantEvaluator(f, &diags)
	body := e.parse()
	if body == nil {
		return out, diags
	}
	faulty := faultyLines(diags)
	e.checkBody(body, topLevel)
	seen := map[string]*node{}
	for _, b := range body.Blocks {
		doc := topLevel.child(b.Type)
		if doc == nil || !labelsFit(b, doc) {
			continue
		}
		n := e.header(b, doc)
		if n == nil || !e.isNew(seen, n) {
			continue
		}
		switch b.Type {
		case "policy":
			p := e.policy(b, n)
			p.faulty = faulty
			out.Policies = append(out.Policies, p)
		case "test":
			out.Tests = append(out.Tests, e.test(n))
		case "check":
			out.Tests = append(out.Tests, e.check(n))
		case "project":
			out.Project = e.project(n)
		case "study":
			out.Study = e.study(n)
		default:
			out.Runs = append(out.Runs, e.run(n))
		}
	}
	if len(out.Policies)+len(out.Tests)+len(out.Runs) == 0 && out.Project == nil && out.Study == nil && len(diags) == 0 {
		diags.Warnf("policy-empty-file", f.Span(0, 0), "the file has no policy, no test, no run, no project and no study").
			Note(`write policy "NAME" { … }`)
	}
	diags = dropEchoes(diags, faulty)
	diags.Sort()
	return out, diags
}

// parse reads the structure; nil for text in which nothing can be read.
func (e *evaluator) parse() *hclsyntax.Body {
	if !e.fits() {
		return nil
	}
	if body, ok := plainBody(e.file); ok {
		return body
	}
	tokens, ok := e.guard()
	if !ok {
		return nil
	}
	e.edits = oneLine(tokens)
	parsed, hclDiags := hclsyntax.ParseConfig(applyEdits(e.file.Text, e.edits), e.file.Name, hcl.InitialPos)
	e.addHCL(syntaxCode, hclDiags)
	if parsed == nil {
		return nil
	}
	return parsed.Body.(*hclsyntax.Body)
}

// header evaluates what needs no params: of a policy its attributes and declarations,
// of a test or a run everything.
func (e *evaluator) header(b *hclsyntax.Block, doc *BlockDoc) *node {
	if doc.ID != "policy" {
		return e.instance(b, doc, nil, false)
	}
	body := *b.Body
	body.Blocks = nil
	for _, c := range b.Body.Blocks {
		if isHeader(c.Type) {
			body.Blocks = append(body.Blocks, c)
		}
	}
	return e.instance(&hclsyntax.Block{
		Type: b.Type, Labels: b.Labels, Body: &body,
		TypeRange: b.TypeRange, LabelRanges: b.LabelRanges, OpenBraceRange: b.OpenBraceRange,
		CloseBraceRange: b.CloseBraceRange,
	}, doc, nil, false)
}

// policy takes from the header what callers need before they can say what the
// params are.
func (e *evaluator) policy(b *hclsyntax.Block, header *node) *Policy {
	d := decode(header, e.diags)
	for _, n := range header.blocks {
		if isRecord(n.doc.ID) {
			(&merger{diags: e.diags}).checkRequired(n)
		}
	}
	records := takeRecords(header)
	return &Policy{
		Records: records,
		Name:    d.Name, Use: d.Use, Version: d.Version, Semantics: d.Semantics, Deviations: d.Deviations, Doc: d.Doc,
		Override: header.override,
		Params:   d.Params, ParamDecls: d.ParamDecls, DeviationDecls: d.DeviationDecls, Span: d.Span,
		file: e.file, edits: e.edits, block: b, header: header,
	}
}

// Evaluate evaluates the policy's expressions. Call it with the values of all
// parameters, the base's included. The document may lack what the base has: Apply adds it.
func (p *Policy) Evaluate(scope Scope) (*Document, diag.List) {
	var diags diag.List
	e := newEvaluator(p, scope, &diags)
	e.defineLocals(p.block.Body)
	body := *p.block.Body
	body.Blocks = nil
	for _, c := range p.block.Body.Blocks {
		if !isHeader(c.Type) {
			body.Blocks = append(body.Blocks, c)
		}
	}
	root := *p.header
	root.blocks = append(append([]*node(nil), p.header.blocks...), e.children(&body, p.header.doc, nil)...)
	d := decode(&root, nil)
	diags = dropEchoes(diags, p.faulty)
	diags.Sort()
	return d, diags
}
