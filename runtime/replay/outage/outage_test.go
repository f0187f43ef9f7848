package outage

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestRead: each file of the archive comes to the outages and findings after it.
func TestRead(t *testing.T) {
	a, err := txtar.ParseFile("testdata/outages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(a.Files); i += 2 {
		in, want := a.Files[i], &a.Files[i+1]
		if !Recognize(in.Data) {
			t.Errorf("%s is not recognised", in.Name)
		}
		var out strings.Builder
		list, diags := Read(source.NewFile(in.Name, in.Data), time.FixedZone("CET", 3600))
		for _, o := range list {
			fmt.Fprintf(&out, "%v %d %d down=%t %s\n", o.Nodes, o.From, o.To, o.Down, o.Reason)
		}
		if err := diag.WriteText(&out, diags, false); err != nil {
			t.Fatal(err)
		}
		if *update {
			want.Data = []byte(out.String())
		} else if out.String() != string(want.Data) {
			t.Errorf("%s:\n%s\nwant\n%s", in.Name, out.String(), want.Data)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/outages.txtar", txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForeign: tables of jobs and of reservations are no outages.
func TestForeign(t *testing.T) {
	for _, text := range []string{"", "JobID|Start|End\n1|2|3\n", "ReservationName=a StartTime=b\n", "id,procs\n1,2\n"} {
		if Recognize([]byte(text)) {
			t.Errorf("%q is taken for outages", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	a, err := txtar.ParseFile("testdata/outages.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for i := range a.Files {
		f.Add(a.Files[i].Data)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, diags := Read(source.NewFile("x", text), time.UTC)
		for _, o := range list {
			if len(o.Nodes) == 0 || o.From <= 0 || o.To != 0 && o.To <= o.From {
				t.Fatalf("%+v", o)
			}
		}
		for _, d := range diags {
			if d.Span.Start < 0 || int(d.Span.End) > len(text) || d.Span.Start > d.Span.End {
				t.Fatalf("%v lies outside", d)
			}
		}
	})
}
