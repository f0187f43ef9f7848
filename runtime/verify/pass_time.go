package verify

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// window are the moments at which the scheduler may have computed what it printed.
type window struct {
	from, to int64 // epoch seconds, both possible
	captured int64
	stated   bool // the moment of the last pass is known: it is pass
	pass     int64
}

// CaptureSeconds is how long the commands may take that a snapshot is made of: its time may be that of the first.
const CaptureSeconds = 30

// longestPeriod bounds the search; the default period is five minutes.
const longestPeriod = 6 * 3600

// windowOf: slurmctld computes all priorities every PriorityCalcPeriod, and those of one job
// when it is submitted, changed or released. Other schedulers print what they computed last, which
// is the moment of the snapshot.
func windowOf(r *evaluation.Result, s *snapshot.Snapshot, o Options) window {
	w := window{from: s.Now, to: s.Now, captured: s.Now, stated: o.PassTime != 0, pass: s.Now}
	if w.stated {
		w.pass, w.from, w.to = o.PassTime, min(o.PassTime, s.Now), max(o.PassTime, s.Now)
	}
	if !r.Facts.Passes {
		w.stated = true
		return w
	}
	period := int64(300)
	if t := r.Program.Tree; t != nil && t.PassSeconds > 0 {
		period = min(t.PassSeconds, longestPeriod)
	}
	w.to += CaptureSeconds
	if !w.stated {
		w.from -= period + CaptureSeconds
	}
	return w
}

// eventColumns are when slurmctld computes the priority of one job, or its age begins to count.
var eventColumns = []schema.ColumnID{"job.submit_time", "job.eligible_time", "job.accrue_time"}

// agreement is the part of its own best votes that a check has to give to the time of all.
const agreement = 0.8

// passOf: two commands may have been run on different sides of a pass, so a check has a time of its
// own where most of its numbers say so and the common one is much worse.
func (q *inquiry) passOf(k *check) Pass {
	all, own := q.pass(q.readings), q.pass(k.readings)
	if at := q.votes(k.readings); 2*own.Votes > own.Telling && float64(at(all.Time)) < agreement*float64(own.Votes) {
		return own
	}
	all.Votes, all.Telling = q.votes(k.readings)(all.Time), own.Telling
	return all
}

// telling are the seconds that each number allows, of the numbers that fit at some of them only.
func (q *inquiry) telling(list []*reading, slack bool) [][]span {
	var out [][]span
	for _, x := range list {
		if !x.moves {
			continue
		}
		allowed := q.fitting(x, false)
		if len(allowed) == 0 || len(allowed) == 1 && allowed[0] == (span{q.window.from, q.window.to}) {
			continue
		}
		if !slack {
			allowed = q.fitting(x, true)
		}
		out = append(out, allowed)
	}
	return out
}

// votes counts for each second the numbers that allow it.
func (q *inquiry) votes(list []*reading) func(epochSeconds int64) int {
	counts := q.count(q.telling(list, true))
	return func(at int64) int { return counts[at-q.window.from] }
}

func (q *inquiry) count(list [][]span) []int {
	counts := make([]int, q.window.to-q.window.from+2)
	for _, allowed := range list {
		for _, m := range allowed {
			counts[m.from-q.window.from]++
			counts[m.to-q.window.from+1]--
		}
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	return counts[:len(counts)-1]
}

// pass finds the second that most numbers allow; of several, the one that most allow without regard to
// lost digits, and then the nearest to the snapshot's time.
func (q *inquiry) pass(list []*reading) Pass {
	w := q.window
	telling := q.telling(list, true)
	nearly, closely := q.count(telling), q.count(q.telling(list, false))
	best := w.pass - w.from
	better := func(i, j int64) bool {
		return nearly[i] > nearly[j] || nearly[i] == nearly[j] && closely[i] > closely[j]
	}
	if !w.stated {
		for i := range int64(len(nearly)) {
			if better(i, best) || !better(best, i) && abs(i+w.from-w.captured) < abs(best+w.from-w.captured) {
				best = i
			}
		}
	}
	p := Pass{Time: w.from + best, From: w.from + best, To: w.from + best, Sought: !w.stated, Votes: nearly[best],
		Telling: len(telling)}
	if !w.stated {
		for i := best; i >= 0 && nearly[i] == nearly[best]; i-- {
			p.From = w.from + i
		}
		for i := best; i < int64(len(nearly)) && nearly[i] == nearly[best]; i++ {
			p.To = w.from + i
		}
	}
	return p
}

func abs(n int64) int64 { return max(n, -n) }
