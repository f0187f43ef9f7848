package oracle

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// mauiCredentials in the order in which Maui asks them for a QOS (MQOSGetAccess).
var mauiCredentials = []string{"user", "group", "account", "partition"}

// mauiDefaults gives the job the QOS and the limit that Maui gives it; without any it
// counts with a limit of 0.
func (q *queue) mauiDefaults(job cells) {
	job["job.qos"] = schema.StringValue(q.qos(job))
	if job["job.walltime_seconds"].Int > 0 {
		return
	}
	for _, object := range []string{"qos", "partition"} {
		v := q.setting(schema.ColumnID(object+".walltime_default_seconds"), job.text(schema.ColumnID("job."+object)))
		if v.Known() {
			job["job.walltime_seconds"] = v
		}
		if v.Int > 0 {
			return
		}
	}
	if !job["job.walltime_seconds"].Known() {
		job["job.walltime_seconds"] = schema.IntValue(0)
	}
}

// setting is what the policy alone says.
func (q *queue) setting(id schema.ColumnID, name string) schema.Value {
	t := q.table(id)
	if v, _ := t.row(name); v.Known() && name != "" {
		return v
	}
	if t.Others != nil {
		return t.Others.Value
	}
	return schema.Value{}
}

// qos is the one asked for if allowed, else the first default, else DEFAULT.
func (q *queue) qos(job cells) string {
	asked := job.text("job.qos")
	if asked != "" && slices.Contains(q.allowed(job), asked) {
		return asked
	}
	for _, object := range mauiCredentials {
		if v := q.setting(schema.ColumnID(object+".qos_default"), job.text(schema.ColumnID("job."+object))); v.Str != "" {
			return v.Str
		}
	}
	if v := q.setting("cluster.qos_default", ""); v.Str != "" {
		return v.Str
	}
	return "DEFAULT"
}

// allowed is the system's list with the credentials' lists applied to it in turn: one that
// ends in & intersects, one that ends in ^ decides alone, others add.
func (q *queue) allowed(job cells) []string {
	set := map[string]bool{}
	for _, name := range q.setting("cluster.qos_list", "").List {
		set[name] = true
	}
	for _, object := range mauiCredentials {
		list := q.setting(schema.ColumnID(object+".qos_list"), job.text(schema.ColumnID("job."+object))).List
		if len(list) == 0 {
			continue
		}
		mark := ""
		own := map[string]bool{}
		for i, name := range list {
			bare := name
			if i == len(list)-1 {
				bare = strings.TrimRight(name, "&^")
				mark = strings.TrimPrefix(name, bare)
			}
			own[bare] = true
		}
		switch {
		case strings.HasSuffix(mark, "^"):
			return keys(own)
		case strings.HasSuffix(mark, "&"):
			for name := range set {
				if !own[name] {
					delete(set, name)
				}
			}
		default:
			for name := range own {
				set[name] = true
			}
		}
	}
	return keys(set)
}

func keys(set map[string]bool) []string {
	var out []string
	for name := range set {
		out = append(out, name)
	}
	return out
}
