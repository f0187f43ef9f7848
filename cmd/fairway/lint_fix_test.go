package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestWriteDiff: a hunk shows the lines that are written, also where one before it holds several changes.
func TestWriteDiff(t *testing.T) {
	var before, after []string
	for i := 1; i <= 30; i++ {
		line := fmt.Sprintf("line %d", i)
		before = append(before, line)
		switch i {
		case 2, 5, 20:
			line = "changed " + line
		case 7:
			line += "\nadded"
		case 28:
			continue
		}
		after = append(after, line)
	}
	text := func(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	var b strings.Builder
	if err := writeDiff(&b, "slurm.conf", text(before), text(after)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"@@ -1,10 +1,11 @@\n", "-line 2\n+changed line 2\n", " line 7\n+added\n", "@@ -17,7 +18,7 @@\n",
		"-line 20\n+changed line 20\n line 21\n", "@@ -25,6 +26,5 @@\n", " line 27\n-line 28\n line 29\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the difference lacks %q:\n%s", want, b.String())
		}
	}
}

// TestWriteDiffOfLineEnds: a carriage return is seen, also before the end of a line, and does not reach the terminal.
func TestWriteDiffOfLineEnds(t *testing.T) {
	var b strings.Builder
	if err := writeDiff(&b, "slurm.conf", []byte("a\r\nb\rc\r\n"), []byte("a\r\nb\n")); err != nil {
		t.Fatal(err)
	}
	if want := " a\\r\n-b\\rc\\r\n+b\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("the difference is %q, and does not end in %q", b.String(), want)
	}
}
