package draft

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Exact marks settings as translated exactly.
func (t *translation) Exact(list ...source.Span) {
	for _, s := range list {
		if !t.Collided[s] {
			t.Taken[s] = true
		}
	}
}

// Near marks a setting as approximated, and how.
func (w *Writer) Near(s source.Span, how, format string, args ...any) {
	if w.Collided[s] {
		return
	}
	w.Taken[s] = true
	w.Diags.Infof("convert-approximated", s, format, args...).Note("%s", how)
}

// Unsaid is something that has no words there, or that nothing is computed from.
type Unsaid struct {
	Name  string
	Span  source.Span
	About bool   // nothing is computed from it
	Why   string // where one place of a file has several
}

// Miss remembers what is not expressed.
func (t *translation) Miss(name string, at source.Span) { t.Lacks(name, at, "") }

// Lacks is miss with the reason.
func (t *translation) Lacks(name string, at source.Span, why string) {
	if !at.IsZero() {
		t.Missed = append(t.Missed, Unsaid{Name: name, Span: at, Why: why})
	}
}

// Because says why something is left.
func (t *translation) Because(at source.Span, why string) { t.Reasons[at] = why }

// Say sets a parameter of the other scheduler, by what these settings say.
func (w *Writer) Say(name string, value any, from ...source.Span) {
	first := source.Span{}
	if len(from) > 0 {
		first = from[0]
	}
	w.SetParam(name, fmt.Sprint(value), first)
	w.Exact(from...)
}

// LeftOut says that something of the file has no meaning that could be kept.
func (w *Writer) LeftOut(span source.Span, what, why string) {
	w.Diags.Infof("convert-left-out", span, "%s is left out, as the scheduler ignores it", what).Note("%s", why)
}

// IsSet reports a parameter that the site sets.
func (w *Writer) IsSet(name string) (*ir.Param, bool) {
	p := w.params[name]
	return p, p != nil && !p.Set.IsZero()
}

// Of is a parameter as the policy has it, its zero if there is none.
func (w *Writer) Of(name string) (p ir.Param) {
	if w.params[name] != nil {
		p = *w.params[name]
	}
	return p
}

func (w *Writer) Number(name string) float64   { return w.Of(name).Value.Number() }
func (w *Writer) Word(name string) string      { return w.Of(name).Value.Str }
func (w *Writer) Span(name string) source.Span { return w.Of(name).Set }

// Flag reports a word of PriorityFlags.
func (w *Writer) Flag(name string) bool {
	return strings.Contains(strings.ToUpper(w.Word("PriorityFlags")), name)
}

func (w *Writer) documented(deviation string) bool {
	return slices.ContainsFunc(w.Policy.Deviations,
		func(d ir.Deviation) bool { return d.Name == deviation && d.Documented })
}

// Rows of a column, DEFAULT for all other names.
func (w *Writer) Rows(column schema.ColumnID) (list []ir.TableRow) {
	for i := range w.Policy.Tables {
		t := &w.Policy.Tables[i]
		if t.Column != column {
			continue
		}
		if t.Others != nil && !t.Others.Span.IsZero() {
			others := *t.Others
			others.Name = "DEFAULT"
			list = append(list, others)
		}
		list = append(list, t.Rows...)
	}
	return list
}

// Associations are those of a policy's trees.
func Associations(p *ir.Policy) iter.Seq[*ir.Association] {
	return func(yield func(*ir.Association) bool) {
		for i := range p.Fairshare {
			for k := range p.Fairshare[i].Associations {
				if !yield(&p.Fairshare[i].Associations[k]) {
					return
				}
			}
		}
	}
}

// Targets are those of a policy's windows.
func Targets(p *ir.Policy) iter.Seq[*ir.Target] {
	return func(yield func(*ir.Target) bool) {
		for i := range p.Fairshare {
			for k := range p.Fairshare[i].Targets {
				if !yield(&p.Fairshare[i].Targets[k]) {
					return
				}
			}
		}
	}
}

// HasAssociation reports one of a kind.
func HasAssociation(p *ir.Policy, is func(a *ir.Association) bool) bool {
	for a := range Associations(p) {
		if is(a) {
			return true
		}
	}
	return false
}

// Placed is a credential, where the policy first has something for it.
type Placed struct {
	Name string
	Span source.Span
}

// PlacesOf are those of a kind that the policy has something for.
func PlacesOf(p *ir.Policy, object string) (list []Placed) {
	for i := range p.Tables {
		if p.Tables[i].Column.Object() == object {
			for _, r := range p.Tables[i].Rows {
				list = append(list, Placed{r.Name, r.Span})
			}
		}
	}
	for i := range p.Limits {
		if l := &p.Limits[i]; l.Object == object {
			list = append(list, Placed{l.Row, l.Span})
		}
	}
	for t := range Targets(p) {
		if t.Object == object {
			list = append(list, Placed{t.Name, t.Span})
		}
	}
	return list
}

func Named(p *ir.Policy, object string) (names []string) {
	for _, c := range PlacesOf(p, object) {
		names = append(names, c.Name)
	}
	return names
}

// Free is a name that none of the list has, in any case: Slurm takes names so.
func Free(name string, list []string) string {
	for slices.ContainsFunc(list, func(old string) bool { return strings.EqualFold(old, name) }) {
		name += "_"
	}
	return name
}

// Few are names as a sentence holds them.
func Few(names []string) string {
	text := strings.Join(names[:min(3, len(names))], ", ")
	if more := len(names) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
