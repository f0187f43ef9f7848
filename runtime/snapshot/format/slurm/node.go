package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

var nodeFields = fieldsOf("node")

var Node = &slurmObject{
	fields: nodeFields, rows: (*format.Input).Nodes, settle: settleNode,
	key: "NodeName", noun: "node", None: "No nodes in the system",
}

var (
	nodeStates             = nodeFields.slot("state")
	nodeState, nodeIsUp    = nodeFields.slot("node.state"), nodeFields.slot("node.up")
	nodeSockets, nodeCores = nodeFields.slot("sockets"), nodeFields.slot("node.cores")
	nodeCoresPerSocket     = nodeFields.slot("node.cores_per_socket")
	nodeTRES, nodeGres     = nodeFields.slot("node.tres"), nodeFields.slot("node.gres")
	nodeGPUs               = nodeFields.slot("node.gpus")
	nodeProcs, nodeMem     = nodeFields.slot("node.procs"), nodeFields.slot("node.mem_mb")
	nodeProcsUsed          = nodeFields.slot("cpus_allocated")
	nodeMemUsed            = nodeFields.slot("mem_allocated")
	nodeProcsFree          = nodeFields.slot("node.procs_available")
	nodeMemFree            = nodeFields.slot("node.mem_available_mb")
)

// settleNode says what the fields of a node together mean.
func settleNode(_ *slurmRows, r *slurmRecord) error {
	if words := r.list(nodeStates); len(words) > 0 {
		r.setText(nodeState, strings.Join(words, "+"))
		r.setBool(nodeIsUp, nodeUp(words))
	}
	if sockets, cores := r.get(nodeSockets), r.get(nodeCoresPerSocket); sockets.Known() && cores.Known() &&
		sockets.Int <= mostCores && cores.Int <= mostCores {
		r.setInt(nodeCores, sockets.Int*cores.Int)
	}
	r.settleFree(nodeProcs, nodeProcsUsed, nodeProcsFree)
	r.settleFree(nodeMem, nodeMemUsed, nodeMemFree)
	gpus, ok := trackedGPUs(r.tres(nodeTRES))
	if !ok { // Gres is gpu:a100:4(S:0-1),shard:8: no gres/ in front.
		for _, item := range splitOutsideParentheses(r.text(nodeGres)) {
			gpus += GPUsIn("gres:" + item)
		}
	}
	r.setIf(ok || gpus > 0 || r.stated(nodeGres), nodeGPUs, schema.IntValue(gpus))
	return nil
}

// settleFree writes what is free: total less used, and never below 0 when a node lost CPUs that jobs still hold.
func (r *slurmRecord) settleFree(total, used, free slot) {
	if !r.stated(total) || !r.stated(used) {
		return
	}
	left := schema.Value{}
	if r.known(total) && r.known(used) {
		left = schema.IntValue(max(r.int(total)-r.int(used), 0))
	}
	r.set(free, left)
}

// mostCores is more than a socket or a node has.
const mostCores = 1 << 20

// nodeUp: a node that is down, or taken out by one of these flags, runs nothing new and, unless it is draining,
// nothing at all. Draining nodes still run jobs. A node that sleeps is woken for a job, and does not respond while it
// wakes (power_save.c; recorded: power-suspend).
func nodeUp(words []string) bool {
	base := strings.ToUpper(strings.TrimRight(words[0], "*~#!%$@^-"))
	if strings.HasSuffix(words[0], "*") {
		return false // does not respond
	}
	running := base == "ALLOCATED" || base == "MIXED" || base == "ALLOC" || base == "MIX" || base == "COMPLETING" ||
		base == "COMP"
	switch base {
	case "DOWN", "ERROR", "UNKNOWN", "FUTURE", "DRAINED", "FAIL", "INVAL":
		return false
	}
	flags := strings.Split(strings.ToUpper(strings.Join(words[1:], "+")), "+")
	wakes := slices.Contains(flags, "POWERING_UP")
	for _, flag := range flags {
		switch flag {
		case "NOT_RESPONDING":
			if !wakes {
				return false
			}
		case "POWER_DOWN", "FAIL", "INVALID_REG":
			return false
		case "DRAIN", "MAINTENANCE", "REBOOT_ISSUED":
			if !running {
				return false
			}
		}
	}
	return true
}

// splitOutsideParentheses splits at commas, but not at those in gpu:4(IDX:0,2).
func splitOutsideParentheses(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	if start < len(text) {
		parts = append(parts, text[start:])
	}
	return parts
}
