package policy

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Test is one test block. All of it is constant; running it is not this
// package's business.
type Test struct {
	Title        Text
	Policies     []Text // file names, or names of Files
	Snapshots    []Text
	Now          schema.Value // a timestamp; unknown if not set
	Semantics    Text
	SlurmVersion Text
	Deviations   []Text
	Params       []ParamSetting
	Without      []Text
	Files        []InlineFile
	Cite         Text
	Doc          Text
	Tolerance    Scalar

	Jobs        []Row
	Nodes       []Row
	Credentials []Row
	ExpectJobs  []ExpectJob
	ExpectOrder []ExpectOrder
	Findings    []ExpectCode // findings that must be reported
	Errors      []ExpectCode // errors that must stop the run
	Asserts     []Assert
	Span        source.Span
}

// InlineFile is a file written in the test. Span is the literal in the test file.
type InlineFile struct {
	Name Text
	Body string
	Span source.Span
}

// Row is one row of an inline snapshot table. A column that is set to an
// unlimited time is there with an unknown value.
type Row struct {
	Block
	Object  string
	Columns []Setting // as in Credential
}

// ExpectJob is what must come out for one job.
type ExpectJob struct {
	ID        Text
	Priority  Scalar
	Score     Scalar
	Rank      Scalar
	State     Text
	Reason    Text
	Tolerance Scalar
	Terms     []ExpectTerm
	Span      source.Span
}

// ExpectTerm is what must come out for one term; Name is component.term.
type ExpectTerm struct {
	Name                         Text
	Factor, Weight, Contribution Scalar
	Span                         source.Span
}

// ExpectOrder lists jobs, highest priority first.
type ExpectOrder struct {
	Jobs []Text
	Span source.Span
}

// ExpectCode expects a diagnostic; Line is unknown if any will do.
type ExpectCode struct {
	Code Text
	Line schema.Value
	Span source.Span
}

// Assert is a condition over the results.
type Assert struct {
	Condition Scalar // CEL
	Message   Text
	Span      source.Span
}

// test decodes a test block.
func (e *evaluator) test(n *node) *Test {
	t := &Test{
		Title: n.name, Policies: n.texts("policy"), Snapshots: n.texts("snapshot"), Now: n.scalar("now").Value,
		Semantics: n.text("semantics"), SlurmVersion: n.text("slurm_version"), Deviations: n.texts("deviations"),
		Params: n.paramSettings(), Without: n.texts("without"), Cite: n.text("cite"), Doc: n.text("doc"),
		Tolerance: n.scalar("tolerance"), Span: n.span,
	}
	t.Files = n.inlineFiles()
	for _, b := range n.blocks {
		switch b.doc.ID {
		case "test/job":
			t.Jobs = append(t.Jobs, b.row())
		case "test/node":
			t.Nodes = append(t.Nodes, b.row())
		case "test/expect":
			e.expect(t, b)
		case "test/assert":
			a := Assert{Condition: b.scalar("condition"), Message: b.text("message"), Span: b.span}
			if e.needs(b, "condition") {
				t.Asserts = append(t.Asserts, a)
			}
		default:
			t.Credentials = append(t.Credentials, b.row())
		}
	}
	return t
}

func (n *node) row() Row { return Row{Block: n.header(), Object: n.doc.Object, Columns: n.columns()} }

// inlineFiles keeps the text as HCL reads it, so that a <<- heredoc may be
// indented with the test.
func (n *node) inlineFiles() []InlineFile {
	a := n.attr("files")
	if a == nil {
		return nil
	}
	var files []InlineFile
	for _, en := range a.entries {
		files = append(files, InlineFile{Name: en.name, Body: en.Value.Str, Span: en.Span})
	}
	return files
}

// expectAttributes says which attributes each kind of expectation has, the
// first being required.
var expectAttributes = map[string][]string{
	"job":     {"", "priority", "score", "rank", "state", "reason", "tolerance"},
	"order":   {"jobs"},
	"finding": {"code", "line"},
	"error":   {"code", "line"},
}

var expectKinds = []string{"job", "order", "finding", "error"}

// expect sorts an expectation by its kind. The kinds share one block because
// they are read together; which attributes fit is checked here.
func (e *evaluator) expect(t *Test, n *node) {
	first, id := n.kind, n.name
	if !first.IsSet() {
		first, id = n.name, Text{}
	}
	kind := first.Value
	allowed, known := expectAttributes[kind]
	if !known {
		wrongWord(e.diags, first.Span, "expect", kind, expectKinds)
		return
	}
	if (kind == "job") != id.IsSet() {
		text := map[bool]string{true: `write expect "job" "ID"`, false: "only expect \"job\" has an id"}[kind == "job"]
		e.diags.Errorf("policy-labels", n.span, "expect %q has the wrong labels", kind).Note("%s", text)
		return
	}
	for _, a := range n.attrs {
		if a.name != "doc" && !contains(allowed, a.name) {
			e.diags.Errorf("policy-unknown-attribute", a.nameSpan, "expect %q has no attribute %q", kind, a.name)
		}
	}
	if kind != "job" && len(n.blocks) > 0 {
		e.diags.Errorf("policy-misplaced-block", n.blocks[0].span, "only expect \"job\" has terms")
	}
	if allowed[0] != "" && !e.needs(n, allowed[0]) {
		return
	}
	switch kind {
	case "job":
		t.ExpectJobs = append(t.ExpectJobs, n.expectJob(id))
	case "order":
		t.ExpectOrder = append(t.ExpectOrder, ExpectOrder{Jobs: n.texts("jobs"), Span: n.span})
	case "finding":
		t.Findings = append(t.Findings, ExpectCode{n.text("code"), n.scalar("line").Value, n.span})
	case "error":
		t.Errors = append(t.Errors, ExpectCode{n.text("code"), n.scalar("line").Value, n.span})
	}
}

func (n *node) expectJob(id Text) ExpectJob {
	x := ExpectJob{
		ID: id, Priority: n.scalar("priority"), Score: n.scalar("score"), Rank: n.scalar("rank"),
		State: n.text("state"), Reason: n.text("reason"), Tolerance: n.scalar("tolerance"), Span: n.span,
	}
	for _, b := range n.blocks {
		x.Terms = append(x.Terms, ExpectTerm{Name: b.name,
			Factor: b.scalar("factor"), Weight: b.scalar("weight"), Contribution: b.scalar("contribution"), Span: b.span})
	}
	return x
}

// needs reports an attribute that a test cannot do without.
func (e *evaluator) needs(n *node, name string) bool {
	if n.attr(name) != nil {
		return true
	}
	if contains(n.faulty, name) {
		return false
	}
	e.diags.Errorf("policy-missing-attribute", n.span, "%s has no %s", describe(n), name)
	return false
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word && w != "" {
			return true
		}
	}
	return false
}
