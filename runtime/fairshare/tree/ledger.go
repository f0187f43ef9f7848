package tree

import "time"

// Ledger is the usage that the controller keeps, and when it last looked at it.
type Ledger struct {
	Tree         *Tree
	Associations *Usage // by node
	QOS          *Usage // by QOS of the caller's list; nil if not wanted
	NoDecay      []bool // by QOS: the flag NoDecay

	LastRan   int64 // seconds since 1970
	LastReset int64

	// Before is the associations' billing usage as the last pass found it, after a
	// reset but before decay and new usage. Classic fairshare of accounts goes by it, so that
	// it lags one pass behind usage (observed, 22.05 and 25.11), that of users by Weighed;
	// Fair Tree goes by Associations.Billing.
	Before []float64
}

// Clock says how usage ages.
type Clock struct {
	HalfLifeSeconds int64 // PriorityDecayHalfLife; 0 is no decay
	Exact           bool  // after a half-life one half is left, as the manual says
	Reset           Period
	Place           *time.Location // where the controller runs, by which days begin; nil is UTC
}

// Charge is a job that uses something.
type Charge struct {
	Node         int   // of the job's association; -1 adds nothing to the tree
	QOS          int   // in the caller's list, -1 for none
	PartitionQOS int   // the QOS of the job's partition, -1 for none
	StartSeconds int64 // since 1970
	Billing      float64
	UsageFactor  float64   // of the job's QOS, which holds for the partition's QOS too
	TRES         []float64 // what it has allocated, as long as Usage.TRES; nil when limits are not enforced
}

// Pass does what the controller does each PriorityCalcPeriod, and once when it starts
// with the whole time it was down (_decay_thread): a reset that is due, decay, then
// what running jobs have used. It reports whether there was a reset: at most one,
// whose time becomes the last, so that after a long pause the next passes
// reset again (observed).
func (l *Ledger) Pass(c Clock, now int64, running []Charge) (reset bool) {
	if next, ok := c.Reset.Next(l.LastReset, c.Place); ok && now >= next {
		l.Clear(next)
		reset = true
	}
	l.Before = append(l.Before[:0], l.Associations.Billing...)
	factor := c.Decay(now - l.LastRan)
	l.Associations.Decay(factor, nil)
	if l.QOS != nil {
		l.QOS.Decay(factor, l.NoDecay)
	}
	l.Add(c, now, running)
	l.LastRan = now
	return reset
}

// Clear sets all usage to zero, as a reset at some time; Period Now does so when the
// controller starts or is reconfigured.
func (l *Ledger) Clear(atSeconds int64) {
	l.Associations.Clear()
	if l.QOS != nil {
		l.QOS.Clear()
	}
	l.LastReset = atSeconds
}

// Add charges jobs for what they used since the last pass (_apply_new_usage). New
// usage decays by its own duration before it is added, which makes it a little small;
// a job that ends is charged at once for the time until then, so it decays again
// in the next pass.
func (l *Ledger) Add(c Clock, until int64, jobs []Charge) {
	run, factor := int64(-1), 1.0
	for i := range jobs {
		job := &jobs[i]
		if r := until - max(job.StartSeconds, l.LastRan); r != run {
			run, factor = r, c.Decay(r)
		}
		if run <= 0 {
			continue
		}
		plain := float64(run) * job.UsageFactor
		if job.Node >= 0 {
			for node := int32(job.Node); node >= 0; node = l.Tree.Parent[node] {
				l.Associations.add(int(node), plain*factor, job)
			}
		}
		l.addQOS(job.QOS, plain, factor, job)
		if job.PartitionQOS != job.QOS {
			l.addQOS(job.PartitionQOS, plain, factor, job)
		}
	}
}

// Added is the billing usage that Add charges a job for when the pass before was at since.
func (c Clock) Added(since, until int64, job *Charge) float64 {
	run := until - max(job.StartSeconds, since)
	if run <= 0 {
		return 0
	}
	return float64(run) * job.UsageFactor * c.Decay(run) * job.Billing
}

func (l *Ledger) addQOS(qos int, seconds, factor float64, job *Charge) {
	if qos < 0 || l.QOS == nil {
		return
	}
	if qos < len(l.NoDecay) && l.NoDecay[qos] {
		factor = 1
	}
	l.QOS.add(qos, seconds*factor, job)
}

func (u *Usage) add(row int, seconds float64, job *Charge) {
	u.Billing[row] += seconds * job.Billing
	u.WallSeconds[row] += seconds
	for i, count := range job.TRES {
		u.TRES[i][row] += seconds * count
	}
}
