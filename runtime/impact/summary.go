package impact

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Summary is the comparison in numbers: what thresholds ask for. Fractions are of 1.
type Summary struct {
	Jobs      int `json:"jobs"`
	OldRanked int `json:"old_ranked"`
	NewRanked int `json:"new_ranked"`
	Compared  int `json:"compared"` // jobs that both rank, and where no policy alone stops one

	MovedJobs     int     `json:"moved_jobs"`
	Moved         float64 `json:"moved"`   // of the compared jobs, those at another place among them
	Swapped       float64 `json:"swapped"` // of all pairs, those that are the other way round
	Up            int     `json:"up"`
	Down          int     `json:"down"`
	MaxUp         int     `json:"max_up"` // places
	MaxDown       int     `json:"max_down"`
	MeanPlaces    float64 `json:"mean_places"`
	Reprioritised int     `json:"reprioritised"` // jobs with another priority

	Blocked     int `json:"blocked"`  // jobs that may not start any more
	Released    int `json:"released"` // jobs that may start now
	OtherBlocks int `json:"other_blocks"`
	Shares      int `json:"fairshare_changed"`

	Planned          bool    `json:"planned"`
	Starts           int     `json:"starts"` // waiting jobs that are planned
	StartsChanged    float64 `json:"starts_changed"`
	Sooner           int     `json:"sooner"`
	Later            int     `json:"later"`
	LostReservation  int     `json:"lost_reservations"`  // jobs for whose start nothing is kept any more
	FoundReservation int     `json:"found_reservations"` // jobs for whose start something is kept now
	LostStart        int     `json:"lost_start"`         // jobs without a known time any more
	FoundStart       int     `json:"found_start"`
	OldNow           int     `json:"old_start_now"`
	NewNow           int     `json:"new_start_now"`
	MeanDelaySeconds float64 `json:"mean_delay_seconds"`
	MaxDelaySeconds  int64   `json:"max_delay_seconds"`
	OldLostHours     float64 `json:"old_lost_processor_hours"` // of work, by running jobs that are ended for others
	NewLostHours     float64 `json:"new_lost_processor_hours"`
}

// Same reports that nothing at all changes.
func (c *Comparison) Same() bool {
	if c.whole != nil {
		return c.whole.Same()
	}
	return len(c.Moves)+len(c.Blocks)+len(c.Shares)+len(c.Starts)+len(c.Lost) == 0
}

// Group is what happens to the jobs of a user, an account, a QOS or a partition.
type Group struct {
	By       string  `json:"by"`
	Name     string  `json:"name"`
	Jobs     int     `json:"jobs"` // that the old policy ranks
	Up       int     `json:"up"`
	Down     int     `json:"down"`
	Places   int     `json:"places"` // gained by all its jobs together, negative if lost
	Mean     float64 `json:"mean_places"`
	Blocked  int     `json:"blocked"`
	Released int     `json:"released"`
	Delay    float64 `json:"mean_delay_seconds"` // of its jobs that start at another time

	planned int
	delay   int64
}

// groupings are how jobs are counted together.
var groupings = []struct {
	by string
	of func(Job) string
}{
	{"user", func(j Job) string { return j.User }},
	{"account", func(j Job) string { return j.Account }},
	{"qos", func(j Job) string { return j.QOS }},
	{"partition", func(j Job) string { return j.Partition }},
}

// groups adds up who gains and who loses. Those without a change are left out.
func (c *Comparison) groups(x *evaluation.Result) {
	c.Groups = []Group{}
	for _, g := range groupings {
		found := map[string]*Group{}
		of := func(j Job) *Group {
			name := g.of(j)
			if found[name] == nil {
				found[name] = &Group{By: g.by, Name: name}
			}
			return found[name]
		}
		for i := range c.Moves {
			m := &c.Moves[i]
			if m.Places == 0 {
				continue
			}
			row := of(m.Job)
			if row.Places += int(m.Places); m.Places > 0 {
				row.Up++
			} else {
				row.Down++
			}
		}
		for i := range c.Blocks {
			switch b := &c.Blocks[i]; b.Change {
			case "blocked":
				of(b.Job).Blocked++
			case "eligible":
				of(b.Job).Released++
			}
		}
		for i := range c.Starts {
			if s := &c.Starts[i]; s.Later != nil && *s.Later != 0 {
				row := of(s.Job)
				row.delay += *s.Later
				row.planned++
			}
		}
		for job := range x.Jobs.Rows {
			if x.Rank[job] == 0 {
				continue
			}
			if row := found[g.of(jobOf(x, job))]; row != nil {
				row.Jobs++
			}
		}
		var list []Group
		for _, row := range found {
			if row.Jobs > 0 {
				row.Mean = float64(row.Places) / float64(row.Jobs)
			}
			if row.planned > 0 {
				row.Delay = float64(row.delay) / float64(row.planned)
			}
			list = append(list, *row)
		}
		slices.SortFunc(list, func(a, b Group) int {
			return cmp.Or(-cmp.Compare(a.Places, b.Places),
				cmp.Compare(a.Name, b.Name))
		})
		c.Groups = append(c.Groups, list...)
	}
}

// Values are the numbers of the summary under the names that JSON has, for conditions on them.
func (s *Summary) Values() map[string]schema.Value {
	out := map[string]schema.Value{}
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			out[name] = schema.DoubleValue(f.Float())
		case reflect.Bool:
			out[name] = schema.BoolValue(f.Bool())
		default:
			out[name] = schema.IntValue(f.Int())
		}
	}
	return out
}
