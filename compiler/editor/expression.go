package editor

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// celWord is a word of an expression with its text and place.
type celWord struct {
	celexpr.Word
	text string
	span source.Span
}

func celWords(c *policy.CEL) (list []celWord) {
	for _, w := range celexpr.Words(c.Text) {
		list = append(list, celWord{w, c.Text[w.Start:w.End], c.At(w.Start, w.End)})
	}
	return list
}

// columnKinds are the columns whose values are names, with their kinds.
var columnKinds = map[schema.ColumnID]Kind{
	"job.user": User, "job.group": UnixGroup, "job.account": Account, "job.qos": QOS, "job.partition": Partition,
	"user.name": User, "group.name": UnixGroup, "account.name": Account, "qos.name": QOS, "partition.name": Partition,
}

// expression takes the names and colours of an expression.
func (r *reading) expression(c *policy.CEL) {
	words := celWords(c)
	for i, w := range words {
		r.colours = append(r.colours, Colour{w.span, celColour(words, i)})
		if w.Kind != celexpr.NameWord || i < 2 || words[i-1].text != "." {
			continue
		}
		switch words[i-2].text {
		case "param":
			r.names = append(r.names, Name{Kind: Param, Text: w.text, Span: w.span})
		case "define":
			r.names = append(r.names, Name{Kind: Define, Text: w.text, Span: w.span})
		default:
			r.names = append(r.names, compared(words[i-2:])...)
		}
	}
}

// compared are the names that a column is compared with: object.column == "name", or in a list of them.
func compared(words []celWord) (list []Name) {
	kind := columnKinds[schema.ColumnID(words[0].text+"."+words[2].text)]
	if kind == "" || len(words) < 5 {
		return nil
	}
	take := func(w celWord) {
		if w.Kind == celexpr.StringWord && len(w.text) > 2 && w.text[len(w.text)-1] == w.text[0] &&
			w.span.Text() == w.text && !strings.ContainsAny(w.text[1:len(w.text)-1], `\'"`) {
			list = append(list, named(kind, w.text[1:len(w.text)-1], w.span.Sub(1, len(w.text)-1), false))
		}
	}
	switch words[3].text {
	case "==", "!=":
		take(words[4])
	case "in":
		for _, w := range words[4:] {
			if w.text == "]" {
				break
			}
			take(w)
		}
	}
	return list
}

// celKeywords are words that are no names.
var celKeywords = []string{"true", "false", "null", "in"}

func celColour(words []celWord, i int) ColourKind {
	w := words[i]
	after := i > 1 && words[i-1].text == "."
	switch w.Kind {
	case celexpr.NumberWord:
		return NumberColour
	case celexpr.StringWord:
		return StringColour
	case celexpr.OperatorWord:
		return OperatorColour
	}
	switch {
	case slices.Contains(celKeywords, w.text):
		return KeywordColour
	case i+1 < len(words) && words[i+1].text == "(":
		return FunctionColour
	case after && (words[i-2].text == "param" || words[i-2].text == "define"):
		return ParameterColour
	case after:
		return PropertyColour
	}
	return VariableColour
}

// hoverExpression says what a word of an expression is: a column with its type, a function, a parameter.
func (v view) hoverExpression(c *policy.CEL, at int) note {
	words := celWords(c)
	for i, w := range words {
		if !covers(w.span, at) || w.Kind != celexpr.NameWord {
			continue
		}
		before := ""
		if i > 1 && words[i-1].text == "." {
			before = words[i-2].text
		}
		if text := v.celText(before, w.text); text != "" {
			return note{text, w.span}
		}
	}
	return note{}
}

func (v view) celText(before, word string) string {
	switch before {
	case "param":
		return v.paramText(word)
	case "define":
		return "" // its definition says it
	case "documented":
		for _, d := range deviations() {
			if d.name == word {
				return "**" + d.name + "**\n\n" + sentence(d.about) + "\n\n- observed: " + d.observed +
					"\n- documented: " + d.documented
			}
		}
		return ""
	case "":
		if text, ok := celNames[word]; ok {
			return "**" + word + "**\n\n" + text
		}
		if o := objectOf(word); o != nil {
			return "**" + word + "**\n\n" + o.Doc
		}
	default:
		if text := v.columnText(before, word); text != "" {
			return text
		}
		if f := celexpr.FunctionOf(before + "." + word); f != nil {
			return functionText(*f)
		}
	}
	if f := celexpr.FunctionOf(word); f != nil {
		return functionText(*f)
	}
	return ""
}

// celNames are the names that are no objects.
var celNames = map[string]string{
	"now":        "When the evaluation takes place: timestamp.",
	"score":      "The sum of all components, after floor and ceiling: double. Overrides and holds may read it.",
	"version":    "The scheduler's release as a number, 2205 for 22.05: int.",
	"param":      "The parameters of the policy: `param.NAME`.",
	"define":     "The expressions that the policy names: `define.NAME`.",
	"documented": "Whether the policy follows the manual in a point: `documented.NAME`, bool.",
	"each":       "The element that the block is made for: `each.key` and `each.value`.",
}

func objectOf(word string) *schema.Object {
	for _, o := range schema.Objects {
		if word == o.Name || word != "" && (word == o.Alias || word == o.Plural) {
			return o
		}
	}
	return nil
}

// columnText says what a column is, and what it holds in the snapshot.
func (v view) columnText(object, name string) string {
	o := objectOf(object)
	if o == nil {
		return ""
	}
	c := o.Column(name)
	if of, column, ok := schema.Aggregate(schema.ColumnID(object + "." + name)); ok && column != nil {
		return "**" + object + "." + name + "**: " + column.Type.String() + "\n\nThe largest " + of.Name + "." +
			column.ID.Name() + " of all rows. " + column.Doc
	}
	if c == nil {
		return ""
	}
	text := "**" + string(c.ID) + "**: " + c.Type.String() + "\n\n" + c.Doc
	var facts []string
	for _, f := range []struct{ what, text string }{
		{"unit", string(c.Unit)}, {"Maui", c.Maui}, {"Slurm", c.Slurm}, {"from", c.Origin.String()},
		{"without input", [...]string{"an error", "unknown", "0 or empty"}[c.Absent]},
	} {
		if f.text != "" {
			facts = append(facts, "- "+f.what+": "+f.text)
		}
	}
	text += "\n\n" + strings.Join(facts, "\n")
	return text + v.observed(string(c.ID))
}

// observed is what an expression comes to in the snapshot, as a further paragraph; "" without one.
func (v view) observed(text string) string {
	if v.Observe == nil {
		return ""
	}
	in := compiler.Input{}
	if c := v.policies[v.doc.Path]; c != nil {
		in = c.Input
	}
	if seen := v.Observe(text, in); seen != "" {
		return "\n\nIn the snapshot: " + source.Plain(seen)
	}
	return ""
}

func functionText(f celexpr.FunctionDoc) string {
	text := "**" + f.Name + "**"
	if len(f.Signatures) > 0 {
		text += "\n" + fenced(strings.Join(f.Signatures, "\n"))
	}
	if f.Doc != "" {
		text += "\n\n" + sentence(strings.ToUpper(f.Doc[:1])+f.Doc[1:])
	}
	for _, s := range schema.Functions {
		if s.Name == f.Name {
			text += "\n\n" + s.Doc
			for _, e := range s.Examples {
				text += "\n\n" + code(e.Expr) + " is " + code(e.Want)
			}
			break
		}
	}
	return text
}

// param finds a parameter of the policy as lint made it; nil if it is not known.
func (v view) param(name string) *ir.Param {
	p := v.policy(v.doc.Path)
	if p == nil {
		return nil
	}
	i := slices.IndexFunc(p.Params, func(q ir.Param) bool { return q.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Params[i]
}

// paramTables are the tables of parameters that policies may set.
var paramTables = []stdlib.Table{stdlib.MauiParams, stdlib.SlurmParams, stdlib.SlurmScheduler}

// paramText says what a parameter is and what it is set to.
func (v view) paramText(name string) string {
	text := ""
	for _, table := range paramTables {
		rows := table.Params()
		for i := range rows {
			if row := &rows[i]; row.Name == name && (row.Record == "" || row.Record == "global") && text == "" {
				text = rowText(row, "")
			}
		}
	}
	p := v.param(name)
	if p == nil {
		return text
	}
	if text == "" {
		text = "**" + name + "**: " + p.Type.String()
		if p.Doc != "" {
			text += "\n\n" + p.Doc
		}
		if p.Unit != "" {
			text += "\n\n- unit: " + p.Unit
		}
	}
	switch {
	case p.Set.IsZero() && p.Value.Known():
		text += "\n\nIt has its default, " + code(p.Value.String()) + "."
	case p.Value.Known() && !source.Secret(name):
		text += "\n\nIt is " + code(p.Value.String()) + ", set in " + base(p.Set.File.Name) + "."
	}
	return text
}

// paramItems offers the parameters of the policy.
func (v view) paramItems(at Range) (list []Item) {
	seen := map[string]bool{}
	if p := v.policy(v.doc.Path); p != nil {
		for _, q := range p.Params {
			seen[q.Name] = true
			list = append(list, Item{Label: q.Name, Detail: q.Type.String(), Doc: q.Doc, Kind: NameItem, Range: at})
		}
	}
	for _, n := range v.named(Param) {
		if !seen[n.Text] {
			list = append(list, Item{Label: n.Text, Detail: "param", Kind: NameItem, Range: at})
		}
	}
	return list
}

// completeExpression lists what may come at the end of an expression that is being typed.
func (v view) completeExpression(typed string, at int) (list []Item) {
	words := celexpr.Words(typed)
	text := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return typed[words[i].Start:words[i].End]
	}
	last := len(words) - 1
	if last >= 0 && words[last].Kind == celexpr.StringWord && !closed(text(last)) {
		if last < 4 {
			return nil
		}
		word := strings.TrimLeft(text(last), `rRbB'"`)
		kind := comparedWith(typed, words)
		return v.nameItems(kind, v.doc.Range(at-len(word), at))
	}
	word := ""
	if last >= 0 && words[last].Kind == celexpr.NameWord && words[last].End == len(typed) {
		word = text(last)
		last--
	}
	where := v.doc.Range(at-len(word), at)
	if text(last) != "." {
		return celStarts(where)
	}
	switch object := text(last - 1); object {
	case "param":
		return v.paramItems(where)
	case "define":
		return v.nameItems(Define, where)
	case "documented":
		for _, d := range deviations() {
			list = append(list, Item{Label: d.name, Detail: "bool", Doc: d.about, Kind: NameItem, Range: where})
		}
		return list
	case "each":
		return []Item{{Label: "key", Kind: NameItem, Range: where}, {Label: "value", Kind: NameItem, Range: where}}
	default:
		return v.members(object, where)
	}
}

// closed reports a literal text with its closing quote.
func closed(text string) bool {
	body := strings.TrimLeft(text, "rRbB")
	return len(body) > 1 && body[len(body)-1] == body[0]
}

// comparedWith is the kind of the names that the text at the end is compared with.
func comparedWith(typed string, words []celexpr.Word) Kind {
	for i := len(words) - 2; i >= 3; i-- {
		switch text := typed[words[i].Start:words[i].End]; text {
		case "==", "!=", "in":
			column := typed[words[i-3].Start:words[i-3].End] + "." + typed[words[i-1].Start:words[i-1].End]
			return columnKinds[schema.ColumnID(column)]
		case "[", ",":
		default:
			if words[i].Kind != celexpr.StringWord {
				return ""
			}
		}
	}
	return ""
}

// members are what may come after a name and a dot: columns, aggregates, functions.
func (v view) members(object string, at Range) (list []Item) {
	if o := objectOf(object); o != nil {
		for _, c := range o.Columns {
			name := c.ID.Name()
			if object == o.Plural {
				if _, _, ok := schema.Aggregate(schema.ColumnID(object + ".max_" + name)); !ok {
					continue
				}
				name = "max_" + name
			}
			detail := c.Type.String()
			if c.Unit != schema.None {
				detail += ", " + string(c.Unit)
			}
			list = append(list, Item{Label: name, Detail: detail, Doc: c.Doc, Kind: ColumnItem, Range: at})
		}
		return list
	}
	var methods []Item
	for _, f := range celexpr.Functions() {
		name, ok := strings.CutPrefix(f.Name, object+".")
		item := Item{Label: name, Insert: name + "(", Detail: signature(f), Doc: functionText(f), Kind: FunctionItem,
			Range: at}
		switch {
		case ok:
			list = append(list, item)
		case f.Method:
			methods = append(methods, item)
		}
	}
	if len(list) > 0 {
		return list // of a name space, such as math
	}
	return methods
}

func signature(f celexpr.FunctionDoc) string {
	if len(f.Signatures) > 0 {
		return f.Signatures[0]
	}
	return f.Doc
}

// celStarts are what may begin a value.
func celStarts(at Range) (list []Item) {
	for _, o := range schema.Objects {
		if !o.Apart {
			list = append(list, Item{Label: o.Name, Detail: "object", Doc: o.Doc, Kind: BlockItem, Range: at})
		}
		if o.Plural != "" {
			list = append(list, Item{Label: o.Plural, Detail: "all rows", Doc: o.Doc, Kind: BlockItem, Range: at})
		}
	}
	for _, name := range []string{"param", "define", "now", "version", "score", "documented", "each"} {
		list = append(list, Item{Label: name, Doc: celNames[name], Kind: KeywordItem, Range: at})
	}
	for _, name := range celKeywords {
		list = append(list, Item{Label: name, Kind: KeywordItem, Range: at})
	}
	for _, f := range celexpr.Functions() {
		if !f.Method || strings.HasPrefix(signature(f), f.Name+"(") {
			list = append(list, Item{Label: f.Name, Insert: f.Name + "(", Detail: signature(f), Doc: functionText(f),
				Kind: FunctionItem, Range: at})
		}
	}
	return list
}
