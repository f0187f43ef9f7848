package rule

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

func (p *Pass) Maui() bool  { return p.Family == "maui" }
func (p *Pass) Slurm() bool { return p.Family == "slurm" }

// Multifactor reports a policy for Slurm whose weights count.
func (p *Pass) Multifactor() bool {
	return p.Slurm() && !strings.EqualFold(p.Text("PriorityType"), "priority/basic")
}

var noParam = &ir.Param{}

// Param finds a parameter; one that the family does not have is like one that is not set.
func (p *Pass) Param(name string) *ir.Param {
	if v := p.params[name]; v != nil {
		return v
	}
	return noParam
}

func (p *Pass) IsSet(name string) bool     { return !p.Param(name).Set.IsZero() }
func (p *Pass) At(name string) source.Span { return p.Param(name).Set }
func (p *Pass) Text(name string) string    { return p.Param(name).Value.Str }

// Number is a parameter's value, the default where it is not set.
func (p *Pass) Number(name string) float64 {
	return p.Param(name).Value.Number()
}

// Weighs lists those of the parameters that are not 0.
func (p *Pass) Weighs(names []string) (list []*ir.Param) {
	for _, name := range names {
		if p.Number(name) != 0 {
			list = append(list, p.Param(name))
		}
	}
	return list
}

// Written keeps the parameters that the site set.
func Written(list []*ir.Param) (set []*ir.Param) {
	for _, v := range list {
		if !v.Set.IsZero() {
			set = append(set, v)
		}
	}
	return set
}

// Either is where one of two parameters is set, and where the other is, if both are.
func (p *Pass) Either(a, b string) (at, other source.Span) {
	if p.IsSet(a) {
		return p.At(a), p.At(b)
	}
	return p.At(b), source.Span{}
}

// NamesOf lists the records of a kind.
func (p *Pass) NamesOf(kind string) (list []string) {
	for _, r := range p.Records[kind] {
		list = append(list, r.Name)
	}
	return list
}

// Each visits a setting of the records of a kind: once where many have it from one line.
func (p *Pass) Each(kind, name string, visit func(r *ir.Record, a *ir.Attr)) {
	seen := map[source.Span]bool{}
	for _, r := range p.Records[kind] {
		if a := r.Attr(name); a != nil && !seen[a.Span] {
			seen[a.Span] = true
			visit(r, a)
		}
	}
}

// Flag reports a word of a comma list, matched as Slurm does: anywhere, in any case.
func (p *Pass) Flag(param, word string) bool {
	return strings.Contains(strings.ToUpper(p.Text(param)), word)
}

// Word reports an entry of a comma list as a whole, not as a part of another.
func (p *Pass) Word(param, word string) bool {
	return slices.ContainsFunc(strings.Split(p.Text(param), ","),
		func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), word) })
}

// Since reports whether the policy is for this version of Slurm or a later one.
func (p *Pass) Since(version string) bool { return p.version >= versionNumber(version) }

func versionNumber(version string) int {
	var year, month int
	if n, _ := fmt.Sscanf(version, "%d.%d", &year, &month); n != 2 {
		return 0
	}
	return year*100 + month
}

// Row is what a table has for a name.
func (p *Pass) Row(id schema.ColumnID, name string) (v schema.Value, ok bool) {
	t := p.Table(id)
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

// FairTree reports that shares are ranked by Fair Tree.
func (p *Pass) FairTree() bool { return p.Enforced != nil && p.Enforced.FairTree }

// Several is "1 user", "2 users", "2 classes" or "2 QOS", for messages.
func Several(n int, what string) string {
	switch {
	case n == 1 || what == "QOS":
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// Names joins the first few names of a list.
func Names(list []string) string {
	const shown = 5
	if len(list) > shown {
		return strings.Join(list[:shown], ", ") + " and " + strconv.Itoa(len(list)-shown) + " more"
	}
	return strings.Join(list, ", ")
}

// Duration writes seconds as people do.
func Duration(seconds int64) string {
	switch {
	case seconds >= 86400 && seconds%86400 == 0:
		return Several(int(seconds/86400), "day")
	case seconds >= 3600 && seconds%3600 == 0:
		return Several(int(seconds/3600), "hour")
	case seconds >= 60 && seconds%60 == 0:
		return Several(int(seconds/60), "minute")
	}
	return Several(int(seconds), "second")
}

// Whole is the place of findings about a file as a whole: its first record's file.
func (p *Pass) Whole() source.Span {
	for _, r := range p.Facts.Records {
		for _, a := range r.Attrs {
			if !a.Span.IsZero() {
				return a.Span.File.Span(0, 0)
			}
		}
	}
	return p.Span
}

// Globals are the settings of no object.
func (p *Pass) Globals() []ir.Attr {
	if p.Global == nil {
		return nil
	}
	return p.Global.Attrs
}

// WordAt is where a word of a list is; the whole list where it is not found.
func WordAt(list source.Span, word string) source.Span {
	text, word := strings.ToLower(list.Text()), strings.ToLower(word)
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			break
		}
		i += at
		end := i + len(word)
		if (i == 0 || strings.IndexByte(`,:;='"+- `, text[i-1]) >= 0) &&
			(end == len(text) || strings.IndexByte(`,:;='" `, text[end]) >= 0) {
			return list.Sub(i, end)
		}
		at = end
	}
	return list
}

// OwnText reports text that the site wrote, rather than the library.
func OwnText(s source.Span) bool {
	return s.File != nil && !strings.HasPrefix(s.File.Name, "stdlib:")
}
