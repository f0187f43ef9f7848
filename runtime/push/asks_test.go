package push

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// asks is the obvious way to sum up what a job asks for, and the twin of asker.
func asks(jobs *column.Table, job int) string {
	several := jobs.Value("job.partitions", job).Known()
	var list []string
	for _, c := range jobs.Columns() {
		name := c.ID.Name()
		if !slices.Contains(asked, name) || several && name == "partition" {
			continue
		}
		if v := c.Value(job); v.Known() &&
			(v.Type != schema.StringList && fmt.Sprint(v) != fmt.Sprint(schema.Value{Type: v.Type}) || len(v.List) > 0) {
			list = append(list, fmt.Sprintf("%s=%v", c.ID, v))
		}
	}
	slices.Sort(list)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(list, "\n"))))[:16]
}

// What a journal has of a job's wishes is the same in every release.
func TestAsker(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		b := column.NewBuilder("job")
		values := rapid.SampledFrom([]schema.Value{{}, schema.IntValue(0), schema.IntValue(-3), schema.DoubleValue(0.5),
			schema.DoubleValue(math.Copysign(0, -1)), schema.BoolValue(true), schema.StringValue(""),
			schema.StringValue("a\nb"), schema.ListValue([]string{"x", "y"}), schema.TimestampValue(5)})
		for _, name := range append(slices.Clone(asked), "partitions", "name") {
			if v := values.Draw(t, name); v.Known() {
				b.Declare(schema.ColumnID("job."+name), v.Type)
			}
		}
		for range 5 {
			b.Row()
			for _, name := range append(slices.Clone(asked), "partitions", "name") {
				id := schema.ColumnID("job." + name)
				if v := values.Draw(t, name); b.Has(id) && v.Type == b.At(id, v.Type).Type {
					b.Value(id, v)
				}
			}
		}
		jobs := b.Table()
		a := newAsker(jobs)
		for job := range jobs.Rows {
			if got, want := a.of(job), asks(jobs, job); got != want {
				t.Fatalf("job %d is summed up as %s, want %s", job, got, want)
			}
		}
	})
}
