package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// recordedKind is a column with what sacctmgr shows of associations or QOS.
type recordedKind struct {
	column    schema.ColumnID
	word      string // as dumps call the object
	attribute string // as sacctmgr calls it; "" of a list of limits, each NAME=NUMBER
	doc       string
	most      int64
	unknown   string          // the word for no number; "" if there is none
	follows   schema.ColumnID // a column that is another one then; "" if there is none
	group     diff.Group
}

var recordedKinds = []recordedKind{
	{"association.shares", "association", "Fairshare", "Shares", 1<<31 - 2, "parent", "association.norm_shares",
		diff.Fairshare},
	{"association.priority", "association", "Priority", "Priority", 1<<32 - 3, "", "", diff.Credentials},
	{"qos.priority", "QOS", "Priority", "Priority", 1<<32 - 3, "", "", diff.Credentials},
	{"association.limits", "association", "", "A limit", 1<<63 - 1, "", "", diff.Limits},
	{"qos.limits", "QOS", "", "A limit", 1<<63 - 1, "", "", diff.Limits},
}

// recordedCell is where the snapshot has a number that a person may change.
type recordedCell struct {
	*recordedKind
	row   int
	limit string // the one of a list, such as GrpTRES=cpu
}

// recordedSettings are what the snapshot alone has of shares, priorities and limits, beside the settings of the files.
// Shares are settings where fairshare is computed from them.
func recordedSettings(r *evaluation.Result,
	known []edit.Setting) (list []edit.Setting, cells map[string]recordedCell) {
	p, s := r.Program, r.Snapshot
	cells = map[string]recordedCell{}
	if p.Family != "slurm" {
		return nil, nil
	}
	keys := map[string]bool{}
	for i := range known {
		keys[strings.ToLower(known[i].Key)] = true
	}
	set := evaluation.SettingsOf(p)
	for i := range recordedKinds {
		k := &recordedKinds[i]
		table := s.Credentials[k.column.Object()]
		c := table.Column(k.column)
		if c == nil || k.column == "association.shares" && (r.Tree == nil || len(p.Tree.Associations) > 0) {
			continue
		}
		for row := range table.Rows {
			name := table.Text(schema.ColumnID(k.column.Object()+".name"), row)
			if name == "" || listed(p, set, k.column, name) {
				continue
			}
			for _, x := range k.numbers(name, c.Value(row)) {
				of := edit.Recorded(k.word, name, x.attribute, x.text, k.doc+", as the snapshot has it: sacctmgr changes it.")
				if !keys[strings.ToLower(of.Key)] {
					keys[strings.ToLower(of.Key)] = true
					list, cells[of.Key] = append(list, of), recordedCell{k, row, x.attribute}
				}
			}
		}
	}
	return list, cells
}

// recordedNumber is one of a cell, under the name that sacctmgr has for it.
type recordedNumber struct{ attribute, text string }

func (k *recordedKind) numbers(name string, v schema.Value) (list []recordedNumber) {
	switch {
	case k.attribute == "":
		for _, limit := range v.List {
			if at := strings.LastIndexByte(limit, '='); at > 0 {
				list = append(list, recordedNumber{limit[:at], limit[at+1:]})
			}
		}
	case v.Known():
		list = append(list, recordedNumber{k.attribute, fmt.Sprint(v.Int)})
	case k.unknown != "" && name != "root":
		list = append(list, recordedNumber{k.attribute, k.unknown})
	}
	return list
}

// listed reports a credential for which the policy's own value counts, or which it lists with all its limits.
func listed(p *program.Program, set evaluation.Settings, id schema.ColumnID, name string) bool {
	if of := set[id]; of != nil && evaluation.HasRow(of, name) {
		return true
	}
	if id.Name() != "limits" || p.Slurm == nil || !slices.Contains(p.Slurm.Complete, id.Object()) {
		return false
	}
	parent := set["association.parent"]
	return id.Object() == "qos" || parent != nil && evaluation.HasRow(parent, name)
}

// recordedWith is a snapshot once sacctmgr has done what a change says. It is the same one for no change.
func recordedWith(s *snapshot.Snapshot, cells map[string]recordedCell, c edit.Change) (*snapshot.Snapshot, error) {
	if len(c) == 0 {
		return s, nil
	}
	changed := *s
	changed.Credentials = maps.Clone(s.Credentials)
	for _, key := range slices.Sorted(maps.Keys(c)) {
		cell := cells[key]
		object := cell.column.Object()
		was := changed.Credentials[object]
		value, ok := cell.value(was.Value(cell.column, cell.row), strings.TrimSpace(c[key]))
		if !ok {
			return nil, mistakeOf(&edit.Mistake{Key: key, Message: fmt.Sprintf("%s is a whole number from 0 to %d%s, not %s",
				key, cell.most, cell.or(), strconv.Quote(c[key]))})
		}
		changed.Credentials[object] = cell.in(was, value)
	}
	return &changed, nil
}

// in is a table with another value in the cell.
func (c recordedCell) in(was *column.Table, value schema.Value) *column.Table {
	table := column.NewTable(was.Name, was.Rows)
	for _, of := range was.Columns() {
		switch of.ID {
		case c.column:
			of = of.Copy()
			of.Set(c.row, value)
		case c.follows:
			continue
		}
		table.Put(of)
	}
	return table
}

// or names what a cell may have beside a number.
func (c recordedCell) or() string {
	switch {
	case c.attribute == "":
		return ", or nothing for no limit"
	case c.unknown != "":
		return ", or " + c.unknown
	}
	return ""
}

// value is what a cell has with another text for its number.
func (c recordedCell) value(was schema.Value, text string) (v schema.Value, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	number := err == nil && n >= 0 && n <= c.most
	switch {
	case c.attribute != "":
		if c.unknown != "" && text == c.unknown {
			return schema.Value{}, true
		}
		return schema.IntValue(n), number
	case text != "" && !number:
		return was, false
	}
	list := slices.Clone(was.List)
	at := slices.IndexFunc(list, func(limit string) bool { return strings.HasPrefix(limit, c.limit+"=") })
	if at < 0 {
		return was, false
	}
	if text == "" {
		return schema.ListValue(slices.Delete(list, at, at+1)), true
	}
	list[at] = c.limit + "=" + text
	return schema.ListValue(list), true
}
