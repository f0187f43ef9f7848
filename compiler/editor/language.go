package editor

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// language is what an editor needs of one language. All take any text, however broken.
type language struct {
	lang     lower.Lang
	read     func(*Document) reading
	hover    func(view, int) note
	complete func(view, int) []Item

	// What read leaves for later, since files of some languages are long; nil: nothing.
	names, shape, colours func(*reading)
}

// languages are those of policies.
func languages() []language {
	return []language{
		{lower.Slurm, readSlurm, hoverSlurm, completeSlurm, nameSlurm, shapeSlurm, colourSlurm},
		{lower.Dump, readDump, hoverDump, completeDump, nil, nil, nil},
		{lower.Maui, readMaui, hoverMaui, completeMaui, nil, nil, nil},
		{lower.HCL, readPolicy, hoverPolicy, completePolicy, nil, nil, nil},
	}
}

func languageOf(d *Document) *language {
	for _, l := range languages() {
		if l.lang == d.Lang() {
			return &l
		}
	}
	return nil
}

// reading is what a language makes of a text, once for all requests.
type reading struct {
	language                       *language
	hasNames, hasShape, hasColours bool

	tree    any // of the language's reader
	names   []Name
	symbols []Symbol
	folds   []Fold
	hints   []Hint
	colours []Colour
}

// Kind is what a name is of.
type Kind string

// The kinds of names. Those of a policy file's own are defines and params.
const (
	Partition Kind = "partition"
	Class     Kind = "class"
	Account   Kind = "account"
	QOS       Kind = "QOS"
	User      Kind = "user"
	UnixGroup Kind = "group"
	Node      Kind = "node"
	Feature   Kind = "feature"
	Define    Kind = "define"
	Param     Kind = "param"
)

// Name is a word that names something, where it is defined or used.
type Name struct {
	Kind    Kind
	Text    string
	Span    source.Span
	Defines bool
	Folds   bool   // small and large letters are the same, as slurmdbd keeps accounts, users and QOS
	Leads   []Name // where a definition leads: a partition to its nodes, an account to its parent
}

// Symbol is a part of a text for its outline.
type Symbol struct {
	Name, Detail string
	Kind         SymbolKind
	Span, Header source.Span // all of it, and what is selected
	Inner        []Symbol
}

// SymbolKind is what a symbol is shown as.
type SymbolKind int

// The kinds of symbols.
const (
	SettingSymbol SymbolKind = iota
	RecordSymbol
	BlockSymbol
	ExpressionSymbol
)

// Fold is a run of lines that may be folded.
type Fold struct {
	Span    source.Span
	Comment bool
}

// Hint is a remark after a value.
type Hint struct {
	At   int // byte
	Text string
}

// Colour is what a word is shown as.
type Colour struct {
	Span source.Span
	Kind ColourKind
}

// ColourKind is a kind of words.
type ColourKind int

// The kinds of words, in the order of ColourNames.
const (
	KeywordColour ColourKind = iota
	PropertyColour
	VariableColour
	FunctionColour
	ParameterColour
	StringColour
	NumberColour
	OperatorColour
	CommentColour
	TypeColour
)

// ColourNames are the protocol's names of the kinds of words.
var ColourNames = []string{"keyword", "property", "variable", "function", "parameter", "string", "number", "operator",
	"comment", "type"}

// Item is one thing that may be typed.
type Item struct {
	Label  string
	Detail string // beside it
	Doc    string // Markdown
	Kind   ItemKind
	Insert string // what is typed, if not the label
	Range  Range  // what it replaces
}

// ItemKind is what an item is shown as.
type ItemKind int

// The kinds of items.
const (
	KeyItem ItemKind = iota
	ValueItem
	NameItem
	ColumnItem
	FunctionItem
	BlockItem
	KeywordItem
)

// note is what is known of a word, as Markdown.
type note struct {
	text string
	span source.Span
}

// view is a text among those of its policy.
type view struct {
	*Workspace
	doc *Document
}

// Hover is what is known of a word.
type Hover struct {
	Text string // Markdown
	Range
}

// Hover says what the word at a place is and means.
func (w *Workspace) Hover(d *Document, at Position) *Hover {
	offset, l := d.Offset(at), languageOf(d)
	if l == nil {
		return nil
	}
	v := view{w, d}
	n, about := l.hover(v, offset), v.hoverName(offset)
	switch {
	case n.text == "" && about.text == "":
		return nil
	case n.text == "":
		n = about
	case about.text != "":
		n.text += "\n\n---\n\n" + about.text
		n.span = about.span
	}
	return &Hover{n.text, d.Span(n.span)}
}

// mostItems are as many as an editor shows without a wait.
const mostItems = 300

// Complete lists what may be typed at a place, and whether more would be there for other letters.
func (w *Workspace) Complete(d *Document, at Position) (list []Item, more bool) {
	l := languageOf(d)
	if l == nil {
		return nil, false
	}
	list = l.complete(view{w, d}, d.Offset(at))
	if len(list) <= mostItems {
		return list, false
	}
	fits := list[:0:0]
	for _, i := range list {
		typed := string(d.File.Text[d.Offset(i.Range.Start):d.Offset(at)])
		if len(fits) < mostItems && len(i.Label) >= len(typed) && strings.EqualFold(i.Label[:len(typed)], typed) {
			fits = append(fits, i)
		}
	}
	return fits, true
}

// Symbols is the outline of a text.
func (d *Document) Symbols() []Symbol { return d.shape().symbols }

// Folds are the parts of a text that may be folded.
func (d *Document) Folds() []Fold { return d.shape().folds }

// Colours gives what the words of a text are shown as, in the order of the text: of a word on several lines each line.
func (d *Document) Colours(show func(at Position, length int, kind ColourKind)) {
	w := walk{Text: d.Text}
	for _, c := range d.coloured() {
		for start, last := int(c.Span.Start), int(c.Span.End); start < last; {
			from := w.to(start)
			lineStart, lineEnd := d.line(from.Line)
			if end := min(lineEnd, last); end > start {
				show(from, w.to(end).Column-from.Column, c.Kind)
			}
			if from.Line+1 == len(d.starts) || lineStart > last {
				break
			}
			start = d.starts[from.Line+1]
		}
	}
}
