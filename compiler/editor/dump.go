package editor

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// dumpObjects has the kind of the name that a line has, and whether the line defines it.
var dumpObjects = map[string]struct {
	kind    Kind
	defines bool
}{
	"Parent": {Account, false}, "Account": {Account, true}, "User": {User, true}, "QOS": {QOS, true},
}

// dumpOptions has the kind of the names in an option.
var dumpOptions = map[string]Kind{
	"QOS": QOS, "DefaultQOS": QOS, "Preempt": QOS, "DefaultAccount": Account, "Coordinator": Account,
	"Partition": Partition,
}

// readDump reads a dump of sacctmgr.
func readDump(d *Document) (r reading) {
	tree, _ := sacctmgr.Parse(d.File)
	r.tree = tree
	parent := Name{Kind: Account, Text: "root", Folds: true}
	block := -1 // in r.symbols, of the last Parent line
	folds := folding{}
	for _, l := range tree.Lines {
		object := sacctmgr.ObjectOf(l)
		if what, ok := dumpObjects[object]; ok && l.Name.Text != "" {
			n := Name{Kind: what.kind, Text: l.Name.Text, Span: inner(l.Name), Defines: what.defines, Folds: true}
			switch object {
			case "Parent":
				parent = n
			case "Account", "User":
				n.Leads = []Name{parent}
			}
			r.names = append(r.names, n)
		}
		r.colours = append(r.colours, dumpColours(l)...)
		for _, o := range l.Options {
			r.names = append(r.names, optionNames(object, o)...)
			if text := optionMeans(object, o); text != "" {
				r.hints = append(r.hints, Hint{int(o.Value.Span.End), text})
			}
		}
		if object != "" && l.Name.Text != "" {
			s := Symbol{Name: l.Name.Text, Detail: object, Kind: RecordSymbol, Span: l.Span, Header: l.Name.Span}
			switch {
			case object == "Parent":
				block = len(r.symbols)
				r.symbols = append(r.symbols, s)
			case block >= 0:
				in := &r.symbols[block]
				in.Inner = append(in.Inner, s)
				in.Span.End = l.Span.End
			default:
				r.symbols = append(r.symbols, s)
			}
		}
		folds.add(dumpRun(object, l, parent.Text), l.Span)
	}
	r.folds = folds.done()
	return r
}

// dumpRun is what a line folds with: what is below one parent, or lines of one kind.
func dumpRun(object string, l *sacctmgr.Line, parent string) string {
	switch {
	case object == "Account" || object == "User" || object == "Parent":
		return "below " + parent
	case object != "":
		return object
	case strings.HasPrefix(strings.TrimSpace(l.Span.Text()), "#"):
		return "#"
	}
	return ""
}

// inner is the place of a word without its quotes.
func inner(w sacctmgr.Word) source.Span {
	quote := (len(w.Span.Text()) - len(w.Text)) / 2
	return w.Span.Sub(quote, quote+len(w.Text))
}

func optionNames(object string, o sacctmgr.Option) (list []Name) {
	known, ok := sacctmgr.Find(object, o.Key.Text)
	kind := dumpOptions[known.Name]
	if !ok || kind == "" {
		return nil
	}
	for _, w := range sacctmgr.Items(o.Value) {
		list = append(list, Name{Kind: kind, Text: w.Text, Span: w.Span, Folds: kind != Partition})
	}
	return list
}

// optionMeans is what a time or an amount of memory comes to; "" where that is plain.
func optionMeans(object string, o sacctmgr.Option) string {
	known, ok := sacctmgr.Find(object, o.Key.Text)
	if !ok {
		return ""
	}
	if seconds, ok := sacctmgr.Seconds(object, o.Key.Text, o.Value.Text); ok {
		return duration(seconds)
	}
	if strings.Contains(known.Name, "TRES") && !strings.Contains(known.Name, "Mins") {
		list, err := slurmtext.ParseTRES(o.Value.Text)
		for _, t := range list {
			if err == nil && t.Name == "mem" && t.Count >= 1024 && t.Count != slurmtext.Infinite {
				return "mem " + megabytes(uint64(t.Count))
			}
		}
	}
	return ""
}

func dumpColours(l *sacctmgr.Line) (list []Colour) {
	put := func(w sacctmgr.Word, kind ColourKind) {
		if !w.IsZero() {
			list = append(list, Colour{w.Span, kind})
		}
	}
	put(l.Object, KeywordColour)
	put(l.Name, TypeColour)
	for _, o := range l.Options {
		put(o.Key, PropertyColour)
		put(o.Value, valueColour(o.Value.Text))
	}
	return list
}

// dumpLineAt is the line of a byte.
func dumpLineAt(d *Document, at int) *sacctmgr.Line {
	lines := d.reading().tree.(*sacctmgr.File).Lines
	low, high := 0, len(lines)
	for low < high {
		if mid := (low + high) / 2; int(lines[mid].Span.End) < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(lines) && int(lines[low].Span.Start) <= at {
		return lines[low]
	}
	return nil
}

// hoverDump says what an option does.
func hoverDump(v view, at int) note {
	l := dumpLineAt(v.doc, at)
	if l == nil {
		return note{}
	}
	object := sacctmgr.ObjectOf(l)
	for _, o := range l.Options {
		end := max(o.Key.Span.End, o.Op.Span.End, o.Value.Span.End)
		known, ok := sacctmgr.Find(object, o.Key.Text)
		if !ok || at < int(o.Key.Span.Start) || at > int(end) {
			continue
		}
		text := "**" + object + " " + known.Name + "**\n\n" + known.Doc + "\n\n- type: " + known.Type
		if means := optionMeans(object, o); means != "" {
			text += "\n\n" + code(o.Value.Text) + " is " + means
		}
		return note{text, o.Key.Span}
	}
	return note{}
}

// completeDump lists objects, names, options and names in options.
func completeDump(v view, at int) (list []Item) {
	l := dumpLineAt(v.doc, at)
	start := at
	if l != nil {
		start = int(l.Span.Start)
	}
	typed := string(v.doc.File.Text[start:at])
	closing := ""
	for _, quote := range []string{"'", `"`} {
		if strings.Count(typed, quote)%2 == 1 {
			closing = quote
		}
	}
	tree, _ := sacctmgr.Parse(source.NewFile("", []byte(typed+marker+closing)))
	if len(tree.Lines) == 0 {
		return nil
	}
	now := tree.Lines[len(tree.Lines)-1]
	end := int32(len(typed) + len(marker) + len(closing))
	object := sacctmgr.ObjectOf(now)
	if n := len(now.Options); n > 0 {
		o := now.Options[n-1]
		if o.Value.Span.End != end {
			return nil // in a comment
		}
		value := strings.TrimSuffix(o.Value.Text, marker)
		if o.Key.IsZero() {
			return dumpKeys(object, l, at, v.doc.Range(at-len(value), at))
		}
		known, _ := sacctmgr.Find(object, o.Key.Text)
		entry := strings.TrimLeft(value[strings.LastIndexByte(value, ',')+1:], "+-'\" ")
		return v.nameItems(dumpOptions[known.Name], v.doc.Range(at-len(entry), at))
	}
	switch {
	case now.Name.Span.End == end && end > 0:
		name := strings.Trim(strings.TrimSuffix(now.Name.Text, marker), "'\"")
		return v.nameItems(dumpObjects[object].kind, v.doc.Range(at-len(name), at))
	case now.Junk.Span.End == end && !strings.Contains(typed, " "):
		for _, o := range sacctmgr.Objects() {
			list = append(list, Item{Label: o, Insert: o + " - ", Kind: BlockItem, Range: v.doc.Range(at-len(typed), at)})
		}
	}
	return list
}

func dumpKeys(object string, l *sacctmgr.Line, cursor int, at Range) (list []Item) {
	has := map[string]bool{}
	if l != nil {
		for _, o := range l.Options {
			if known, ok := sacctmgr.Find(object, o.Key.Text); ok && !o.Key.IsZero() && !covers(o.Key.Span, cursor) {
				has[known.Name] = true
			}
		}
	}
	for _, o := range sacctmgr.OptionsOf(object) {
		if !has[o.Name] {
			list = append(list, Item{Label: o.Name, Insert: o.Name + "=", Kind: KeyItem, Range: at, Detail: o.Type,
				Doc: o.Doc})
		}
	}
	return list
}

// nameItems offers the names of a kind that the policy's files have.
func (v view) nameItems(kind Kind, at Range) (list []Item) {
	if kind == "" {
		return nil
	}
	for _, n := range v.named(kind) {
		list = append(list, Item{Label: n.Text, Detail: string(kind), Kind: NameItem, Range: at})
	}
	return list
}
