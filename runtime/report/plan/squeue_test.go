package plan

import "testing"

// TestSeparateWords: what scontrol joins squeue prints as words; names of nodes stay.
func TestSeparateWords(t *testing.T) {
	for recorded, want := range map[string]string{
		"ReqNodeNotAvail,_UnavailableNodes:gpu_[01-10]":           "ReqNodeNotAvail, UnavailableNodes:gpu_[01-10]",
		"ReqNodeNotAvail,_Reserved_for_maintenance":               "ReqNodeNotAvail, Reserved for maintenance",
		"Job's_account_not_permitted_to_use_this_partition_(a_b)": "Job's account not permitted to use this partition (a b)",
		"Resources": "Resources", "ReqNodeNotAvail, UnavailableNodes:n_1": "ReqNodeNotAvail, UnavailableNodes:n_1", "": "",
	} {
		if got := separateWords(recorded); got != want {
			t.Errorf("%q is printed as %q, want %q", recorded, got, want)
		}
	}
}
