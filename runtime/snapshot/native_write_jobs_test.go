package snapshot

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

// TestJobsRoundTrip: the jobs that WriteLines and WriteCSV write are read as what they were, or
// WriteCSV says that it cannot.
func TestJobsRoundTrip(t *testing.T) {
	for name, write := range map[string]func(io.Writer, *format.Snapshot) error{"queue.jsonl": native.WriteLines,
		"queue.csv": native.WriteCSV} {
		written := 0
		draws.Check(t, func(t *rapid.T) {
			whole := drawSnapshot(t)
			if whole.Jobs == nil || whole.Jobs.Rows == 0 || len(whole.Jobs.Columns()) < 2 { // a list of ids is no queue
				return
			}
			want := describe(&format.Snapshot{Jobs: whole.Jobs})
			var text bytes.Buffer
			if err := write(&text, whole); err != nil {
				if name == "queue.csv" && strings.Contains(err.Error(), "JSON can hold it") {
					return
				}
				t.Fatal(err)
			}
			written++
			back, _, err := Read(fstest.MapFS{name: {Data: text.Bytes()}}, []string{name}, format.Options{})
			if err != nil || back.Jobs == nil {
				t.Fatalf("%v\n%s", err, text.String())
			}
			if d := cmp.Diff(want, describe(&format.Snapshot{Jobs: back.Jobs})); d != "" {
				t.Fatalf("%s (-want +got)\n%s\n%s", name, d, text.String())
			}
		})
		if written == 0 && !t.Failed() {
			t.Errorf("%s: nothing was written: the generator has gone blind", name)
		}
	}
}

// TestCSVCannot: what a cell cannot hold is reported with its job and column.
func TestCSVCannot(t *testing.T) {
	for _, c := range []struct {
		id schema.ColumnID
		v  schema.Value
		ok bool
	}{
		{"job.name", schema.StringValue("a, \"b\" c"), true}, {"job.name", schema.StringValue("a\nb"), true},
		{"job.name", schema.StringValue(" a"), false},
		{"job.name", schema.StringValue("a\r\nb"), false}, {"job.features", schema.ListValue([]string{"a", "b"}), true},
		{"job.features", schema.ListValue([]string{"a;b"}), false},
	} {
		b := column.NewBuilder("job")
		b.Row()
		b.Value(c.id, c.v)
		b.String("job.id", "7")
		s := &format.Snapshot{Jobs: b.Table()}
		var text bytes.Buffer
		err := native.WriteCSV(&text, s)
		if (err == nil) != c.ok || err != nil && !strings.HasPrefix(err.Error(), "job 7: "+c.id.Name()+" ") {
			t.Errorf("%v: %v", c.v, err)
		}
		if err == nil && !strings.HasPrefix(text.String(), "id,") {
			t.Errorf("the id is not first: %s", text.String())
		}
	}
}
