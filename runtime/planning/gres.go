package planning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// eachGres reads gpu:a100:4(S:0-1),shard:8 and calls visit with each kind, its type or "", and the count; without a
// number one is meant.
func eachGres(text string, visit func(kind, model string, n int64)) {
	for text != "" {
		end, depth := len(text), 0
		for i, c := range text {
			switch {
			case c == '(':
				depth++
			case c == ')':
				depth--
			case c == ',' && depth <= 0:
				end = i
			}
			if end == i {
				break
			}
		}
		item := strings.TrimSpace(text[:end])
		text = strings.TrimPrefix(text[end:], ",")
		item, _, _ = strings.Cut(item, "(")
		kind, rest, more := strings.Cut(item, ":")
		if kind == "" || kind == "null" {
			continue
		}
		model, n := "", int64(1)
		if more {
			model, count, typed := strings.Cut(rest, ":")
			if !typed {
				model, count = "", rest
			}
			v, ok := gresCount(count)
			if !ok && !typed { // gpu:a100
				model, v = rest, 1
			}
			visit(kind, model, v)
			continue
		}
		visit(kind, model, n)
	}
}

// gresCount reads 4 or 2K.
func gresCount(text string) (int64, bool) {
	factor := int64(1)
	if n := len(text) - 1; n > 0 {
		if at := strings.IndexByte("KMGT", text[n]&^0x20); at >= 0 && text[n] > '9' {
			text, factor = text[:n], 1<<(10*(at+1))
		}
	}
	v, err := strconv.ParseInt(text, 10, 32)
	return v * factor, err == nil && v >= 0
}

// gresTextColumns have what is asked for or configured in words.
var gresTextColumns = []schema.ColumnID{"node.gres", "job.gres_per_node", "job.gres_per_task", "job.gres_per_job"}

// gresNames lists the generic resources that nodes have or jobs ask for: gpu, and with a type gpu:a100. A
// request for a type counts against both, one without against the kind alone.
func gresNames(r *evaluation.Result) []string {
	names := map[string]bool{}
	add := func(kind, model string, _ int64) {
		names[kind] = true
		if model != "" {
			names[kind+":"+model] = true
		}
	}
	for _, t := range []*column.Table{r.Snapshot.Nodes, r.Jobs} {
		for _, c := range t.Columns() {
			switch {
			case c.ID.Name() == "gpus":
				if slices.ContainsFunc(c.Ints, func(n int64) bool { return n > 0 }) {
					names["gpu"] = true
				}
			case c.ID.Name() == "tres":
				if name, ok := strings.CutPrefix(c.ID.Key(), "gres/"); ok {
					kind, model, _ := strings.Cut(name, ":")
					add(kind, model, 0)
				}
			case slices.Contains(gresTextColumns, c.ID):
				for _, text := range c.Dict {
					eachGres(text, add)
				}
			}
		}
	}
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// gresOf counts what a text names.
func gresOf(names []string, text string) []int64 {
	if text == "" {
		return nil
	}
	var counts []int64
	add := func(name string, n int64) {
		if at, ok := slices.BinarySearch(names, name); ok {
			if counts == nil {
				counts = make([]int64, len(names))
			}
			counts[at] += n
		}
	}
	eachGres(text, func(kind, model string, n int64) {
		add(kind, n)
		if model != "" {
			add(kind+":"+model, n)
		}
	})
	return counts
}

// nodeGres are the counts of a node: as tracked, else as configured.
func nodeGres(names []string, t *column.Table, row int) []int64 {
	if len(names) == 0 {
		return nil
	}
	counts := gresOf(names, t.Text("node.gres", row))
	if counts == nil {
		counts = make([]int64, len(names))
	}
	for i, name := range names {
		switch v := t.Value(schema.TRES("node", "gres/"+name), row); {
		case v.Known():
			counts[i] = int64(v.Double)
		case name == "gpu" && counts[i] == 0:
			counts[i] = t.Int("node.gpus", row)
		}
	}
	for i, name := range names { // types that are tracked without their kind
		sum := int64(0)
		for k, typed := range names {
			if strings.HasPrefix(typed, name+":") {
				sum += counts[k]
			}
		}
		counts[i] = max(counts[i], sum)
	}
	return counts
}

// gres is what a job asks for on each node and for each task. What is counted for the whole job goes evenly to its
// nodes where it names them, else to its tasks.
func (q *Queue) gres(out *backfill.Request) {
	names := q.Cluster.Gres
	if len(names) == 0 {
		return
	}
	jobs, job := q.Result.Jobs, int(out.Row)
	out.PerNode.Gres = gresOf(names, jobs.Text("job.gres_per_node", job))
	out.PerTask.Gres = gresOf(names, jobs.Text("job.gres_per_task", job))
	out.ProcsPerGres = gresOf(names, jobs.Text("job.procs_per_gres", job))
	whole := gresOf(names, jobs.Text("job.gres_per_job", job))
	if whole == nil && out.PerNode.Gres == nil && out.PerTask.Gres == nil {
		whole = q.totalGres(job)
	}
	if whole == nil {
		return
	}
	out.JobGres = whole
	out.SpreadGres()
}

// totalGres are the counts that a job has or asks for in total; nil for none.
func (q *Queue) totalGres(job int) []int64 {
	jobs := q.Result.Jobs
	var counts []int64
	for i, name := range q.Cluster.Gres {
		n := int64(jobs.Value(schema.TRES("job", "gres/"+name), job).Double)
		if name == "gpu" && n == 0 {
			n = jobs.Int("job.gpus", job)
		}
		if n == 0 {
			continue
		}
		if counts == nil {
			counts = make([]int64, len(q.Cluster.Gres))
		}
		counts[i] = n
	}
	return counts
}
