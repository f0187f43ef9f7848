package tree

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// state is what was written into a controller's state files before it started.
type state struct {
	LastRan   int64 `json:"last_ran"`
	LastReset int64 `json:"last_reset"`
	qos       []struct {
		QOS       string
		UsageRaw  float64 `json:"usage_raw"`
		TRES      string  `json:"usage_tres_raw"`
		WallTotal float64 `json:"grp_used_wall"`
	}
}

// clock is how usage ages in a recording; controllers ran in UTC.
func (r *recorded) clock(t testing.TB) Clock {
	c := Clock{HalfLifeSeconds: 7 * 86400, Place: time.UTC}
	if text := r.setting("PriorityDecayHalfLife"); text != "" {
		minutes, err := slurmtext.ParseTimeMinutes(text)
		if err != nil {
			t.Fatal(err)
		}
		c.HalfLifeSeconds = minutes * 60
	}
	if text := r.setting("PriorityUsageResetPeriod"); text != "" {
		var ok bool
		if c.Reset, ok = ParsePeriod(text); !ok {
			t.Fatal(text)
		}
	}
	return c
}

// passes runs the passes of a controller from the usage it was given, and returns the
// ledger after that of each snapshot until jobs ran.
func (r *recorded) passes(t testing.TB) []*Ledger {
	idle := 0
	for idle < len(r.Snapshots) && len(r.Snapshots[idle].Associations) > 0 && !r.Snapshots[idle].ran() {
		idle++
	}
	if r.Injected == nil || idle == 0 {
		return nil
	}
	l := r.ledger(t)
	clock := r.clock(t)
	if clock.Reset == Now {
		l.Clear(l.LastReset)
	}
	var out []*Ledger
	for _, s := range r.Snapshots[:idle] {
		l.Pass(clock, s.Now, nil)
		c := *l
		c.Associations = &Usage{Billing: slices.Clone(l.Associations.Billing)}
		c.Before = slices.Clone(l.Before)
		if l.QOS != nil {
			c.QOS = &Usage{Billing: slices.Clone(l.QOS.Billing)}
		}
		out = append(out, &c)
	}
	return out
}

// ledger is what a controller was given before its first pass.
func (r *recorded) ledger(t testing.TB) *Ledger {
	first := &r.Snapshots[0]
	tree := first.tree(t)
	l := &Ledger{Tree: tree, Associations: NewUsage(tree.Len(), 0)}
	given := map[string]float64{}
	for _, leaf := range r.Injected {
		given[key(leaf.Account, leaf.User, leaf.Partition)] = leaf.usage(t)
	}
	for i, a := range first.Associations {
		l.Associations.Billing[tree.Node(i)] = given[key(a.Account, a.User, a.Partition)]
	}
	tree.RollUp(l.Associations.Billing)
	// Without a file of its times a controller takes its start for both.
	l.LastRan, l.LastReset = first.LastReset, first.LastReset
	if r.state.LastRan != 0 {
		l.LastRan = r.state.LastRan
	}
	if r.state.LastReset != 0 {
		l.LastReset = r.state.LastReset
	}
	for _, q := range r.state.qos {
		if l.QOS == nil {
			l.QOS = NewUsage(len(r.state.qos), 0)
		}
		l.NoDecay = append(l.NoDecay, q.QOS == "nd")
		l.QOS.Billing[len(l.NoDecay)-1] = q.UsageRaw
	}
	return l
}

// ran reports whether a job has used anything.
func (s *recordedSnapshot) ran() bool {
	return slices.ContainsFunc(s.Jobs, func(j recordedJob) bool {
		return j.State != "PENDING" && j.State != "CANCELLED"
	})
}

// TestRecordedDecay follows usage that a controller was given through its passes: to
// all decimals of its state file at the end, to two before, and through resets.
func TestRecordedDecay(t *testing.T) {
	t.Run("copies", func(t *testing.T) { checkDecay(t, copies, 40) })
	t.Run("full", func(t *testing.T) { checkDecay(t, recordings, 60) })
}

func checkDecay(t *testing.T, each func(testing.TB, func(*recorded)), least int) {
	cases, resets, kept := 0, 0, 0
	each(t, func(r *recorded) {
		passes := r.passes(t)
		if passes == nil {
			return
		}
		cases++
		for k, l := range passes {
			s := &r.Snapshots[k]
			if s.LastReset != l.LastReset {
				t.Errorf("%s %s: last reset %d, recorded %d", r.name, s.Tag, l.LastReset, s.LastReset)
			}
			if r.state.LastReset != 0 && l.LastReset != r.state.LastReset {
				resets++
			}
			for i, a := range s.Associations {
				if got := l.Associations.Billing[l.Tree.Node(i)]; math.Abs(got-a.Usage) > 0.5001e-2 {
					t.Errorf("%s %s: usage of %s is %f, recorded %f", r.name, s.Tag, key(a.Account, a.User, a.Partition), got, a.Usage)
				}
			}
			for _, q := range s.QOS {
				name, _, _ := strings.Cut(q["QOS"], "(")
				for row, given := range r.state.qos {
					if given.QOS != name {
						continue
					}
					want, err := strconv.ParseFloat(q["UsageRaw"], 64)
					if err != nil {
						t.Fatal(err)
					}
					if math.Abs(l.QOS.Billing[row]-want) > 0.51e-6 {
						t.Errorf("%s %s: usage of QOS %s is %f, recorded %f", r.name, s.Tag, name, l.QOS.Billing[row], want)
					}
					if l.NoDecay[row] {
						kept++
					}
				}
			}
		}
		if len(passes) < len(r.Snapshots) {
			return
		}
		last := passes[len(passes)-1]
		for _, leaf := range r.Final {
			node := slices.IndexFunc(last.Tree.Associations, func(a Association) bool {
				return a.Account == leaf.Account && a.User == leaf.User && a.Partition == leaf.Partition
			})
			if got := last.Associations.Billing[node]; math.Abs(got-leaf.usage(t)) > 0.51e-6 {
				t.Errorf("%s: final usage of %s is %f, recorded %s", r.name, leaf.User, got, leaf.Usage)
			}
		}
	})
	if t.Logf("%d cases, %d resets, %d NoDecay", cases, resets, kept); cases < least || resets == 0 || kept == 0 {
		t.Errorf("only %d cases with %d resets and %d NoDecay QOS", cases, resets, kept)
	}
}
