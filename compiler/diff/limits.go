package diff

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// limits compares throttles by what they count and for which credentials; what a language calls them does not matter.
func (c *comparison) limits(p *ir.Policy) []item {
	var out []item
	for i := range p.Limits {
		l := &p.Limits[i]
		row := l.Row
		if l.Others {
			row = "*"
		}
		key := fmt.Sprintf("%s|%s[%s] %s per %v %s cross %v %v %v %v %v", l.Kind, l.Object, row, l.Counts, l.Per,
			l.Phase, l.Cross, l.AtLeast, l.Override, l.Existing, l.Reach)
		x := item{group: Limits, key: "limit " + key, name: limitName(l), by: names(l.When),
			side: Side{Value: bounds(l), Source: l.Source, Span: l.Span}}
		if l.When.IsSet() {
			x.side.Value += " when " + text(l.When)
			x.means = bounds(l) + " when " + l.When.String()
		} else {
			x.means = bounds(l)
		}
		if c.family { // between schedulers every reason has another word
			x.means += " reason " + l.Reason
			if familyOf(c.before).ownReasons {
				x.side.Value += " (" + l.Reason + ")"
			}
		}
		out = append(out, x)
	}
	return out
}

// limitName is what a reader calls a limit: what sets it where the site knows it so, else in words.
func limitName(l *ir.Limit) string {
	if l.Source != "" && !l.Span.IsZero() {
		return l.Source
	}
	who := "the whole policy"
	if l.Object != "" {
		who = l.Object + " " + cmp.Or(l.Row, "DEFAULT")
	}
	name := fmt.Sprintf("%s of %s", cmp.Or(l.Kind, l.Name, l.Phase+" "+l.Counts), who)
	if len(l.Per) > 1 {
		name += " per " + strings.Join(l.Per[1:], " and ")
	}
	return name
}

func bounds(l *ir.Limit) string {
	var words []string
	for _, b := range []struct {
		word  string
		value *float64
	}{{"soft", l.Soft}, {"hard", l.Hard}} {
		switch {
		case b.value == nil:
		case *b.value < 0:
			words = append(words, b.word+" none")
		default:
			words = append(words, fmt.Sprintf("%s %v", b.word, *b.value))
		}
	}
	return strings.Join(words, ", ")
}
