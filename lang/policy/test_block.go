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
	Semantics    Text
	SlurmVersion Text
	Deviations   []Text
	Params       []ParamSetting
	Without      []Text
	Files        []InlineFile
	Cite         Text
	Doc          Text
	Tolerance    Scalar

	Nodes       []Row
	Credentials []Row
	Usage       []UsageWindow
	Findings    []ExpectCode // findings that must be reported
	Errors      []ExpectCode // errors that must stop the run
	Iteration                // the first
	Later       []Iteration

	Check *Check // of a check block, which has none of the rows and expectations
}

// Check is a promise about two jobs of any queue, job['a'] and job['b'].
type Check struct {
	Vary             []Text
	Given, Condition Scalar
	Message          Text
	Queues, Seed     schema.Value // unknown where not set
	Span             source.Span
}

// Iteration is one evaluation of a test: what is new in the queue since the one before, and what
// must come out.
type Iteration struct {
	Now     schema.Value // a timestamp; unknown if not set
	Started []Text       // jobs that start in it
	Jobs    []Row

	ExpectJobs    []ExpectJob
	ExpectOrder   []ExpectOrder
	ExpectCounts  []ExpectCounts
	ExpectObjects []ExpectObject
	ExpectShares  []ExpectShare
	Asserts       []Assert
	Span          source.Span
}

// Expects reports whether something must come out of it.
func (i *Iteration) Expects() bool {
	return len(i.ExpectJobs)+len(i.ExpectOrder)+len(i.ExpectCounts)+
		len(i.ExpectObjects)+len(i.ExpectShares)+len(i.Asserts) > 0
}

// UsageWindow is what was used in one window of Maui's fairshare.
type UsageWindow struct {
	Start schema.Value // a timestamp
	Total Scalar
	Usage map[string][]Setting // by object: names and what they used
	Span  source.Span
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

// promise decodes what a promise has of every kind.
func (e *evaluator) promise(n *node) *Test {
	return &Test{
		Title: Text{source.Mask(n.name.Value), n.name.Span}, Policies: n.texts("policy"),
		Semantics: n.text("semantics"), SlurmVersion: n.text("slurm_version"), Deviations: n.texts("deviations"),
		Params: n.paramSettings(), Without: n.texts("without"), Cite: n.text("cite"), Doc: n.text("doc"),
		Files: n.inlineFiles(),
	}
}

// check decodes a check block.
func (e *evaluator) check(n *node) *Test {
	t := e.promise(n)
	t.Iteration.Span = n.span
	t.Check = &Check{Vary: n.texts("vary"), Given: n.scalar("given"), Condition: n.scalar("condition"),
		Message: n.text("message"), Queues: n.scalar("queues").Value, Seed: n.scalar("seed").Value, Span: n.span}
	e.needs(n, "condition")
	return t
}

// test decodes a test block.
func (e *evaluator) test(n *node) *Test {
	t := e.promise(n)
	t.Snapshots, t.Tolerance = n.texts("snapshot"), n.scalar("tolerance")
	t.Iteration = e.iteration(t, n)
	for _, b := range n.blocks {
		switch b.doc.ID {
		case "test/node":
			t.Nodes = append(t.Nodes, b.row())
		case "test/usage":
			if e.needs(b, "start") {
				t.Usage = append(t.Usage, b.usageWindow())
			}
		case "test/step":
			if e.needs(b, "now") {
				t.Later = append(t.Later, e.iteration(t, b))
			}
		case "test/job", "test/expect", "test/assert": // of an iteration
		default:
			t.Credentials = append(t.Credentials, b.row())
		}
	}
	return t
}

// iteration decodes what a test has once for each time that it is evaluated.
func (e *evaluator) iteration(t *Test, n *node) Iteration {
	it := Iteration{Now: n.scalar("now").Value, Started: n.texts("started"), Span: n.span}
	for _, b := range n.blocks {
		switch b.doc.ID {
		case "test/job":
			it.Jobs = append(it.Jobs, b.row())
		case "test/expect":
			e.expect(t, &it, b)
		case "test/assert":
			a := Assert{Condition: b.scalar("condition"), Message: b.text("message"), Span: b.span}
			if e.needs(b, "condition") {
				it.Asserts = append(it.Asserts, a)
			}
		}
	}
	return it
}

func (n *node) usageWindow() UsageWindow {
	w := UsageWindow{Start: n.scalar("start").Value, Total: n.scalar("total"), Usage: map[string][]Setting{},
		Span: n.span}
	for _, object := range usageObjects {
		a := n.attr(object)
		if a == nil {
			continue
		}
		for _, entry := range a.entries {
			w.Usage[object] = append(w.Usage[object], Setting{Name: entry.name.Value, Scalar: entry.Scalar})
		}
	}
	return w
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

// usageObjects are the credentials that Maui counts usage of.
var usageObjects = []string{"user", "group", "account", "qos", "partition"}
