package diag

import (
	"fmt"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

func TestBounded(t *testing.T) {
	a, b := source.NewFile("a", []byte("0123456789")), source.NewFile("b", []byte("0123456789"))
	l := Bounded{Max: 3, Code: "more"}
	l.Resume(a, 1)
	for i := range 10 {
		l.Warnf("w", a.Span(i, i+1), "number %d", i).Note("why").DidYouMean(a.Span(i, i+1), "usre", []string{"user"})
	}
	l.Errorf("e", a.Span(9, 10), "hidden")
	for i := range 4 {
		l.Infof("i", b.Span(i, i+1), "number %d", i)
	}
	got := ""
	for _, d := range l.List() {
		got += fmt.Sprintf("%s %s %s %s\n", d.Span, d.Severity, d.Code, d.Message)
	}
	want := `a:1:1 warning w number 0
a:1:2 warning w number 1
b:1:1 info i number 0
b:1:2 info i number 1
b:1:3 info i number 2
a:1:3 error more 9 more findings in this file
b:1:4 info more 1 more finding in this file
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
	if l.Kept(a) != 3 || l.Kept(b) != 3 {
		t.Errorf("kept %d and %d", l.Kept(a), l.Kept(b))
	}
	if n := len(l.List()); n != 7 {
		t.Errorf("asking again gives %d", n)
	}
}
