package policy

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// mostVisits is how many elements the for expressions of one attribute may visit. For within for multiplies:
// without it a policy of a few lines takes hours and all memory.
const mostVisits = 100_000

// visits counts the elements that an expression's for expressions and splats visit, and the weight of what they make.
type visits struct{ left, weight int }

// count makes every for and splat within x pay for what it visits. Its collection is asked once for
// each time the loop runs, so the collection is where the loop pays. The function it returns puts x back as it was.
func (v *visits) count(x hclsyntax.Expression) (restore func()) {
	var collections, bodies []*hclsyntax.Expression
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.ForExpr:
			collections, bodies = append(collections, &n.CollExpr), append(bodies, &n.ValExpr)
		case *hclsyntax.SplatExpr:
			collections = append(collections, &n.Source)
		}
		return nil
	})
	for _, c := range collections {
		*c = &counted{*c, v}
	}
	for _, b := range bodies {
		*b = &weighed{*b, v}
	}
	return func() {
		for _, c := range collections {
			*c = (*c).(*counted).Expression
		}
		for _, b := range bodies {
			*b = (*b).(*weighed).Expression
		}
	}
}

// counted is a collection that is visited element by element.
type counted struct {
	hclsyntax.Expression
	visits *visits
}

func (c *counted) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if c.visits.left < 0 {
		return cty.DynamicVal, nil // reported already; an unknown collection is not visited
	}
	v, diags := c.Expression.Value(ctx)
	if diags.HasErrors() || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return v, diags
	}
	if c.visits.left -= 1 + v.LengthInt(); c.visits.left < 0 {
		subject := c.Range()
		return cty.DynamicVal, append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Too many elements", Subject: &subject,
			Detail: fmt.Sprintf("the for expressions visit more than %d elements", mostVisits),
		})
	}
	return v, diags
}

// weighed is what a for expression makes of each element. All of them together weigh no more than some constants may.
type weighed struct {
	hclsyntax.Expression
	visits *visits
}

func (w *weighed) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if w.visits.left < 0 {
		return cty.DynamicVal, nil
	}
	v, diags := w.Expression.Value(ctx)
	if diags.HasErrors() {
		return v, diags
	}
	if w.visits.weight -= weight(v); w.visits.weight < 0 {
		w.visits.left = -1
		subject := w.Range()
		return cty.DynamicVal, append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Too large", Subject: &subject,
			Detail: fmt.Sprintf("the for expressions make more than about %d characters, elements or digits", mostMade),
		})
	}
	return v, diags
}

// mostMade bounds what the for expressions of one attribute make together: a few of the largest constants.
const mostMade = 8 * maxWeight
