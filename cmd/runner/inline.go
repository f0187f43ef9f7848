package runner

import (
	"encoding/json"
	"io/fs"
	"maps"
	"math"

	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// inlineJSON writes the rows of a test as a native snapshot, so that they take the
// same way in as any file.
func inlineJSON(t *policy.Test) []byte {
	doc := map[string]any{"format_version": 1}
	if t.Now.Known() {
		doc["now"] = t.Now.Int
	}
	if jobs := rows(t.Jobs, "id"); len(jobs) > 0 {
		doc["jobs"] = jobs
	}
	if nodes := rows(t.Nodes, "id"); len(nodes) > 0 {
		doc["nodes"] = nodes
	}
	if len(t.Usage) > 0 {
		doc["usage"] = windows(t.Usage)
	}
	tables := map[string][]policy.Row{}
	for _, c := range t.Credentials {
		tables[c.Object] = append(tables[c.Object], c)
	}
	if len(tables) > 0 {
		credentials := map[string]any{}
		for object, list := range tables {
			credentials[object] = rows(list, "name")
		}
		doc["credentials"] = credentials
	}
	return encode(doc)
}

// stepJSON is what changes in the queue from one iteration to the next: what started runs, and what
// the step says of its jobs, which counts more.
func stepJSON(before, now *policy.Iteration) []byte {
	changed := map[string]map[string]any{}
	var jobs []map[string]any
	for _, id := range before.Started {
		job := map[string]any{"id": id.Value, "state": "running"}
		if before.Now.Known() {
			job["start_time"] = before.Now.Int
		}
		changed[id.Value] = job
		jobs = append(jobs, job)
	}
	for _, row := range rows(now.Jobs, "id") {
		if job := changed[row["id"].(string)]; job != nil {
			maps.Copy(job, row)
			continue
		}
		jobs = append(jobs, row)
	}
	return encode(map[string]any{"format_version": 1, "jobs": jobs})
}

func windows(list []policy.UsageWindow) []map[string]any {
	var out []map[string]any
	for _, w := range list {
		usage := map[string]map[string]float64{}
		for object, used := range w.Usage {
			usage[object] = map[string]float64{}
			for _, s := range used {
				usage[object][s.Name] = s.Value.Number()
			}
		}
		out = append(out, map[string]any{"start_time": w.Start.Int, "total": w.Total.Value.Number(), "usage": usage})
	}
	return out
}

func encode(doc map[string]any) []byte {
	text, err := json.Marshal(doc)
	if err != nil {
		panic("INVARIANT: plain values encode: " + err.Error())
	}
	return text
}

func rows(list []policy.Row, key string) []map[string]any {
	var out []map[string]any
	for _, r := range list {
		m := map[string]any{key: r.Name}
		for _, c := range r.Columns {
			id := schema.ColumnID(r.Object + "." + c.Name)
			v, ok := plain(c.Value)
			switch {
			case !ok:
			case id.Key() != "":
				keyed, _ := m[id.Name()].(map[string]any)
				if keyed == nil {
					keyed = map[string]any{}
					m[id.Name()] = keyed
				}
				keyed[id.Key()] = v
			default:
				m[c.Name] = v
			}
		}
		out = append(out, m)
	}
	return out
}

func plain(v schema.Value) (any, bool) {
	switch v.Type {
	case schema.Bool:
		return v.Int != 0, true
	case schema.Int, schema.Timestamp, schema.Duration:
		return v.Int, true
	case schema.Double:
		return v.Double, !math.IsInf(v.Double, 0) && !math.IsNaN(v.Double)
	case schema.String:
		return v.Str, true
	case schema.StringList:
		return v.List, true
	}
	return nil, false
}

// overlayFS is a file system with a few more files.
type overlayFS struct {
	under fs.FS
	extra map[string][]byte
}

func (o overlayFS) Open(name string) (fs.File, error) {
	if text, ok := o.extra[name]; ok {
		return snapshot.Texts{name: text}.Open(name)
	}
	return o.under.Open(name)
}
