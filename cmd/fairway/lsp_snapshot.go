package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/compiler/editor"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// observer says what expressions come to in a recorded queue.
type observer struct {
	snap *snapshot.Snapshot
	opt  evaluation.Options

	files []*source.File // the policy that known is of
	known map[string]string
}

// observed reads the queue.
func (s *snapshotFlags) observed(names []string) (editor.Queue, error) {
	flags := *s
	flags.paths = names
	snap, _, err := flags.read(&disk{})
	if err != nil {
		if err.Error() == "" { // it has been reported
			err = fmt.Errorf("%s has errors; `fairway snapshot info` shows them", strings.Join(names, ", "))
		}
		return editor.Queue{}, err
	}
	o := &observer{snap: snap}
	if o.opt.Place, err = s.place(); err != nil {
		return editor.Queue{}, err
	}
	return editor.Queue{Observe: o.observe, Weigh: o.weigh}, nil
}

// weigh says of each weight that a file sets how many of the ranked jobs would have another rank if what it weighs
// counted nothing; nothing where the policy cannot be evaluated.
func (o *observer) weigh(in compiler.Input) (list []editor.Weight) {
	in.SnapshotVersion, in.Lenient = o.snap.Version, false
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		return nil
	}
	opt := o.opt
	opt.Workers = 1 // the editor goes on
	r, err := engine.Run(out.Program, o.snap, opt)
	if err != nil || r.Findings.HasErrors() {
		return nil
	}
	at, most := map[string]int{}, []int{}
	err = withoutEach(context.Background(), out.Policy, r, func(w *edit.Setting, _ edit.Part, order []int32) {
		if w.Span.IsZero() {
			return
		}
		if _, ok := at[w.Key]; !ok {
			at[w.Key] = len(list)
			list, most = append(list, editor.Weight{At: w.Span}), append(most, 0)
		}
		moved := 0
		for i, job := range order {
			if i >= len(r.Order) || job != r.Order[i] {
				moved++
			}
		}
		most[at[w.Key]] = max(most[at[w.Key]], moved)
	})
	if err != nil {
		return nil
	}
	for i, moved := range most {
		if list[i].Text = fmt.Sprintf("decides %d of %s", moved, count(len(r.Order), "rank")); moved == 0 {
			list[i].Text = "decides no rank"
		}
	}
	return list
}

// observe is what an expression comes to, beside the policy; "" where it cannot be computed.
func (o *observer) observe(text string, in compiler.Input) string {
	if !slices.Equal(o.files, in.Files) {
		o.files, o.known = in.Files, map[string]string{}
	}
	if seen, ok := o.known[text]; ok {
		return seen
	}
	o.known[text] = o.ask(text, in)
	return o.known[text]
}

func (o *observer) ask(text string, in compiler.Input) string {
	in.Queries = []lower.Query{{Text: source.NewFile(exprFile, []byte(text))}}
	in.SnapshotVersion, in.Lenient = o.snap.Version, false
	if len(in.Files) == 0 {
		in.Files = []*source.File{source.NewFile("none.fairway.hcl", []byte(noPolicy))}
	}
	out := compiler.Compile(in)
	if out.Diags.HasErrors() || len(out.Policy.Queries) == 0 {
		return ""
	}
	p, diags := compiler.Queries(out.Policy)
	if diags.HasErrors() {
		return ""
	}
	r, err := scores(p, o.snap, o.opt)
	if err != nil || r.Findings.HasErrors() {
		return ""
	}
	x := expression{query: out.Policy.Queries[0], r: r}
	x.filter.asked = r
	var values []any
	rows := 0
	for job := range r.Jobs.Rows {
		for row, end := r.Entries(job); row < end; row++ {
			rows++
			if v := x.value(job, row); v.Failed == "" {
				values = append(values, v.Value)
			}
		}
	}
	return summary(x.query.Type, values, rows)
}

// mostValues are the words that a summary lists.
const mostValues = 5

// summary says what the values of a queue's jobs are: of numbers the range, of words the commonest.
func summary(t schema.Type, values []any, rows int) string {
	text := fmt.Sprintf("%s, known of %d of %s", t, len(values), count(rows, "job"))
	var numbers []float64
	words := map[string]int{}
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			numbers = append(numbers, float64(v))
		case float64:
			numbers = append(numbers, v)
		default:
			words[valueText(v)]++
		}
	}
	if len(numbers) > 0 {
		slices.Sort(numbers)
		write := func(n float64) string { return valueText(n) }
		if t != schema.Double {
			write = func(n float64) string { return valueText(int64(n)) }
		}
		return text + fmt.Sprintf(", from %s to %s, the median is %s", write(numbers[0]), write(numbers[len(numbers)-1]),
			write(numbers[len(numbers)/2]))
	}
	most := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(words[b]-words[a], strings.Compare(a, b))
	})
	var parts []string
	for _, w := range most[:min(len(most), mostValues)] {
		parts = append(parts, fmt.Sprintf("%q (%d)", w, words[w]))
	}
	if more := len(most) - len(parts); more > 0 {
		parts = append(parts, count(more, "more value"))
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}
