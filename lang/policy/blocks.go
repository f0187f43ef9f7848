package policy

import (
	_ "embed" // the table
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

//go:embed blocks.txt
var blockText string

// sharedAttributes is no block: it has the attributes that tests and checks share.
const sharedAttributes = "promise"

// The blocks that are records of a scheduler's own file. A record carries what has no block of its own here, so that a
// file can be expressed whole.
const (
	recordID      = "record"
	machineID     = "machine"
	databaseID    = "database"
	credentialsID = "credentials"
)

// isRecord reports a block that is read before params are known, as records are.
func isRecord(id string) bool {
	return id == recordID || id == machineID || id == databaseID || id == credentialsID
}

// Range is where a number has to lie.
type Range struct{ Least, Most float64 }

// MetricGroups are what a metric may be of, in the place of all jobs.
var MetricGroups = []string{"user", "group", "account", "qos", "partition", "size"}

// readBlocks reads blocks.txt.
func readBlocks() (list []BlockDoc) {
	var b *BlockDoc
	for line := range strings.Lines(blockText) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || kind[0] == '#':
		case kind[0] == '[':
			list = append(list, blockHead(strings.Trim(kind, "[]"), strings.Fields(rest)))
			b = &list[len(list)-1]
		case kind == ":":
			b.Doc = rest
			if object := schema.ObjectByName(b.Object); object != nil {
				b.Doc = strings.Replace(rest, "{doc}", object.Doc, 1)
			}
		case kind == ">":
			b.Blocks = strings.Fields(rest)
		case kind == "=":
			i := slices.IndexFunc(list, func(other BlockDoc) bool { return other.ID == rest })
			b.Attributes = append(b.Attributes, list[i].Attributes...)
		default:
			b.Attributes = append(b.Attributes, readAttribute(strings.SplitN(line, "|", 4)))
		}
	}
	return slices.DeleteFunc(list, func(b BlockDoc) bool { return b.ID == sharedAttributes })
}

func blockHead(id string, words []string) BlockDoc {
	b := BlockDoc{ID: id, Type: path.Base(id)}
	for _, word := range words {
		switch flag, object, _ := strings.Cut(word, "="); flag {
		case "+once":
			b.Once = true
		case "+instances":
			b.Instances = true
		case "+open":
			b.Open = true
		case "+repeats":
			b.Repeats = true
		case "+object":
			b.Object = object
		default:
			b.Labels = append(b.Labels, word)
		}
	}
	return b
}

func readAttribute(cells []string) AttrDoc {
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	a := AttrDoc{Name: cells[0], Type: Type(cells[1]), Doc: cells[3]}
	if c := schema.Lookup(schema.ColumnID(strings.Trim(a.Doc, "{}"))); c != nil {
		a.Doc = c.Doc
	}
	for word := range strings.FieldsSeq(cells[2]) {
		switch name, value, _ := strings.Cut(word, "="); name {
		case "cel":
			a.Kind = CELText
		case "either":
			a.Kind = Either
		case "required":
			a.Required = true
		case "whole":
			a.Whole = true
		case "of":
			a.Element = Type(value)
		case "unit":
			a.Unit = schema.Unit(value)
		case "words":
			a.Values = strings.Split(value, ",")
		case "set":
			a.Setting = value
		case "also":
			a.Also = value
		case "by":
			a.Between = value
		case "suffix":
			a.Suffix = value
		case "minutes":
			a.Minutes = true
		case "range":
			a.Range = &Range{}
			if _, err := fmt.Sscanf(value, "%g:%g", &a.Range.Least, &a.Range.Most); err != nil {
				panic("INVARIANT: blocks.txt has ranges of two numbers: " + value)
			}
		default:
			panic("INVARIANT: blocks.go has each word of blocks.txt: " + word)
		}
	}
	return a
}
