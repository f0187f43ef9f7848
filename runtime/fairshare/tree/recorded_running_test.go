package tree

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// TestRecordedRunning follows the usage of running jobs through the passes of
// controllers that ran every minute: TRES weights, the maximum rule, QOS factors.
func TestRecordedRunning(t *testing.T) {
	t.Run("copies", func(t *testing.T) { checkRunning(t, copies, 30) })
	t.Run("full", func(t *testing.T) { checkRunning(t, recordings, 40) })
}

func checkRunning(t *testing.T, each func(testing.TB, func(*recorded)), least int) {
	charged := 0
	each(t, func(r *recorded) {
		if !slices.ContainsFunc(r.Snapshots, func(s recordedSnapshot) bool { return len(s.Associations) > 0 && s.ran() }) {
			return
		}
		l := r.ledger(t)
		clock := r.clock(t)
		for k := range r.Snapshots {
			s := &r.Snapshots[k]
			for l.LastRan < s.Now {
				now := s.Now - (s.Now-l.LastRan-1)/60*60
				ended, running := r.charges(t, l.Tree, s, now)
				charged += len(running)
				for _, c := range ended {
					l.Add(clock, c.end, []Charge{c.Charge})
				}
				l.Pass(clock, now, running)
			}
			for i, a := range s.Associations {
				if got := l.Associations.Billing[l.Tree.Node(i)]; math.Abs(got-a.Usage) > 0.5001e-2 {
					t.Errorf("%s %s: usage of %s is %f, recorded %f", r.name, s.Tag, key(a.Account, a.User, a.Partition), got, a.Usage)
				}
			}
		}
	})
	if charged < least {
		t.Errorf("only %d charges", charged)
	}
}

type endedCharge struct {
	Charge
	end int64
}

// charges are the jobs that used something before a time.
func (r *recorded) charges(t testing.TB, tree *Tree, s *recordedSnapshot, now int64) (ended []endedCharge,
	running []Charge) {
	for _, j := range s.Jobs {
		if j.State == "PENDING" || j.Start == 0 || int64(j.Start) >= now {
			continue
		}
		c := Charge{QOS: -1, PartitionQOS: -1, StartSeconds: int64(j.Start), Billing: j.Billing, UsageFactor: 1}
		c.Node = slices.IndexFunc(tree.Associations, func(a Association) bool {
			return a.Account == j.Account && a.User == j.User && (a.Partition == "" || a.Partition == j.Partition)
		})
		switch j.QOS { // as inputs/setup.sh makes them
		case "dbl":
			c.UsageFactor = 2.5
		case "free":
			c.UsageFactor = 0
		}
		if j.State != "RUNNING" && int64(j.End) <= now {
			ended = append(ended, endedCharge{c, int64(j.End)})
		} else {
			running = append(running, c)
		}
	}
	return ended, running
}

// TestRecordedBilling works out what jobs are billed from their TRES and their
// partition's weights.
func TestRecordedBilling(t *testing.T) {
	t.Run("copies", func(t *testing.T) { checkBilling(t, copies) })
	t.Run("full", func(t *testing.T) { checkBilling(t, recordings) })
}

func checkBilling(t *testing.T, each func(testing.TB, func(*recorded))) {
	jobs, weighted := 0, 0
	each(t, func(r *recorded) {
		rule := SumTRES
		if strings.Contains(r.setting("PriorityFlags"), "MAX_TRES") {
			rule = MaxTRES
		}
		for _, s := range r.Snapshots {
			for _, j := range s.Jobs {
				text := j.Request
				if j.Allocated != nil {
					text = *j.Allocated
				}
				tres, err := slurmtext.ParseTRES(text)
				if err != nil || j.State == "PENDING" || j.Billing == 0 {
					continue
				}
				var names []string
				var counts []float64
				for _, x := range tres {
					names, counts = append(names, x.Name), append(counts, float64(x.Count))
				}
				weights := r.weights(t, j.Partition)
				jobs++
				if len(weights) > 0 {
					weighted++
				}
				if got := NewBilling(rule, names, weights).Of(counts); math.Abs(got-j.Billing) > 0.5001e-2 {
					t.Errorf("%s %s: job %d with %s is billed %v, recorded %v", r.name, s.Tag, j.ID, text, got, j.Billing)
				}
			}
		}
	})
	if jobs < 100 || weighted < 10 {
		t.Errorf("only %d jobs, %d of them weighted", jobs, weighted)
	}
}

func (r *recorded) weights(t testing.TB, partition string) []slurmtext.TRESWeight {
	for _, line := range strings.Split(r.conf, "\n") {
		if !strings.HasPrefix(line, "PartitionName="+partition+" ") {
			continue
		}
		_, text, _ := strings.Cut(line, "TRESBillingWeights=")
		if rest, quoted := strings.CutPrefix(text, `"`); quoted {
			text, _, _ = strings.Cut(rest, `"`)
		} else {
			text, _, _ = strings.Cut(text, " ")
		}
		weights, err := slurmtext.ParseTRESWeights(text)
		if err != nil {
			t.Fatal(err)
		}
		return weights
	}
	return nil
}
