package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"testing/fstest"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// queue is what the resource manager knows, and what the administrator set for its jobs in Maui.
type queue struct {
	jobs      []map[string]any
	nodes     []map[string]any
	first     map[string]use // what jobs had of each node when the recording began
	others    fstest.MapFS   // usage, which stays
	paths     []string       // what of the files a snapshot is read from
	listEnded bool
	priority  map[string]systemPriority
}

// decode keeps numbers as they are written.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

func openQueue(files fs.FS, listEnded bool) (*queue, error) {
	text, err := fs.ReadFile(files, "jobs.json")
	if err != nil {
		return nil, err
	}
	q := &queue{others: fstest.MapFS{}, paths: []string{"jobs.json", "nodes.json"}, listEnded: listEnded,
		priority: map[string]systemPriority{}}
	if err := decode(text, &q.jobs); err != nil {
		return nil, fmt.Errorf("jobs.json: %w", err)
	}
	if text, err = fs.ReadFile(files, "nodes.json"); err != nil {
		return nil, err
	}
	if err := decode(text, &q.nodes); err != nil {
		return nil, fmt.Errorf("nodes.json: %w", err)
	}
	q.first = q.used(math.MinInt64)
	windows, err := fs.Glob(files, "fs/FS.*")
	if err != nil {
		return nil, err
	}
	if len(windows) > 0 {
		q.paths = append(q.paths, "fs")
	}
	for _, name := range windows {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		q.others[name] = &fstest.MapFile{Data: data}
	}
	return q, nil
}

// at is the queue as the resource manager shows it.
func (q *queue) at(now int64) (*snapshot.Snapshot, error) {
	shown, set := []map[string]any{}, []map[string]any{}
	for _, j := range q.jobs {
		if j["state"] == "UserHold" {
			continue // a state that Maui's Wiki interface does not know: the job was never loaded (recorded: b07)
		}
		if ended(j, now) {
			if !q.listEnded {
				continue
			}
			j["state"] = "completed"
		}
		shown = append(shown, j)
		if p, ok := q.priority[j["id"].(string)]; ok {
			set = append(set, map[string]any{"id": j["id"], "system_priority": p.value, "system_priority_relative": p.relative})
		}
	}
	files, paths := maps.Clone(q.others), slices.Clone(q.paths)
	add := func(name string, v any) error {
		text, err := json.Marshal(v)
		files[name] = &fstest.MapFile{Data: text}
		return err
	}
	if err := errors.Join(add("jobs.json", shown), add("nodes.json", q.nodesAt(now))); err != nil {
		return nil, err
	}
	if len(set) > 0 {
		if err := add("set.json", map[string]any{"format_version": 1, "jobs": set}); err != nil {
			return nil, err
		}
		paths = append(paths, "set.json")
	}
	s, diags, err := snapshot.Read(files, paths, snapshot.Options{Now: now})
	if err == nil && diags.HasErrors() {
		err = fmt.Errorf("%v", diags)
	}
	return s, err
}

// ended reports a job that has run for its time, which only the recording knows.
func ended(j map[string]any, now int64) bool {
	start, started := seconds(j["start_time"])
	runtime, timed := seconds(j["runtime"])
	return (j["state"] == "running" || j["state"] == "completed") && started && timed && start+runtime <= now
}

func seconds(v any) (int64, bool) {
	number, _ := v.(json.Number)
	n, err := number.Int64()
	return n, err == nil
}

// start lets jobs run from now on.
func (q *queue) start(starts []Start, now int64) {
	for _, s := range starts {
		for _, j := range q.jobs {
			if j["id"] == s.Job {
				j["state"], j["start_time"] = "running", json.Number(fmt.Sprint(now))
				if len(s.Tasks) > 0 {
					j["alloc"] = s.Tasks
				}
			}
		}
	}
}
