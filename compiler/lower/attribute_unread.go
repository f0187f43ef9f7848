package lower

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
)

// plannedColumns are those that the planner of any policy reads (fairway plan --native).
var plannedColumns = words("partition.state partition.priority_tier partition.oversubscribe partition.exclusive_user " +
	"partition.walltime_max_seconds partition.walltime_default_seconds")

// readColumns are the columns of credentials that are read beside expressions: by Maui when it loads a job and plans,
// by slurmctld's associations, limits, partitions and preemption, and by the account tree of a policy from scratch.
var readColumns = map[string]map[string]bool{
	"maui": words("user.account_default user.qos_default user.qos_list group.qos_default group.qos_list " +
		"account.qos_default " +
		"account.qos_list partition.qos_default partition.qos_list qos.walltime_default_seconds " +
		"qos.flags"),
	"slurm": words("qos.usage_factor qos.limit_factor qos.usage_threshold qos.priority_threshold qos.preempt_list " +
		"qos.preempt_mode qos.grace_seconds qos.exempt_seconds partition.preempt_mode " +
		"partition.grace_seconds partition.least_loaded association.parent association.qos_list " +
		"association.qos_default association.priority_threshold partition.billing_weights partition.tres " +
		"partition.qos"),
	"tree": words("qos.usage_factor qos.flags partition.billing_weights"),
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// reads are the columns that the policy's expressions mention, also those whose largest value they ask for.
func (b *builder) reads() map[schema.ColumnID]bool {
	set := map[schema.ColumnID]bool{}
	note := func(s ir.Scalar) {
		for _, id := range s.Expr.Columns() {
			set[id] = true
			if object, c, ok := schema.Aggregate(id); ok && object != nil {
				set[c.ID] = true
			}
		}
	}
	b.out.Expressions(func(_ string, s ir.Scalar) { note(s) })
	for i := range b.out.Admission {
		e := &b.out.Admission[i].Entry
		for _, id := range append(e.Text.Columns(), e.Word.Columns()...) {
			set[id] = true
		}
	}
	for _, l := range b.out.Limits {
		note(l.When)
	}
	return set
}

// readBeside reports a column that something else than an expression reads in this policy.
func (b *builder) readBeside(id schema.ColumnID) bool {
	name, _, _ := strings.Cut(string(id), "(") // partition.tres(cpu)
	return plannedColumns[name] || readColumns[b.out.Family][name] || b.tree && readColumns["tree"][name]
}

// unread says of a credential's attribute that it counts for nothing, and what counts. What windows count against is
// the fairshare block, whatever expressions read.
func (b *builder) unread(c *policy.Credential, id schema.ColumnID, r ir.TableRow, reads map[schema.ColumnID]bool) {
	target := id.Name() == "fairshare_target"
	if b.settingsOnly() || !target && (reads[id] || b.readBeside(id)) {
		return
	}
	why := "nothing reads " + string(id)
	switch {
	case target:
		why = "targets are given in a fairshare block"
	case FormulaOnly[id]:
		why = "no term reads " + string(id)
	}
	b.diags.Warnf("attribute-unread", r.Span, "%s has no effect: %s", r.Source, why).
		Note("%s", b.readInstead(c, id, r.Value))
}

// readInstead is what to write where an attribute is not read.
func (b *builder) readInstead(c *policy.Credential, id schema.ColumnID, value schema.Value) string {
	own := families[b.out.Family]
	if text := own.insteadOf(id, c.Name); text != "" {
		return text
	}
	switch {
	case id.Name() == "fairshare_target":
		return "write fairshare { target = " + value.String() + " } in the block"
	case id == "association.shares":
		return "write fairshare { shares = " + value.String() + " } in the block"
	case id == "association.parent":
		return "write the block inside that of the account above it"
	case id == "qos.limits", id == "association.limits":
		return "write a limit block for each, such as limit \"jobs\" { hard = 4 }"
	case heldBy[id] != "":
		return "write hold \"NAME\" { when = \"" + heldBy[id] + "\" }, or remove it"
	case recorded(id):
		return "the snapshot says what it is: remove it, or write an expression that reads it"
	case id == "qos.walltime_default_seconds":
		return "Maui alone knows a limit of a QOS's jobs: write that of their partition, or remove it"
	case FormulaOnly[id]:
		return "write a term with the factor \"" + string(id) + "\", or remove it"
	}
	return "write a term or a hold that reads " + string(id) + ", or remove it"
}

// recorded reports a column that a snapshot states and no policy does.
func recorded(id schema.ColumnID) bool {
	c := schema.Lookup(id)
	return c != nil && c.Origin != schema.Policy
}

// heldBy are conditions by which a policy that is not Slurm's keeps jobs back as Slurm's partitions, or the lists of
// Maui, would.
var heldBy = map[schema.ColumnID]string{
	"user.qos_list":              "has(user.qos_list) && has(job.qos) && !(job.qos in user.qos_list)",
	"group.qos_list":             "has(group.qos_list) && has(job.qos) && !(job.qos in group.qos_list)",
	"account.qos_list":           "has(account.qos_list) && has(job.qos) && !(job.qos in account.qos_list)",
	"partition.qos_list":         "has(partition.qos_list) && has(job.qos) && !(job.qos in partition.qos_list)",
	"partition.accounts_allowed": "has(partition.accounts_allowed) && !(job.account in partition.accounts_allowed)",
	"partition.accounts_denied":  "has(partition.accounts_denied) && job.account in partition.accounts_denied",
	"partition.qos_allowed":      "has(partition.qos_allowed) && !(job.qos in partition.qos_allowed)",
	"partition.qos_denied":       "has(partition.qos_denied) && job.qos in partition.qos_denied",
	"partition.groups_allowed":   "has(partition.groups_allowed) && !(job.group in partition.groups_allowed)",
	"partition.nodes_min":        "has(partition.nodes_min) && job.nodes < partition.nodes_min",
	"partition.nodes_max":        "has(partition.nodes_max) && job.nodes > partition.nodes_max",
}
