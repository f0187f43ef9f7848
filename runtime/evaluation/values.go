package evaluation

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func NameIndex(t *column.Table, id schema.ColumnID) map[string]int {
	c := t.Column(id)
	if c == nil {
		return nil
	}
	m := make(map[string]int, t.Rows)
	for i := range t.Rows {
		m[c.Dict[c.Codes[i]]] = i
	}
	return m
}

type Settings map[schema.ColumnID]*program.Setting

func SettingsOf(p *program.Program) Settings {
	m := Settings{}
	for i := range p.Settings {
		m[p.Settings[i].Column] = &p.Settings[i]
	}
	return m
}

// Of is the policy's value of a credential column for a name.
func (s Settings) Of(id schema.ColumnID, name string) schema.Value {
	set := s[id]
	if set == nil {
		return schema.Value{}
	}
	if row, ok := set.Rows[name]; ok && name != "" {
		return row.Value
	}
	if set.Others != nil {
		return set.Others.Value
	}
	return schema.Value{}
}

// FirstFew names the first few.
func FirstFew(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// ClusterTotal is what the policy's node records say of a column, else its sum over all configured
// nodes, down and drained ones included; false if there are neither.
func ClusterTotal(set *program.Setting, nodes *column.Table, id schema.ColumnID) (total int64, known bool) {
	switch {
	case set != nil && set.Others != nil:
		return set.Others.Value.Int, true
	case nodes == nil:
		return 0, false
	case id.Name() == "nodes":
		return int64(nodes.Rows), true
	}
	if c := nodes.Column(schema.ColumnID("node." + id.Name())); c != nil {
		for i, v := range c.Ints {
			if !c.Missing.Get(i) {
				total += v
			}
		}
	}
	return total, true
}

// SortedNames goes through the names of a table in order, so that results do not depend on maps.
func SortedNames[V any](m map[string]V) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}

func HasRow(set *program.Setting, name string) bool { _, ok := set.Rows[name]; return ok }

// FlagWords makes the flags of a QOS comparable: sacctmgr writes NoDecay, dumps nodecay.
func FlagWords(flags []string) []string {
	out := make([]string, len(flags))
	for i, f := range flags {
		out[i] = strings.ToLower(f)
	}
	return out
}

// Values looks up columns of credentials outside of expressions: the policy's value of a
// name, else the snapshot's, else the policy's for other names.
type Values struct {
	Set   Settings
	Table map[string]*column.Table
	index map[string]map[string]int
}

func NewValues(p *program.Program, s *snapshot.Snapshot) *Values {
	return &Values{Set: SettingsOf(p), Table: s.Credentials, index: map[string]map[string]int{}}
}

func (v *Values) Rows(object string) map[string]int {
	index, ok := v.index[object]
	if !ok {
		index = NameIndex(v.Table[object], schema.ColumnID(object+".name"))
		v.index[object] = index
	}
	return index
}

func (v *Values) Of(id schema.ColumnID, name string) schema.Value {
	object := id.Object()
	set := v.Set[id]
	if set != nil {
		if row, ok := set.Rows[name]; ok {
			return row.Value
		}
	}
	if row, ok := v.Rows(object)[name]; ok {
		if c := v.Table[object].Column(id); c != nil && c.Value(row).Known() {
			return c.Value(row)
		}
	}
	if set != nil && set.Others != nil {
		return set.Others.Value
	}
	return schema.Value{}
}

// Names are those of an object that policy or snapshot have a row for.
func (v *Values) Names(object string) map[string]source.Span {
	names := map[string]source.Span{}
	for name := range v.Rows(object) {
		names[name] = source.Span{}
	}
	for id, set := range v.Set {
		if id.Object() == object {
			for name, row := range set.Rows {
				names[name] = row.Span
			}
		}
	}
	return names
}

// Parents says what is above each association: as the policy's tree has it, else its
// settings, else the snapshot.
func (v *Values) Parents(t *program.Tree) map[string]string {
	up := map[string]string{}
	const id schema.ColumnID = "association.parent"
	for name := range v.Rows("association") {
		up[name] = v.Of(id, name).Str
	}
	if set := v.Set[id]; set != nil {
		for name, row := range set.Rows {
			up[name] = row.Value.Str
		}
	}
	if t != nil {
		for i := range t.Associations {
			a := &t.Associations[i]
			parent := a.Parent
			if a.User != "" {
				parent = a.Account
			}
			up[a.Key()] = parent
		}
	}
	for name, parent := range up { // a user hangs on its account whatever is reported
		if account, _, user := strings.Cut(name, "/"); user && parent == "" {
			up[name] = account
		}
	}
	return up
}
