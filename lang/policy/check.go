package policy

import (
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// checkBody compares the structure of a body with the language: unknown words,
// blocks in the wrong place, labels. It reads no values.
func (e *evaluator) checkBody(body *hclsyntax.Body, doc *BlockDoc) {
	if !doc.Open {
		for _, a := range sortedAttributes(body) {
			if doc.attribute(a.Name) == nil {
				e.unknownAttribute(a, doc)
			}
		}
	}
	for _, b := range body.Blocks {
		c := doc.child(b.Type)
		if c == nil {
			e.unknownBlock(b, doc)
			continue
		}
		if !labelsFit(b, c) {
			e.wrongLabels(b, c)
			continue
		}
		e.checkBody(b.Body, c)
		e.checkRemove(b, c)
	}
}

// unknownAttribute suggests, in this order, the block of that name, our name for
// a scheduler's own word, the nearest name, all names.
func (e *evaluator) unknownAttribute(a *hclsyntax.Attribute, doc *BlockDoc) {
	span := e.span(a.NameRange)
	d := e.diags.Errorf("policy-unknown-attribute", span, "%s has no attribute %q", where(doc), a.Name)
	if c := doc.child(a.Name); c != nil {
		d.Note("%s is a block: write %s", a.Name, sample(c))
		return
	}
	if len(doc.Attributes) == 0 {
		return
	}
	if name := foreignName(doc, a.Name); name != "" {
		d.Note("here it is called %s", name).Suggest(span, name)
		return
	}
	d.DidYouMean(span, a.Name, doc.attributeNames())
	if len(d.Notes) > 0 {
		return
	}
	if doc.Object != "" {
		d.Note("its attributes are the columns that `fairway doc columns %s` lists", doc.Object)
		return
	}
	names := doc.attributeNames()
	sort.Strings(names)
	d.Note("it has %s", strings.Join(names, ", "))
}

// foreignName finds the column that a scheduler calls by this name.
func foreignName(doc *BlockDoc, name string) string {
	object := schema.ObjectByName(doc.Object)
	if object == nil {
		return ""
	}
	for _, c := range object.Columns {
		if (strings.EqualFold(c.Maui, name) || strings.EqualFold(c.Slurm, name)) && doc.attribute(c.ID.Name()) != nil {
			return c.ID.Name()
		}
	}
	return ""
}

// unknownBlock tells a block that is none from one that is elsewhere.
func (e *evaluator) unknownBlock(b *hclsyntax.Block, doc *BlockDoc) {
	span := e.span(b.TypeRange)
	if a := doc.attribute(b.Type); a != nil {
		e.diags.Errorf("policy-misplaced-block", span, "%s is an attribute of %s, not a block", b.Type, where(doc)).
			Note("write %s = …", b.Type)
		return
	}
	var homes []string
	for _, other := range blockTable() {
		if other.child(b.Type) != nil && !slices.Contains(homes, other.Type) {
			homes = append(homes, other.Type)
		}
	}
	if topLevel.child(b.Type) != nil {
		homes = append(homes, "the file")
	}
	if len(homes) > 0 {
		e.diags.Errorf("policy-misplaced-block", span, "a %s block is not allowed in %s", b.Type, where(doc)).
			Note("it belongs in %s", strings.Join(homes, ", "))
		return
	}
	d := e.diags.Errorf("policy-unknown-block", span, "%s has no block %q", where(doc), b.Type)
	if len(doc.Blocks) == 0 {
		return
	}
	d.DidYouMean(span, b.Type, doc.childWords())
	if len(d.Notes) == 0 {
		d.Note("it has %s", strings.Join(doc.childWords(), ", "))
	}
}

// labelsFit reports whether a block can be named; others are reported once and
// then left out by the evaluation.
func labelsFit(b *hclsyntax.Block, doc *BlockDoc) bool {
	least, most := doc.labelCount()
	return len(b.Labels) >= least && len(b.Labels) <= most && !slices.Contains(b.Labels, "")
}

func (e *evaluator) wrongLabels(b *hclsyntax.Block, doc *BlockDoc) {
	least, most := doc.labelCount()
	var span source.Span
	var d string
	switch {
	case len(b.Labels) > most:
		span, d = e.span(b.LabelRanges[most]), "has too many labels"
	case len(b.Labels) < least:
		span, d = e.span(b.TypeRange), "lacks its "+doc.Labels[len(b.Labels)]
	default:
		span, d = e.span(b.LabelRanges[slices.Index(b.Labels, "")]), "has an empty label"
	}
	e.diags.Errorf("policy-labels", span, "the %s block %s", b.Type, d).Note("write %s", sample(doc))
}

// checkRemove warns of a block that is taken out and says more.
func (e *evaluator) checkRemove(b *hclsyntax.Block, doc *BlockDoc) {
	remove := b.Body.Attributes["remove"]
	if remove == nil || !doc.Instances || !isLiteralTrue(remove.Expr) {
		return
	}
	for _, a := range sortedAttributes(b.Body) {
		if a.Name != "doc" && !isInstanceAttribute(doc, a.Name) {
			e.diags.Warnf("policy-remove-with-settings", e.span(a.NameRange),
				"%s has no effect in a block that is removed", a.Name).
				NoteAt(e.span(remove.NameRange), "remove is set here")
			return
		}
	}
}

// isLiteralTrue reads a flag without evaluating; a computed one may be false.
func isLiteralTrue(x hclsyntax.Expression) bool {
	l, ok := x.(*hclsyntax.LiteralValueExpr)
	return ok && !l.Val.IsNull() && l.Val.Type().FriendlyName() == "bool" && l.Val.True()
}

// where names a block in a message.
func where(doc *BlockDoc) string {
	if doc == topLevel {
		return "the file"
	}
	if strings.ContainsAny(doc.Type[:1], "aeo") { // a user, a hold
		return "an " + doc.Type + " block"
	}
	return "a " + doc.Type + " block"
}

// sample shows how a block is opened.
func sample(doc *BlockDoc) string {
	s := doc.Type
	for _, l := range doc.Labels {
		s += " \"" + strings.Trim(l, "[]") + "\""
	}
	return s + " { … }"
}
