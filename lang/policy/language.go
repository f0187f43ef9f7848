package policy

import (
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Kind says when an attribute gets its value.
type Kind int

// The kinds. A Constant is an HCL expression, evaluated once. CELText is a
// string or heredoc whose text is CEL, evaluated for each job. Either is CEL
// when a literal string is there and a constant otherwise.
const (
	Constant Kind = iota
	CELText
	Either
)

func (k Kind) String() string { return [...]string{"constant", "CEL", "constant or CEL"}[k] }

// Type is the type of an attribute's constant, in the words of the reference.
type Type string

// The types. Duration and Memory are numbers in the attribute's unit that may
// also be written as text ("12h", "16G"). Names is one string or a list of
// them. Share is a number or "parent". Any takes what is there.
const (
	Number    Type = "number"
	Integer   Type = "integer"
	Bool      Type = "bool"
	String    Type = "string"
	Duration  Type = "duration"
	Memory    Type = "memory"
	List      Type = "list"
	Names     Type = "string or list"
	Map       Type = "map"
	Timestamp Type = "timestamp"
	Bound     Type = "number, duration or memory"
	Share     Type = "number or \"parent\""
	Depth     Type = "integer or \"unlimited\""
	ValueList Type = "list of values"
	Any       Type = "any"
)

// AttrDoc documents one attribute of a block.
type AttrDoc struct {
	Name     string
	Kind     Kind
	Type     Type
	Element  Type        // of the values of a Map
	Unit     schema.Unit // of the stored number, for Duration and Memory
	Whole    bool        // the stored number is a whole one
	Values   []string    // the words allowed, if not any
	Range    *Range      // of the stored number, if it is bounded
	Required bool        // must be set once all files and the base are merged
	Setting  string      // of the scheduler's record that the block is
	Also     string      // another name of the setting
	Minutes  bool        // the setting is in whole minutes, where the attribute is a duration
	Between  string      // the words of the setting, if it is a list; a comma if ""
	Suffix   string      // of the setting's number
	Doc      string
}

// BlockDoc documents one type of block where it may be.
type BlockDoc struct {
	ID         string   // unique: "component/term"
	Type       string   // the word that opens the block
	Labels     []string // what the labels name; those in [brackets] may be left out
	Once       bool     // at most one in its parent
	Instances  bool     // takes for_each, name, enabled, override, remove
	Open       bool     // attributes have free names (locals)
	Repeats    bool     // there may be several of one name
	Object     string   // the schema object whose columns are attributes too
	Attributes []AttrDoc
	Blocks     []string // ids of the blocks allowed inside
	Doc        string
}

// Blocks lists the whole language in documentation order: every block, where
// it may be, and every attribute.
func Blocks() []BlockDoc {
	out := make([]BlockDoc, len(blockTable()))
	for i, b := range blockTable() {
		out[i] = *b
	}
	return out
}

// blockTable is made when the first policy is read: most commands on slurm.conf and maui.cfg need none.
var blockTable = sync.OnceValue(func() []*BlockDoc {
	return completeBlocks(readBlocks())
})

var blockByID = sync.OnceValue(func() map[string]*BlockDoc {
	m := map[string]*BlockDoc{}
	for _, b := range blockTable() {
		m[b.ID] = b
	}
	return m
})

// topLevel is the pseudo block that stands for the file.
var topLevel = &BlockDoc{ID: "", Type: "file",
	Blocks: []string{"policy", "test", "check", "run", "project", "study"}}

// instanceAttributes are shared by all blocks that may be repeated. Those of a
// policy can be inherited; the rows of a test cannot.
func instanceAttributes(b *BlockDoc) []AttrDoc {
	attrs := []AttrDoc{
		{Name: "for_each", Type: Any, Doc: "Makes one block for each element of a list or set, or each entry of a " +
			"map; inside, each.key and each.value."},
		{Name: b.nameAttribute(), Type: String,
			Doc: "Name of this instance instead of the label, which for_each extends to label[key]."},
		{Name: "enabled", Type: Bool, Doc: "false leaves the block out."},
	}
	if isTestBlock(b.ID) {
		return attrs
	}
	return append(attrs,
		AttrDoc{Name: "override", Type: Bool,
			Doc: "true: this block, and those inside, may change what an earlier file of the same policy set."},
		AttrDoc{Name: "remove", Type: Bool, Doc: "true takes the inherited block of this name out."})
}

// nameAttribute is the attribute that stands for the label: jobs and nodes
// have ids, and a job's name is a column.
func (b *BlockDoc) nameAttribute() string {
	if b.Object == "job" || b.Object == "node" {
		return "id"
	}
	return "name"
}

var docAttribute = AttrDoc{Name: "doc", Type: String, Doc: "Documentation, shown by explain, doc and hover."}

// completeBlocks adds the shared attributes and the columns of the schema.
func completeBlocks(list []BlockDoc) []*BlockDoc {
	out := make([]*BlockDoc, len(list))
	for i := range list {
		b := list[i]
		b.Attributes = append([]AttrDoc(nil), b.Attributes...)
		if b.Object != "" {
			b.Attributes = append(b.Attributes, columnAttributes(&b)...)
		}
		if !b.Open {
			b.Attributes = append(b.Attributes, docAttribute)
		}
		if b.Instances {
			b.Attributes = append(b.Attributes, instanceAttributes(&b)...)
		}
		out[i] = &b
	}
	return out
}

// columnAttributes turns an object's columns into attributes. A policy cannot
// set what a model computes; a test may, to stand for the model. The name is
// the block's label.
func columnAttributes(b *BlockDoc) []AttrDoc {
	var attrs []AttrDoc
	for _, c := range schema.ObjectByName(b.Object).Columns {
		name := c.ID.Name()
		computed := c.Origin == schema.Model || c.Origin == schema.Derived
		if name == b.nameAttribute() || (computed && !isTestBlock(b.ID)) {
			continue
		}
		a := AttrDoc{Name: name, Unit: c.Unit, Doc: c.Doc, Whole: c.Type == schema.Int}
		switch {
		case name == "tres":
			a.Type, a.Element, a.Doc = Map, Number, "Count of each trackable resource by its Slurm name; memory in MB."
		case schema.Keyed(name) && b.Object != "node":
			a.Type, a.Element = Map, Number
		case c.Type == schema.Bool:
			a.Type = Bool
		case c.Type == schema.String:
			a.Type = String
		case c.Type == schema.StringList:
			a.Type = List
		case c.Type == schema.Timestamp:
			a.Type = Timestamp
		case c.Unit == schema.Seconds || c.Unit == schema.Minutes:
			a.Type = Duration
		case c.Unit == schema.MB:
			a.Type = Memory
		case c.Type == schema.Int:
			a.Type = Integer
		default:
			a.Type = Number
		}
		attrs = append(attrs, a)
	}
	return attrs
}

func isTestBlock(id string) bool { return strings.HasPrefix(id, "test/") }

// attribute finds an attribute of the block, or nil.
func (b *BlockDoc) attribute(name string) *AttrDoc {
	for i := range b.Attributes {
		if b.Attributes[i].Name == name {
			return &b.Attributes[i]
		}
	}
	return nil
}

// child finds the block that this word opens here, or nil.
func (b *BlockDoc) child(word string) *BlockDoc {
	for _, id := range b.Blocks {
		if c := blockByID()[id]; c != nil && c.Type == word {
			return c
		}
	}
	return nil
}

func (b *BlockDoc) attributeNames() []string {
	names := make([]string, len(b.Attributes))
	for i, a := range b.Attributes {
		names[i] = a.Name
	}
	return names
}

func (b *BlockDoc) childWords() []string {
	var words []string
	for _, id := range b.Blocks {
		words = append(words, blockByID()[id].Type)
	}
	return words
}

// labelCount is the least and the greatest number of labels.
func (b *BlockDoc) labelCount() (least, most int) {
	for _, l := range b.Labels {
		if l[0] != '[' {
			least++
		}
	}
	return least, len(b.Labels)
}
