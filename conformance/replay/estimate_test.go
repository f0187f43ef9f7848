package replay_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/estimate"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestEstimatesHold: of intervals that 80 of 100 starts should be in, about so many are, and the middle errs by less
// than the plan by limits. What is estimated is the queue of a replay at times, from what had ended by then.
func TestEstimatesHold(t *testing.T) {
	score := estimated(t, madeUp(), 128, 40)
	t.Logf("made-up users: %+v", score)
	held := float64(score.Held) / float64(score.Entries)
	if score.Entries < 100 || held < 0.70 || held > 0.92 || score.Median.Mean > score.Plan.Mean {
		t.Errorf("%.3f of %d intervals hold; the middle errs by %.0f s, the plan by %.0f s", held, score.Entries,
			score.Median.Mean, score.Plan.Mean)
	}
	if !draws.Long() {
		return
	}
	for _, trace := range []struct {
		name  string
		procs int64
	}{{"SDSC-SP2-1998-first5k", 128}, {"HPC2N-2002-alea-subset", 240}} {
		text, err := unpacked(beside.Folder(t, "corpus", "swf", trace.name+".swf.gz"))
		if err != nil {
			t.Fatal(err)
		}
		score := estimated(t, text, trace.procs, 120) // of fewer moments one crowded queue decides: its jobs miss together
		t.Logf("%s: %+v", trace.name, score)
		held := float64(score.Held) / float64(score.Entries)
		if held < 0.65 || held > 0.92 || score.Median.Mean > score.Plan.Mean || score.Median.Median > score.Plan.Median {
			t.Errorf("%s: %.3f of %d intervals hold; the middle errs by %.0f s, the plan by %.0f s", trace.name, held,
				score.Entries, score.Median.Mean, score.Plan.Mean)
		}
	}
}

func unpacked(name string) (string, error) {
	packed, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(in)
	return string(text), err
}

// madeUp is a trace of users with habits: each uses about the same share of the limit, mostly the same for a batch of
// jobs.
func madeUp() string {
	draw := rand.New(rand.NewPCG(22, 7))
	var text strings.Builder
	at := int64(0)
	for id := 1; id < 700; {
		user := draw.IntN(8)
		at += draw.Int64N(7000)
		limit := 3600 * (1 + draw.Int64N(12))
		batch := math.Pow(draw.Float64(), 1+float64(user)/2)
		for range 1 + draw.IntN(8) {
			share := batch
			if draw.IntN(3) == 0 {
				share = math.Pow(draw.Float64(), 1+float64(user)/2)
			}
			fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 -1 %d -1 1 %d 1 -1 1 -1 -1 -1\n", id, at, 1+int64(share*float64(limit)),
				1<<draw.IntN(6), limit, user)
			id++
			at += draw.Int64N(60)
		}
	}
	return text.String()
}

// estimated estimates the queue of a replay of a trace at so many times, and judges by that replay.
func estimated(t *testing.T, trace string, procs int64, times int) estimate.Score {
	t.Helper()
	p := easyPolicy(t)
	truth := playEasy(t, p, trace, &snapshot.Snapshot{}, procs)
	starts := map[string]int64{}
	var played strings.Builder
	for i := range truth.Outcomes {
		o := &truth.Outcomes[i]
		if o.By != "" {
			starts[o.ID] = o.Start
			fmt.Fprintf(&played, "%s %d %d %d %d -1 -1 %d %d -1 1 %s 1 -1 1 -1 -1 -1\n", o.ID, o.Submit, o.Wait(), o.Seconds,
				o.Procs, o.Procs, o.Limit, strings.TrimPrefix(o.User, "user"))
		}
	}
	files := fstest.MapFS{"w.swf": {Data: []byte(played.String())}}
	history, diags, err := snapshot.Read(files, []string{"w.swf"}, snapshot.Options{WholeTrace: true})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	options := evaluation.Options{Procs: procs}
	var entries []estimate.Entry
	n := len(truth.Outcomes)
	for k := n / 4; k < n-n/20; k += max(1, n/times) {
		now := truth.Outcomes[k].Submit + 1
		queue, diags, err := snapshot.Read(files, []string{"w.swf"}, snapshot.Options{Now: now})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		got, err := estimate.Starts(p, queue, history.Jobs, estimate.Options{Draws: 60, Seed: 1, Workers: 2,
			Replay: replay.Options{Evaluation: options}})
		if err != nil {
			t.Fatal(err)
		}
		result, err := engine.New(p, queue, options).Evaluate()
		if err != nil {
			t.Fatal(err)
		}
		s, err := engine.Plan(result, planning.Options{Native: true, Procs: procs})
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Requests {
			if r := &s.Requests[i]; !r.Running {
				e := got[r.ID]
				entries = append(entries, estimate.Entry{At: now, Job: r.ID, Plan: s.Placements[i].Start, P10: e.P10, P50: e.P50,
					P90: e.P90})
			}
		}
	}
	return estimate.Judge(entries, starts)
}
