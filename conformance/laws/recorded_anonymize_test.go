package laws

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/anonymize"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/stdlib"
)

// TestRecordedAnonymized: under other names of users, accounts, QOS and all else that slurm.conf does not
// name, every recorded queue has the same priorities, states and reasons, fairshare of the tree included.
func TestRecordedAnonymized(t *testing.T) {
	compared, others := 0, 0
	var list []recordedtest.Case
	for _, c := range recordedtest.Copies(t, "slurm") {
		if !namesMore.MatchString(c.Name) {
			list = append(list, c)
		}
	}
	recordedtest.EachSlurm(t, list, func(t *testing.T, r *slurmrun.Run) {
		for k := range r.Snapshots {
			s := &r.Snapshots[k]
			want := recordedtest.EvaluateSlurm(t, r, s, false, nil)
			var names *anonymize.Names
			got := recordedtest.EvaluateSlurm(t, r, s, false, func(snap *snapshot.Snapshot) {
				other, list, err := anonymize.Snapshot(snap,
					anonymize.Options{Key: []byte(r.Name), Reasons: stdlib.SlurmPendingReasons.Names(),
						Keep: map[anonymize.Kind]bool{anonymize.Partition: true, anonymize.Node: true}})
				if err != nil {
					t.Fatal(err)
				}
				names = list
				snap.Jobs, snap.Nodes, snap.Credentials, snap.Reservations = other.Jobs, other.Nodes, other.Credentials,
					other.Reservations
				snap.Licenses, snap.Sprio, snap.Usage = other.Licenses, other.Sprio, other.Usage
			})
			others += len(names.Pairs())
			if len(got.Priority) != len(want.Priority) {
				t.Fatalf("%s: %d rows, then %d", s.Tag, len(want.Priority), len(got.Priority))
			}
			for row := range want.Priority {
				compared++
				if a, b := decidedRecorded(want, row), decidedRecorded(got, row); a != b {
					t.Errorf("%s: row %d is %s, and under other names %s", s.Tag, row, a, b)
				}
			}
		}
	})
	if compared < 1000 || others < 1000 {
		t.Errorf("only %d rows with %d names were compared", compared, others)
	}
}

// namesMore are recordings whose slurm.conf names accounts, QOS or licences too: of partitions that let some
// in, and in weights.
var namesMore = regexp.MustCompile(`^(limit-partition|tres-weights|partition-multi-reasons)`)

// decidedRecorded is what does not depend on names.
func decidedRecorded(r *evaluation.Result, row int) string {
	job := r.RowJob[row]
	reason, _, _ := strings.Cut(r.Reason[job], ",") // nodes and partitions follow
	reason, _, _ = strings.Cut(reason, "_(")
	return fmt.Sprint(r.Priority[row], " ", r.Score[row], " ", r.State[job], " ", reason)
}
