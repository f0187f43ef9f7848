package fairshare

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// The twin computes one credential's share straight from the formulas, over the maps of the
// snapshot: slow and obvious.

func twinDecayed(w *program.Windows, usage []snapshot.UsageWindow, now int64,
	of func(*snapshot.UsageWindow) float64) float64 {
	current, older := 0.0, 0.0
	for k := range w.Depth {
		start := (now/w.IntervalSeconds)*w.IntervalSeconds - int64(k)*w.IntervalSeconds
		for i := range usage {
			switch {
			case usage[i].StartTime != start:
			case k == 0:
				current = of(&usage[i])
			default:
				older += float64(of(&usage[i]) * math.Pow(w.Decay, float64(k)))
			}
		}
	}
	return current + older
}

func twinTarget(w *program.Windows, object, name string) *program.Target {
	own := func(name string) *program.Target {
		var is *program.Target // a cap beside a target does not count here
		for i := range w.Targets {
			t := &w.Targets[i]
			if t.Object == object && t.Name == name && (is == nil || t.Kind != "cap" && t.Kind != "relative_cap") {
				is = t
			}
		}
		return is
	}
	if t := own(name); t != nil && t.Value > 0 {
		return t
	}
	if t := own("DEFAULT"); t != nil && t.Others && t.Value > 0 {
		return t
	}
	return nil
}

func twinShare(w *program.Windows, usage []snapshot.UsageWindow, now int64, object, name string) Share {
	total := twinDecayed(w, usage, now, func(u *snapshot.UsageWindow) float64 { return u.Total })
	used := twinDecayed(w, usage, now, func(u *snapshot.UsageWindow) float64 { return u.Usage[object][name] })
	s := Share{Usage: used}
	t := twinTarget(w, object, name)
	if total <= 0 || name == "" {
		return s
	}
	s.Percent = used / total * 100
	if t == nil {
		return s
	}
	s.Delta = t.Value - s.Percent
	if w.Ratio {
		s.Delta = 1 - s.Percent/t.Value
	}
	switch {
	case t.Kind == "floor" && s.Delta < 0, t.Kind == "ceiling" && s.Delta > 0, t.Kind == "cap", t.Kind == "relative_cap":
		s.Delta = 0
	}
	return s
}

func twinCap(w *program.Windows, usage []snapshot.UsageWindow, now int64, names Names, request float64) string {
	total := twinDecayed(w, usage, now, func(u *snapshot.UsageWindow) float64 { return u.Total })
	for o, object := range []string{"user", "group", "account", "partition", "qos"} {
		for _, t := range w.Targets {
			if t.Object != object || t.Name != names[o] || names[o] == "" {
				continue
			}
			used := twinDecayed(w, usage, now, func(u *snapshot.UsageWindow) float64 { return u.Usage[object][t.Name] })
			if t.Kind == "cap" && used+request > t.Value || t.Kind == "relative_cap" && total > 0 &&
				100*(used+request)/total > t.Value {
				return object + " " + t.Name
			}
		}
	}
	return ""
}

var testNames = []string{"", "amy", "bob", "cat", "DEFAULT"}

const testNow = 1_700_000_000

func drawModel(t *rapid.T) *program.Windows {
	w := &program.Windows{Usage: DedicatedProcSeconds, Ratio: rapid.Bool().Draw(t, "ratio"),
		IntervalSeconds: rapid.Int64Range(1, 100_000).Draw(t, "interval"),
		Depth:           rapid.IntRange(1, 12).Draw(t, "depth"),
		Decay:           rapid.SampledFrom([]float64{0.5, 0.8, 0.9, 1, 0.3}).Draw(t, "decay")}
	for _, object := range Objects {
		for _, name := range testNames[1:] {
			kinds := rapid.SampledFrom([][]string{nil, {"target"}, {"floor"}, {"ceiling"}, {"cap"}, {"relative_cap"},
				{"target", "cap"}, {"floor", "relative_cap"}, {"relative_cap", "target"}}).Draw(t, "kinds")
			for _, kind := range kinds {
				w.Targets = append(w.Targets, program.Target{Object: object, Name: name, Others: name == "DEFAULT" &&
					object != "partition",
					Kind: kind, Value: rapid.SampledFrom([]float64{-5, 0, 10, 25.5, 60, 500}).Draw(t, "value")})
			}
		}
	}
	return w
}

func drawUsage(t *rapid.T, w *program.Windows) []snapshot.UsageWindow {
	var list []snapshot.UsageWindow
	for k := range w.Depth + 2 {
		if !rapid.Bool().Draw(t, "has window") {
			continue
		}
		u := snapshot.UsageWindow{StartTime: CurrentStart(w, testNow) - int64(k)*w.IntervalSeconds}
		for range rapid.IntRange(0, 6).Draw(t, "jobs") {
			Add(&u, drawNames(t), rapid.Float64Range(0, 1e6).Draw(t, "amount"))
		}
		list = append(list, u)
	}
	return list
}

func drawNames(t *rapid.T) (names Names) {
	for o := range names {
		names[o] = rapid.SampledFrom(testNames).Draw(t, Objects[o])
	}
	return names
}

// TestTwin: the dense tables give, bit for bit, what the formulas do name by name, and a Gate
// blocks whom Cap and the formulas block.
func TestTwin(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		w := drawModel(t)
		usage := drawUsage(t, w)
		shares := EvaluateWindows(w, usage, testNow)
		for o, object := range Objects {
			for _, name := range append(testNames, "stranger") {
				got, want := shares.Of(o, name), twinShare(w, usage, testNow, object, name)
				if target := twinTarget(w, object, name); target != nil && name != "" {
					if got.Target == NoTarget || w.Targets[got.Target] != *target {
						t.Fatalf("%s %s aims at %d, want %+v", object, name, got.Target, target)
					}
				} else if got.Target != NoTarget {
					t.Fatalf("%s %s aims at %d, want nothing", object, name, got.Target)
				}
				got.Target = 0
				if got != want {
					t.Fatalf("%s %s: %+v, want %+v", object, name, got, want)
				}
			}
		}
		var dictionaries [objects][]string
		for o := range dictionaries {
			dictionaries[o] = testNames
		}
		gate := shares.Gate(dictionaries)
		for range 10 {
			var names Names
			var codes Codes
			for o := range codes {
				codes[o] = uint32(rapid.IntRange(0, len(testNames)-1).Draw(t, "code"))
				names[o] = testNames[codes[o]]
			}
			request := rapid.Float64Range(0, 1e6).Draw(t, "request")
			want := twinCap(w, usage, testNow, names, request)
			v, over := shares.Cap(names, request)
			v2, over2 := gate.Check(codes, request)
			if v != v2 || over != over2 || over != (want != "") || over && v.Object+" "+v.Name != want {
				t.Fatalf("Cap %+v %v, Gate %+v %v, want %q", v, over, v2, over2, want)
			}
		}
	})
}

// TestManyTargets: names that have used nothing fill blocks of their own after those that have.
func TestManyTargets(t *testing.T) {
	for _, used := range []int{0, 1, blockRows - 1, blockRows, blockRows + 3} {
		w := &program.Windows{Depth: 2, IntervalSeconds: 100, Decay: 0.5}
		users := map[string]float64{}
		for i := range 2*blockRows + 5 {
			name := fmt.Sprintf("u%05d", i)
			w.Targets = append(w.Targets, program.Target{Object: "user", Name: name, Kind: "target", Value: float64(1 + i%7)})
			if i < used {
				users[name] = float64(i%5 + 1)
			}
		}
		usage := []snapshot.UsageWindow{{StartTime: CurrentStart(w, testNow), Total: 1e5,
			Usage: map[string]map[string]float64{"user": users}}}
		shares, user := EvaluateWindows(w, usage, testNow), 0
		for Objects[user] != "user" {
			user++
		}
		for _, target := range w.Targets {
			got, want := shares.Of(user, target.Name), twinShare(w, usage, testNow, "user", target.Name)
			if got.Target = 0; got != want {
				t.Fatalf("%d with usage: %s: %+v, want %+v", used, target.Name, got, want)
			}
		}
	}
}

// TestLaws: what must hold whatever the usage.
func TestLaws(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		w := drawModel(t)
		usage := drawUsage(t, w)
		shares := EvaluateWindows(w, usage, testNow)

		shuffled := rapid.Permutation(usage).Draw(t, "order")
		if a, b := text(shares), text(EvaluateWindows(w, shuffled, testNow)); a != b {
			t.Fatalf("the order of the files matters:\n%s\n%s", a, b)
		}
		withEmpty := append([]snapshot.UsageWindow{}, usage...)
		for k := range w.Depth {
			if !shares.Windows[k].Recorded {
				withEmpty = append(withEmpty, snapshot.UsageWindow{StartTime: shares.Windows[k].StartTime})
			}
		}
		if a, b := text(shares), text(EvaluateWindows(w, withEmpty, testNow)); a != b {
			t.Fatalf("an empty file is not as good as none:\n%s\n%s", a, b)
		}
		if again := text(shares); again != func() string { shares.evaluate(); return text(shares) }() {
			t.Fatal("evaluating twice gives something else")
		}

		flat := *w
		flat.Decay = 1
		sum := 0.0
		for _, u := range usage {
			if u.StartTime > CurrentStart(w, testNow)-int64(w.Depth)*w.IntervalSeconds {
				sum += u.Usage["user"]["amy"]
			}
		}
		if got := EvaluateWindows(&flat, usage, testNow).Of(User, "amy").Usage; math.Abs(got-sum) > 1e-9*sum {
			t.Fatalf("without decay usage is %v, the plain sum %v", got, sum)
		}
	})
}

// text prints shares without what says where they came from.
func text(s *WindowShares) string {
	out := fmt.Sprintf("%x %v\n", s.Total, s.Active())
	for o := range Objects {
		for _, name := range testNames {
			share := s.Of(o, name)
			out += fmt.Sprintf("%s %s %x %x %x %d\n", Objects[o], name, share.Usage, share.Percent, share.Delta, share.Target)
		}
	}
	return out
}
