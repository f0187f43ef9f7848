package celexpr

import (
	"strings"
	"testing"
)

func TestFunctionDocs(t *testing.T) {
	for _, f := range Functions() {
		if strings.TrimSpace(f.Doc) == "" && len(f.Signatures) == 0 {
			t.Errorf("%s has neither a sentence nor a signature", f.Name)
		}
	}
	for _, name := range []string{"has", "clamp", "math.abs", "size", "startsWith", "exists", "math.least"} {
		if FunctionOf(name) == nil {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestWords(t *testing.T) {
	text := `job.procs > 4 && 'a' in ["b`
	var got []string
	for _, w := range Words(text) {
		got = append(got, text[w.Start:w.End])
	}
	if want := `job . procs > 4 && 'a' in [ "b`; strings.Join(got, " ") != want {
		t.Errorf("%q, not %q", got, want)
	}
}
