package lower

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// FormulaOnly are the columns of credentials that nothing but the formula of the priority reads.
var FormulaOnly = map[schema.ColumnID]bool{
	"user.priority": true, "group.priority": true, "account.priority": true, "qos.priority": true,
	"partition.priority":    true,
	"qos.queue_time_weight": true, "qos.xfactor_weight": true, "qos.queue_time_target_seconds": true,
	"qos.xfactor_target":            true,
	"partition.priority_job_factor": true, "association.priority": true,
}

// associationOf is Slurm's association that a policy file's block is, as for its limits: an account's block is the
// account's, a user's within it the user's. "" is none.
func associationOf(c *policy.Credential) string {
	switch {
	case c.Name == "DEFAULT":
	case c.Object == "account":
		return strings.ToLower(c.Name)
	case c.Object == "user" && c.Parent != "":
		return strings.ToLower(c.Parent) + "/" + c.Name
	}
	return ""
}

// inheritPriorities gives an association without a priority that of the nearest account above, as dumpAssociation does;
// one that a policy file changes is passed on anew.
func (t *tables) inheritPriorities(changed map[source.Span]ir.TableRow) {
	const priority schema.ColumnID = "association.priority"
	parents := t.by["association.parent"]
	if parents == nil || t.by[priority] == nil {
		return
	}
	for _, a := range parents.Rows {
		above := a.Value.Str
		own := t.row(priority, a.Name)
		if own != nil {
			if r, ok := changed[own.Span]; ok && r.Name != a.Name {
				r.Name = a.Name
				t.set(priority, r)
			}
			continue
		}
		for range len(parents.Rows) {
			if r := t.row(priority, above); r != nil {
				given := *r
				if changed, ok := changed[r.Span]; ok {
					given = changed
				}
				given.Name = a.Name
				t.set(priority, given)
				break
			}
			next := t.row("association.parent", above)
			if next == nil {
				break
			}
			above = next.Value.Str
		}
	}
}

// settingsOnly reports that no expression is compiled, so that none reads anything.
func (b *builder) settingsOnly() bool { return b.env == nil }
