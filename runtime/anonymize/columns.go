package anonymize

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// rule writes a text with other names in it.
type rule func(n *Names, text string) string

// columns says of every column that holds text what names there are in it.
var columns = map[schema.ColumnID]rule{
	"job.id":                            jobID,
	"job.array_task_list":               numbers,
	"job.name":                          is(Job),
	"job.user":                          is(User),
	"job.group":                         is(Group),
	"job.account":                       is(Account),
	"job.qos":                           is(QOS),
	"job.qos_requested":                 is(QOS),
	"job.partition":                     is(Partition),
	"job.partitions":                    is(Partition),
	"job.node_partitions":               is(Partition),
	"job.association":                   association,
	"job.state":                         stateWord,
	"job.state_word":                    stateWord,
	"job.state_reason":                  reason,
	"job.dependency":                    dependency,
	"job.gres_per_node":                 resources,
	"job.gres_per_task":                 resources,
	"job.gres_per_job":                  resources,
	"job.procs_per_gres":                resources,
	"job.features":                      is(Feature),
	"job.feature_expression":            features,
	"job.licenses":                      licenses,
	"job.reservation":                   listOf(is(Reservation)),
	"job.hosts":                         is(Node),
	"job.excluded_hosts":                is(Node),
	"job.allocated_hosts":               is(Node),
	"job.allocated_procs":               numbers,
	"job.allocated_cpu_ids":             numbers,
	"job.allocated_cores":               numbers,
	"job.allocated_mem_mb":              numbers,
	"job.recorded_partition_priorities": partitionNumber,
	"job.comment":                       leftOut,

	"node.id":         is(Node),
	"node.state":      stateWord,
	"node.gres":       resources,
	"node.features":   is(Feature),
	"node.partitions": is(Partition),
	"node.switches":   is(Switch),
	"node.classes":    is(Partition),

	"user.name":    is(User),
	"group.name":   is(Group),
	"account.name": is(Account),
	"account.path": is(Account),

	"qos.name":               is(QOS),
	"qos.limits":             limit,
	"qos.flags":              flag,
	"qos.preempt_list":       is(QOS),
	"qos.preempt_mode":       flag,
	"partition.preempt_mode": flag,

	"partition.name":             is(Partition),
	"partition.billing_weights":  billing,
	"partition.accounts_allowed": is(Account),
	"partition.accounts_denied":  is(Account),
	"partition.qos_allowed":      is(QOS),
	"partition.qos_denied":       is(QOS),
	"partition.groups_allowed":   is(Group),
	"partition.state":            stateWord,
	"partition.present_state":    stateWord,
	"partition.node_names":       is(Node),
	"partition.qos_flags":        flag,
	"partition.oversubscribe":    flag,
	"partition.qos":              is(QOS),

	"association.name":   association,
	"association.parent": association,
	"association.limits": limit,

	"reservation.name":      is(Reservation),
	"reservation.hosts":     is(Node),
	"reservation.licenses":  licenses,
	"reservation.job":       jobID,
	"reservation.users":     signed(User),
	"reservation.groups":    signed(Group),
	"reservation.accounts":  signed(Account),
	"reservation.qoses":     signed(QOS),
	"reservation.classes":   signed(Partition),
	"reservation.partition": is(Partition),
	"reservation.flags":     flag,
	"reservation.state":     stateWord,

	"license.name": is(License),

	"sprio.id":             jobID,
	"sprio.user":           is(User),
	"sprio.account":        is(Account),
	"sprio.partition_name": is(Partition),
	"sprio.qos_name":       is(QOS),
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
