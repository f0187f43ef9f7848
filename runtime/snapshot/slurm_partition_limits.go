package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/column"
)

// limit reads what a partition refuses, as scontrol show partition writes it; other keys are
// passed over.
func (p *slurmPartition) limit(key, text string) (err error) {
	switch key {
	case "MinNodes":
		p.minNodes, err = textCount(text)
	case "MaxNodes":
		p.maxNodes, err = textBound(text)
	case "MaxCPUsPerNode":
		p.maxCPUsPerNode, err = textBound(text)
	case "MaxMemPerNode":
		p.maxMemPerNodeMB, err = textBound(text)
	case "MaxMemPerCPU":
		p.maxMemPerCPUMB, err = textBound(text)
	case "AllowAccounts":
		p.allowAccounts = allNames(text)
	case "DenyAccounts":
		p.denyAccounts = allNames(text)
	case "AllowQos":
		p.allowQOS = allNames(text)
	case "DenyQos":
		p.denyQOS = allNames(text)
	case "AllowGroups":
		p.allowGroups = allNames(text)
	case "RootOnly":
		p.rootOnly = known(text == "YES")
	case "ExclusiveUser":
		p.exclusiveUser = known(text == "YES")
	case "ReqResv":
		p.needsReservation = known(text == "YES")
	}
	return err
}

// setLimits writes what was stated. What is unlimited stays unknown.
func (p *slurmPartition) setLimits(b *column.Builder) {
	setInt(b, "partition.nodes_min", p.minNodes)
	setInt(b, "partition.nodes_max", p.maxNodes)
	setInt(b, "partition.procs_per_node_max", p.maxCPUsPerNode)
	setInt(b, "partition.mem_per_node_max_mb", p.maxMemPerNodeMB)
	setInt(b, "partition.mem_per_proc_max_mb", p.maxMemPerCPUMB)
	setList(b, "partition.accounts_allowed", p.allowAccounts)
	setList(b, "partition.accounts_denied", p.denyAccounts)
	setList(b, "partition.qos_allowed", p.allowQOS)
	setList(b, "partition.qos_denied", p.denyQOS)
	setList(b, "partition.groups_allowed", p.allowGroups)
	if p.rootOnly.known {
		b.Bool("partition.root_only", p.rootOnly.value)
	}
	if p.exclusiveUser.known {
		b.Bool("partition.exclusive_user", p.exclusiveUser.value)
	}
	if p.needsReservation.known {
		b.Bool("partition.needs_reservation", p.needsReservation.value)
	}
}

// textBound reads a number that UNLIMITED leaves open.
func textBound(text string) (optional[int64], error) {
	if strings.EqualFold(text, "UNLIMITED") || strings.EqualFold(text, "INFINITE") {
		return open[int64](), nil
	}
	return textCount(text)
}

// allNames splits a list; ALL names nobody in particular.
func allNames(text string) optional[[]string] {
	if text == "ALL" || isOpen(text) {
		return open[[]string]()
	}
	return known(strings.Split(text, ","))
}
