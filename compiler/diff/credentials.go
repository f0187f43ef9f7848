package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// columnGroups say what a column of a credential affects; the first beginning that fits decides. All
// others are credentials' own.
var columnGroups = []struct {
	word  string
	group Group
}{
	{"nodes_max", Limits}, {"nodes_min", Limits}, {"walltime", Limits}, {"mem_per", Limits},
	{"procs_per_node_max", Limits}, {"over_", Limits},
	{"accounts_", Queue}, {"groups_", Queue}, {"qos_allowed", Queue}, {"qos_denied", Queue},
	{"needs_reservation", Queue}, {"root_only", Queue},
	{"state", Queue}, {"priority_tier", Queue}, {"preempt", Queue},
	{"billing", Fairshare}, {"usage_", Fairshare}, {"shares", Fairshare}, {"parent", Fairshare},
	{"nodes", Planning}, {"procs", Planning}, {"tres", Planning},
}

func columnGroup(id schema.ColumnID) Group {
	for _, c := range columnGroups {
		if strings.HasPrefix(id.Name(), c.word) {
			return c.group
		}
	}
	return Credentials
}

// tables compares what names bring with them, column by column. A name that one side alone has
// is one difference and not one for each column.
func (c *comparison) tables() {
	own, other := namesOf(c.before), namesOf(c.after)
	var before, after []item
	others := withOthers(c.before, c.after)
	for _, id := range columns(c.before, c.after) {
		if c.inTree(id) || id == "partition.billing_weights" && billed(c.before) && billed(c.after) {
			continue // a share says where it is, and a bill what it is made of
		}
		x, y := c.before.Table(id), c.after.Table(id)
		inX, inY := values(x), values(y)
		for _, name := range rows(x, y) {
			key := id.Object() + " " + name
			if name != "*" && !others[id.Object()] && own[key] != other[key] {
				continue
			}
			old, had := inX(name)
			now, has := inY(name)
			var was, is item
			if had {
				was = old.item(id, name, c.before)
			}
			if has {
				is = now.item(id, name, c.after)
			}
			if had && has && was.meaning() == is.meaning() {
				continue // most are alike, and there may be a million
			}
			if had {
				before = append(before, was)
			}
			if has {
				after = append(after, is)
			}
		}
	}
	c.items(before, after)
	c.items(c.whole(c.before, other, others), c.whole(c.after, own, others))
}

// withOthers are the objects that give something to a name without an entry: what it loses is then
// another value, and not an entry.
func withOthers(list ...*ir.Policy) map[string]bool {
	out := map[string]bool{}
	for _, p := range list {
		for i := range p.Tables {
			if p.Tables[i].Others != nil {
				out[p.Tables[i].Column.Object()] = true
			}
		}
	}
	return out
}

// inTree reports a column that the comparison of account trees has reported.
func (c *comparison) inTree(id schema.ColumnID) bool {
	return (hasTree(c.before) || hasTree(c.after)) &&
		(id == "association.parent" || id == "association.shares" || id == "association.raw_shares")
}

// cell is what a name has in a column.
type cell struct {
	value schema.Value
	Side
}

func (v cell) item(id schema.ColumnID, name string, p *ir.Policy) item {
	x := item{group: columnGroup(id), key: string(id) + " " + name, side: v.Side}
	x.side.Value, x.means = siteText(p, id, v.value), plainValue(v.value)
	x.name = v.Source
	if strings.HasPrefix(x.name, "PartitionName=") || strings.Contains(x.name, " records") {
		x.name += " " + siteName(p, id) // a record sets many columns
	}
	if x.name == "" {
		x.name = fmt.Sprintf("%s of %s %s", siteName(p, id), id.Object(),
			strings.Replace(name, "*", "of no other entry", 1))
	}
	return x
}

// siteName is a column as the site writes it: a key of slurm.conf where it is one, else by the schema.
func siteName(p *ir.Policy, id schema.ColumnID) string {
	if isKey(p, id) {
		return schema.Lookup(id).Slurm
	}
	return id.Name() + keyText(id)
}

func isKey(p *ir.Policy, id schema.ColumnID) bool {
	column := schema.Lookup(id)
	return column != nil && column.Slurm != "" && familyOf(p).keys(id, column)
}

// siteText is a value as the site writes it: times of slurm.conf as D-HH:MM:SS.
func siteText(p *ir.Policy, id schema.ColumnID, v schema.Value) string {
	if isKey(p, id) && schema.Lookup(id).Unit == schema.Seconds && v.Known() && v.Type == schema.Int {
		return slurmtext.FormatTime(v.Int)
	}
	return v.String()
}

func billed(p *ir.Policy) bool {
	return slices.ContainsFunc(p.Fairshare, func(f ir.Fairshare) bool { return len(f.Billing) > 0 })
}

func keyText(id schema.ColumnID) string {
	if id.Key() == "" || strings.Contains(id.Name(), "(") {
		return ""
	}
	return "(" + id.Key() + ")"
}

// values finds what a name has: its own row, else that of all others, which is what it would get.
func values(t *ir.Table) func(name string) (cell, bool) {
	if t == nil {
		return func(string) (cell, bool) { return cell{}, false }
	}
	byName := make(map[string]*ir.TableRow, len(t.Rows))
	for i := range t.Rows {
		byName[t.Rows[i].Name] = &t.Rows[i]
	}
	return func(name string) (cell, bool) {
		row := byName[name]
		if row == nil {
			row = t.Others
		}
		if row == nil {
			return cell{}, false
		}
		return cell{row.Value, Side{Source: row.Source, Span: row.Span}}, true
	}
}

// whole lists the names that only this policy has, each with what is set of it.
func (c *comparison) whole(p *ir.Policy, other, others map[string]bool) (out []item) {
	columns, place := map[string]int{}, map[string]int{}
	for i := range p.Tables {
		t := &p.Tables[i]
		for _, r := range t.Rows {
			object := t.Column.Object()
			key := object + " " + r.Name
			if other[key] || others[object] || c.inTree(t.Column) {
				continue
			}
			k, found := place[key]
			if !found {
				k = len(out)
				place[key] = k
				out = append(out, item{group: Credentials, key: "name " + key, name: key, named: true,
					side: Side{Span: r.Span, Source: r.Source}})
			}
			if empty(r.Value) {
				continue
			}
			if columns[key]++; columns[key] == 1 {
				out[k].side.Source, out[k].side.Span = r.Source, r.Span
			}
			out[k].side.Value += fmt.Sprintf(" %s=%s", siteName(p, t.Column), siteText(p, t.Column, r.Value))
			// people are not renamed: who gets what another had is another one
			if object != "user" && object != "group" {
				out[k].like = out[k].side.Value
			}
		}
	}
	for i := range out {
		if out[i].side.Value = strings.TrimSpace(out[i].side.Value); out[i].side.Value == "" {
			out[i].side.Value = "without settings of its own"
		}
	}
	return out
}

func empty(v schema.Value) bool {
	return !v.Known() || v.Type == schema.String && v.Str == "" || v.Type == schema.StringList && len(v.List) == 0 ||
		v.Type == schema.Bool && v.Int == 0
}

func hasTree(p *ir.Policy) bool {
	return slices.ContainsFunc(p.Fairshare, func(f ir.Fairshare) bool { return len(f.Associations) > 0 })
}

// namesOf are the names that a policy has rows of, as "user amy".
func namesOf(p *ir.Policy) map[string]bool {
	out := map[string]bool{}
	for i := range p.Tables {
		for _, r := range p.Tables[i].Rows {
			out[p.Tables[i].Column.Object()+" "+r.Name] = true
		}
	}
	return out
}

func columns(list ...*ir.Policy) (out []schema.ColumnID) {
	for _, p := range list {
		for i := range p.Tables {
			if !slices.Contains(out, p.Tables[i].Column) {
				out = append(out, p.Tables[i].Column)
			}
		}
	}
	return out
}

// rows are the names of two tables in their order, * for all others.
func rows(list ...*ir.Table) (out []string) {
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, t := range list {
		if t == nil {
			continue
		}
		for _, r := range t.Rows {
			add(r.Name)
		}
		if t.Others != nil {
			add("*")
		}
	}
	return out
}
