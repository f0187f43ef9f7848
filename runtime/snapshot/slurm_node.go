package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/column"
)

// slurmNode is a node as text and JSON state it.
type slurmNode struct {
	name                         string
	state                        []string // base state, then flags
	cpus, cpusAllocated          optional[int64]
	sockets, coresPerSocket      optional[int64]
	threadsPerCore               optional[int64]
	cpusUsable, resumeAt         optional[int64]
	memMB, memAllocatedMB, tmpMB optional[int64]
	weight                       optional[int64]
	load                         optional[float64]
	tres                         optional[slurmtext.TRESList]
	gres                         optional[string]
	features, partitions         optional[[]string]
}

// addSlurmNode writes a node.
func addSlurmNode(in *input, n *slurmNode) error {
	if n.name == "" {
		return fieldError("NodeName", "the record names no node")
	}
	in.record()
	b := in.nodes()
	b.Row()
	b.String("node.id", n.name)
	if len(n.state) > 0 {
		b.String("node.state", strings.Join(n.state, "+"))
		b.Bool("node.up", nodeUp(n.state))
	}
	setInt(b, "node.procs", n.cpus)
	setInt(b, "node.procs_usable", n.cpusUsable)
	if n.sockets.known && n.coresPerSocket.known && n.sockets.value <= mostCores && n.coresPerSocket.value <= mostCores {
		b.Int("node.cores", n.sockets.value*n.coresPerSocket.value)
	}
	setInt(b, "node.threads_per_core", n.threadsPerCore)
	if n.resumeAt.known {
		b.Time("node.expected_time", n.resumeAt.value)
	}
	setInt(b, "node.mem_mb", n.memMB)
	setInt(b, "node.procs_available", difference(n.cpus, n.cpusAllocated))
	setInt(b, "node.mem_available_mb", difference(n.memMB, n.memAllocatedMB))
	setInt(b, "node.disk_mb", n.tmpMB)
	setInt(b, "node.weight", n.weight)
	if n.load.known {
		b.Double("node.load", n.load.value)
	}
	setTRES(b, "node", n.tres)
	if gpus, ok := gpusOf(n.tres, n.gres.value); ok || n.gres.stated {
		b.Int("node.gpus", gpus)
	}
	setString(b, "node.gres", n.gres)
	setList(b, "node.features", n.features)
	setList(b, "node.partitions", n.partitions)
	return nil
}

// mostCores is more than a socket or a node has.
const mostCores = 1 << 20

// nodeUp: a node that is down, or taken out by one of these flags, runs nothing
// new and, unless it is draining, nothing at all. Draining nodes still run jobs.
func nodeUp(words []string) bool {
	base := strings.ToUpper(strings.TrimRight(words[0], "*~#!%$@^-"))
	if strings.HasSuffix(words[0], "*") {
		return false // does not respond
	}
	running := base == "ALLOCATED" || base == "MIXED" || base == "ALLOC" || base == "MIX" || base == "COMPLETING" || base == "COMP"
	switch base {
	case "DOWN", "ERROR", "UNKNOWN", "FUTURE", "DRAINED", "FAIL", "INVAL":
		return false
	}
	for _, flag := range words[1:] {
		switch strings.ToUpper(flag) {
		case "NOT_RESPONDING", "POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN", "FAIL", "INVALID_REG":
			return false
		case "DRAIN", "MAINTENANCE", "REBOOT_ISSUED":
			if !running {
				return false
			}
		}
	}
	return true
}

// difference is what is free: total less used, and never below 0 when a node
// lost CPUs that jobs still hold.
func difference(total, used optional[int64]) optional[int64] {
	if !total.known || !used.known {
		return optional[int64]{stated: total.stated && used.stated}
	}
	return known(max(total.value-used.value, 0))
}

// gpusOf counts a node's or partition's GPUs: in its TRES, else in its Gres.
func gpusOf(tres optional[slurmtext.TRESList], gres string) (int64, bool) {
	if n, ok := tres.value.Get("gres/gpu"); ok {
		return n, true
	}
	total := int64(0)
	for _, t := range tres.value {
		if strings.HasPrefix(t.Name, "gres/gpu:") {
			total += t.Count
		}
	}
	if total > 0 {
		return total, true
	}
	// Gres is gpu:a100:4(S:0-1),shard:8: no gres/ in front.
	for _, item := range splitOutsideParentheses(gres) {
		total += gpusIn("gres:" + item)
	}
	return total, total > 0
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

// The following set a cell, or declare its column where the value is open.

func setInt(b *column.Builder, id schema.ColumnID, v optional[int64]) {
	if v.known {
		b.Int(id, v.value)
	} else if v.stated {
		b.Declare(id, schema.Int)
	}
}

func setString(b *column.Builder, id schema.ColumnID, v optional[string]) {
	if v.stated {
		b.String(id, v.value)
	}
}

func setDouble(b *column.Builder, id schema.ColumnID, v optional[float64]) {
	if v.known {
		b.Double(id, v.value)
	} else if v.stated {
		b.Declare(id, schema.Double)
	}
}

func setList(b *column.Builder, id schema.ColumnID, v optional[[]string]) {
	if v.stated {
		b.List(id, v.value)
	}
}

func setTRES(b *column.Builder, object string, v optional[slurmtext.TRESList]) {
	for _, t := range v.value {
		b.Double(schema.TRES(object, t.Name), float64(t.Count))
	}
}

func recognizeScontrolNode(h *head) int {
	return max(startsWith(h, "NodeName="), startsWith(h, "No nodes in the system"))
}

// readScontrolNode reads `scontrol show node`. CPUEfctv leaves out CPUs that
// jobs cannot have (CoreSpec); CPUTot is the configured count that formulas use.
func readScontrolNode(in *input) error {
	in.snapshot.Family = "slurm"
	eachPairsRecord(in.text, "NodeName", func(r *pairsRecord) {
		n, err := scontrolNode(in, r)
		if err == nil {
			err = addSlurmNode(in, n)
		}
		if err != nil {
			in.badPairs(r, err)
		}
	})
	return nil
}

// scontrolNode reads the fields of a record.
func scontrolNode(in *input, r *pairsRecord) (n *slurmNode, err error) {
	n = &slurmNode{}
	for _, p := range r.pairs {
		switch p.key {
		case "NodeName":
			n.name = p.value
		case "State":
			n.state = strings.Split(p.value, "+")
		case "CPUTot":
			n.cpus, err = textCount(p.value)
		case "Sockets":
			n.sockets, err = textCount(p.value)
		case "CoresPerSocket":
			n.coresPerSocket, err = textCount(p.value)
		case "ThreadsPerCore":
			n.threadsPerCore, err = textCount(p.value)
		case "CPUEfctv":
			n.cpusUsable, err = textCount(p.value)
		case "ResumeAfterTime":
			n.resumeAt, err = textTime(p.value, in.options.Location)
		case "CPUAlloc":
			n.cpusAllocated, err = textCount(p.value)
		case "CPULoad":
			n.load, err = textDouble(p.value)
		case "RealMemory":
			n.memMB, err = textMemory(p.value)
		case "AllocMem":
			n.memAllocatedMB, err = textMemory(p.value)
		case "TmpDisk":
			n.tmpMB, err = textMemory(p.value)
		case "Weight":
			n.weight, err = textCount(p.value)
		case "AvailableFeatures":
			n.features = textList(p.value)
		case "Partitions":
			n.partitions = textList(p.value)
		case "Gres":
			n.gres = textString(p.value)
		case "CfgTRES":
			n.tres, err = textTRES(p.value)
		case "Version":
			in.slurmVersion(p.value)
		}
		if err != nil {
			return nil, fieldError(p.key, "%s", err)
		}
	}
	return n, nil
}

// textList splits a comma list.
func textList(text string) optional[[]string] {
	if isOpen(text) {
		return known[[]string](nil)
	}
	return known(strings.Split(text, ","))
}

// nodes reads the list of scontrol show node --json and slurmrestd.
func (c *slurmJSON) nodes(in *input) error {
	var n slurmNode
	return c.records(in, func(key []byte) (err error) {
		switch string(key) {
		case "name":
			var w optional[string]
			w, err = c.words("name")
			n.name = w.value
		case "state":
			n.state, err = c.wordList("state", n.state)
		case "state_flags": // v0.0.37 and v0.0.38: base state and flags apart
			var flags []string
			flags, err = c.wordList("state_flags", nil)
			n.state = append(n.state, flags...)
		case "cpus":
			n.cpus, err = c.count("cpus")
		case "sockets":
			n.sockets, err = c.count("sockets")
		case "cores":
			n.coresPerSocket, err = c.count("cores")
		case "threads":
			n.threadsPerCore, err = c.count("threads")
		case "effective_cpus":
			n.cpusUsable, err = c.count("effective_cpus")
		case "resume_after":
			n.resumeAt, err = c.epoch("resume_after")
		case "alloc_cpus":
			n.cpusAllocated, err = c.integer("alloc_cpus")
		case "real_memory":
			n.memMB, err = c.integer("real_memory")
		case "alloc_memory":
			n.memAllocatedMB, err = c.integer("alloc_memory")
		case "temporary_disk":
			n.tmpMB, err = c.integer("temporary_disk")
		case "weight":
			n.weight, err = c.integer("weight")
		case "cpu_load": // in hundredths
			var load optional[int64]
			if load, err = c.count("cpu_load"); load.known {
				n.load = known(float64(load.value) / 100)
			}
		case "features":
			n.features, err = c.commaList("features")
		case "partitions":
			n.partitions, err = c.commaList("partitions")
		case "gres":
			n.gres, err = c.words("gres")
		case "tres":
			n.tres, err = c.tres("tres")
		case "version":
			var w optional[string]
			w, err = c.words("version")
			if in.snapshot.Version == "" {
				in.slurmVersion(w.value)
			}
		}
		return err
	}, func() { n = slurmNode{} }, func() error { return addSlurmNode(in, &n) })
}

// commaList reads a list written as an array or as one comma-separated string.
func (c *slurmJSON) commaList(field string) (optional[[]string], error) {
	if c.peek() == '[' {
		list, err := c.wordList(field, nil)
		return known(list), err
	}
	w, err := c.words(field)
	return textList(w.value), err
}
