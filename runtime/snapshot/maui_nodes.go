package snapshot

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// mauiNode maps a node of a Maui case. A node's partition is Maui's: a set of
// nodes jobs do not span, not a queue; queues are classes.
var mauiNode = &recordShape{
	key: "node.id",
	fields: map[string]schema.ColumnID{
		"id": "node.id", "state": "node.state", "procs": "node.procs", "avail_procs": "node.procs_available",
		"mem_mb": "node.mem_mb", "avail_mem_mb": "node.mem_available_mb", "swap_mb": "node.swap_mb", "avail_swap_mb": "node.swap_available_mb",
		"disk_mb": "node.disk_mb", "avail_disk_mb": "node.disk_available_mb",
		"features": "node.features", "speed": "node.speed", "load": "node.load",
	},
	special: map[string]func(*jsonCursor, *record) error{"classes": mauiClasses, "partition": mauiNodePartition},
	// What is left of each class follows from the running jobs' tasks.
	ignored: []string{"avail_classes", "gres"},
	finish:  finishMauiNode,
}

// mauiClasses reads {"batch": 4}: the classes served and the tasks of each the
// node takes.
func mauiClasses(c *jsonCursor, r *record) error {
	names := []string{}
	err := keyedNumbers(c, r, "node", "class_slots", func(name string) { names = append(names, name) })
	r.set("node.classes", schema.ListValue(names))
	return err
}

func mauiNodePartition(c *jsonCursor, r *record) error {
	at := c.at
	v, ok, err := jsonValue(c, schema.String)
	switch {
	case err != nil:
		return err
	case !ok:
		r.fail(at, c.at, `"partition" should be a string, not `+excerpt(c.text[at:c.at]))
	case v.Known():
		r.set("node.partitions", schema.ListValue([]string{v.Str}))
	}
	return nil
}

func finishMauiNode(r *record) {
	word := r.get("node.state").Str
	switch strings.ToLower(word) {
	case "idle", "running", "busy":
		r.set("node.up", schema.BoolValue(true))
	case "down", "draining", "drained", "drain", "flush", "reserved", "unknown", "none":
		// A draining node still runs its jobs but takes no new one.
		r.set("node.up", schema.BoolValue(false))
	default:
		r.fail(r.start, r.end, "the node state "+strconv.Quote(word)+" is none that Maui has")
	}
}

func recognizeMauiNodes(h *head) int {
	r := h.json.record
	switch {
	case h.json.open != '[' || !r["id"]:
		return foreign
	case r["avail_procs"] || r["classes"]:
		return likely
	case (r["procs"] || r["mem_mb"]) && !r["tasks"] && !r["user"] && !r["wclimit"]:
		return plausible // written by hand: nothing but what the site cares for
	}
	return foreign
}

func readMauiNodes(in *input) error {
	in.snapshot.Family = "maui"
	return in.jsonArray(mauiNode, in.nodes())
}
