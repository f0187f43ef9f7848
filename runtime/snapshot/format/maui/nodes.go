package maui

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// mauiNode maps a node of a Maui case. A node's partition is Maui's: a set of
// nodes jobs do not span, not a queue; queues are classes.
var mauiNode = &format.RecordShape{
	Key: "node.id",
	Fields: map[string]schema.ColumnID{
		"id": "node.id", "state": "node.state", "procs": "node.procs", "avail_procs": "node.procs_available",
		"mem_mb": "node.mem_mb", "avail_mem_mb": "node.mem_available_mb", "swap_mb": "node.swap_mb",
		"avail_swap_mb": "node.swap_available_mb",
		"disk_mb":       "node.disk_mb", "avail_disk_mb": "node.disk_available_mb",
		"features": "node.features", "speed": "node.speed", "load": "node.load",
	},
	Special: map[string]func(*format.Cursor, *format.Record) error{"classes": mauiClasses,
		"partition": mauiNodePartition},
	// What is left of each class follows from the running jobs' tasks.
	Ignored: []string{"avail_classes", "gres"},
	Finish:  finishMauiNode,
}

// mauiClasses reads {"batch": 4}: the classes served and the tasks of each the
// node takes.
func mauiClasses(c *format.Cursor, r *format.Record) error {
	names := []string{}
	err := format.KeyedNumbers(c, r, "node.class_slots", func(name string) { names = append(names, name) })
	r.Set("node.classes", schema.ListValue(names))
	return err
}

func mauiNodePartition(c *format.Cursor, r *format.Record) error {
	at := c.At
	v, ok, err := format.JSONValue(c, schema.String)
	switch {
	case err != nil:
		return err
	case !ok:
		r.Fail(at, c.At, `"partition" should be a string, not `+format.Excerpt(c.Text[at:c.At]))
	case v.Known():
		r.Set("node.partitions", schema.ListValue([]string{v.Str}))
	}
	return nil
}

func finishMauiNode(r *format.Record) {
	word := r.Get("node.state").Str
	switch strings.ToLower(word) {
	case "idle", "running", "busy":
		r.Set("node.up", schema.BoolValue(true))
	case "down", "draining", "drained", "drain", "flush", "reserved", "unknown", "none":
		// A draining node still runs its jobs but takes no new one.
		r.Set("node.up", schema.BoolValue(false))
	default:
		r.Fail(r.Start, r.End, "the node state "+strconv.Quote(word)+" is none that Maui has")
	}
}

func RecognizeNodes(h *format.Head) int {
	r := h.JSON.Record
	switch {
	case h.JSON.Open != '[' || !r["id"]:
		return format.Foreign
	case r["avail_procs"] || r["classes"]:
		return format.Likely
	case (r["procs"] || r["mem_mb"]) && !r["tasks"] && !r["user"] && !r["wclimit"]:
		return format.Plausible // written by hand: nothing but what the site cares for
	}
	return format.Foreign
}

func ReadNodes(in *format.Input) error {
	in.Snapshot.Family = "maui"
	return in.JSONArray(mauiNode, in.Nodes())
}
