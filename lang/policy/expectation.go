package policy

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// ExpectJob is what must come out for one job.
type ExpectJob struct {
	ID        Text
	Priority  Scalar
	Stored    Scalar
	Score     Scalar
	Rank      Scalar
	State     Text
	Reason    Text
	Tolerance Scalar
	Terms     []ExpectTerm
	Why       *ExpectWhy
	Span      source.Span
}

// ExpectWhy is what keeps the job from starting, in parts.
type ExpectWhy struct {
	Kind, Object, Name, Limit, Bound Text
	Value, InUse, Request            Scalar
	Span                             source.Span
}

// ExpectCounts is how many jobs must be in each state.
type ExpectCounts struct {
	Running, Eligible, Blocked, Held Scalar
	Span                             source.Span
}

// ExpectObject is what fairshare must say of one credential.
type ExpectObject struct {
	Object, Name                Text
	UsagePercent, Target, Delta Scalar
	TargetKind                  Text
	TargetMissed                Scalar
	Tolerance                   Scalar
	Span                        source.Span
}

// ExpectShare is what fairshare must say of one association of an account tree.
type ExpectShare struct {
	Name                                         Text // account, account/user or account/user/partition
	Fairshare, Level                             Scalar
	NormShares, Usage, NormUsage, EffectiveUsage Scalar
	Tolerance                                    Scalar
	Span                                         source.Span
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

// expectAttributes says which attributes each kind of expectation has, the
// first being required.
var expectAttributes = map[string][]string{
	"job":     {"", "priority", "stored", "score", "rank", "state", "reason", "tolerance"},
	"order":   {"jobs"},
	"counts":  {"", "running", "eligible", "blocked", "held"},
	"finding": {"code", "line"},
	"error":   {"code", "line"},

	"association": {"", "fairshare", "level_fs", "norm_shares", "usage", "norm_usage", "effective_usage", "tolerance"},
}

// fairshareAttributes are those of an expectation about a credential.
var fairshareAttributes = []string{"", "usage_percent", "target", "target_kind", "target_missed", "delta", "tolerance"}

var expectKinds = append([]string{"job", "order", "counts", "finding", "error", "association"}, usageObjects...)

// expect sorts an expectation by its kind. The kinds share one block because
// they are read together; which attributes fit is checked here.
func (e *evaluator) expect(t *Test, it *Iteration, n *node) {
	first, id := n.kind, n.name
	if !first.IsSet() {
		first, id = n.name, Text{}
	}
	kind := first.Value
	allowed, known := expectAttributes[kind]
	ofObject := contains(usageObjects, kind)
	if ofObject {
		allowed, known = fairshareAttributes, true
	}
	if !known {
		wrongWord(e.diags, first.Span, "expect", kind, expectKinds)
		return
	}
	if named := kind == "job" || kind == "association" || ofObject; named != id.IsSet() {
		text := "only expectations about a job or a credential have a second label"
		if named {
			text = "write expect " + quote(kind) + ` "ID"`
		}
		e.diags.Errorf("policy-labels", n.span, "expect %q has the wrong labels", kind).Note("%s", text)
		return
	}
	for _, a := range n.attrs {
		if a.name != "doc" && !contains(allowed, a.name) {
			e.diags.Errorf("policy-unknown-attribute", a.nameSpan, "expect %q has no attribute %q", kind, a.name)
		}
	}
	if kind != "job" && len(n.blocks) > 0 {
		e.diags.Errorf("policy-misplaced-block", n.blocks[0].span, "only expect \"job\" has blocks inside")
	}
	if allowed[0] != "" && !e.needs(n, allowed[0]) {
		return
	}
	switch kind {
	case "job":
		it.ExpectJobs = append(it.ExpectJobs, n.expectJob(id))
	case "order":
		it.ExpectOrder = append(it.ExpectOrder, ExpectOrder{Jobs: n.texts("jobs"), Span: n.span})
	case "counts":
		it.ExpectCounts = append(it.ExpectCounts,
			ExpectCounts{Running: n.scalar("running"), Eligible: n.scalar("eligible"), Blocked: n.scalar("blocked"),
				Held: n.scalar("held"), Span: n.span})
	case "association":
		it.ExpectShares = append(it.ExpectShares,
			ExpectShare{Name: id, Fairshare: n.scalar("fairshare"), Level: n.scalar("level_fs"),
				NormShares: n.scalar("norm_shares"), Usage: n.scalar("usage"), NormUsage: n.scalar("norm_usage"),
				EffectiveUsage: n.scalar("effective_usage"), Tolerance: n.scalar("tolerance"), Span: n.span})
	case "finding":
		t.Findings = append(t.Findings, ExpectCode{n.text("code"), n.scalar("line").Value, n.span})
	case "error":
		t.Errors = append(t.Errors, ExpectCode{n.text("code"), n.scalar("line").Value, n.span})
	default:
		it.ExpectObjects = append(it.ExpectObjects,
			ExpectObject{Object: first, Name: id, UsagePercent: n.scalar("usage_percent"), Target: n.scalar("target"),
				Delta: n.scalar("delta"), TargetKind: n.text("target_kind"), TargetMissed: n.scalar("target_missed"),
				Tolerance: n.scalar("tolerance"), Span: n.span})
	}
}

func (n *node) expectJob(id Text) ExpectJob {
	x := ExpectJob{
		ID: id, Priority: n.scalar("priority"), Stored: n.scalar("stored"), Score: n.scalar("score"),
		Rank:  n.scalar("rank"),
		State: n.text("state"), Reason: n.text("reason"), Tolerance: n.scalar("tolerance"), Span: n.span,
	}
	for _, b := range n.blocks {
		if b.doc.ID == "test/expect/why" {
			x.Why = &ExpectWhy{Kind: b.text("kind"), Object: b.text("object"), Name: b.text("name"),
				Limit: b.text("limit"), Bound: b.text("bound"), Value: b.scalar("value"), InUse: b.scalar("in_use"),
				Request: b.scalar("request"), Span: b.span}
			continue
		}
		x.Terms = append(x.Terms, ExpectTerm{Name: b.name,
			Factor: b.scalar("factor"), Weight: b.scalar("weight"), Contribution: b.scalar("contribution"),
			Span: b.span})
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

// needsFiles reports a list of files that names one.
func (e *evaluator) needsFiles(n *node, files []Text) bool {
	if !e.needs(n, "files") {
		return false
	}
	if len(files) == 0 {
		e.diags.Errorf("policy-missing-attribute", n.attr("files").Span, "%s names no file", describe(n)).
			Note("the list is empty: write the name of a file, such as files = [\"maui.cfg\"]")
	}
	return len(files) > 0
}

func contains(list []string, word string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return w == word && w != "" })
}
