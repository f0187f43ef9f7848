package slurmrun_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func TestRecordedReasons(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), c.slurmReasons)
	c.atLeast(t, map[string]int{"reason": 1500})
}

func TestFullRecordedReasons(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, ""), c.slurmReasons)
	c.atLeast(t, map[string]int{"reason": 5500})
}

// withoutNodes are the reasons that mean something where no nodes were up.
var withoutNodes = regexp.MustCompile(`^(JobHeld|Dependency|BeginTime|Reservation)`)

// slurmReasons compares why jobs wait.
func (c compared) slurmReasons(t *testing.T, r *slurmrun.Run) {
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		c.reasonsLike(t, r, s, recordedtest.EvaluateSlurm(t, r, s, true, nil),
			func(reason string) bool { return r.Meaningful || withoutNodes.MatchString(reason) })
	}
}

// reasonsLike compares the recorded reasons that are of a kind, as squeue prints them.
func (c compared) reasonsLike(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot, result *evaluation.Result,
	like func(reason string) bool) {
	_, index := recordedtest.JobIDs(result)
	for k := range s.Jobs {
		w := &s.Jobs[k]
		if w.State != "PENDING" || !like(w.Reason) {
			continue
		}
		i, ok := index[w.Name()]
		if !ok {
			t.Errorf("%s: job %s is missing", s.Tag, w.Name())
			continue
		}
		c["reason"]++
		if got := strings.ReplaceAll(result.Reason[i], " ", "_"); got != w.Reason {
			t.Errorf("%s: job %s is %s with reason %q, recorded was %q%s", s.Tag, w.Name(), result.State[i], got, w.Reason,
				stopText(result.Why[int32(i)]))
		}
	}
}

func stopText(b *evaluation.Block) string {
	if b == nil || b.Slurm == nil {
		return ""
	}
	s := b.Slurm
	return " (" + strings.Join([]string{s.Level, s.Name, s.Who, s.Kind, s.TRES, s.Test.String()}, " ") + ")"
}

func TestRecordedComputedReasons(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), c.computedReasons)
	c.atLeast(t, map[string]int{"reason": 800})
}

func TestFullRecordedComputedReasons(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, ""), c.computedReasons)
	c.atLeast(t, map[string]int{"reason": 3500})
}

// computedReason are the reasons that follow from limits, partitions and what jobs ask for. What depends
// on the nodes that slurmctld chose stays with the record.
var computedReason = regexp.MustCompile(`^(Assoc|QOS|Max|Partition|Job's|JobArrayTaskLimit|Dependency|BeginTime)`)

// ofGroups are the cases in which AllowGroups decides: of which groups a user is no output says.
var ofGroups = regexp.MustCompile(`^partition-multi-reasons$`)

// computedReasons takes the recorded reasons away before it compares.
func (c compared) computedReasons(t *testing.T, r *slurmrun.Run) {
	if !r.Meaningful {
		return
	}
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		result := recordedtest.EvaluateSlurm(t, r, s, true, func(state *snapshot.Snapshot) {
			state.Jobs.Put(&column.Column{ID: "job.state_reason", Type: schema.String, Codes: make([]uint32, state.Jobs.Rows),
				Dict: []string{""}})
		})
		c.reasonsLike(t, r, s, result, func(reason string) bool {
			return computedReason.MatchString(reason) && !(reason == "PartitionConfig" && ofGroups.MatchString(r.Name))
		})
	}
}

func TestRecordedCounters(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), c.counters)
	c.atLeast(t, map[string]int{"counter": 100})
}

func TestFullRecordedCounters(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, `^(limit|big|backfill)-`), c.counters)
	c.atLeast(t, map[string]int{"counter": 150})
}

// counters compares what limits count with what slurmctld counted, as scontrol show assoc_mgr prints
// it: limit(used).
func (c compared) counters(t *testing.T, r *slurmrun.Run) {
	s := &r.Snapshots[len(r.Snapshots)-1]
	result := recordedtest.EvaluateSlurm(t, r, s, true, nil)
	text, ok := r.Text(s, "assoc_mgr.txt")
	if !ok || result.SlurmLimits == nil {
		return
	}
	used := managedUse(text)
	for _, counter := range result.SlurmLimits.Counters(true) {
		key := counter.Object + " " + counter.Name + " " + counter.Kind
		if counter.TRES != "" {
			key += " " + counter.TRES
		}
		want, ok := used[key]
		if counter.Who != "" || !ok {
			continue
		}
		c["counter"]++
		if want != strconv.FormatInt(counter.InUse, 10) {
			t.Errorf("%s: %d in use, recorded was %s", key, counter.InUse, want)
		}
	}
}

// managedUse reads what is in the parentheses, by object, name, limit and resource.
func managedUse(text string) map[string]string {
	used := map[string]string{}
	for line := range strings.Lines(text) {
		fields := map[string]string{}
		for word := range strings.FieldsSeq(line) {
			if key, value, ok := strings.Cut(word, "="); ok && fields[key] == "" {
				fields[key] = value
			}
		}
		name := func(s string) string { s, _, _ = strings.Cut(s, "("); return s }
		object := ""
		switch {
		case strings.HasPrefix(line, "ClusterName="):
			object = "association " + fields["Account"]
			if user := name(fields["UserName"]); user != "" {
				object += "/" + user
			}
		case strings.HasPrefix(line, "QOS="):
			object = "qos " + name(fields["QOS"])
		default:
			continue
		}
		for _, kind := range []string{"GrpJobs", "GrpJobsAccrue", "GrpSubmitJobs", "MaxJobs", "MaxJobsAccrue",
			"MaxSubmitJobs", "GrpTRES", "GrpTRESMins", "GrpTRESRunMins"} {
			for entry := range strings.SplitSeq(fields[kind], ",") {
				tres, value, ofTRES := strings.Cut(entry, "=")
				key := object + " " + kind
				if ofTRES {
					key += " " + tres
				} else {
					value = entry
				}
				if _, use, ok := strings.Cut(strings.TrimSuffix(value, ")"), "("); ok {
					used[key] = use
				}
			}
		}
	}
	return used
}
