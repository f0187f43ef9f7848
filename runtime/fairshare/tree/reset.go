package tree

import (
	"strings"
	"time"
)

// Period says when all usage is set to zero (PriorityUsageResetPeriod).
type Period int

// The periods; Never is NONE, Now resets once when the controller starts.
const (
	Never Period = iota
	Now
	Daily
	Weekly
	Monthly
	Quarterly
	Yearly
)

var periods = [...]string{"NONE", "NOW", "DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "YEARLY"}

// Periods are the words of slurm.conf, in the order of the constants.
func Periods() []string { return periods[:] }

func (p Period) String() string { return periods[p] }

// ParsePeriod reads a word of slurm.conf in any case.
func ParsePeriod(word string) (Period, bool) {
	for i, p := range periods {
		if strings.EqualFold(p, word) {
			return Period(i), true
		}
	}
	return Never, false
}

// Next is the time of the reset that follows one, in seconds since 1970: the next
// midnight, Sunday, first of a month, of a quarter or of January, as the controller's
// place counts days (nil: UTC; priority_multifactor.c: _next_reset). Never and Now have none.
func (p Period) Next(lastSeconds int64, place *time.Location) (seconds int64, ok bool) {
	if place == nil {
		place = time.UTC
	}
	last := time.Unix(lastSeconds, 0).In(place)
	year, month, day := last.Date()
	switch p {
	case Daily:
		day++
	case Weekly:
		day += 7 - int(last.Weekday())
	case Monthly:
		month, day = month+1, 1
	case Quarterly:
		month, day = month-(month-1)%3+3, 1
	case Yearly:
		year, month, day = year+1, time.January, 1
	default:
		return 0, false
	}
	return time.Date(year, month, day, 0, 0, 0, 0, place).Unix(), true
}
