package policy

import (
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// decode turns a policy's node into plain structs. Structure and types were
// checked before; only parameter declarations, whose values depend on each
// other, are still to be reported, unless diags is nil.
func decode(root *node, diags *diag.List) *Document {
	d := &Document{
		Name: root.name, Use: root.text("use"), Version: root.text("version"), Semantics: root.text("semantics"),
		Doc:        root.text("doc"),
		Deviations: root.texts("deviations"), Params: root.paramSettings(), Span: root.span, root: root,
	}
	if diags == nil {
		diags = new(diag.List)
	}
	for _, n := range root.blocks {
		if n.remove {
			continue // waits for the base that it takes something out of
		}
		switch n.doc.ID {
		case "param":
			d.ParamDecls = append(d.ParamDecls, n.paramDecl(diags))
		case "deviation":
			d.DeviationDecls = append(d.DeviationDecls, DeviationDecl{Block: n.header(),
				Number: n.text("number"), Observed: n.text("observed"), Documented: n.text("documented"),
				Changes: n.text("changes")})
		case "define":
			d.Defines = append(d.Defines, Define{Block: n.header(), Value: n.scalar("value")})
		case "component":
			d.Components = append(d.Components, n.component())
		case "finish":
			d.Finish = n.finish()
		case "hold":
			d.Holds = append(d.Holds, Hold{Block: n.header(), When: n.scalar("when"), Reason: n.text("reason"),
				Phase: n.text("phase"), Setting: n.text("setting"), Text: n.text("text"), Rejects: n.text("rejects"),
				Passes: n.texts("passes")})
		case "fairshare":
			d.Fairshare = append(d.Fairshare, Fairshare{Block: n.header(), Settings: n.settings()})
		case "usage":
			d.Usage = append(d.Usage, n.usage())
		case "limit":
			d.Limits = append(d.Limits, n.limit())
		case "reservation":
			d.Reservations = append(d.Reservations, Reservation{Block: n.header(), Settings: n.settings()})
		case "backfill":
			d.Backfill = n.settings()
		default:
			d.Credentials = append(d.Credentials, n.credentials("")...)
		}
	}
	return d
}

func (n *node) header() Block {
	return Block{Name: n.name.Value, Label: n.label, Doc: n.text("doc"), Span: n.span, Override: n.override}
}

func (n *node) scalar(name string) Scalar {
	if a := n.attr(name); a != nil {
		return a.Scalar
	}
	return Scalar{}
}

func (n *node) text(name string) Text {
	s := n.scalar(name)
	if spoken[name] {
		return Text{source.MaskLines(s.Value.Str), s.Span}
	}
	return Text{s.Value.Str, s.Span}
}

// spoken are the texts that results show to whoever sees a queue. A password in one is no part of it.
var spoken = map[string]bool{"doc": true, "reason": true, "message": true, "text": true}

// texts gives each element of a list the place of the list.
func (n *node) texts(name string) []Text {
	s := n.scalar(name)
	var list []Text
	for _, item := range s.Value.List {
		list = append(list, Text{item, s.Span})
	}
	return list
}

// component keeps the order of terms: it is the order of summation, which
// decides the last bits of a priority.
func (n *node) component() Component {
	c := Component{Block: n.header(), Weight: n.scalar("weight"), Cap: n.scalar("cap")}
	for _, t := range n.blocks {
		if !t.remove {
			c.Terms = append(c.Terms, Term{Block: t.header(), Weight: t.scalar("weight"), Cap: t.scalar("cap"),
				Factor: t.scalar("factor")})
		}
	}
	return c
}

func (n *node) finish() Finish {
	f := Finish{Floor: n.scalar("floor"), Ceiling: n.scalar("ceiling"), Rounding: n.text("rounding"),
		Doc: n.text("doc"), Span: n.span}
	for _, o := range n.blocks {
		if !o.remove {
			f.Overrides = append(f.Overrides,
				Override{Block: o.header(), When: o.scalar("when"), Value: o.scalar("value")})
		}
	}
	return f
}

func (n *node) usage() Usage {
	u := Usage{Block: n.header(), At: n.scalar("at").Value, Total: n.scalar("total")}
	for _, object := range append(usageObjects, "association") {
		if a := n.attr(object); a != nil {
			for _, entry := range a.entries {
				u.Used = append(u.Used, Used{object, Setting{Name: entry.name.Value, Scalar: entry.Scalar}})
			}
		}
	}
	return u
}

func (n *node) limit() Limit {
	return Limit{
		Block: n.header(), Soft: n.scalar("soft"), Hard: n.scalar("hard"), Count: n.text("count"), Per: n.texts("per"),
		Phase: n.text("phase"), When: n.scalar("when"), Reason: n.text("reason"),
	}
}

// settings lists all attributes but the documentation, in the order of the file.
func (n *node) settings() []Setting {
	var list []Setting
	for _, a := range n.attrs {
		if a.name == "doc" {
			continue
		}
		unit := schema.None
		if ad := n.doc.attribute(a.name); ad != nil {
			unit = ad.Unit
		}
		if len(a.entries) == 0 && a.Value.Known() {
			list = append(list, Setting{a.name, unit, a.Scalar})
		}
		for _, entry := range a.entries {
			list = append(list, Setting{a.name + "(" + entry.name.Value + ")", unit, entry.Scalar})
		}
	}
	return list
}

// credentials lists a credential and those it encloses, outer ones first.
func (n *node) credentials(parent string) []Credential {
	c := Credential{Block: n.header(), Object: n.doc.Object, Word: n.doc.ID, Parent: parent, Columns: n.columns()}
	var inner []Credential
	for _, b := range n.blocks {
		switch {
		case b.remove:
		case b.doc.Type == "limit":
			c.Limits = append(c.Limits, b.limit())
		case b.doc.Type == "fairshare":
			c.Shares = b.settings()
		default:
			inner = append(inner, b.credentials(c.Name)...)
		}
	}
	return append([]Credential{c}, inner...)
}

// columns are the settings of a table row. Columns have no infinite value: a
// time without limit is unknown.
func (n *node) columns() []Setting {
	list := n.settings()
	for i := range list {
		if list[i].Unit == schema.Seconds && list[i].Value.Int == slurmtext.Infinite {
			list[i].Value = schema.Value{}
		}
	}
	return list
}

// paramSettings keeps the raw text too: a dialect may read "0100" otherwise.
func (n *node) paramSettings() []ParamSetting {
	a := n.attr("params")
	if a == nil {
		return nil
	}
	var list []ParamSetting
	for _, entry := range a.entries {
		list = append(list, ParamSetting{Name: entry.name, Value: entry.Value, Raw: entry.Span.Text(),
			Span: entry.Span})
	}
	return list
}

// paramDecl gives default and bounds the declared type.
func (n *node) paramDecl(diags *diag.List) ParamDecl {
	d := ParamDecl{
		Block: n.header(), Type: Type(n.text("type").Value), Unit: n.text("unit").Value,
		Enum: n.scalar("enum").Value.List, Aliases: n.scalar("aliases").Value.List,
		Since: n.text("since"), Until: n.text("until"), Deviations: n.text("deviations"),
	}
	if a := d.attribute(); d.Unit == "" {
		d.Unit = string(a.Unit)
	}
	bound := func(name string) schema.Value {
		s := n.scalar(name)
		if !s.Value.Known() {
			return schema.Value{}
		}
		return d.convert(s.Value, s.Span, diags)
	}
	lowest, greatest := bound("min"), bound("max")
	d.Min, d.Max = lowest, greatest
	d.Default = bound("default")
	return d
}
