package tree

import "math"

// History is a row of passes of the controller, the last one now and each a period after the one
// before, worked out at once: what is left now of each second that a job ran. It gives what
// Ledger gives pass by pass, but for the last bits.
type History struct {
	Clock
	NowSeconds    int64
	PeriodSeconds int64 // PriorityCalcPeriod
	// SinceSeconds is the pass before the first one; nothing before it counts. math.MinInt64 goes
	// back for ever.
	SinceSeconds int64

	done, has bool  // the last reset was looked for, and found
	reset     int64 // how many periods ago its pass was
}

// longAgo is how far back the last reset is looked for: all periods are shorter.
const longAgo = 800 * 86400

// lastReset finds the pass that set usage to zero last: the first one at or after the last time
// that the period names.
func (h *History) lastReset() (pass int64, ok bool) {
	if !h.done {
		h.done = true
		last := h.NowSeconds - longAgo
		for next, ok := h.Reset.Next(last, h.Place); ok && next <= h.NowSeconds; next, ok = h.Reset.Next(last, h.Place) {
			last, h.has = next, true
		}
		h.reset = (h.NowSeconds - last) / h.PeriodSeconds
	}
	return h.reset, h.has && h.NowSeconds-h.reset*h.PeriodSeconds > h.SinceSeconds
}

// Kept is what is left of usage that the ledger had at SinceSeconds.
func (h *History) Kept() float64 {
	if _, reset := h.lastReset(); reset || h.SinceSeconds == math.MinInt64 {
		return 0
	}
	return h.Decay(h.NowSeconds - h.SinceSeconds)
}

// Seconds is what is left of the seconds from start to end, or to now for a job that still runs;
// kept: usage does not decay (the QOS flag NoDecay). A pass charges what was run since the one before,
// decayed by its own duration; a job that ends is charged then, and decays with the whole next
// pass.
func (h *History) Seconds(start, end int64, kept bool) float64 {
	c := h.Clock
	if kept {
		c.HalfLifeSeconds = 0
	}
	period, now := h.PeriodSeconds, h.NowSeconds
	start = max(start, h.SinceSeconds)
	if reset, ok := h.lastReset(); ok {
		// The pass that resets charges its own period afterwards.
		if end <= now-reset*period {
			return 0
		}
		start = max(start, now-(reset+1)*period, h.SinceSeconds)
	}
	if end <= start || start >= now {
		return 0
	}
	first := (now - start - 1) / period // passes are counted back from now: the first one after the start
	last := int64(0)                    // the last one during which it ran to the end of the pass
	if end <= now {
		last = (now-end)/period + 1
	}
	at := func(pass int64) int64 { return max(now-pass*period, h.SinceSeconds) }
	if first < last { // between two passes
		return float64(end-start) * c.Decay(end-start) * c.Decay(now-at(first+1))
	}
	run := at(first) - start
	sum := float64(run) * c.Decay(run) * c.Decay(first*period)
	if n := first - last; n > 0 {
		q := c.Decay(period)
		whole := float64(n)
		if q < 1 {
			// Σ q^k for k from last to first−1, without the loss of digits of 1−q^n
			whole = c.Decay(last*period) * math.Expm1(float64(n)*math.Log(q)) / (q - 1)
		}
		sum += float64(period) * q * whole
	}
	if end <= now {
		run := end - at(last)
		sum += float64(run) * c.Decay(run) * c.Decay(now-at(last))
	}
	return sum
}
