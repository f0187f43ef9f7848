package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Group is what a setting is about.
type Group string

// The groups, in the order in which people look at them.
const (
	Weights     Group = "weights"     // of components and terms, and their caps
	Expressions Group = "expressions" // the site's own, in its policy files
	Factors     Group = "factors"     // what else the formula reads: clocks, flags, fairshare
	Credentials Group = "credentials" // shares, priorities and limits of users, accounts, QOS and partitions
	Others      Group = "others"      // all other parameters
)

// Form is how a setting is entered.
type Form string

// The forms.
const (
	Number Form = "number"
	Choice Form = "choice"
	Text   Form = "text"
	CEL    Form = "cel" // an expression, of as many lines as it needs
)

// Setting is one that a person may change.
type Setting struct {
	Key     string // by which a change names it: a parameter's name, or the object and its attribute
	Group   Group
	Form    Form
	Unit    string
	Text    string // as the file says it; the default where none does
	Default string // as a file would say it
	Choices []string
	Doc     string
	Span    source.Span // of the text; zero where the default counts
	Weighs  []Part      // what a weight is of; none of a cap

	param    bool // it is set as --param does, not by its text alone
	recorded bool // the snapshot has it, and no file: sacctmgr changes it
}

// Recorded is a number that the snapshot has of an association or a QOS, and no file; the object is as dumps call it.
func Recorded(object, name, attribute, text, doc string) Setting {
	return Setting{Key: object + " " + name + " " + attribute, Group: Credentials, Form: Number, Text: text, Default: text,
		Doc: doc, recorded: true}
}

// AllTerms in place of a term are those of a component.
const AllTerms = -1

// Part is a term of the policy, or with AllTerms as its term a component, by their indices.
type Part struct{ Component, Term int }

// Settings are those of a policy, weights first.
func Settings(p *ir.Policy) []Setting {
	l := &list{policy: p, at: map[string]int{}, placed: map[source.Span]bool{}, policies: map[*source.File]bool{},
		rows: rowsOf(p.Family)}
	for i := range p.Components {
		c := &p.Components[i]
		l.scalar(c.Weight, &Part{i, AllTerms}, "component "+c.Name+" weight")
		l.scalar(c.Cap, nil, "component "+c.Name+" cap")
		for k := range c.Terms {
			t := &c.Terms[k]
			name := "term " + c.Name + "/" + t.Name
			l.scalar(t.Weight, &Part{i, k}, name+" weight")
			l.scalar(t.Cap, nil, name+" cap")
		}
	}
	p.Expressions(l.expression)
	for i := range p.Defines {
		l.expression("define "+p.Defines[i].Name, p.Defines[i].Value)
	}
	for i := range p.Components {
		for _, t := range p.Components[i].Terms {
			for _, s := range t.Factor.Sources {
				l.param(s.Name, Factors)
			}
		}
	}
	for i := range p.Params {
		switch l.rows[p.Params[i].Name].Category {
		case "priority", "fairshare":
			l.param(p.Params[i].Name, Factors)
		}
	}
	l.credentials()
	for i := range p.Params {
		l.param(p.Params[i].Name, Others)
	}
	return l.all
}

// list is a list of settings in the making.
type list struct {
	policy *ir.Policy
	all    []Setting
	at     map[string]int // by key
	placed map[source.Span]bool

	policies map[*source.File]bool // whether a file is in the policy language
	rows     map[string]stdlib.Param
}

// rowsOf is the table of a scheduler's parameters.
func rowsOf(family string) map[string]stdlib.Param {
	rows := map[string]stdlib.Param{}
	switch family {
	case "slurm":
		for _, row := range stdlib.SlurmParams.Params() {
			if row.Record == "global" {
				rows[row.Name] = row
			}
		}
	case "maui":
		for _, row := range stdlib.MauiParams.Params() {
			rows[row.Name] = row
		}
	}
	return rows
}

func (l *list) add(s Setting) *Setting {
	if i, ok := l.at[s.Key]; ok {
		return &l.all[i]
	}
	l.at[s.Key] = len(l.all)
	l.all = append(l.all, s)
	return &l.all[len(l.all)-1]
}

// scalar adds what a weight or cap was made from.
func (l *list) scalar(s ir.Scalar, of *Part, key string) {
	for _, from := range s.Sources {
		var x *Setting
		switch text := from.Span.Text(); {
		case from.Name != ir.Constant:
			x = l.param(from.Name, Weights)
		case !from.Span.IsZero() && len(s.Sources) == 1:
			x = l.add(Setting{Key: key, Group: Weights, Form: Number, Text: text, Default: text, Span: from.Span})
		}
		if x != nil && of != nil && x.Group == Weights && !slices.Contains(x.Weighs, *of) {
			x.Weighs = append(x.Weighs, *of)
		}
	}
}

// expression adds one of the site's own.
func (l *list) expression(name string, s ir.Scalar) {
	if s.Text.IsZero() || l.placed[s.Text] {
		return
	}
	l.placed[s.Text] = true
	l.add(Setting{Key: name, Group: Expressions, Form: CEL, Text: s.Text.Text(), Default: s.Text.Text(), Span: s.Text})
}

// param adds a parameter; nil for one that is not to be shown. A weight is a number, or numbers of TRES.
func (l *list) param(name string, g Group) *Setting {
	if i, ok := l.at[name]; ok {
		return &l.all[i]
	}
	i := slices.IndexFunc(l.policy.Params, func(p ir.Param) bool { return p.Name == name })
	if i < 0 || source.Secret(name) {
		return nil
	}
	p := &l.policy.Params[i]
	row := l.rows[name]
	number := p.Type == schema.Int || p.Type == schema.Double
	if g == Weights && !number && row.Type != "tres_weights" {
		return nil
	}
	s := Setting{Key: name, Group: g, Form: Text, Unit: p.Unit, Default: row.Default, Doc: p.Doc, Span: p.Set, param: true}
	if _, known := l.rows[name]; !known {
		s.Default = textOf(p.Default)
	}
	if s.Text = p.Raw; p.Set.IsZero() {
		s.Text = s.Default
	} else if p.Raw == "" {
		s.Text = textOf(p.Value)
	}
	switch {
	case number && row.Type != "time":
		s.Form = Number
	case p.Type == schema.Bool:
		s.Form, s.Choices = Choice, switchWords(s.Text, s.Default)
	case len(row.Enum) > 0:
		s.Form, s.Choices = Choice, row.Enum
	}
	return l.add(s)
}

// switchWords are the words of a switch, as the file writes them.
func switchWords(texts ...string) []string {
	for _, words := range [][]string{{"YES", "NO"}, {"TRUE", "FALSE"}, {"ON", "OFF"}, {"1", "0"}} {
		for _, text := range texts {
			if slices.Contains(words, strings.ToUpper(text)) {
				if text == strings.ToLower(text) {
					return []string{strings.ToLower(words[0]), strings.ToLower(words[1])}
				}
				return words
			}
		}
	}
	return []string{"true", "false"}
}

// textOf is a value as a policy file has it.
func textOf(v schema.Value) string {
	switch v.Type {
	case schema.Invalid:
		return ""
	case schema.String:
		return v.Str
	case schema.Int:
		return fmt.Sprint(v.Int)
	case schema.Double:
		return strings.TrimSuffix(fmt.Sprint(v.Double), ".0")
	case schema.StringList:
		return strings.Join(v.List, ",")
	}
	return v.String()
}
