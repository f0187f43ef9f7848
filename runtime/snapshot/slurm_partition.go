package snapshot

import (
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// slurmPartition is a partition as text and JSON state it.
type slurmPartition struct {
	name                       string
	jobFactor, tier            optional[int64]
	maxSeconds, defaultSeconds optional[int64]
	nodes, cpus                optional[int64]
	tres                       optional[slurmtext.TRESList]
	state, qos, oversubscribe  optional[string]
	billingWeights             string

	minNodes, maxNodes, maxCPUsPerNode, maxMemPerNodeMB, maxMemPerCPUMB optional[int64]
	allowAccounts, denyAccounts, allowQOS, denyQOS, allowGroups         optional[[]string]
	rootOnly, needsReservation, exclusiveUser                           optional[bool]
}

// addSlurmPartition writes a partition. An unlimited MaxTime stays unknown, as
// the column has it.
func addSlurmPartition(in *input, p *slurmPartition) error {
	if p.name == "" {
		return fieldError("PartitionName", "the record names no partition")
	}
	in.record()
	b := in.credentials("partition")
	b.Row()
	b.String("partition.name", p.name)
	setInt(b, "partition.priority_job_factor", p.jobFactor)
	setInt(b, "partition.priority_tier", p.tier)
	setInt(b, "partition.walltime_max_seconds", finite(p.maxSeconds))
	setInt(b, "partition.walltime_default_seconds", finite(p.defaultSeconds))
	setInt(b, "partition.nodes", p.nodes)
	setInt(b, "partition.procs", p.cpus)
	setTRES(b, "partition", p.tres)
	setString(b, "partition.state", p.state)
	setString(b, "partition.qos", p.qos)
	setString(b, "partition.oversubscribe", p.oversubscribe)
	b.String("partition.billing_weights", p.billingWeights)
	p.setLimits(b)
	return nil
}

// textWeights checks billing weights, which stay as they are written.
func textWeights(text string) (string, error) {
	if isOpen(text) {
		return "", nil
	}
	_, err := slurmtext.ParseTRESWeights(text)
	return text, err
}

// finite leaves an unlimited time open.
func finite(v optional[int64]) optional[int64] {
	if v.value == slurmtext.Infinite {
		return open[int64]()
	}
	return v
}

func recognizeScontrolPartition(h *head) int {
	return max(startsWith(h, "PartitionName="), startsWith(h, "No partitions in the system"))
}

// readScontrolPartition reads `scontrol show partition`.
func readScontrolPartition(in *input) error {
	in.snapshot.Family = "slurm"
	eachPairsRecord(in.text, "PartitionName", func(r *pairsRecord) {
		p, err := scontrolPartition(r)
		if err == nil {
			err = addSlurmPartition(in, p)
		}
		if err != nil {
			in.badPairs(r, err)
		}
	})
	return nil
}

// scontrolPartition reads the fields of a record.
func scontrolPartition(r *pairsRecord) (p *slurmPartition, err error) {
	p = &slurmPartition{}
	for _, pair := range r.pairs {
		switch pair.key {
		case "PartitionName":
			p.name = pair.value
		case "PriorityJobFactor":
			p.jobFactor, err = textCount(pair.value)
		case "PriorityTier":
			p.tier, err = textCount(pair.value)
		case "Priority": // before 16.05 one number was both
			p.jobFactor, err = textCount(pair.value)
			p.tier = p.jobFactor
		case "MaxTime":
			p.maxSeconds, err = textLimit(pair.value)
		case "DefaultTime":
			p.defaultSeconds, err = textLimit(pair.value)
		case "TotalNodes":
			p.nodes, err = textCount(pair.value)
		case "TotalCPUs":
			p.cpus, err = textCount(pair.value)
		case "TRES":
			p.tres, err = textTRES(pair.value)
		case "TRESBillingWeights":
			p.billingWeights, err = textWeights(pair.value)
		case "State":
			p.state = textString(pair.value)
		case "OverSubscribe", "Shared":
			p.oversubscribe = known(pair.value)
		case "QoS":
			p.qos = textString(pair.value)
		default:
			err = p.limit(pair.key, pair.value)
		}
		if err != nil {
			return nil, fieldError(pair.key, "%s", err)
		}
	}
	return p, nil
}

// partitions reads the flat form of v0.0.37 and v0.0.38 and the nested one since.
func (c *slurmJSON) partitions(in *input) error {
	var p slurmPartition
	return c.records(in, func(key []byte) error { return c.partitionMember(&p, key) },
		func() { p = slurmPartition{} },
		func() error { return addSlurmPartition(in, &p) })
}

// partitionMember tells the two forms apart by the kind of value: qos, tres and
// state were strings and are objects, priority and the limits were members of the partition.
func (c *slurmJSON) partitionMember(p *slurmPartition, key []byte) (err error) {
	switch string(key) {
	case "name":
		var w optional[string]
		w, err = c.words("name")
		p.name = w.value
	case "priority_job_factor":
		p.jobFactor, err = c.integer("priority_job_factor")
	case "priority_tier":
		p.tier, err = c.integer("priority_tier")
	case "max_time_limit":
		p.maxSeconds, err = c.minutes("max_time_limit")
	case "default_time_limit":
		p.defaultSeconds, err = c.minutes("default_time_limit")
	case "total_nodes":
		p.nodes, err = c.integer("total_nodes")
	case "total_cpus":
		p.cpus, err = c.integer("total_cpus")
	case "state":
		p.state, err = c.words("state")
	case "qos":
		if c.peek() == '"' {
			p.qos, err = c.words("qos")
			return err
		}
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "assigned":
				p.qos, err = c.words("qos.assigned")
			case "allowed":
				p.allowQOS, err = c.commaList("qos.allowed")
			case "deny":
				p.denyQOS, err = c.commaList("qos.deny")
			}
			return err
		})
	case "tres":
		if c.peek() == '"' {
			p.tres, err = c.tres("tres")
			return err
		}
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "configured":
				p.tres, err = c.tres("tres.configured")
			case "billing_weights":
				var w optional[string]
				if w, err = c.words("tres.billing_weights"); err == nil {
					p.billingWeights, err = textWeights(w.value)
				}
			}
			return err
		})
	case "nodes":
		return c.members(func(key []byte) (err error) {
			if string(key) == "total" {
				p.nodes, err = c.integer("nodes.total")
			}
			return err
		})
	case "cpus":
		return c.members(func(key []byte) (err error) {
			if string(key) == "total" {
				p.cpus, err = c.integer("cpus.total")
			}
			return err
		})
	default:
		return c.partitionLimits(p, key)
	}
	return err
}

// partitionLimits reads the objects that only the nested form has.
func (c *slurmJSON) partitionLimits(p *slurmPartition, key []byte) error {
	switch string(key) {
	case "priority":
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "job_factor":
				p.jobFactor, err = c.integer("priority.job_factor")
			case "tier":
				p.tier, err = c.integer("priority.tier")
			}
			return err
		})
	case "maximums":
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "time":
				p.maxSeconds, err = c.minutes("maximums.time")
			case "nodes":
				p.maxNodes, err = c.count("maximums.nodes")
			case "cpus_per_node":
				p.maxCPUsPerNode, err = c.count("maximums.cpus_per_node")
			case "partition_memory_per_cpu":
				p.maxMemPerCPUMB, err = c.count("maximums.partition_memory_per_cpu")
			case "partition_memory_per_node":
				p.maxMemPerNodeMB, err = c.count("maximums.partition_memory_per_node")
			}
			return err
		})
	case "minimums":
		return c.members(func(key []byte) (err error) {
			if string(key) == "nodes" {
				p.minNodes, err = c.integer("minimums.nodes")
			}
			return err
		})
	case "accounts":
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "allowed":
				p.allowAccounts, err = c.commaList("accounts.allowed")
			case "deny":
				p.denyAccounts, err = c.commaList("accounts.deny")
			}
			return err
		})
	case "groups":
		return c.members(func(key []byte) (err error) {
			if string(key) == "allowed" {
				p.allowGroups, err = c.commaList("groups.allowed")
			}
			return err
		})
	case "defaults":
		return c.members(func(key []byte) (err error) {
			if string(key) == "time" {
				p.defaultSeconds, err = c.minutes("defaults.time")
			}
			return err
		})
	case "partition":
		return c.members(func(key []byte) (err error) {
			if string(key) == "state" {
				var words []string
				if words, err = c.wordList("partition.state", nil); len(words) > 0 {
					p.state = known(words[0])
				}
			}
			return err
		})
	}
	return nil
}

// sinfo reads sinfo --json, whose lines are groups of nodes of a partition:
// the partition is there in full, the nodes only as counts.
func (c *slurmJSON) sinfo(in *input) error {
	var p slurmPartition
	seen := map[string]bool{}
	return c.records(in, func(key []byte) error {
		if string(key) != "partition" {
			return nil
		}
		return c.members(func(key []byte) error { return c.partitionMember(&p, key) })
	}, func() { p = slurmPartition{} }, func() error {
		if seen[p.name] {
			return nil
		}
		seen[p.name] = true
		return addSlurmPartition(in, &p)
	})
}
