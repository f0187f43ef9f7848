package editor

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// slurmNames has the kind of the names in the value of a key, by the record and the key, or by the key alone.
var slurmNames = map[string]struct {
	kind    Kind
	defines bool
}{
	"NodeName":                    {Node, true},
	"PartitionName":               {Partition, true},
	"NodeSet":                     {Node, true},
	"DownNodes":                   {Node, false},
	"Nodes":                       {Node, false},
	"SuspendExcNodes":             {Node, false},
	"SuspendExcParts":             {Partition, false},
	"AllowAccounts":               {Account, false},
	"DenyAccounts":                {Account, false},
	"AllowQos":                    {QOS, false},
	"DenyQos":                     {QOS, false},
	"QOS":                         {QOS, false},
	"AllowGroups":                 {UnixGroup, false},
	"Alternate":                   {Partition, false},
	"Features":                    {Feature, true},
	"Feature":                     {Feature, true},
	"NodeSet Feature":             {Feature, false},
	"AccountingStorageDefaultQOS": {QOS, false},
}

// notNames are words of such values that are no names.
var notNames = []string{"ALL", "DEFAULT", "NONE", "LOCAL"}

// slurmPair is a pair with the row of its key.
type slurmPair struct {
	slurmconf.Pair
	record string
	row    *stdlib.Param // nil: the key is unknown
}

func slurmPairs(l *slurmconf.Line) []slurmPair {
	if len(l.Pairs) == 0 {
		return nil
	}
	list := make([]slurmPair, 0, len(l.Pairs))
	for i, p := range l.Pairs {
		record := l.RecordOf(i)
		list = append(list, slurmPair{p, record, slurmconf.Known(record, p.Key.Text)})
	}
	return list
}

// names are those in the value of the pair.
func (p slurmPair) names() (list []Name) {
	if p.row == nil {
		return nil
	}
	what, ok := slurmNames[p.record+" "+p.row.Name]
	if !ok {
		what, ok = slurmNames[p.row.Name]
	}
	if !ok {
		return nil
	}
	items := slurmconf.Items
	if what.kind == Node {
		items = slurmconf.Hosts
	}
	for _, w := range items(p.Value) {
		if isWord(w.Text, notNames) {
			continue
		}
		list = append(list, Name{Kind: what.kind, Text: w.Text, Span: w.Span, Defines: what.defines,
			Folds: what.kind == Account || what.kind == QOS})
	}
	return list
}

func isWord(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, text) })
}

// readSlurm reads a slurm.conf or a part of one.
func readSlurm(d *Document) reading { return reading{tree: slurmconf.Tree(d.File)} }

func nameSlurm(r *reading) {
	for _, l := range r.tree.(*slurmconf.File).Lines {
		var names []Name
		for _, p := range slurmPairs(l) {
			names = append(names, p.names()...)
		}
		r.names = append(r.names, leading(names)...)
	}
}

func shapeSlurm(r *reading) {
	folds := folding{}
	for _, l := range r.tree.(*slurmconf.File).Lines {
		pairs := slurmPairs(l)
		for _, p := range pairs {
			if text := p.means(); text != "" {
				r.hints = append(r.hints, Hint{int(p.Value.Span.End), text})
			}
		}
		kind := ""
		switch {
		case len(pairs) > 0:
			kind = pairs[0].record + " " + l.Record()
			r.symbols = append(r.symbols, slurmSymbol(l, pairs[0]))
		case len(l.Comments()) > 0 && l.Include == nil && l.Junk.IsZero():
			kind = "#"
		}
		folds.add(kind, l.Span)
	}
	r.folds = folds.done()
}

func colourSlurm(r *reading) {
	lines := r.tree.(*slurmconf.File).Lines
	words := 0
	for _, l := range lines {
		words += 2*len(l.Pairs) + len(l.Comments()) + 2
	}
	r.colours = make([]Colour, 0, words)
	for _, l := range lines {
		r.colours = slurmColours(r.colours, l)
	}
}

// leading lets a partition lead to its nodes.
func leading(names []Name) []Name {
	if len(names) > 0 && names[0].Kind == Partition && names[0].Defines {
		for _, n := range names[1:] {
			if n.Kind == Node {
				names[0].Leads = append(names[0].Leads, n)
			}
		}
	}
	return names
}

func slurmSymbol(l *slurmconf.Line, first slurmPair) Symbol {
	if l.Record() != "global" {
		name := first.Value
		return Symbol{Name: name.Text, Detail: l.Record(), Kind: RecordSymbol, Span: l.Span, Header: name.Span}
	}
	_, value, _ := strings.Cut(source.Mask(first.Key.Text+"="+first.Value.Text), "=")
	return Symbol{Name: first.Key.Text, Detail: value, Span: l.Span, Header: first.Key.Span}
}

func slurmColours(list []Colour, l *slurmconf.Line) []Colour {
	if l.Include != nil {
		list = append(list, Colour{l.Include.Keyword.Span, KeywordColour})
		if !l.Include.Path.IsZero() {
			list = append(list, Colour{l.Include.Path.Span, StringColour})
		}
	}
	for i, p := range l.Pairs {
		kind := PropertyColour
		if i == 0 && l.Record() != "global" {
			kind = TypeColour
		}
		list = append(list, Colour{p.Key.Span, kind}, Colour{p.Value.Span, valueColour(p.Value.Text)})
	}
	for _, c := range l.Comments() {
		list = append(list, Colour{c.Span, CommentColour})
	}
	return list
}

func valueColour(text string) ColourKind {
	if text != "" && strings.Trim(text, "0123456789:-.") == "" {
		return NumberColour
	}
	return StringColour
}

// means is what a value with a unit comes to, or how many nodes a list has; "" where that is plain.
func (p slurmPair) means() string {
	if p.row == nil {
		return ""
	}
	if what := slurmNames[p.row.Name]; what.kind == Node && p.row.Name != "NodeSet" {
		if !strings.Contains(p.Value.Text, "[") {
			return ""
		}
		if names, err := slurmtext.ExpandHostlist(p.Value.Text); err == nil {
			return count(len(names), "node")
		}
		return ""
	}
	if p.row.Unit == "" {
		return ""
	}
	v, ok := slurmconf.Read(p.row, p.Value, slurmconf.Newest())
	if !ok || v.Infinite || v.Number == 0 {
		return ""
	}
	switch p.row.Unit {
	case "seconds":
		return duration(v.Number)
	case "minutes":
		return duration(v.Number * 60)
	case "mb":
		return megabytes(v.Number)
	}
	return ""
}

// release is the version of Slurm that lint found for the text, or else the newest.
func (v view) release() string {
	if p := v.policy(v.doc.Path); p != nil && p.Version != "" {
		return p.Version
	}
	return slurmconf.Newest()
}

// hoverSlurm says what a key means, what its value comes to, and what a word of a list does.
func hoverSlurm(v view, at int) note {
	tree := v.doc.reading().tree.(*slurmconf.File)
	l := slurmLineAt(tree, at)
	if l == nil {
		return note{}
	}
	for _, p := range slurmPairs(l) {
		whole := source.Span{File: v.doc.File, Start: p.Key.Span.Start, End: max(p.Op.Span.End, p.Value.Span.End)}
		if at < int(whole.Start) || at > int(whole.End) || p.row == nil {
			continue
		}
		for _, w := range slurmconf.Items(p.Value) {
			row := slurmconf.ChoiceRow(p.row.Name, w.Text)
			if row != nil && int(w.Span.Start) <= at && at <= int(w.Span.End) {
				fallback, _ := slurmconf.Default(row.Name, v.release())
				return note{rowText(row, fallback), w.Span}
			}
		}
		fallback := ""
		if p.record == "global" {
			fallback, _ = slurmconf.Default(p.row.Name, v.release())
		}
		text := rowText(p.row, fallback)
		if means := p.means(); means != "" {
			text += "\n\n" + code(p.Value.Span.Shown()) + " is " + means
		}
		if !slurmconf.Exists(p.row, v.release()) {
			text += "\n\nSlurm " + v.release() + " does not know it."
		}
		return note{text, p.Key.Span}
	}
	return note{}
}

func slurmLineAt(tree *slurmconf.File, at int) *slurmconf.Line {
	low, high := 0, len(tree.Lines)
	for low < high {
		if mid := (low + high) / 2; int(tree.Lines[mid].Span.End) < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(tree.Lines) && int(tree.Lines[low].Span.Start) <= at {
		return tree.Lines[low]
	}
	return nil
}

// marker is what is put at the cursor, so that the reader says what is being typed there.
const marker = "x"

// completeSlurm lists the keys of the record, or what the value of the key may be.
func completeSlurm(v view, at int) []Item {
	tree := v.doc.reading().tree.(*slurmconf.File)
	l := slurmLineAt(tree, at)
	start := at
	if l != nil {
		start = int(l.Span.Start)
	}
	typed := string(v.doc.File.Text[start:at])
	closing := ""
	if strings.Count(typed, `"`)%2 == 1 {
		closing = `"`
	}
	lines := slurmconf.Tree(source.NewFile("", []byte(typed+marker+closing))).Lines
	if len(lines) == 0 {
		return nil
	}
	now := lines[len(lines)-1]
	end := int32(len(typed) + len(marker) + len(closing))
	if n := len(now.Pairs); n > 0 && now.Pairs[n-1].Value.Span.End == end {
		pairs := slurmPairs(now)
		return v.slurmValues(pairs[n-1], at)
	}
	if now.Junk.IsZero() || now.Junk.Span.End != end {
		return nil // in a comment, or in the path of an Include
	}
	prefix := len(now.Junk.Span.Text()) - len(marker) - len(closing)
	if prefix < 0 || strings.ContainsAny(now.Junk.Span.Text(), " \t=") {
		return nil
	}
	return v.slurmKeys(now, l, at, v.doc.Range(at-prefix, at))
}

// slurmKeys are the keys that may begin a line or go on a record.
func (v view) slurmKeys(now, whole *slurmconf.Line, cursor int, at Range) (list []Item) {
	record := "global"
	if len(now.Pairs) > 0 {
		if record = now.Record(); record == "global" {
			return nil // a setting takes a line of its own
		}
	}
	has := map[string]bool{}
	if whole != nil && record != "global" {
		for _, p := range slurmPairs(whole) {
			if p.row != nil && !covers(p.Key.Span, cursor) {
				has[p.row.Name] = true
			}
		}
	}
	for _, row := range slurmconf.Keys(record, v.release()) {
		if has[row.Name] || row.Effective == "alias" {
			continue
		}
		fallback := row.Default
		if record == "global" {
			fallback, _ = slurmconf.Default(row.Name, v.release())
		}
		kind := KeyItem
		if slurmconf.IsRecord(row.Name) {
			kind = BlockItem
		}
		list = append(list, Item{Label: row.Name, Insert: row.Name + "=", Kind: kind, Range: at,
			Detail: rowDetail(row, fallback), Doc: rowText(row, fallback)})
	}
	if record == "global" {
		list = append(list, Item{Label: "Include", Insert: "Include ", Kind: KeywordItem, Range: at,
			Detail: "reads another file in this place"})
	}
	return list
}

// rowDetail is a parameter in few words.
func rowDetail(row *stdlib.Param, fallback string) string {
	text := row.Type
	if row.Unit != "" {
		text += ", " + row.Unit
	}
	if fallback != "" {
		text += ", default " + fallback
	}
	return text
}

// slurmValues are what the value that is typed may be: of a list, its last entry.
func (v view) slurmValues(p slurmPair, at int) (list []Item) {
	if p.row == nil {
		return nil
	}
	text := strings.TrimSuffix(p.Value.Text, marker)
	entry := text[strings.LastIndexAny(text, ", ")+1:]
	what, ok := slurmNames[p.record+" "+p.row.Name]
	if !ok {
		what = slurmNames[p.row.Name]
	}
	choices := slurmconf.Choices(p.row, v.release())
	single := len(choices) > 0 && what.kind == "" && !isList(p.row)
	if single {
		entry = text
	}
	where := v.doc.Range(at-len(entry), at)
	for _, c := range choices {
		item := Item{Label: strings.TrimSuffix(c.Text, "="), Insert: c.Text, Kind: ValueItem, Range: where}
		if c.Row != nil {
			fallback, _ := slurmconf.Default(c.Row.Name, v.release())
			item.Detail, item.Doc = rowDetail(c.Row, fallback), rowText(c.Row, fallback)
		}
		list = append(list, item)
	}
	if what.kind == "" {
		return list
	}
	if what.defines && what.kind != Feature {
		return append(list, Item{Label: "DEFAULT", Kind: KeywordItem, Range: where,
			Detail: "what the lines after it have unless they say otherwise"})
	}
	for _, n := range v.named(what.kind) {
		if n.Defines || !strings.EqualFold(n.Text, entry) {
			list = append(list, Item{Label: n.Text, Detail: string(n.Kind), Kind: NameItem, Range: where})
		}
	}
	if what.kind == Node || strings.HasPrefix(p.row.Name, "Allow") {
		list = append(list, Item{Label: "ALL", Detail: "every " + string(what.kind), Kind: KeywordItem, Range: where})
	}
	return list
}

// isList reports a key whose value is a list of words.
func isList(row *stdlib.Param) bool {
	switch row.Type {
	case "flags", "options", "strings":
		return true
	}
	return strings.HasSuffix(row.Name, "Plugins") || row.Name == "TaskPlugin" || row.Name == "PreemptMode"
}

// folding collects runs of lines that are alike.
type folding struct {
	kind       string
	start, end source.Span
	lines      int
	list       []Fold
}

// add takes the next line; kind is what it is alike in, "" of a line that begins no run.
func (f *folding) add(kind string, span source.Span) {
	if kind != f.kind || kind == "" {
		f.flush()
		f.kind, f.start = kind, span
	}
	f.end = span
	f.lines++
}

func (f *folding) flush() {
	span := f.start
	span.End = f.end.End
	record := f.kind != "" && (f.kind == "#" || !strings.HasSuffix(f.kind, " global"))
	if f.lines > 0 && record && strings.Contains(span.Text(), "\n") {
		f.list = append(f.list, Fold{span, f.kind == "#"})
	}
	f.lines = 0
}

func (f *folding) done() []Fold {
	f.flush()
	return f.list
}
