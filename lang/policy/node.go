package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fairway-sched/fairway/lang/source"
)

// node is an evaluated block, still in the shape of the text: merging works on
// nodes, so that inheritance by name has one rule for every block. A node is
// not changed once it is built.
type node struct {
	doc      *BlockDoc
	name     Text   // the label, or what for_each made of it
	label    string // the label as written
	kind     Text   // first label of a block with two, whose name is the second
	attrs    []attr
	blocks   []*node
	span     source.Span // header
	override bool
	remove   bool
	done     bool     // removed a block of an earlier file, so the base need not have it
	faulty   []string // attributes that are there but were refused
}

// attr is an evaluated attribute. A map has entries instead of a value.
type attr struct {
	name     string
	nameSpan source.Span
	Scalar
	entries []entry
}

type entry struct {
	name Text
	Scalar
}

func (n *node) attr(name string) *attr {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			return &n.attrs[i]
		}
	}
	return nil
}

// maxNodes bounds what nested for_each blocks may make.
const maxNodes = 250_000

// block evaluates a block: one node, or several with for_each, or none.
func (e *evaluator) block(b *hclsyntax.Block, doc *BlockDoc, in *each) []*node {
	a := b.Body.Attributes["for_each"]
	if a == nil || doc.attribute("for_each") == nil {
		if n := e.instance(b, doc, in, false); n != nil {
			return []*node{n}
		}
		return nil
	}
	var out []*node
	name := doc.nameAttribute()
	if doc.Object != "" && b.Body.Attributes[name] == nil {
		e.diags.Errorf("policy-for-each", e.span(b.DefRange()), "for_each makes rows of a table, which need names").
			Note("set %s, for instance %s = each.key", name, name)
		return nil
	}
	for _, element := range e.elements(a, in) {
		if n := e.instance(b, doc, element, true); n != nil {
			out = append(out, n)
		}
	}
	return out
}

// instance evaluates one block for one element.
func (e *evaluator) instance(b *hclsyntax.Block, doc *BlockDoc, in *each, repeated bool) *node {
	if e.nodes++; e.nodes > maxNodes {
		if e.nodes == maxNodes+1 {
			e.diags.Errorf("policy-too-large", e.span(b.DefRange()), "the policy has more than %d blocks", maxNodes).
				Note("nested for_each blocks multiply")
		}
		return nil
	}
	if enabled, set := e.flag(b.Body, doc, "enabled", in); set && !enabled {
		return nil
	}
	n := &node{doc: doc, span: e.span(b.DefRange())}
	n.override, _ = e.flag(b.Body, doc, "override", in)
	n.remove, _ = e.flag(b.Body, doc, "remove", in)
	if !e.nameInstance(n, b, in, repeated) {
		return nil
	}
	for _, a := range sortedAttributes(b.Body) {
		ad := doc.attribute(a.Name)
		if ad == nil || (doc.Instances && isInstanceAttribute(doc, a.Name)) || a.Name == "override" {
			continue
		}
		v, ok := e.attribute(a, ad, in)
		switch {
		case !ok:
			n.faulty = append(n.faulty, a.Name)
		case v.IsSet():
			n.attrs = append(n.attrs, v)
		}
	}
	n.blocks = e.children(b.Body, doc, in)
	return n
}

// children evaluates the blocks inside a body in the order of the file, which is
// the order of summation.
func (e *evaluator) children(body *hclsyntax.Body, doc *BlockDoc, in *each) []*node {
	var out []*node
	seen := map[string]*node{}
	for _, c := range body.Blocks {
		cd := doc.child(c.Type)
		if cd == nil || cd.Open || !labelsFit(c, cd) {
			continue // reported by the structure check
		}
		for _, n := range e.block(c, cd, in) {
			if e.isNew(seen, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// isNew reports a block whose kind and name were seen before. Asserts and
// expects have no name that must be unique, and a scheduler's file may repeat its records.
func (e *evaluator) isNew(seen map[string]*node, n *node) bool {
	if !n.doc.Once && (len(n.doc.Labels) == 0 || n.doc.ID == "test/expect" || n.doc.Repeats) {
		return true
	}
	if first := seen[n.key()]; first != nil {
		e.reportTwin(first, n)
		return false
	}
	seen[n.key()] = n
	return true
}

// key is the same for two blocks about the same thing: a class and a partition
// of one name are one.
func (n *node) key() string {
	if n.doc.Object != "" {
		return n.doc.Object + " " + n.name.Value
	}
	return n.doc.ID + " " + n.name.Value
}

// reportTwin reports the second of two blocks; the first one counts.
func (e *evaluator) reportTwin(first, second *node) {
	what := second.doc.Type
	if second.name.Value != "" {
		what += " " + quote(second.name.Value)
	}
	d := e.diags.Errorf("policy-duplicate-name", second.span, "there are two blocks %s", what).
		NoteAt(first.span, "the first is here")
	if second.doc.Once {
		d.Note("put all attributes in one block")
	} else {
		d.Note("rename one, or put all attributes in one block")
	}
}

// nameInstance finds the name: the name attribute, else the label, which
// for_each extends by the key.
func (e *evaluator) nameInstance(n *node, b *hclsyntax.Block, in *each, repeated bool) bool {
	if len(b.Labels) == 0 {
		return true
	}
	n.label = b.Labels[0]
	n.name = Text{n.label, e.span(b.LabelRanges[0])}
	if len(b.Labels) > 1 {
		n.kind, n.name = n.name, Text{b.Labels[1], e.span(b.LabelRanges[1])}
	}
	nameAttribute := n.doc.nameAttribute()
	if a := b.Body.Attributes[nameAttribute]; a != nil && n.doc.Instances {
		v, ok := e.constant(a, n.doc.attribute(nameAttribute), in)
		if !ok {
			return false
		}
		if v.Value.Str == "" {
			e.diags.Errorf("policy-wrong-type", v.Span, "%s is empty", nameAttribute)
			return false
		}
		n.name = Text{v.Value.Str, v.Span}
		return true
	}
	if repeated {
		n.name.Value = n.label + "[" + in.key + "]"
	}
	return true
}

// flag evaluates one of the bool attributes that steer a block.
func (e *evaluator) flag(body *hclsyntax.Body, doc *BlockDoc, name string, in *each) (value, set bool) {
	a, ad := body.Attributes[name], doc.attribute(name)
	if a == nil || ad == nil {
		return false, false
	}
	v, ok := e.constant(a, ad, in)
	return v.Value.Int != 0, ok && v.IsSet()
}

// isInstanceAttribute reports whether the attribute steers the block instead
// of being one of its values.
func isInstanceAttribute(doc *BlockDoc, name string) bool {
	switch name {
	case "for_each", "enabled", "override", "remove":
		return true
	}
	return name == doc.nameAttribute()
}

// sortedAttributes lists the attributes in the order of the file; HCL keeps a map.
func sortedAttributes(body *hclsyntax.Body) []*hclsyntax.Attribute {
	list := make([]*hclsyntax.Attribute, 0, len(body.Attributes))
	for _, a := range body.Attributes {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *hclsyntax.Attribute) int {
		return a.NameRange.Start.Byte - b.NameRange.Start.Byte
	})
	return list
}
