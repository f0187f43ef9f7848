package planning

import (
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// reservationDays is how far ahead a reservation that comes again is written out.
const reservationDays = 92

const daySeconds = 24 * 3600

// repeat adds a reservation, if it comes again at each of its times. Hours are as long as they are; days and weeks are
// those of the calendar, in which eight o'clock stays eight o'clock when clocks are changed (slurmctld, reservation.c,
// advances local time).
func (q *Queue) repeat(r backfill.Reservation, every string, place *time.Location) {
	days := map[string]int{"daily": 1, "weekday": 1, "weekend": 1, "weekly": 7}[every]
	r.PeriodSeconds = int64(days) * daySeconds
	if every == "hourly" {
		r.PeriodSeconds = 3600
	}
	if r.PeriodSeconds == 0 {
		if r.End > q.Result.Now {
			q.Cluster.Reservations = append(q.Cluster.Reservations, r)
		}
		return
	}
	r.End = min(r.End, r.Start+r.PeriodSeconds) // it would overlap itself
	first := max(0, (q.Result.Now-r.End)/r.PeriodSeconds-1)
	q.again(r, int(first), func(k int) (start, end int64, there bool) {
		if days == 0 {
			return r.Start + int64(k)*r.PeriodSeconds, r.End + int64(k)*r.PeriodSeconds, true
		}
		from := time.Unix(r.Start, 0).In(place).AddDate(0, 0, k*days)
		to := time.Unix(r.End, 0).In(place).AddDate(0, 0, k*days)
		weekend := from.Weekday() == time.Saturday || from.Weekday() == time.Sunday
		return from.Unix(), to.Unix(), k == 0 || every != "weekday" && every != "weekend" || weekend == (every == "weekend")
	})
}

// again adds a reservation at each of its times that are not over, as one series. time says of each, counted from the
// first on, when it is, and whether the day is one of its days.
func (q *Queue) again(r backfill.Reservation, first int, time func(k int) (start, end int64, there bool)) {
	now := q.Result.Now
	q.series++
	r.Series = q.series
	listed := 0
	for k := first; ; k++ {
		start, end, there := time(k)
		if start > now+reservationDays*daySeconds && (listed > 0 || k > first+reservationDays) {
			return
		}
		if there && end > now {
			again := r
			again.Start, again.End = start, end
			q.Cluster.Reservations = append(q.Cluster.Reservations, again)
			listed++
		}
	}
}
