package diff

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// queue compares what keeps jobs from starting besides limits, and what slurmctld enforces.
func (c *comparison) queue(p *ir.Policy) []item {
	var out []item
	for _, h := range p.Holds {
		if h.When.IsZero() {
			continue // it never holds
		}
		means := h.When.String() + " " + h.Reason
		out = append(out, item{group: Queue, key: "hold " + h.Name, name: "hold " + h.Name, means: means, like: means,
			by: names(h.When), side: Side{Value: text(h.When) + ": " + h.Reason, Span: h.Span}})
	}
	for i := range p.Admission {
		h := &p.Admission[i]
		if h.Entry.Library && c.before.Family != c.after.Family {
			continue // another scheduler's are all others
		}
		item := item{group: Queue, key: "hold " + h.Name, name: "hold " + h.Name, means: "the library's own",
			side: Side{Value: "the library's own"}}
		if !h.Entry.Library { // else only who takes it out, or puts it back, differs: of releases the version tells
			item.means, item.by = h.When.String()+" "+h.Entry.String(), names(h.When)
			item.side = Side{Value: text(h.When) + ": " + h.Reason, Span: h.Span}
		}
		item.like = item.means
		out = append(out, item)
	}
	return append(out, c.fieldItems(p, p.Enforced, enforcedFields, c.before.Enforced != nil &&
		c.after.Enforced != nil)...)
}

// planning compares how jobs are placed.
func (c *comparison) planning(p *ir.Policy) []item {
	var out []item
	for _, s := range p.Backfill {
		if (carriers[s.Name] || isList(p, s.Name)) && p.SlurmPlan != nil {
			continue // its entries are compared
		}
		out = append(out, settingItem(Planning, "backfill ", s))
	}
	out = append(out, c.fieldItems(p, p.SlurmPlan, planFields, c.before.SlurmPlan != nil &&
		c.after.SlurmPlan != nil)...)
	for i := range p.Reservations {
		r := p.Reservations[i]
		span, name := r.Span, r.Name
		r.Span.File = nil
		value := strings.TrimPrefix(r.String(), "reservation "+name+" ")
		out = append(out, item{group: Planning, key: "reservation " + name, name: "reservation " + name, like: value,
			named: true, side: Side{Value: value, Span: span}})
	}
	return out
}

func settingItem(g Group, before string, s ir.Setting) item {
	x := item{group: g, key: before + s.Name, name: strings.TrimPrefix(before, "backfill ") + s.Name,
		means: plainValue(s.Value), by: []string{s.Name}, setting: true,
		side: Side{Value: s.Value.String(), Span: s.Span}}
	if s.Unit != "" && s.Value.Known() {
		x.side.Value += " " + s.Unit
	}
	return x
}
