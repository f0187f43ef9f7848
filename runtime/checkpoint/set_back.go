package checkpoint

import "github.com/fairway-sched/fairway/runtime/snapshot"

// SetBack makes a checkpoint one of an earlier time, where the clock was set back: what has been used stays used, jobs
// keep their waiting as far as it lies before the new time, and what was to happen then happens as much earlier.
func (c *Checkpoint) SetBack(now int64) {
	behind := c.Time - now
	if behind <= 0 {
		return
	}
	c.Time = now
	c.ChunkUntil = earlier(c.ChunkUntil, behind)
	for i := range c.Jobs {
		j := &c.Jobs[i]
		j.FirstSeen, j.QueueStart = min(j.FirstSeen, now), min(j.QueueStart, now)
		j.DeferredUntil = earlier(j.DeferredUntil, behind)
		if r := j.Reservation; r != nil {
			r.Start, r.End = earlier(r.Start, behind), earlier(r.End, behind)
		}
	}
	for i := range c.Standing {
		c.Standing[i].Start = min(c.Standing[i].Start, now)
	}
	if c.Tree != nil {
		c.Tree.LastReset = min(c.Tree.LastReset, now)
	}
	c.TreeTime = min(c.TreeTime, now)
	c.foldWindows()
}

// earlier moves a time that is set.
func earlier(at, seconds int64) int64 {
	if at == 0 {
		return 0
	}
	return max(1, at-seconds)
}

// foldWindows adds the windows that have not begun by now to the newest one that has.
func (c *Checkpoint) foldWindows() {
	n := 0
	for n < len(c.Usage) && c.Usage[n].StartTime > c.Time {
		n++
	}
	if n == 0 {
		return
	}
	if n == len(c.Usage) {
		c.Usage = append(c.Usage, snapshot.UsageWindow{StartTime: c.Time - c.Time%max(1, c.IntervalSeconds)})
	}
	into := &c.Usage[n]
	if into.Usage == nil {
		into.Usage = map[string]map[string]float64{}
	}
	for _, w := range c.Usage[:n] {
		into.Total += w.Total
		for object, names := range w.Usage {
			if into.Usage[object] == nil {
				into.Usage[object] = map[string]float64{}
			}
			for name, used := range names {
				into.Usage[object][name] += used
			}
		}
	}
	c.Usage = c.Usage[n:]
}
