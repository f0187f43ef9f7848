package anonymize

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// rule writes a text with other names in it.
type rule func(n *Names, text string) string

// columns says of every column that holds text what names there are in it.
var columns = func() map[schema.ColumnID]rule {
	of := map[schema.ColumnID]rule{}
	for _, r := range rules {
		for id := range strings.FieldsSeq(r.columns) {
			of[schema.ColumnID(id)] = r.rule
		}
	}
	return of
}()

var rules = []struct {
	rule    rule
	columns string
}{
	{jobID, "job.id reservation.job sprio.id"},
	{numbers, "job.array_task_list job.allocated_procs job.allocated_cpu_ids job.allocated_cores " +
		"job.allocated_mem_mb"},
	{is(Job), "job.name"},
	{is(User), "job.user user.name sprio.user"},
	{is(Group), "job.group group.name partition.groups_allowed"},
	{is(Account), "job.account account.name account.path partition.accounts_allowed " +
		"partition.accounts_denied sprio.account"},
	{is(QOS), "job.qos job.qos_requested qos.name qos.preempt_list partition.qos_allowed " +
		"partition.qos_denied partition.qos sprio.qos_name"},
	{is(Partition), "job.partition job.partitions job.node_partitions node.partitions node.classes " +
		"partition.name reservation.partition sprio.partition_name"},
	{association, "job.association association.name association.parent"},
	{stateWord, "job.state job.state_word node.state partition.state partition.present_state " +
		"reservation.state"},
	{reason, "job.state_reason"},
	{dependency, "job.dependency"},
	{resources, "job.gres_per_node job.gres_per_task job.gres_per_job job.procs_per_gres node.gres"},
	{is(Feature), "job.features node.features"},
	{features, "job.feature_expression"},
	{licenses, "job.licenses reservation.licenses"},
	{listOf(is(Reservation)), "job.reservation"},
	{is(Node), "job.hosts job.excluded_hosts job.allocated_hosts node.id partition.node_names " +
		"reservation.hosts"},
	{partitionNumber, "job.recorded_partition_priorities"},
	{leftOut, "job.comment"},
	{is(Switch), "node.switches"},
	{limit, "qos.limits association.limits"},
	{flag, "qos.flags qos.preempt_mode partition.preempt_mode partition.qos_flags " +
		"partition.oversubscribe reservation.flags"},
	{billing, "partition.billing_weights"},
	{is(Reservation), "reservation.name"},
	{signed(User), "reservation.users"},
	{signed(Group), "reservation.groups"},
	{signed(Account), "reservation.accounts"},
	{signed(QOS), "reservation.qoses"},
	{signed(Partition), "reservation.classes"},
	{is(License), "license.name"},
}

// everywhere are columns that several kinds of credentials have.
var everywhere = map[string]rule{"account_default": is(Account), "qos_default": is(QOS), "qos_list": signed(QOS)}

func ruleOf(id schema.ColumnID) rule {
	if r := columns[id]; r != nil {
		return r
	}
	return everywhere[id.Name()]
}

// keyRule is for the keys of columns that exist once for each.
func keyRule(name string) rule {
	if name == "class_slots" {
		return is(Partition)
	}
	return trackable
}

// is: the whole text is a name.
func is(kind Kind) rule { return func(n *Names, text string) string { return n.name(kind, text) } }

// signed: a name, perhaps after a sign that adds it or takes it away.
func signed(kind Kind) rule {
	return func(n *Names, text string) string {
		bare := strings.TrimLeft(text, "+-")
		return text[:len(text)-len(bare)] + n.name(kind, bare)
	}
}

// listOf: several, with commas between.
func listOf(each rule) rule {
	return func(n *Names, text string) string {
		parts := strings.Split(text, ",")
		for i, part := range parts {
			parts[i] = each(n, part)
		}
		return strings.Join(parts, ",")
	}
}

// association is ACCOUNT, ACCOUNT/USER or ACCOUNT/USER/PARTITION.
func association(n *Names, text string) string {
	parts := strings.Split(text, "/")
	for i, part := range parts {
		parts[i] = n.name([]Kind{Account, User, Partition}[min(i, 2)], part)
	}
	return strings.Join(parts, "/")
}

// leftOut is text in people's own words.
func leftOut(*Names, string) string { return "" }
