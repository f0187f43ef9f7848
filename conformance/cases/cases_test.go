package cases

import "testing"

// TestParse: a file of cases prints back as it is, and its parts are what they look like.
func TestParse(t *testing.T) {
	const text = "# about\n\n== one | 20.02\n\nA\nB=--\n--\nx\ny\n\n== two\n--\n\n"
	about, list := parse(t, "a", text)
	if len(list) != 2 || list[0] != (Case{"one", "20.02", "\nA\nB=--\n", "x\ny"}) || list[1] != (Case{Name: "two"}) {
		t.Errorf("%+q", list)
	}
	if got := about + list[0].String() + list[1].String(); got != text {
		t.Errorf("%q prints as %q", text, got)
	}
}
