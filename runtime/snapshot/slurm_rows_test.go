package snapshot

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestNativeRowsStay: what Slurm's outputs leave out is filled in, also where
// another file adds cells to a row; rows that only a native file has stay as they are.
func TestNativeRowsStay(t *testing.T) {
	native := `{"format_version": 1, "family": "slurm",
	 "jobs": [{"id": "7", "user": "a", "state": "pending", "start_time": 1700000000, "tres": {"cpu": 4}}, {"id": "1", "user": "a", "comment": "mine"}],
	 "credentials": {"association": [{"name": "x", "priority": null, "parent": ""}]}}`
	slurm := mapFS{
		"jobs": "JobId=1 UserId=a(1) JobState=PENDING StartTime=2026-01-31T12:00:00 ReqTRES=cpu=2\nJobId=2 UserId=a(1) " +
			"JobState=PENDING ReqTRES=cpu=2,gres/gpu=1\nJobId=3 UserId=a(1) JobState=PENDING\n",
		"assocs": "Cluster|Account|User|Partition|Share|Priority|ParentName\nc|root|||1||\n",
		"n.json": native,
	}
	columns := []string{"job.id", "job.start_time", "job.tres(cpu)", "job.tres(gres/gpu)", "job.comment"}
	for _, paths := range [][]string{{"jobs", "assocs", "n.json"}, {"n.json", "jobs", "assocs"}, {"."}} {
		both := "1 ? 2 0 mine"
		if paths[0] == "." {
			both = "1 ? ? ? mine" // the native file comes first, and what it leaves open in a column it has stays so
		}
		s, diags, err := Read(slurm.open(), paths, format.Options{})
		if err != nil || len(diags) > 0 {
			t.Fatal(err, texts(diags))
		}
		checkTables(t, s)
		got := map[string]string{}
		for i := range s.Jobs.Rows {
			got[s.Jobs.Value("job.id", i).Str] = row(s.Jobs, i, columns...)
		}
		for id, want := range map[string]string{"7": "7 1700000000 4 ? ", "1": both, "2": "2 ? 2 1 ", "3": "3 ? ? ? "} {
			if got[id] != want {
				t.Errorf("%v: %s, want %s", paths, got[id], want)
			}
		}
		a, priorities := s.Credentials["association"], map[string]string{}
		for i := range a.Rows {
			priorities[a.Value("association.name", i).Str] = row(a, i, "association.priority")
		}
		if priorities["x"] != "?" || priorities["root"] != "0" {
			t.Errorf("%v: %v", paths, priorities)
		}
	}
}
