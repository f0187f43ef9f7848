package policy

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Record is a record of the scheduler's own file, in its words.
type Record struct {
	Kind, Name Text
	Settings   []Entry
	Value      Scalar // of a parameter with an index
	Block      string // machine, database or credentials, that it is in; "" for one in the scheduler's words
	Span       source.Span
}

// Entry is one setting of a record.
type Entry struct {
	Name Text
	Scalar
}

// takeRecords moves the records out of a policy's header: what follows merges blocks by their
// names, but records are in an order and may repeat.
func takeRecords(header *node) (list []Record) {
	for _, n := range header.blocks {
		switch n.doc.ID {
		case machineID:
			list = append(list, n.records(slurmKinds)...)
		case credentialsID:
			list = append(list, n.records(mauiKinds)...)
		case databaseID:
			list = append(list, databaseRecords(n)...)
		case recordID:
			r := Record{Kind: n.kind, Name: n.name, Value: n.scalar("value"), Span: n.span}
			if r.Kind.Value == "" {
				r.Kind, r.Name = n.name, Text{}
			}
			r.Settings = n.ownSettings()
			list = append(list, r)
		}
	}
	header.blocks = slices.DeleteFunc(header.blocks, func(n *node) bool { return isRecord(n.doc.ID) })
	return list
}

// ownSettings are those in the scheduler's words.
func (n *node) ownSettings() (list []Entry) {
	if a := n.attr("settings"); a != nil {
		for _, x := range a.entries {
			list = append(list, Entry{x.name, x.Scalar})
		}
	}
	return list
}

// The records that blocks of a machine and of credentials are.
var (
	slurmKinds = map[string]string{"node": "NodeName", "partition": "PartitionName"}
	mauiKinds  = map[string]string{"user": "USERCFG", "group": "GROUPCFG", "account": "ACCOUNTCFG", "qos": "QOSCFG",
		"class": "CLASSCFG"}
)

// records are the lines of the scheduler's file that the blocks inside are.
func (n *node) records(kinds map[string]string) (list []Record) {
	for _, b := range n.blocks {
		list = append(list, b.record(kinds[b.doc.Type]))
	}
	return list
}

// databaseRecords are the lines of a dump that a database is: QOS come before the cluster, an account before what is
// below it.
func databaseRecords(database *node) (list []Record) {
	for _, n := range database.blocks {
		if n.doc.Type == "qos" {
			list = append(list, n.record("QOS"))
		}
	}
	list = append(list, database.record("Cluster"))
	return append(list, database.below("root")...)
}

// below are the lines of what is in an account: its own users and accounts, then what is in these.
func (n *node) below(account string) (list []Record) {
	kinds := map[string]string{"account": "Account", "user": "User"}
	for _, b := range n.blocks {
		if kind := kinds[b.doc.Type]; kind != "" {
			if list == nil {
				list = append(list, Record{
					Kind: Text{"Parent", n.span}, Name: Text{account, n.span}, Block: databaseID, Span: n.span,
				})
			}
			list = append(list, b.record(kind))
		}
	}
	for _, b := range n.blocks {
		if b.doc.Type == "account" {
			list = append(list, b.below(b.name.Value)...)
		}
	}
	return list
}

// record writes a block in the scheduler's words.
func (n *node) record(kind string) Record {
	block, _, _ := strings.Cut(n.doc.ID, "/")
	r := Record{Kind: Text{kind, n.name.Span}, Name: n.name, Block: block, Span: n.span}
	for i := range n.doc.Attributes {
		word := &n.doc.Attributes[i]
		if a := n.attr(word.Name); a != nil && a.IsSet() && word.Setting != "" {
			text := Scalar{Value: schema.StringValue(word.settingText(a.Value)), Span: a.Span}
			r.Settings = append(r.Settings, Entry{Text{word.Setting, a.nameSpan}, text})
		}
	}
	for _, b := range n.blocks {
		if b.doc.Type == "limit" {
			r.Settings = addLimit(r.Settings, b)
		}
	}
	r.Settings = append(r.Settings, n.ownSettings()...)
	return r
}

// addLimit adds a limit: those of Slurm on several resources are one setting.
func addLimit(list []Entry, b *node) []Entry {
	hard, soft := b.scalar("hard"), b.scalar("soft")
	if !hard.IsSet() {
		return list // reported
	}
	name, tres, of := strings.Cut(b.name.Value, "=")
	text := limitText(name, hard)
	if soft.IsSet() {
		text = limitText(name, soft) + "," + text
	}
	if of {
		text = tres + "=" + text
		for i := range list {
			if list[i].Name.Value == name {
				list[i].Value = schema.StringValue(list[i].Value.Str + "," + text)
				return list
			}
		}
	}
	return append(list, Entry{Text{name, b.name.Span}, Scalar{Value: schema.StringValue(text), Span: hard.Span}})
}

// limitText is a bound as the scheduler's file has it. Slurm's time in words becomes minutes.
func limitText(name string, bound Scalar) string {
	n := bound.Value.Number()
	inWords := strings.HasPrefix(bound.Span.Text(), `"`)
	if inWords && n > 0 && (strings.Contains(name, "Wall") || strings.Contains(name, "Mins")) {
		n = math.Ceil(n / 60)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// RecordWords are the attributes of a block that are settings of a scheduler's record.
func RecordWords(id string) []AttrDoc { return recordWords()[id] }

var recordWords = sync.OnceValue(func() map[string][]AttrDoc {
	words := map[string][]AttrDoc{}
	for _, b := range blockTable() {
		for _, a := range b.Attributes {
			if a.Setting != "" {
				words[b.ID] = append(words[b.ID], a)
			}
		}
	}
	return words
})

// settingText is the attribute's value as the scheduler's setting has it.
func (a *AttrDoc) settingText(v schema.Value) string {
	switch {
	case v.Type == schema.StringList:
		return strings.Join(v.List, cmp.Or(a.Between, ","))
	case v.Type == schema.Bool && v.Int != 0:
		return "YES"
	case v.Type == schema.Bool:
		return "NO"
	case v.Type == schema.Int && v.Int == slurmtext.Infinite:
		return "UNLIMITED"
	case v.Type == schema.Int && a.Minutes:
		return strconv.FormatInt((v.Int+59)/60, 10)
	case v.Type == schema.Int:
		return strconv.FormatInt(v.Int, 10)
	case v.Type == schema.Double:
		return strconv.FormatFloat(v.Double, 'f', -1, 64) + a.Suffix
	}
	return v.Str
}
