package celexpr

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
)

// column resolves object.field, where object may be a name, an alias
// (class.priority) or a plural (qoses.max_priority).
func (n *names) column(e ast.Expr, name, field string) {
	o := objectByAnyName(name)
	if !n.inScope(e, o) {
		return
	}
	presence := e.AsSelect().IsTestOnly()
	if name == o.Plural {
		id := schema.ColumnID(name + "." + field)
		if !slices.Contains(aggregatesOf(o), field) {
			n.missing(codeUnknownColumn, e, "aggregate", field, aggregatesOf(o))
			return
		}
		n.read(e, id, presence)
		return
	}
	c := o.Column(field)
	switch {
	case c != nil && field == "tres":
		n.list.Errorf(codeUnknownColumn, n.text.span(e), "%s.tres needs the name of a resource", name).
			Note("write %s.tres(\"gres/gpu\"); it is 0 where a job has none, so has() is not needed", name)
	case c != nil && schema.Keyed(field):
		n.list.Errorf(codeUnknownColumn, n.text.span(e),
			"%s.%s has a value for each resource and cannot be read in an expression", name, field).
			Note("limits read it; %s.usage_seconds is the usage that fairshare counts", name)
	case c != nil:
		n.read(e, c.ID, presence)
	default:
		n.unknownColumn(e, o, name, field)
	}
}

// inScope refuses what a place may not read: no single node belongs to a job,
// and weights are the same for jobs of the same credentials.
func (n *names) inScope(e ast.Expr, o *schema.Object) bool {
	switch {
	case o.Name == "node":
		n.list.Errorf(codeNotInScope, n.text.span(e), "node columns cannot be read in an expression about a job").
			Note("a pending job has no node; cluster.* has the totals and partition.* those of its partition")
		return false
	case o.Name == "job" && n.text.src.Scope == CredentialScope:
		n.list.Errorf(codeNotInScope, n.text.span(e), "a weight or cap cannot read the job").
			Note("it may read param.*, user.*, group.*, account.*, qos.*, partition.*, association.*, cluster.* and " +
				"now").
			Note("move what depends on the job into the factor")
		return false
	}
	return true
}

func (n *names) unknownColumn(e ast.Expr, o *schema.Object, name, field string) {
	at := n.fieldSpan(e)
	d := n.list.Errorf(codeUnknownColumn, at, "%s has no column %q", name, field)
	c := likelyColumn(o, field)
	if c == nil {
		d.Note("`fairway doc columns` lists the columns of %s", o.Name)
		return
	}
	written := name + "." + c.ID.Name()
	if c.ID.Object() != o.Name {
		written = string(c.ID)
	}
	d.Note("did you mean %s? %s", written, describeColumn(c))
	if field == "fairshare" && c.ID.Name() == "fairshare_delta" {
		d.Note("in Slurm's policies it is association.fairshare_factor")
	}
	if c.ID.Object() == o.Name {
		d.Suggest(at, c.ID.Name())
	} else {
		d.Suggest(n.text.span(e), written)
	}
}

// describeColumn is a column's sentence with its unit, since a name from the
// other scheduler may count in another one (Slurm's TimeLimit is in minutes).
func describeColumn(c *schema.Column) string {
	if c.Unit == schema.None {
		return c.Doc
	}
	return strings.TrimSuffix(c.Doc, ".") + " (" + string(c.Unit) + ")"
}

// likelyColumn guesses what a wrong name was meant to be: a scheduler's own
// name for a column, a slip of the finger, a name without its unit or part.
func likelyColumn(o *schema.Object, field string) *schema.Column {
	if id := popular[field]; id != "" && o.Column(id) != nil {
		return o.Column(id)
	}
	// The object's own columns first: PRIORITY is a column of every credential.
	if c := schedulersColumn(o, field); c != nil {
		return c
	}
	var names []string
	for _, c := range o.Columns {
		names = append(names, c.ID.Name())
	}
	if near := diag.Nearest(field, names); near != "" {
		return o.Column(near)
	}
	for _, object := range readableObjects() {
		if c := schedulersColumn(object, field); c != nil {
			return c
		}
	}
	for _, part := range []func(string, string) bool{strings.HasPrefix, strings.Contains} {
		for _, name := range names {
			if len(field) > 2 && part(name, strings.ToLower(field)) {
				return o.Column(name)
			}
		}
	}
	return nil
}

// popular are names that people write for a column, which neither its letters nor a scheduler's name lead to.
var popular = map[string]string{
	"fairshare": "fairshare_delta", "ncpus": "procs", "cpus": "procs", "cores": "procs", "ncores": "procs",
	"num_cpus": "procs", "ntasks": "tasks", "nnodes": "nodes", "num_nodes": "nodes", "ngpus": "gpus", "gpu": "gpus",
	"memory": "mem_mb", "mem": "mem_mb", "walltime": "walltime_seconds", "time_limit": "walltime_seconds",
	"queue": "partition", "class": "partition", "age": "queue_minutes", "wait_time": "queue_minutes",
}

// schedulersColumn finds a column by the name that Maui or Slurm has for it.
func schedulersColumn(o *schema.Object, field string) *schema.Column {
	for i := range o.Columns {
		c := &o.Columns[i]
		if strings.EqualFold(c.Maui, field) || strings.EqualFold(c.Slurm, field) {
			return c
		}
	}
	return nil
}

// aggregatesOf lists the aggregates of a table, for messages and to decide.
func aggregatesOf(o *schema.Object) []string {
	var list []string
	for _, c := range o.Columns {
		id := schema.ColumnID(o.Plural + ".max_" + c.ID.Name())
		// max_tres would lack the resource.
		if _, _, ok := schema.Aggregate(id); ok && !schema.Keyed(c.ID.Name()) {
			list = append(list, id.Name())
		}
	}
	slices.Sort(list)
	return list
}
