package editor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// policyTree is what is kept of a policy file or a file of tests.
type policyTree struct {
	policy.Outline
	blocks     []policy.OutlineBlock     // all, the outer before the inner
	attributes []policy.OutlineAttribute // of all blocks, in the order of the text
}

// blockNames has the kind of a block's label.
var blockNames = map[string]Kind{
	"define": Define, "param": Param, "user": User, "group": UnixGroup, "account": Account, "qos": QOS, "class": Class,
	"partition": Partition,
}

// attributeNames has the kind of the texts of an attribute: a job's of a test, and the lists of reservations.
var attributeNames = map[string]Kind{
	"user": User, "group": UnixGroup, "account": Account, "qos": QOS, "partition": Partition, "class": Class,
	"users": User, "groups": UnixGroup, "accounts": Account, "classes": Class,
}

// readPolicy reads a policy file, a file of tests, or a project file.
func readPolicy(d *Document) (r reading) {
	t := &policyTree{Outline: policy.OutlineOf(d.File)}
	r.tree = t
	r.symbols = t.collect(t.Blocks, &r)
	for _, w := range t.Words {
		r.colours = append(r.colours, Colour{w.Span, wordColours[w.Kind]})
		if w.Kind == policy.CommentWord && strings.Contains(strings.TrimRight(w.Span.Text(), "\n"), "\n") {
			r.folds = append(r.folds, Fold{w.Span, true})
		}
	}
	r.colours = ordered(r.colours)
	slices.SortFunc(r.names, func(a, b Name) int { return int(a.Span.Start - b.Span.Start) })
	slices.SortFunc(t.attributes, func(a, b policy.OutlineAttribute) int {
		return int(a.Name.Span.Start - b.Name.Span.Start)
	})
	return r
}

var wordColours = map[policy.WordKind]ColourKind{
	policy.CommentWord: CommentColour, policy.NumberWord: NumberColour, policy.TextWord: StringColour,
}

// ordered sorts words by their places; of two at one place the first, which says more, stays.
func ordered(list []Colour) (out []Colour) {
	slices.SortStableFunc(list, func(a, b Colour) int { return int(a.Span.Start - b.Span.Start) })
	inside := list[:0:0]
	for i, c := range list {
		within := slices.ContainsFunc(list[i+1:min(len(list), i+2)], func(next Colour) bool {
			return c.Kind == StringColour && next.Kind != StringColour && next.Span.Start < c.Span.End
		})
		if n := len(inside); !within && (n == 0 || inside[n-1].Span.End <= c.Span.Start) {
			inside = append(inside, c)
		}
	}
	return inside
}

// collect takes what is in blocks, and gives their symbols.
func (t *policyTree) collect(blocks []policy.OutlineBlock, r *reading) (symbols []Symbol) {
	for _, b := range blocks {
		t.blocks = append(t.blocks, b)
		s := Symbol{Name: b.Type.Value, Kind: BlockSymbol, Span: b.Span, Header: b.Type.Span}
		r.colours = append(r.colours, Colour{b.Type.Span, KeywordColour})
		for i, l := range b.Labels {
			s.Detail = strings.TrimSpace(s.Detail + " " + l.Value)
			r.colours = append(r.colours, Colour{l.Span, TypeColour})
			if kind := blockNames[b.Type.Value]; kind != "" && i == 0 && l.Value != "DEFAULT" {
				r.names = append(r.names, named(kind, l.Value, l.Span, true))
			}
		}
		r.folds = append(r.folds, Fold{Span: b.Span})
		for _, a := range b.Attributes {
			t.attributes = append(t.attributes, a)
			r.colours = append(r.colours, Colour{a.Name.Span, PropertyColour})
			r.attribute(a)
			if a.CEL != nil {
				s.Inner = append(s.Inner, Symbol{Name: a.Name.Value, Detail: shortened(a.CEL.Text), Kind: ExpressionSymbol,
					Span: between(a.Name.Span, a.Value), Header: a.Name.Span})
			}
		}
		s.Inner = append(s.Inner, t.collect(b.Blocks, r)...)
		symbols = append(symbols, s)
	}
	return symbols
}

func between(a, b source.Span) source.Span {
	a.End = max(a.End, b.End)
	return a
}

func named(kind Kind, text string, at source.Span, defines bool) Name {
	return Name{Kind: kind, Text: text, Span: at, Defines: defines, Folds: kind == Account || kind == QOS}
}

// attribute takes the names of an attribute.
func (r *reading) attribute(a policy.OutlineAttribute) {
	if a.CEL != nil {
		r.expression(a.CEL)
		return
	}
	if text := durationMeans(a); text != "" {
		r.hints = append(r.hints, Hint{int(a.Value.End), text})
	}
	if kind := attributeNames[a.Name.Value]; kind != "" {
		for _, text := range a.Texts {
			r.names = append(r.names, named(kind, text.Value, text.Span, false))
		}
	}
	if a.Name.Value == "params" {
		for _, e := range a.Entries {
			r.names = append(r.names, Name{Kind: Param, Text: e.Value, Span: e.Span})
			r.colours = append(r.colours, Colour{e.Span, ParameterColour})
		}
	}
	for _, read := range a.Reads {
		if name, ok := strings.CutPrefix(read.Value, "param."); ok {
			r.names = append(r.names, Name{Kind: Param, Text: name, Span: read.Span})
			r.colours = append(r.colours, Colour{read.Span, ParameterColour})
		}
	}
}

// durationMeans is what a number of seconds or minutes comes to; "" where there is none.
func durationMeans(a policy.OutlineAttribute) string {
	n, err := strconv.ParseUint(a.Value.Text(), 10, 40)
	switch {
	case err != nil || n < 60 || a.Doc == nil || a.Doc.Type != policy.Duration:
		return ""
	case a.Doc.Unit == schema.Minutes:
		n *= 60
	}
	return duration(n)
}

// hoverPolicy says what a block, an attribute, a parameter or a word of an expression means.
func hoverPolicy(v view, at int) note {
	t := v.doc.reading().tree.(*policyTree)
	for _, a := range t.attributes {
		for _, e := range a.Entries {
			if covers(e.Span, at) && a.Name.Value == "params" {
				return note{v.paramText(e.Value), e.Span}
			}
		}
		for _, read := range a.Reads {
			if name, ok := strings.CutPrefix(read.Value, "param."); ok && covers(read.Span, at) {
				return note{v.paramText(name), read.Span}
			}
		}
		switch {
		case a.CEL != nil && covers(a.CEL.Span, at):
			return v.hoverExpression(a.CEL, at)
		case covers(a.Name.Span, at) && a.Doc != nil:
			text := attributeText(a.Doc)
			if a.CEL != nil {
				text += v.observed(a.CEL.Text)
			}
			return note{text, a.Name.Span}
		}
	}
	for _, b := range t.blocks {
		if covers(b.Type.Span, at) && b.Doc != nil {
			return note{blockText(b.Doc), b.Type.Span}
		}
	}
	return note{}
}

func blockText(b *policy.BlockDoc) string {
	labels := ""
	for _, l := range b.Labels {
		labels += ` "` + strings.ToUpper(l) + `"`
	}
	return fenced(b.Type+labels+" { … }") + "\n\n" + b.Doc
}

func attributeText(a *policy.AttrDoc) string {
	facts := []string{"- " + a.Kind.String()}
	if a.Kind == policy.Constant {
		facts[0] = "- type: " + string(a.Type)
	}
	if a.Unit != schema.None {
		facts = append(facts, "- unit: "+string(a.Unit))
	}
	if len(a.Values) > 0 {
		facts = append(facts, "- one of: "+strings.Join(a.Values, ", "))
	}
	if a.Required {
		facts = append(facts, "- must be set")
	}
	return "**" + a.Name + "**\n\n" + a.Doc + "\n\n" + strings.Join(facts, "\n")
}

// completePolicy lists blocks, attributes, values, and the words of expressions.
func completePolicy(v view, at int) []Item {
	c := policy.CursorAt(v.doc.File.Text[:at])
	where := v.doc.Range(at-len(c.Text), at)
	switch {
	case c.Block == nil || c.Label:
		return nil
	case c.Attribute == nil:
		return policyStarts(c, where)
	case c.IsText && c.Attribute.Kind != policy.Constant:
		return v.completeExpression(c.Text, at)
	case c.Entry && c.Attribute.Name == "params":
		return v.paramItems(where)
	}
	return v.policyValues(c, at, where)
}

// policyStarts are what may begin in a block.
func policyStarts(c policy.Cursor, at Range) (list []Item) {
	for _, b := range policy.ChildBlocks(c.Block) {
		insert := b.Type
		if len(b.Labels) > 0 {
			insert += ` "`
		} else {
			insert += " {"
		}
		list = append(list, Item{Label: b.Type, Insert: insert, Kind: BlockItem, Range: at, Detail: "block", Doc: b.Doc})
	}
	for i := range c.Block.Attributes {
		a := &c.Block.Attributes[i]
		if !slices.Contains(c.Known, a.Name) {
			list = append(list, Item{Label: a.Name, Insert: a.Name + " = ", Kind: KeyItem, Range: at, Detail: string(a.Type),
				Doc: attributeText(a)})
		}
	}
	return list
}

// bases are what a policy may use.
var bases = []string{"maui", "slurm", "slurm_basic"}

// policyValues are what the constant of an attribute may be.
func (v view) policyValues(c policy.Cursor, at int, where Range) (list []Item) {
	words := c.Attribute.Values
	switch {
	case c.Attribute.Type == policy.Bool:
		words = []string{"true", "false"}
	case c.Attribute.Name == "use":
		words = bases
	}
	for _, w := range words {
		item := Item{Label: w, Kind: ValueItem, Range: where}
		if !c.IsText && c.Attribute.Type != policy.Bool {
			item.Insert = `"` + w + `"`
		}
		list = append(list, item)
	}
	if kind := attributeNames[c.Attribute.Name]; c.IsText && kind != "" {
		list = append(list, v.nameItems(kind, where)...)
	}
	if !c.IsText {
		if before := string(v.doc.File.Text[max(0, at-len(c.Text)-len("param.")) : at-len(c.Text)]); before == "param." {
			return v.paramItems(where)
		}
		for _, f := range policy.Functions() {
			list = append(list, Item{Label: f.Name, Insert: f.Name + "(", Kind: FunctionItem, Range: where, Detail: f.Usage,
				Doc: f.Doc})
		}
		list = append(list, Item{Label: "param", Insert: "param.", Kind: KeywordItem, Range: where, Detail: "a parameter"})
	}
	return list
}
