package replay

import (
	"math"
	"slices"
)

// Metric is a figure of a replay as a whole, or of any of its groups of jobs. The documentation, JSON and tables are
// made of this one list.
type Metric struct {
	Name  string // as in JSON, where a dot begins a member of an inner object
	Title string // over its column of the table; "" is not shown there
	Unit  string // jobs, seconds, times, ratio, share, processor seconds or jobs an hour
	Doc   string
	Whole bool // of the replay alone, not of a group
	Goal  Goal
	of    func(*sample) float64
}

// Goal says which way a metric gets better.
type Goal int

// The values of Goal.
const (
	Neither Goal = iota
	Less
	More
)

// Metrics lists them. What is unknown, such as the wait where no job has started, is NaN.
var Metrics = []Metric{
	{"jobs", "JOBS", "jobs",
		"Jobs that count: those submitted after the warm-up. Jobs that ran already at the begin do not count.",
		false, Neither, func(s *sample) float64 { return float64(len(s.jobs)) }},
	{"started", "STARTED", "jobs",
		"Jobs that have started.",
		false, More, func(s *sample) float64 { return float64(len(s.waits)) }},
	{"wait_seconds.mean", "WAIT MEAN", "seconds",
		"The time from submission to start, mean of the jobs that started.",
		false, Less, func(s *sample) float64 { return mean(s.waits) }},
	{"wait_seconds.median", "MEDIAN", "seconds",
		"Its median.",
		false, Less, func(s *sample) float64 { return median(s.waits) }},
	{"wait_seconds.p95", "P95", "seconds",
		"The smallest wait that 95 of 100 jobs do not exceed.",
		false, Less, func(s *sample) float64 { return percentile(s.waits, 95) }},
	{"wait_seconds.max", "MAX", "seconds",
		"The longest wait.",
		false, Less, func(s *sample) float64 { return percentile(s.waits, 100) }},
	{"bounded_slowdown.mean", "SLOWDOWN MEAN", "ratio",
		"(wait + run) / max(run, 10 s), at least 1; mean of the jobs that started.",
		false, Less, func(s *sample) float64 { return mean(s.slowdowns) }},
	{"bounded_slowdown.median", "", "ratio",
		"Its median.",
		false, Less, func(s *sample) float64 { return median(s.slowdowns) }},
	{"bounded_slowdown.p95", "P95", "ratio",
		"The smallest bounded slowdown that 95 of 100 jobs do not exceed.",
		false, Less, func(s *sample) float64 { return percentile(s.slowdowns, 95) }},
	{"bounded_slowdown.max", "", "ratio",
		"The largest bounded slowdown.",
		false, Less, func(s *sample) float64 { return percentile(s.slowdowns, 100) }},
	{"proc_seconds", "PROC HOURS", "processor seconds",
		"Processors times seconds that the jobs ran.",
		false, Neither, func(s *sample) float64 { return s.procSeconds }},
	{"backfilled", "", "jobs",
		"Jobs that backfill started, before their turn.",
		false, Neither, func(s *sample) float64 { return s.backfilled }},
	{"overtaken.jobs", "OVERTAKEN", "jobs",
		"Jobs that another job overtook: one of the same partition that was submitted later and started earlier.",
		false, Less, func(s *sample) float64 { return float64(len(s.overtaken)) }},
	{"overtaken.times_mean", "", "times",
		"How often an overtaken job was overtaken, mean.",
		false, Less, func(s *sample) float64 { return mean(s.times) }},
	{"overtaken.times_max", "", "times",
		"How often the job that was overtaken most often was.",
		false, Less, func(s *sample) float64 { return percentile(s.times, 100) }},
	{"overtaken.seconds_mean", "", "seconds",
		"How long an overtaken job still waited after it was first overtaken, mean.",
		false, Less, func(s *sample) float64 { return mean(s.overtaken) }},
	{"overtaken.seconds_max", "", "seconds",
		"The longest that an overtaken job still waited.",
		false, Less, func(s *sample) float64 { return percentile(s.overtaken, 100) }},
	{"starved", "STARVED", "jobs",
		"Jobs that were overtaken and waited for over a day and over ten times their limit (their run time, " +
			"without one), or that never started.",
		false, Less, func(s *sample) float64 { return s.starved }},

	{"makespan_seconds", "", "seconds",
		"From the begin, or the end of the warm-up, to the end of the last job.",
		true, Less, func(s *sample) float64 { return s.makespan() }},
	{"utilisation", "", "share",
		"Busy processors over all, while any job that started later waited or any ran. Unknown where the size of " +
			"the machine is.",
		true, More, func(s *sample) float64 { return s.utilisation }},
	{"jobs_per_hour", "", "jobs an hour",
		"Jobs that ended over the makespan.",
		true, More, func(s *sample) float64 { return s.perHour }},
	{"queue.jobs_mean", "", "jobs",
		"Jobs that wait, mean over the makespan.",
		true, Less, func(s *sample) float64 { return s.queueMean }},
	{"queue.jobs_max", "", "jobs",
		"The longest queue.",
		true, Less, func(s *sample) float64 { return s.queueMax }},
	{"jain.users", "", "ratio",
		"Jain's index of the mean bounded slowdowns of users: 1 is the same for all, 1/n is all of it for one of " +
			"n.",
		true, More, func(s *sample) float64 { return s.jainUsers() }},
	{"jain.shares", "", "ratio",
		"Jain's index of usage over target, of the credentials with a target in the policy. Unknown without " +
			"targets.",
		true, More, func(s *sample) float64 { return s.jainShares() }},
	{"share_gap", "", "share",
		"By how much the share of a credential with a target misses it, mean over them.",
		true, Less, func(s *sample) float64 { return s.shareGap() }},
}

// FindMetric is the place in Metrics of a name; -1 if there is none.
func FindMetric(name string) int {
	return slices.IndexFunc(Metrics, func(m Metric) bool { return m.Name == name })
}

// mean, median and percentile are of a sorted list; NaN of an empty one. A percentile is the smallest entry that so
// many of 100 are not above.
func mean(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

func median(list []float64) float64 {
	n := len(list)
	if n == 0 {
		return math.NaN()
	}
	return (list[(n-1)/2] + list[n/2]) / 2
}

func percentile(list []float64, p float64) float64 {
	n := len(list)
	if n == 0 {
		return math.NaN()
	}
	return list[min(n-1, max(0, int(math.Ceil(p/100*float64(n)))-1))]
}

// jain is Jain's index of fairness of some amounts (Jain, Chiu and Hawe, 1984).
func jain(list []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, x := range list {
		sum, squares = sum+x, squares+x*x
	}
	if squares == 0 {
		return math.NaN()
	}
	return sum * sum / (float64(len(list)) * squares)
}
