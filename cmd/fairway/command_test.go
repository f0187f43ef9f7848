package main

import "testing"

// TestAnswerIsBounded: what is beyond the bound is not kept, so that a program that prints without end does not take
// all memory.
func TestAnswerIsBounded(t *testing.T) {
	a := &answer{most: 5}
	if _, err := a.Write([]byte("12345")); err != nil || a.over {
		t.Fatalf("as much as is allowed is refused: %v", err)
	}
	if _, err := a.Write([]byte("6")); err == nil || !a.over || a.text.String() != "12345" {
		t.Errorf("%q is kept, over is %v, the error %v", a.text.String(), a.over, err)
	}
}
