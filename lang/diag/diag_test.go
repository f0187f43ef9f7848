package diag

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

func sample() List {
	f := source.NewFile("maui.cfg", []byte("QUEUETIMEWEIGHT 10\n\tXFÅCTOR  5 # note\nlast"))
	var l List
	l.Warnf("b-code", f.Span(20, 28), "there is no parameter %s", "XFÅCTOR").
		DidYouMean(f.Span(20, 28), "XFACTR", []string{"XFACTORWEIGHT", "XFACTOR"}).NoteAt(f.Span(0, 15), "the one before")
	l.Errorf("a-code", f.Span(0, 15), "wrong")
	l.Infof("c-code", source.Span{}, "nowhere in particular").Note("a note")
	l.Errorf("d-code", f.Span(39, 43), "at the end")
	return l
}

func TestText(t *testing.T) {
	l := sample()
	l.Sort()
	var plain, coloured bytes.Buffer
	if err := WriteText(&plain, l, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/text.golden", plain.Bytes())
	if err := WriteText(&coloured, l, true); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(coloured.Bytes(), []byte("\x1b[1;31m")) || bytes.Contains(plain.Bytes(), []byte("\x1b")) {
		t.Error("colours are where they were not asked for, or missing")
	}
}

func TestJSON(t *testing.T) {
	l := sample()
	l.Sort()
	var b bytes.Buffer
	if err := WriteJSON(&b, l); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/json.golden", b.Bytes())
	var back struct {
		Findings []struct{ Code string }
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back.Findings) != len(l) {
		t.Errorf("%d findings, %v", len(back.Findings), err)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got:\n%s", name, got)
	}
}

func TestSort(t *testing.T) {
	l := sample()
	l.Sort()
	var codes string
	for _, d := range l {
		codes += d.Code[:1]
	}
	if codes != "cabd" {
		t.Errorf("order is %s, want nowhere first, then by place", codes)
	}
	if !l.HasErrors() || (List{l[0]}).HasErrors() {
		t.Error("HasErrors is wrong")
	}
}

func TestNearest(t *testing.T) {
	words := []string{"PriorityType", "PriorityMaxAge", "ClusterName", "user"}
	for _, c := range []struct{ word, want string }{
		{"PriortyType", "PriorityType"}, {"prioritymaxage", "PriorityMaxAge"}, {"ClusterNmae", "ClusterName"},
		{"usre", "user"}, {"xyz", ""}, {"", ""}, {"Priority", ""},
	} {
		if got := Nearest(c.word, words); got != c.want {
			t.Errorf("nearest to %q is %q, want %q", c.word, got, c.want)
		}
	}
}

func TestNilChains(t *testing.T) {
	var d *Diagnostic
	if d.Note("a").NoteAt(source.Span{}, "b").Suggest(source.Span{}, "c").
		DidYouMean(source.Span{}, "usre", []string{"user"}) != nil {
		t.Error("a chain on nil made a diagnostic")
	}
}
