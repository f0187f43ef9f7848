package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Questions that many rules ask of a policy.

func (p *pass) maui() bool  { return p.Family == "maui" }
func (p *pass) slurm() bool { return p.Family == "slurm" }

// multifactor reports a policy for Slurm whose weights count.
func (p *pass) multifactor() bool {
	return p.slurm() && !strings.EqualFold(p.text("PriorityType"), "priority/basic")
}

var noParam = &ir.Param{}

// param finds a parameter; one that the family does not have is like one nobody set.
func (p *pass) param(name string) *ir.Param {
	if v := p.params[name]; v != nil {
		return v
	}
	return noParam
}

func (p *pass) isSet(name string) bool     { return !p.param(name).Set.IsZero() }
func (p *pass) at(name string) source.Span { return p.param(name).Set }
func (p *pass) text(name string) string    { return p.param(name).Value.Str }

// number is a parameter's value, the default where nobody set it.
func (p *pass) number(name string) float64 {
	return p.param(name).Value.Number()
}

// weighs lists those of the parameters that are not 0.
func (p *pass) weighs(names []string) (list []*ir.Param) {
	for _, name := range names {
		if p.number(name) != 0 {
			list = append(list, p.param(name))
		}
	}
	return list
}

// written keeps the parameters that the site set.
func written(list []*ir.Param) (set []*ir.Param) {
	for _, v := range list {
		if !v.Set.IsZero() {
			set = append(set, v)
		}
	}
	return set
}

// either is where one of two parameters is set, and where the other is, if both are.
func (p *pass) either(a, b string) (at, other source.Span) {
	if p.isSet(a) {
		return p.at(a), p.at(b)
	}
	return p.at(b), source.Span{}
}

// namesOf lists the records of a kind.
func (p *pass) namesOf(kind string) (list []string) {
	for _, r := range p.records[kind] {
		list = append(list, r.Name)
	}
	return list
}

// each visits a setting of the records of a kind: once where many have it from one line.
func (p *pass) each(kind, name string, visit func(r *ir.Record, a *ir.Attr)) {
	told := map[source.Span]bool{}
	for _, r := range p.records[kind] {
		if a := r.Attr(name); a != nil && !told[a.Span] {
			told[a.Span] = true
			visit(r, a)
		}
	}
}

// flag reports a word of a comma list, matched as Slurm does: anywhere, in any case.
func (p *pass) flag(param, word string) bool {
	return strings.Contains(strings.ToUpper(p.text(param)), word)
}

// word reports an entry of a comma list as it stands, not as a part of another.
func (p *pass) word(param, word string) bool {
	return slices.ContainsFunc(strings.Split(p.text(param), ","), func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), word) })
}

// since reports whether the policy is for this version of Slurm or a later one.
func (p *pass) since(version string) bool { return p.version >= versionNumber(version) }

func versionNumber(version string) int {
	var year, month int
	if n, _ := fmt.Sscanf(version, "%d.%d", &year, &month); n != 2 {
		return 0
	}
	return year*100 + month
}

// table finds a credential column; nil if no file says anything of it.
func (p *pass) table(id schema.ColumnID) *ir.Table {
	for i := range p.Tables {
		if p.Tables[i].Column == id {
			return &p.Tables[i]
		}
	}
	return nil
}

// row is what a table has for a name.
func (p *pass) row(id schema.ColumnID, name string) (v schema.Value, ok bool) {
	t := p.table(id)
	if t == nil {
		return v, false
	}
	for _, r := range t.Rows {
		if r.Name == name {
			return r.Value, true
		}
	}
	return v, false
}

// fairTree reports that shares are ranked by Fair Tree.
func (p *pass) fairTree() bool { return p.Enforced != nil && p.Enforced.FairTree }

// several is "1 user", "2 users", "2 classes" or "2 QOS", for messages.
func several(n int, what string) string {
	switch {
	case n == 1 || what == "QOS":
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// names joins the first few names of a list.
func names(list []string) string {
	const shown = 5
	if len(list) > shown {
		return strings.Join(list[:shown], ", ") + " and " + strconv.Itoa(len(list)-shown) + " more"
	}
	return strings.Join(list, ", ")
}

// duration writes seconds as people do.
func duration(seconds int64) string {
	switch {
	case seconds >= 86400 && seconds%86400 == 0:
		return several(int(seconds/86400), "day")
	case seconds >= 3600 && seconds%3600 == 0:
		return several(int(seconds/3600), "hour")
	case seconds >= 60 && seconds%60 == 0:
		return several(int(seconds/60), "minute")
	}
	return several(int(seconds), "second")
}

// whole is the place of findings about a file as a whole: its first record's file.
func (p *pass) whole() source.Span {
	for _, r := range p.Facts.Records {
		for _, a := range r.Attrs {
			if !a.Span.IsZero() {
				return a.Span.File.Span(0, 0)
			}
		}
	}
	return p.Span
}
