package slurmconf

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/stdlib"
)

// Option is one entry that SchedulerParameters may have, with what slurmctld makes of it.
type Option struct {
	*stdlib.Param
	Value   schema.Value // a switch is a Bool, a number an Int, other words a String; unknown where there is none
	Default schema.Value // of the version
	Refused bool         // the number is outside its bounds, so the default counts
	At      int          // where in the list it begins; -1: it is not there
	Text    string       // as written, up to the next comma
}

// SchedulerOptions reads SchedulerParameters as a version of slurmctld does: each entry that the version
// looks for, in the order of the table. slurmctld searches the list for "word", of a number for "word=", in
// any case of letters, and takes the first place where that occurs, within a longer word too (slurm.conf(5);
// sched/backfill's and the controller's readers).
func SchedulerOptions(list, schedulerType, version string) []Option {
	branch, ok := Branch(version)
	if !ok {
		branch = Newest()
	}
	lower := strings.ToLower(list)
	rows := stdlib.SlurmScheduler.Params()
	out := make([]Option, 0, len(rows))
	for i := range rows {
		if row := &rows[i]; exists(row, branch) && isSearchedFor(row, schedulerType, branch) {
			out = append(out, readOption(row, list, lower, branch))
		}
	}
	return out
}

// isSearchedFor: interval was also backfill's until 2.5; since then only sched/builtin reads it, as it alone
// reads max_job_bf, which stops backfill instead.
func isSearchedFor(p *stdlib.Param, schedulerType, branch string) bool {
	return p.Name != "interval" || before(branch, "2.6") || strings.EqualFold(schedulerType, "sched/builtin")
}

func readOption(row *stdlib.Param, list, lower, branch string) Option {
	at := strings.Index(lower, strings.ToLower(searched(row)))
	o := Option{Param: row, Default: optionDefault(row, branch), At: at}
	if o.Value = o.Default; o.At < 0 {
		return o
	}
	o.Text, _, _ = strings.Cut(list[o.At:], ",")
	_, value, _ := strings.Cut(o.Text, "=")
	switch row.Type {
	case "flag":
		o.Value = schema.BoolValue(true)
	case "int":
		n := atoi(value)
		if low, high, bounded := optionBounds(row); !bounded || n >= low && n <= high || switchesOff(row, n) {
			o.Value = schema.IntValue(n)
		} else {
			o.Refused = true
		}
	default:
		o.Value = schema.StringValue(value)
	}
	return o
}

func optionDefault(row *stdlib.Param, branch string) schema.Value {
	text, ok := Default(row.Name, branch)
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case row.Type == "flag":
		return schema.BoolValue(false)
	case row.Type == "int" && ok && err == nil:
		return schema.IntValue(n)
	}
	return schema.Value{} // another option's value, or none
}

// switchesOff: some numbers may be -1 besides what their bounds allow.
func switchesOff(row *stdlib.Param, n int64) bool {
	return n == -1 && strings.HasPrefix(row.Notes, "-1 switches it off")
}

const unbounded = int64(1) << 62

// optionBounds are the table's. Where a bound is another option, going beyond it is only logged.
func optionBounds(row *stdlib.Param) (low, high int64, bounded bool) {
	low, high = -unbounded, unbounded
	if n, err := strconv.ParseInt(row.Min, 10, 64); err == nil {
		low, bounded = n, true
	}
	if n, err := strconv.ParseInt(row.Max, 10, 64); err == nil {
		high, bounded = n, true
	}
	return low, high, bounded
}
