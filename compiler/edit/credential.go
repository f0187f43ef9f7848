package edit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// kinds are the objects whose attributes may be changed, with the table that documents these; "" is none.
var kinds = map[string]struct {
	table  stdlib.Table
	record string
}{
	"association": {}, "QOS": {},
	"PartitionName": {stdlib.SlurmPartition, "PartitionName"},
	"USERCFG":       {stdlib.MauiAttributes, "USERCFG"}, "GROUPCFG": {stdlib.MauiAttributes, "GROUPCFG"},
	"ACCOUNTCFG": {stdlib.MauiAttributes, "ACCOUNTCFG"}, "QOSCFG": {stdlib.MauiAttributes, "QOSCFG"},
	"CLASSCFG": {stdlib.MauiAttributes, "CLASSCFG"},
}

// labels are attributes that are for people, and nothing is computed from.
var labels = []string{"Description", "Organization", "DefaultAccount", "DefaultWCKey", "AdminLevel", "Coordinator",
	"Nodes"}

// credentials adds what files say of users, accounts, QOS and partitions.
func (l *list) credentials() {
	for i := range l.policy.Facts.Records {
		r := &l.policy.Facts.Records[i]
		kind, ok := kinds[r.Kind]
		if !ok {
			continue
		}
		for k := range r.Attrs {
			a := &r.Attrs[k]
			if a.Span.IsZero() || a.Inherited || a.Old || source.Secret(a.Name) || slices.Contains(labels, a.Name) {
				continue
			}
			name := a.Name
			if a.Index != "" {
				name += "[" + a.Index + "]"
			}
			text, at := a.Text, valueSpan(a)
			if l.isPolicyFile(at.File) { // whose own notation is another
				text = at.Text()
			}
			l.credential(r.Kind+" "+r.Name+" "+name, text, at, docOf(kind.table, kind.record, a.Name))
		}
	}
	for i := range l.policy.Tables {
		for _, row := range l.policy.Tables[i].Rows {
			l.inPolicyFile(row.Source, row.Span)
		}
	}
	for _, f := range l.policy.Fairshare {
		for _, a := range f.Associations {
			l.inPolicyFile(a.Source, a.Span)
		}
		for _, t := range f.Targets {
			l.inPolicyFile(t.Source, t.Span)
		}
	}
	for _, x := range l.policy.Limits {
		l.inPolicyFile(x.Source+" soft", x.SoftAt)
		l.inPolicyFile(x.Source+" hard", x.HardAt)
	}
}

// inPolicyFile adds a value that a site's policy file has; those of a scheduler's own files are records.
func (l *list) inPolicyFile(key string, span source.Span) {
	if span.IsZero() || lower.FromLibrary(span) {
		return
	}
	if l.isPolicyFile(span.File) {
		l.credential(key, span.Text(), span, "")
	}
}

func (l *list) isPolicyFile(f *source.File) bool {
	is, known := l.policies[f]
	if !known && f != nil {
		is = lower.Detect(f.Text) == lower.HCL
		l.policies[f] = is
	}
	return is
}

// credential adds a value that its text alone says. A text that is no value, such as a whole block, is not to be
// changed as one.
func (l *list) credential(key, text string, span source.Span, doc string) {
	if l.placed[span] {
		return // for_each writes one text for several
	}
	l.placed[span] = true
	if span.IsZero() || strings.TrimSpace(text) == "" || strings.ContainsAny(span.Text(), "\n{") {
		return
	}
	s := Setting{Key: key, Group: Credentials, Form: Text, Text: text, Default: text, Doc: doc, Span: span}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		s.Form = Number
	}
	l.add(s)
}

// valueSpan is where the value of an attribute is: Maui's have their name before it.
func valueSpan(a *ir.Attr) source.Span {
	if _, value, ok := strings.Cut(a.Span.Text(), "="); ok && strings.HasPrefix(a.Span.Text(), a.Name) {
		end := len(a.Span.Text())
		return a.Span.Sub(end-len(value), end)
	}
	return a.Span
}

func docOf(table stdlib.Table, record, name string) string {
	if table == "" {
		return ""
	}
	for _, row := range table.Params() {
		if row.Record == record && row.Name == name {
			return row.Doc
		}
	}
	return ""
}
