package replay

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
)

// Recorded runs of slurmctld, from the first job to the last. Two real runs of one workload part after some starts,
// since a fraction of a second decides who is next. So a replay is as far from a real run as another real run is:
// starts agree until real runs differ too, and waits, makespan and shares are within what four real runs come to.

// whole is a run from end to end, of a replay or a real one: by job when it started last, in seconds after the begin.
type whole struct {
	starts   map[string]int64
	wait     float64 // mean, in seconds
	makespan float64
	shares   map[string]float64 // of processor seconds, by account
}

// oneStart is the last start of a job in a real run.
type oneStart struct {
	job, account             string
	submit, start, end, cpus int64
}

// sumUp is what starts come to.
func sumUp(list []oneStart) *whole {
	w, total := &whole{starts: map[string]int64{}, shares: map[string]float64{}}, 0.0
	for i := range list {
		s := &list[i]
		w.starts[s.job] = s.start
		w.wait += float64(s.start-s.submit) / float64(len(list))
		w.makespan = max(w.makespan, float64(s.end))
		used := float64((s.end - s.start) * s.cpus)
		w.shares[s.account] += used
		total += used
	}
	for account := range w.shares {
		w.shares[account] /= total
	}
	return w
}

// realStarts reads results.csv.
func realStarts(t *testing.T, files fs.FS) (list []oneStart) {
	t.Helper()
	text, err := fs.ReadFile(files, "results.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{} // by job
	for _, row := range rows[1:] {
		cell := func(name string) string { return row[slices.Index(rows[0], name)] }
		number := func(name string) int64 {
			n, err := strconv.ParseInt(cell(name), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if cell("start") == "" {
			continue
		}
		s := oneStart{cell("job_id"), cell("account"), number("submit"), number("start"), number("end"), number("cpus")}
		if k, again := at[s.job]; again {
			list[k] = s // the last attempt is the one that ends by itself
			continue
		}
		at[s.job] = len(list)
		list = append(list, s)
	}
	return list
}

// replayed plays a run and gives the same jobs as a real one has started; missing are those that never start.
func replayed(t *testing.T, r *recorded, real []oneStart) (list []oneStart, missing int) {
	t.Helper()
	got, err := Run(r.program, r.machine, r.workload, Options{Context: t.Context()})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]*Outcome{}
	for i := range got.Outcomes {
		outcomes[got.Outcomes[i].ID] = &got.Outcomes[i]
	}
	for _, s := range real {
		o := outcomes[s.job]
		if o == nil || o.By == "" {
			missing++
			continue
		}
		s.start, s.end = o.Start-r.t0, o.End-r.t0
		list = append(list, s)
	}
	return list, missing
}

// agreeing is how many starts of a real run, in order of time, another run has within two seconds before the first that
// it has not.
func agreeing(real []oneStart, other *whole) int {
	order := slices.Clone(real)
	slices.SortStableFunc(order, func(a, b oneStart) int { return int(a.start - b.start) })
	for i := range order {
		start, ok := other.starts[order[i].job]
		if apart := start - order[i].start; !ok || apart > 2 || apart < -2 {
			return i
		}
	}
	return len(order)
}

// spread is between which numbers four real runs are.
type spread struct{ Low, High float64 }

func (s *spread) add(x float64) {
	if s.Low, s.High = min(s.Low, x), max(s.High, x); s.Low == 0 {
		s.Low = x
	}
}

// slack is how far beyond the spread of four runs a fifth may be, as a part of it: four do not show all that happens.
const slack = 0.05

func (s spread) has(x float64) bool { return x >= s.Low*(1-slack) && x <= s.High*(1+slack) }

// quickRuns are those that the usual form of the tests plays.
var quickRuns = regexp.MustCompile(`^(01|02|03|08)-`)

// TestWholeRuns plays the compact copies from end to end: what is left of the real runs is what four of them came to.
func TestWholeRuns(t *testing.T) {
	asFar, copies := 0, recordedtest.Copies(t, "slurm-replay")
	if os.Getenv("FAIRWAY_LONG") == "" {
		copies = slices.DeleteFunc(copies, func(c recordedtest.Case) bool { return !quickRuns.MatchString(c.Name) })
	}
	for _, c := range copies {
		t.Run(c.Name, func(t *testing.T) {
			var real struct {
				Wait     spread `json:"mean_wait_s"`
				Makespan spread `json:"makespan_s"`
				First    int    `json:"starts_before_difference"`
			}
			if err := json.Unmarshal(c.Read(t, "spread.json"), &real); err != nil {
				t.Fatal(err)
			}
			starts := realStarts(t, c.Files)
			t0, err := strconv.ParseInt(strings.TrimSpace(string(c.Read(t, "t0.txt"))), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			list, missing := replayed(t, readRecorded(t, c.Files, c.Files, t0), starts)
			w := sumUp(list)
			if missing > 0 || !real.Wait.has(w.wait) || !real.Makespan.has(w.makespan) {
				t.Errorf("%d jobs do not start, the mean wait is %.1f s, of real runs %v; the last end %.0f s, of real runs %v",
					missing, w.wait, real.Wait, w.makespan, real.Makespan)
			}
			sharesAlike(t, sumUp(starts), w)
			if agreeing(starts, w) >= real.First {
				asFar++
			}
		})
	}
	if asFar*3 < len(copies)*2 {
		t.Errorf("only %d of %d replays agree with the real run for as long as real runs agree", asFar, len(copies))
	}
}

// sharesAlike compares the shares of accounts with those of the real run.
func sharesAlike(t *testing.T, real, model *whole) {
	t.Helper()
	for _, account := range slices.Sorted(maps.Keys(real.shares)) {
		if apart := model.shares[account] - real.shares[account]; math.Abs(apart) > 0.01 {
			t.Errorf("account %s has %.3f of all processor seconds, in the real run %.3f", account, model.shares[account],
				real.shares[account])
		}
	}
}

// TestWholeRunsFull plays all four runs of each workload.
func TestWholeRunsFull(t *testing.T) {
	asFar, runs := 0, 0
	for _, c := range recordedtest.Full(t, "slurm-replay", "") {
		t.Run(c.Name, func(t *testing.T) {
			var meta struct {
				Runs map[string]struct {
					T0 int64 `json:"epoch_of_t0"`
				} `json:"runs"`
				Noise map[string]struct {
					First int `json:"starts_before_first_difference_over_2s"`
				} `json:"noise"`
			}
			if err := json.Unmarshal(c.Read(t, "meta.json"), &meta); err != nil {
				t.Fatal(err)
			}
			first := math.MaxInt
			for _, pair := range meta.Noise {
				first = min(first, pair.First)
			}
			var waits, makespans, modelWaits, modelMakespans []float64
			for _, name := range slices.Sorted(maps.Keys(meta.Runs)) {
				files, err := fs.Sub(c.Files, "run-"+name)
				if err != nil {
					t.Fatal(err)
				}
				real := realStarts(t, files)
				list, missing := replayed(t, readRecorded(t, c.Files, files, meta.Runs[name].T0), real)
				if missing > 0 {
					t.Errorf("run %s: %d jobs do not start", name, missing)
				}
				r, w := sumUp(real), sumUp(list)
				sharesAlike(t, r, w)
				waits, makespans = append(waits, r.wait), append(makespans, r.makespan)
				modelWaits, modelMakespans = append(modelWaits, w.wait), append(modelMakespans, w.makespan)
				n := agreeing(real, w)
				if runs++; n >= first {
					asFar++
				}
				t.Logf("run %s: %d starts agree, of real runs %d; mean wait %.1f s, really %.1f; last end %.0f s, really %.0f",
					name, n, first, w.wait, r.wait, w.makespan, r.makespan)
			}
			within(t, "mean wait", waits, modelWaits)
			within(t, "makespan", makespans, modelMakespans)
			if *update {
				writeSpread(t, c, waits, makespans, first)
			}
		})
	}
	if t.Logf("%d of %d runs agree for as long as real runs do", asFar, runs); asFar*4 < runs*3 {
		t.Errorf("fewer than three of four runs agree for as long as real runs do")
	}
}

// within compares the mean of the replays of four runs with the spread of these.
func within(t *testing.T, what string, real, model []float64) {
	t.Helper()
	var s spread
	mean := 0.0
	for i := range real {
		s.add(real[i])
		mean += model[i] / float64(len(model))
	}
	if !s.has(mean) {
		t.Errorf("%s: %.1f s in the mean of the replays, %v s in the real runs", what, mean, s)
	}
}

// writeSpread adds to the compact copy, which is of run c, its results and what all runs came to.
func writeSpread(t *testing.T, c recordedtest.Case, waits, makespans []float64, first int) {
	var wait, makespan spread
	for i := range waits {
		wait.add(waits[i])
		makespan.add(makespans[i])
	}
	recordedtest.AddToCopy(t, "slurm-replay", c.Name, "spread.json", fmt.Appendf(nil,
		`{"mean_wait_s": {"Low": %.2f, "High": %.2f}, "makespan_s": {"Low": %.0f, "High": %.0f}, `+
			`"starts_before_difference": %d}`+"\n", wait.Low, wait.High, makespan.Low, makespan.High, first))
	text, err := fs.ReadFile(c.Files, "run-c/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	for _, row := range rows {
		for i, name := range []string{"job_id", "account", "submit", "start", "end", "cpus"} {
			if i > 0 {
				kept.WriteByte(',')
			}
			kept.WriteString(row[slices.Index(rows[0], name)])
		}
		kept.WriteByte('\n')
	}
	recordedtest.AddToCopy(t, "slurm-replay", c.Name, "results.csv", []byte(kept.String()))
}
