package pbs

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// pbsNodeUp says of each word of a node's state whether the node serves jobs
// (pbsnodes manuals). A node may have several; one that is against it counts.
var pbsNodeUp = map[string]bool{
	"free": true, "job-exclusive": true, "job-sharing": true, "job-busy": true, "busy": true,
	"resv-exclusive": true, "reserve": true,
	"down": false, "offline": false, "unknown": false, "state-unknown": false, "stale": false,
	"provisioning": false, "wait-provisioning": false,
	"maintenance": false, "sleep": false, "initializing": false, "unresolvable": false,
}

func RecognizeNodes(h *format.Head) int {
	first := h.FirstLine("")
	if first == "" || strings.ContainsAny(first, " =\t|,") || h.JSON.Open != 0 {
		return format.Foreign
	}
	text := string(h.Text)
	if strings.Contains(text, "state = ") && (strings.Contains(text, "ntype = ") || strings.Contains(text, "np = ")) {
		return format.Likely
	}
	return format.Foreign
}

// ReadNodes reads pbsnodes -a of TORQUE and PBS Professional.
func ReadNodes(in *format.Input) error {
	in.Snapshot.Family = "pbs"
	stanzas(in.Text, false, func(s *stanza) {
		r := in.Begin(s.start, s.end)
		r.Set("node.id", schema.StringValue(s.name))
		n := &pbsNode{stanza: s, row: r}
		n.cells()
		in.Write(in.Nodes(), r, "node.id")
	})
	return nil
}

type pbsNode struct {
	*stanza
	row    *format.Record
	status map[string]string // TORQUE's "status = loadave=0.10,ncpus=8,physmem=8174492kb,…"
}

func (n *pbsNode) cells() {
	if n.fault != "" {
		n.row.Fail(n.row.Start, n.row.End, n.fault)
	}
	n.status = map[string]string{}
	for _, pair := range strings.Split(n.attributes["status"], ",") {
		name, value, _ := strings.Cut(pair, "=")
		n.status[strings.TrimSpace(name)] = value
	}
	n.state()
	n.procs()
	n.memory()
	if words := n.first("properties"); words != "" {
		v, _ := format.TextValue(schema.StringList, strings.ReplaceAll(words, ",", ";"))
		n.row.Set("node.features", v)
	}
	if queue := n.first("queue"); queue != "" {
		n.row.Set("node.classes", schema.ListValue([]string{queue}))
	}
	if gpus, ok := n.count("gpus", "resources_available.ngpus"); ok {
		n.row.Set("node.gpus", schema.IntValue(gpus))
		n.row.Set("node.tres(gres/gpu)", schema.DoubleValue(float64(gpus)))
	}
	if load := n.status["loadave"]; load != "" {
		v, ok := format.RealNumber(load)
		if !ok {
			n.wrong("loadave", load)
		}
		n.row.Set("node.load", schema.DoubleValue(v))
	}
}

func (n *pbsNode) wrong(name, value string) {
	n.row.Fail(n.row.Start, n.row.End, name+" cannot be read: "+strconv.Quote(format.Excerpt([]byte(value))))
}

// count reads the first of the attributes that is there.
func (n *pbsNode) count(names ...string) (int64, bool) {
	text := n.first(names...)
	if text == "" {
		return 0, false
	}
	v, err := strconv.ParseInt(text, 10, 40)
	if err != nil || v < 0 {
		n.wrong(names[0], text)
		return 0, false
	}
	return v, true
}

func (n *pbsNode) state() {
	words := n.first("state")
	up := true
	for _, word := range strings.Split(words, ",") {
		serves, known := pbsNodeUp[strings.TrimSpace(word)]
		if !known {
			n.wrong("state", words)
			return
		}
		up = up && serves
	}
	n.row.Set("node.state", schema.StringValue(words))
	n.row.Set("node.up", schema.BoolValue(up))
}

// procs: TORQUE lists the jobs on each slot, PBS Professional says how many
// processors are assigned.
func (n *pbsNode) procs() {
	procs, ok := n.count("np", "resources_available.ncpus", "pcpus")
	if !ok {
		return
	}
	used, isPro := n.count("resources_assigned.ncpus")
	if jobs := n.first("jobs"); jobs != "" && !isPro {
		for _, entry := range splitJobs(jobs) {
			slots, _, _ := strings.Cut(entry, "/")
			c, ok := slotCount(slots)
			if !ok {
				n.wrong("jobs", jobs)
				return
			}
			used += int64(c)
		}
	}
	n.row.Set("node.procs", schema.IntValue(procs))
	n.row.Set("node.procs_available", schema.IntValue(max(procs-used, 0)))
}

// splitJobs splits "0/1.srv, 1-3,5/2.srv" into slots and jobs: a comma within
// slots is no separator, since only the end of an entry has the slash.
func splitJobs(text string) (entries []string) {
	entry := ""
	for _, part := range strings.Split(strings.ReplaceAll(text, " ", ""), ",") {
		if entry += part; strings.Contains(part, "/") {
			entries, entry = append(entries, entry), ""
			continue
		}
		entry += ","
	}
	if entry = strings.TrimSuffix(entry, ","); entry != "" {
		entries = append(entries, entry)
	}
	return entries
}

// memory: TORQUE's totmem is memory and swap together.
func (n *pbsNode) memory() {
	text := n.first("resources_available.mem")
	if text == "" {
		text = n.status["physmem"]
	}
	if text == "" {
		return
	}
	configured, ok := pbsBytes(text)
	if !ok {
		n.wrong("mem", text)
		return
	}
	n.row.Set("node.mem_mb", schema.IntValue(mbDown(configured)))
	if text := n.first("resources_assigned.mem"); text != "" {
		assigned, ok := pbsBytes(text)
		if !ok {
			n.wrong("resources_assigned.mem", text)
			return
		}
		n.row.Set("node.mem_available_mb", schema.IntValue(mbDown(max(configured-assigned, 0))))
	}
	if text := n.status["totmem"]; text != "" {
		total, ok := pbsBytes(text)
		if !ok {
			n.wrong("totmem", text)
			return
		}
		n.row.Set("node.swap_mb", schema.IntValue(mbDown(max(total-configured, 0))))
	}
}
