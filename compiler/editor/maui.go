package editor

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// mauiFamilies has the kind of a family's objects.
var mauiFamilies = map[string]Kind{
	"USERCFG": User, "GROUPCFG": UnixGroup, "ACCOUNTCFG": Account, "QOSCFG": QOS, "CLASSCFG": Class, "NODECFG": Node,
}

// mauiNames has the kind of the names in the value of a parameter or attribute.
var mauiNames = map[string]Kind{
	"QDEF": QOS, "QLIST": QOS, "QOSLIST": QOS, "ADEF": Account, "ALIST": Account, "ACCOUNTLIST": Account,
	"CHARGEACCOUNT": Account, "CLASSLIST": Class, "USERLIST": User, "GROUPLIST": UnixGroup,
	"SRQOSLIST": QOS, "SRACCOUNTLIST": Account, "SRCLASSLIST": Class, "SRUSERLIST": User, "SRGROUPLIST": UnixGroup,
	"RESERVATIONQOSLIST": QOS, "DEFAULTACCOUNT": Account, "BANKFALLBACKACCOUNT": Account, "FALLBACKACCOUNT": Account,
}

// readMaui reads a maui.cfg.
func readMaui(d *Document) (r reading) {
	tree, _ := mauicfg.Parse(d.File)
	r.tree = tree
	folds := folding{}
	for i := range tree.Lines {
		l := &tree.Lines[i]
		kind := ""
		switch l.Kind {
		case mauicfg.CommentLine:
			kind = "#"
		case mauicfg.SettingLine:
			kind = r.mauiSetting(l)
		}
		r.colours = append(r.colours, mauiColours(l)...)
		folds.add(kind, l.Span)
	}
	r.folds = folds.done()
	return r
}

// mauiSetting takes names, hints and the symbol of a setting, and says what it folds with.
func (r *reading) mauiSetting(l *mauicfg.Line) (run string) {
	row, known := mauicfg.Known(l.Name.Text)
	s := Symbol{Name: l.Name.Text, Detail: l.Value().Span.Shown(), Span: l.Span, Header: l.Name.Span}
	switch {
	case !known:
	case !mauicfg.IsFamily(row):
		r.mauiValue(row, l.Value())
	default:
		if l.Index.Text != "" {
			s.Name, s.Detail, s.Kind, s.Header = l.Index.Text, l.Name.Text, RecordSymbol, l.Index.Span
		}
		if kind := mauiFamilies[row.Name]; kind != "" && l.Index.Text != "" && l.Index.Text != "DEFAULT" {
			name := strings.Trim(l.Index.Text, `'"`)
			r.names = append(r.names, Name{Kind: kind, Text: name, Span: l.Index.Span, Defines: true})
		}
		for _, a := range l.Attributes() {
			if attr, ok := mauicfg.KnownAttribute(row.Name, a.Name.Text); ok {
				r.mauiValue(attr, a.Value)
			}
		}
		run = row.Name
	}
	r.symbols = append(r.symbols, s)
	return run
}

// mauiValue takes the names and the hint of one value.
func (r *reading) mauiValue(row stdlib.Param, value dialect.Word) {
	if kind := mauiNames[row.Name]; kind != "" {
		for _, w := range mauicfg.Items(value) {
			r.names = append(r.names, Name{Kind: kind, Text: w.Text, Span: w.Span})
		}
	}
	if text := mauiMeans(row, value); text != "" {
		r.hints = append(r.hints, Hint{int(value.Span.End), text})
	}
}

// mauiMeans is what a time comes to; "" where there is none.
func mauiMeans(row stdlib.Param, value dialect.Word) string {
	if seconds, ok := mauicfg.Seconds(row, value); ok {
		return duration(uint64(seconds))
	}
	return ""
}

func mauiColours(l *mauicfg.Line) (list []Colour) {
	for _, t := range l.Tokens {
		kind, ok := map[mauicfg.TokenKind]ColourKind{
			mauicfg.Name: PropertyColour, mauicfg.Index: TypeColour, mauicfg.Comment: CommentColour,
			mauicfg.Include: KeywordColour, mauicfg.Word: StringColour,
		}[t.Kind]
		if !ok || len(t.Text) == 0 {
			continue
		}
		if t.Kind == mauicfg.Word {
			if name, value, attribute := strings.Cut(t.Text, "="); attribute {
				list = append(list, Colour{t.Span.Sub(0, len(name)), PropertyColour})
				if value != "" {
					list = append(list, Colour{t.Span.Sub(len(name)+1, len(t.Text)), valueColour(value)})
				}
				continue
			}
			kind = valueColour(t.Text)
		}
		list = append(list, Colour{t.Span, kind})
	}
	return list
}

func mauiLineAt(d *Document, at int) *mauicfg.Line {
	lines := d.reading().tree.(*mauicfg.File).Lines
	for i := range lines {
		tokens := lines[i].Tokens
		if len(tokens) == 0 {
			continue
		}
		start, end := int(tokens[0].Span.Start), int(tokens[len(tokens)-1].Span.End)
		if start <= at && (at < end || at == end && tokens[len(tokens)-1].Kind != mauicfg.Newline) {
			return &lines[i]
		}
	}
	return nil
}

func covers(s source.Span, at int) bool { return !s.IsZero() && int(s.Start) <= at && at <= int(s.End) }

// hoverMaui says what a parameter or an attribute means.
func hoverMaui(v view, at int) note {
	l := mauiLineAt(v.doc, at)
	if l == nil || l.Kind != mauicfg.SettingLine {
		return note{}
	}
	row, known := mauicfg.Known(l.Name.Text)
	if !known {
		return note{}
	}
	if mauicfg.IsFamily(row) {
		for _, a := range l.Attributes() {
			attr, ok := mauicfg.KnownAttribute(row.Name, a.Name.Text)
			if ok && (covers(a.Name.Span, at) || covers(a.Value.Span, at)) {
				return note{mauiText(attr, a.Value), a.Name.Span}
			}
		}
	}
	if covers(l.Name.Span, at) || !mauicfg.IsFamily(row) && covers(l.Value().Span, at) {
		value := dialect.Word{}
		if !mauicfg.IsFamily(row) {
			value = l.Value()
		}
		return note{mauiText(row, value), l.Name.Span}
	}
	return note{}
}

func mauiText(row stdlib.Param, value dialect.Word) string {
	text := rowText(&row, "")
	if means := mauiMeans(row, value); means != "" {
		text += "\n\n" + code(value.Span.Shown()) + " is " + means
	}
	return text
}

// completeMaui lists parameters, attributes, and what their values may be.
func completeMaui(v view, at int) []Item {
	l := mauiLineAt(v.doc, at)
	start := at
	if l != nil {
		start = int(l.Tokens[0].Span.Start)
	}
	typed := string(v.doc.File.Text[start:at])
	tree, _ := mauicfg.Parse(source.NewFile("", []byte(typed+marker)))
	now := &tree.Lines[len(tree.Lines)-1]
	end := int32(len(typed) + len(marker))
	if now.Kind != mauicfg.SettingLine {
		return nil
	}
	if now.Name.Span.End == end {
		return mauiKeys(v.doc.Range(at-(len(now.Name.Text)-len(marker)), at))
	}
	row, known := mauicfg.Known(now.Name.Text)
	switch {
	case !known:
		return nil
	case now.Index.Span.End == end:
		name := strings.TrimSuffix(now.Index.Text, marker)
		where := v.doc.Range(at-len(name), at)
		list := v.nameItems(mauiFamilies[row.Name], where)
		return append(list, Item{Label: "DEFAULT", Kind: KeywordItem, Range: where,
			Detail: "all that have no value of their own"})
	case !mauicfg.IsFamily(row):
		w := now.Value()
		if w.Span.End != end {
			return nil // in a comment
		}
		return v.mauiValues(row, strings.TrimSuffix(w.Text, marker), at)
	}
	attributes := now.Attributes()
	if len(attributes) == 0 {
		return nil
	}
	a := attributes[len(attributes)-1]
	if a.Value.Span.End == end && !a.Value.IsZero() {
		attr, _ := mauicfg.KnownAttribute(row.Name, a.Name.Text)
		return v.mauiValues(attr, strings.TrimSuffix(a.Value.Text, marker), at)
	}
	if a.Name.Span.End != end {
		return nil
	}
	return mauiAttributes(row.Name, v.doc.Range(at-(len(a.Name.Text)-len(marker)), at))
}

func mauiKeys(at Range) (list []Item) {
	for _, row := range stdlib.MauiParams.Params() {
		if row.Effective != "yes" && !mauicfg.IsFamily(row) {
			continue
		}
		item := Item{Label: row.Name, Insert: row.Name + " ", Kind: KeyItem, Range: at,
			Detail: rowDetail(&row, row.Default), Doc: rowText(&row, "")}
		if mauicfg.IsFamily(row) {
			item.Kind, item.Insert = BlockItem, row.Name+"["
		}
		list = append(list, item)
	}
	return list
}

func mauiAttributes(family string, at Range) (list []Item) {
	for _, row := range stdlib.MauiAttributes.Params() {
		if row.Record == family && row.Effective == "yes" && row.Name != "*" {
			list = append(list, Item{Label: row.Name, Insert: row.Name + "=", Kind: KeyItem, Range: at,
				Detail: rowDetail(&row, row.Default), Doc: rowText(&row, "")})
		}
	}
	return list
}

// mauiValues are what a value may be: of a list, its last entry.
func (v view) mauiValues(row stdlib.Param, value string, at int) (list []Item) {
	entry := value[strings.LastIndexAny(value, ":, ")+1:]
	where := v.doc.Range(at-len(entry), at)
	words := row.Enum
	if row.Type == "bool" {
		words = []string{"TRUE", "FALSE"}
	}
	for _, w := range words {
		list = append(list, Item{Label: w, Kind: ValueItem, Range: where})
	}
	return slices.Concat(list, v.nameItems(mauiNames[row.Name], where))
}
