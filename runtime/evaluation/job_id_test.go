package evaluation

import (
	"testing"
)

func TestJobID(t *testing.T) {
	for id, want := range map[string]JobID{
		"12": {12, 0}, "12_3": {12, 3}, "12_[4-9]": {12, 4}, "12_[7,9%2]": {12, 7}, "20+0": {20, 0}, "20+1": {20, 1},
		"7.head": {7, 0}, "7[3].head": {7, 3}, "abc": {}, "abc_3": {}, "[1-5]": {}, "": {}, "12_x": {12, 0},
		"99999999999999999999_1": {1<<63 - 1, 1},
	} {
		if got := ParseJobID(id); got != want {
			t.Errorf("%q is %v, want %v", id, got, want)
		}
	}
}
