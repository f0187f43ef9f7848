package conformance_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/engine"
)

// slurmExpected holds the priorities that slurmctld had, exact to the unit.
type slurmExpected struct {
	Description string          `json:"description"`
	Version     string          `json:"slurm_version"`
	Snapshots   []slurmSnapshot `json:"snapshots"`
}

type slurmSnapshot struct {
	Tag  string     `json:"tag"`
	Now  int64      `json:"now"` // of the priority pass that computed them
	Jobs []slurmJob `json:"jobs"`
}

type slurmJob struct {
	ID          int64            `json:"job_id"`
	State       string           `json:"state"`
	Priority    int64            `json:"priority"`
	ByPartition map[string]int64 `json:"true_priority_by_partition,omitempty"`
}

// printedDecimals: slurmctld computes with the fairshare factor it has, while
// sshare prints it with six decimals. Where fairshare has a weight, a priority can
// therefore be off by one, and by one more for each 10^6 of weight.
func printedDecimals(result *engine.Result, row int) int64 {
	for k := range result.Terms {
		term := &result.Terms[k]
		c := result.Program.Components[term.Component]
		if weight := result.Sums[term.Component].Weight[row]; c.Name == "fairshare" && weight > 0 {
			return 1 + int64(weight/1e6)
		}
	}
	return 0
}

// slurmKnown are jobs whose recorded priority does not follow from what the
// commands print, by case and id, with the reason.
var slurmKnown = map[string]map[string]string{}

func TestRecordedSlurm(t *testing.T) {
	for _, r := range recordings(t, "slurm") {
		t.Run(r.name, func(t *testing.T) { checkSlurm(t, r) })
	}
}

func TestFullRecordedSlurm(t *testing.T) {
	for _, r := range fullRecordings(t, "slurm", `^(prio|age|jobsize|partition|qos|tres|assoc|nice)-`) {
		t.Run(r.name, func(t *testing.T) { checkSlurm(t, r) })
	}
}

func checkSlurm(t *testing.T, r recording) {
	var want slurmExpected
	r.expected(t, &want)
	branch := strings.Join(strings.SplitN(want.Version, ".", 3)[:2], ".")
	for _, s := range want.Snapshots {
		conf, paths := "inputs/slurm.conf", []string{"raw"}
		if r.exists(conf + "." + s.Tag) {
			conf += "." + s.Tag
		}
		if r.exists("raw/"+s.Tag) && s.Tag != "" {
			paths = append(paths, "raw/"+s.Tag)
		}
		out := r.compile(t, conf, compiler.Input{Lang: lower.Slurm, Options: lower.Options{Version: branch, Without: []string{"limits"}}})
		if out.Program == nil {
			t.Fatal(format(out.Diags))
		}
		compareSlurm(t, r.name, s, evaluate(t, out.Program, r.snapshot(t, s.Now, paths...)))
	}
}

func compareSlurm(t *testing.T, name string, s slurmSnapshot, result *engine.Result) {
	ids, index := jobIDs(result)
	checked := 0
	for _, w := range s.Jobs {
		id := strconv.FormatInt(w.ID, 10)
		if w.State != "PENDING" || slurmKnown[name][id] != "" {
			continue
		}
		i, ok := index[id]
		if !ok {
			t.Errorf("job %s is missing; there are %v", id, ids)
			continue
		}
		checked++
		row := int(result.JobRow[i])
		samePriority(t, "job "+id, result, row, w.Priority)
		partitions := result.Rows.Column("job.partition")
		rows := map[string]int{}
		for row, job := range result.RowJob {
			if int(job) == i {
				rows[partitions.Dict[partitions.Codes[row]]] = row
			}
		}
		for _, p := range slices.Sorted(maps.Keys(w.ByPartition)) {
			row, ok := rows[p]
			if !ok {
				t.Errorf("job %s has no row for partition %s", id, p)
				continue
			}
			samePriority(t, "job "+id+" in "+p, result, row, w.ByPartition[p])
		}
	}
	if checked == 0 {
		t.Error("no job was compared")
	}
}

func samePriority(t *testing.T, what string, result *engine.Result, row int, want int64) {
	t.Helper()
	got := result.Priority[row]
	if off := got - want; max(off, -off) > printedDecimals(result, row) {
		t.Errorf("%s: priority is %d (score %v), recorded was %d", what, got, result.Score[row], want)
	}
}
