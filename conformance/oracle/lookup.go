package oracle

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// value is any column as an expression on the row sees it.
func (q *queue) value(r row, id schema.ColumnID) schema.Value {
	if id == schema.Now {
		return schema.TimestampValue(q.snap.Now)
	}
	object := schema.ObjectByName(id.Object())
	switch {
	case object == nil:
		return q.largest(id)
	case object.Key != "":
		return q.credential(id, r.cells.text(object.Key))
	case object.Name == "cluster":
		return q.cluster(id)
	}
	return orAbsent(id, r.cells[id])
}

// orAbsent gives an unknown value what its absence means. There are no unknown
// strings and lists: they are empty.
func orAbsent(id schema.ColumnID, v schema.Value) schema.Value {
	doc := schema.Lookup(id)
	if v.Known() || doc == nil {
		return v
	}
	if doc.Absent == schema.AbsentZero || doc.Type == schema.String || doc.Type == schema.StringList {
		return schema.Value{Type: doc.Type}
	}
	return v
}

// credential is what is stated of a name; nothing means what the column's absence does.
func (q *queue) credential(id schema.ColumnID, name string) schema.Value {
	if id.Name() == "name" {
		return schema.StringValue(name)
	}
	if v, ok := q.share(id, name); ok {
		return v
	}
	return orAbsent(id, q.stated(id, name))
}

// stated is the policy's value for a name, else the snapshot's, else the policy's for all other
// names. The policy's without a value means no limit, whatever was recorded.
func (q *queue) stated(id schema.ColumnID, name string) schema.Value {
	table := q.table(id)
	if v, ok := table.row(name); ok {
		return v
	}
	if v := q.recorded(id, name); v.Known() {
		return v
	}
	if table.Others != nil {
		return table.Others.Value
	}
	return schema.Value{}
}

// tableOf is a policy's column of a credential, empty if it has none.
type tableOf struct{ ir.Table }

func (q *queue) table(id schema.ColumnID) tableOf {
	for _, t := range q.policy.Tables {
		if t.Column == id {
			return tableOf{t}
		}
	}
	return tableOf{}
}

func (t tableOf) row(name string) (v schema.Value, ok bool) {
	for _, r := range t.Rows {
		if r.Name == name {
			return r.Value, true
		}
	}
	return schema.Value{}, false
}

func (q *queue) recorded(id schema.ColumnID, name string) schema.Value {
	i := slices.Index(q.names(id.Object()), name)
	if i < 0 {
		return schema.Value{}
	}
	return q.snap.Credentials[id.Object()].Value(id, i)
}

// largest is the greatest value of a credential column over all its names: the
// policy's, and the snapshot's that the policy does not set. 0 without any.
func (q *queue) largest(id schema.ColumnID) schema.Value {
	object, doc, _ := schema.Aggregate(id)
	table := q.table(doc.ID)
	var all []schema.Value
	for _, r := range table.Rows {
		if r.Value.Known() {
			all = append(all, r.Value)
		}
	}
	for _, name := range q.names(object.Name) {
		if _, set := table.row(name); !set && q.recorded(doc.ID, name).Known() {
			all = append(all, q.recorded(doc.ID, name))
		}
	}
	if len(all) == 0 {
		return schema.Value{Type: doc.Type}
	}
	best := all[0]
	for _, v := range all {
		if v.Int > best.Int || v.Double > best.Double {
			best = v
		}
	}
	return best
}

// cluster is what the policy's node records say, else the sum over the nodes.
func (q *queue) cluster(id schema.ColumnID) schema.Value {
	if set := q.table(id).Others; set != nil {
		return set.Value
	}
	if doc := schema.Lookup(id); doc.Origin == schema.Policy {
		return orAbsent(id, schema.Value{})
	}
	if q.snap.Nodes == nil {
		return schema.Value{}
	}
	if id.Name() == "nodes" {
		return schema.IntValue(int64(q.snap.Nodes.Rows))
	}
	total := int64(0)
	for i := range q.snap.Nodes.Rows {
		total += q.snap.Nodes.Value(schema.ColumnID("node."+id.Name()), i).Int
	}
	return schema.IntValue(total)
}

// missing lists the columns without which nothing can be stated of a job: a live
// expression reads them, and no input has them.
func (q *queue) missing() []schema.ColumnID {
	var ids []schema.ColumnID
	if len(q.rows) == 0 {
		return nil
	}
	for _, e := range live(q.policy) {
		for _, id := range e.Columns() {
			if (q.unavailable(id) || q.unstatedPriority(id)) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (q *queue) unavailable(id schema.ColumnID) bool {
	object, doc := schema.ObjectByName(id.Object()), schema.Lookup(id)
	switch {
	case id == schema.Now || object == nil || id.Name() == "name":
		return false
	case id.Name() == "fairshare_percent", id.Name() == "fairshare_delta":
		return false // 0 where nothing is counted
	case object.Name == "cluster":
		return doc.Origin == schema.Derived && q.table(id).Others == nil && q.snap.Nodes == nil
	case doc.Absent != schema.AbsentError:
		return false
	case id == "job.processor_equivalents" && q.cluster("cluster.procs").Known(): // if unknown, then for some job
		return false
	case object.Key != "":
		t := q.table(id)
		return len(t.Rows) == 0 && t.Others == nil && q.snap.Credentials[object.Name].Column(id) == nil
	}
	return !slices.ContainsFunc(q.jobs, func(c cells) bool { return c[id].Known() }) && q.snap.Jobs.Column(id) == nil
}

// live lists the expressions that a priority depends on.
func live(p *ir.Policy) []*expr.Expr {
	var list []*expr.Expr
	add := func(scalars ...ir.Scalar) {
		for _, s := range scalars {
			if s.IsSet() {
				list = append(list, s.Expr)
			}
		}
	}
	for _, c := range p.Components {
		if weightless(c.Weight) {
			continue
		}
		add(c.Weight, c.Cap)
		for _, t := range c.Terms {
			if !weightless(t.Weight) {
				add(t.Weight, t.Cap, t.Factor)
			}
		}
	}
	add(p.Finish.Floor, p.Finish.Ceiling)
	decided := false // for every job, by an override before
	for _, o := range p.Finish.Overrides {
		add(o.When)
		if always, never := settled(o.When); !decided && !never {
			add(o.Value)
			decided = always
		}
	}
	for _, h := range p.Holds {
		add(h.When)
	}
	return list
}

// settled reports a condition that is the same for every job.
func settled(when ir.Scalar) (always, never bool) {
	if !when.Expr.IsConst() {
		return false, false
	}
	return when.Expr.Value.Int != 0, when.Expr.Value.Int == 0
}

// unstatedPriority: of Slurm's QOS each needs a priority that is stated, unless all there are are
// listed; associations need a list of priorities.
func (q *queue) unstatedPriority(id schema.ColumnID) bool {
	object := id.Object()
	if q.policy.Family != "slurm" || id != "qos.priority" && id != "association.priority" ||
		q.policy.Enforced != nil && slices.Contains(q.policy.Enforced.Complete, object) {
		return false
	}
	t, c := q.table(id), q.snap.Credentials[object].Column(id)
	if object == "association" {
		return len(t.Rows) == 0 && t.Others == nil && c == nil &&
			slices.ContainsFunc(q.rows, func(r row) bool { return r.cells.text("job.account") != "" })
	}
	listed := c != nil && q.snap.ListsQOS()
	return !listed && slices.ContainsFunc(q.rows, func(r row) bool {
		name := r.cells.text("job.qos")
		return name != "" && !q.stated(id, name).Known()
	})
}
