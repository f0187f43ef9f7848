package policy

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Merge makes one document out of the files of a policy, in their order, and the
// base they use (nil if none).
func Merge(base *Document, files ...*Document) (*Document, diag.List) {
	var diags diag.List
	if len(files) == 0 {
		return base, nil
	}
	site := files[0]
	for _, f := range files[1:] {
		var more diag.List
		site, more = Apply(site, f, true)
		diags = append(diags, more...)
	}
	out, more := Apply(base, site, false)
	return out, append(diags, more...)
}

// Apply lays one document over another. With samePolicy both are files of one
// policy: the later may change what the earlier set only in a block marked
// override = true, and a remove waits for the base. Without it, base is what the policy
// `use`s (nil for none): everything may be changed by name, and the result is complete,
// so attributes that still lack a value are reported.
//
// Attributes that are set replace those of the base, the rest is kept; blocks
// keep the base's order, new ones follow. Neither document is changed, and each value
// keeps the place that set it.
func Apply(base, over *Document, samePolicy bool) (*Document, diag.List) {
	return (&merger{samePolicy: samePolicy}).apply(base, over)
}

// ApplyBeside is Apply of a policy to its base where files in another language set something too:
// beside says for which credentials. A block on such a one may override what they say.
func ApplyBeside(base, over *Document, beside func(object, name string) bool) (*Document, diag.List) {
	return (&merger{beside: beside}).apply(base, over)
}

func (m *merger) apply(base, over *Document) (*Document, diag.List) {
	var diags diag.List
	m.diags = &diags
	samePolicy := m.samePolicy
	var root *node
	if base == nil {
		root = &node{doc: over.root.doc}
	} else {
		root = base.root
	}
	if samePolicy && root.name.Value != over.root.name.Value {
		diags.Errorf("policy-other-name", over.root.name.Span, "this file is about policy %q, not %q",
			over.root.name.Value, root.name.Value).
			NoteAt(root.name.Span, "the earlier file is about %q", root.name.Value).
			Note("several files of one policy name the same policy")
	}
	merged := m.merge(root, over.root, false)
	merged.name, merged.label, merged.span = over.root.name, over.root.label, over.root.span
	if !samePolicy {
		m.checkRequired(merged)
	}
	m.recheckParams(merged, root, over.root)
	diags.Sort()
	return decode(merged, nil), diags
}

// merger applies one rule to blocks of every kind.
type merger struct {
	samePolicy bool
	beside     func(object, name string) bool // nil: there are no other files
	set        bool                           // the block being merged is about a credential that they set
	diags      *diag.List
}

// merge returns base with over's attributes and blocks. marked: a block around
// over has override = true.
func (m *merger) merge(base, over *node, marked bool) *node {
	marked = marked || over.override
	out := *base
	out.attrs = m.mergeAttrs(base, over, marked)
	out.faulty = append(slices.Clip(base.faulty), over.faulty...)
	out.blocks = slices.Clone(base.blocks)
	for _, b := range over.blocks {
		m.mergeBlock(&out, b, marked)
	}
	return &out
}

// mergeAttrs replaces what over sets. An attribute that neither file set before
// shadows nothing and needs no mark.
func (m *merger) mergeAttrs(base, over *node, marked bool) []attr {
	attrs := slices.Clone(base.attrs)
	for _, a := range over.attrs {
		i := slices.IndexFunc(attrs, func(o attr) bool { return o.name == a.name })
		switch {
		case i < 0:
			attrs = append(attrs, a)
		case a.entries != nil:
			attrs[i] = m.mergeEntries(attrs[i], a, marked)
		case m.mayChange(a.name, a.nameSpan, attrs[i].nameSpan, marked):
			attrs[i] = a
		}
	}
	return attrs
}

// mergeEntries merges a map entry by entry: each is a setting of its own.
func (m *merger) mergeEntries(base, over attr, marked bool) attr {
	base.entries = slices.Clone(base.entries)
	for _, en := range over.entries {
		i := slices.IndexFunc(base.entries, func(o entry) bool { return o.name.Value == en.name.Value })
		if i < 0 {
			base.entries = append(base.entries, en)
		} else if m.mayChange(en.name.Value, en.name.Span, base.entries[i].name.Span, marked) {
			base.entries[i] = en
		}
	}
	return base
}

// mayChange is the rule that nothing is shadowed by accident.
func (m *merger) mayChange(what string, second, first source.Span, marked bool) bool {
	if !m.samePolicy || marked {
		return true
	}
	m.diags.Errorf("policy-needs-override", second, "%s is already set in an earlier file of this policy", what).
		NoteAt(first, "it is set here").
		Note("to change it, write override = true in this block; else remove one of the two")
	return false
}

// mergeBlock merges one block of over into out.
func (m *merger) mergeBlock(out *node, b *node, marked bool) {
	found := false
	for _, i := range m.matches(out.blocks, b) {
		found = true
		old := out.blocks[i]
		mark := marked || b.override
		switch {
		case b.remove && m.samePolicy:
			if m.mayChange(describe(b), b.span, old.span, mark) {
				gone := *b
				gone.override, gone.done = old.override, true
				out.blocks[i] = &gone // still takes the base's block out
			}
		case b.remove:
			out.blocks[i] = nil
		case !m.samePolicy && b.doc.ID == "define" && !mark: // the base's expressions read theirs
			m.diags.Errorf("policy-needs-override", b.span,
				"the base has a %s of its own, which its expressions read", describe(b)).
				Note("give this one another name, or write override = true to change the base's")
		case old.remove: // an earlier file took it out, this one wants it back
			if m.mayChange(describe(b), b.span, old.span, mark) {
				out.blocks[i] = b
			}
		default:
			merged := m.merge(old, b, marked)
			merged.remove, merged.override = old.remove, old.override
			out.blocks[i] = merged
		}
	}
	out.blocks = slices.DeleteFunc(out.blocks, func(n *node) bool { return n == nil })
	switch {
	case found:
	case b.remove && b.done:
	case b.remove && !m.samePolicy:
		m.reportMissing(diag.Error, "policy-removes-nothing", b, out.blocks, "there is no inherited block %s to remove")
	default:
		if b.override && !m.samePolicy && !m.isSet(b) {
			m.reportMissing(diag.Warning, "policy-overrides-nothing", b, out.blocks,
				"there is no other block %s to override")
		}
		out.blocks = append(out.blocks, m.fresh(b))
	}
}

// fresh is a block that nothing lies under. What it takes out of itself has no
// base either.
func (m *merger) fresh(b *node) *node {
	if m.samePolicy {
		return b
	}
	around := m.set
	m.set = m.isSet(b)
	out := *b
	out.blocks = nil
	for _, inner := range b.blocks {
		m.mergeBlock(&out, inner, false)
	}
	m.set = around
	return &out
}

// isSet reports a block that may change what files in another language say: one on a credential that they
// set, or within such a one.
func (m *merger) isSet(b *node) bool {
	return m.set || m.beside != nil && b.doc.Object != "" && m.beside(b.doc.Object, b.name.Value)
}

// matches finds the blocks of the same name; else those that for_each made
// from a block of this name.
func (m *merger) matches(list []*node, b *node) []int {
	var byLabel []int
	for i, o := range list {
		if o.key() == b.key() {
			return []int{i}
		}
		if o.doc == b.doc && b.name.Value != "" && o.label == b.name.Value && o.doc.Object == "" {
			byLabel = append(byLabel, i)
		}
	}
	return byLabel
}

// reportMissing reports a block that was meant to meet another one.
func (m *merger) reportMissing(sev diag.Severity, code string, b *node, list []*node, format string) {
	var names []string
	for _, o := range list {
		if o.doc == b.doc {
			names = append(names, o.name.Value)
		}
	}
	d := m.diags.Add(sev, code, b.span, format, describe(b))
	if near := diag.Nearest(b.name.Value, names); near != "" {
		d.Note("did you mean %q?", near)
		if b.name.Span.Text() == quote(b.name.Value) {
			d.Suggest(b.name.Span, quote(near))
		}
	}
}

// checkRequired reports attributes that no file and no base set.
func (m *merger) checkRequired(n *node) {
	for _, a := range n.doc.Attributes {
		if a.Required && n.attr(a.Name) == nil && !slices.Contains(n.faulty, a.Name) {
			m.diags.Errorf("policy-missing-attribute", n.span, "%s has no %s", describe(n), a.Name).
				Note("%s: %s", a.Name, a.Doc)
		}
	}
	for _, b := range n.blocks {
		m.checkRequired(b)
	}
}

// recheckParams converts the declarations that merging has changed: a new
// default may not fit the inherited type.
func (m *merger) recheckParams(merged, base, over *node) {
	for _, n := range merged.blocks {
		if n.doc.ID == "param" && !slices.Contains(base.blocks, n) && !slices.Contains(over.blocks, n) {
			n.paramDecl(m.diags)
		}
	}
}

// describe names a block in a message.
func describe(n *node) string {
	if n.name.Value == "" {
		return n.doc.Type
	}
	return n.doc.Type + " " + quote(n.name.Value)
}
