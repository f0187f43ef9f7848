package gantt

import (
	"fmt"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// timeScale maps time to pixels: evenly, or, for a plan with a long tail, evenly in two parts, where the second has
// more time on the same width.
type timeScale struct {
	from, middle, to  int64   // epoch seconds; middle is to where there is one part
	left, bend, right float64 // pixels
}

func (s *timeScale) x(at int64) float64 {
	switch at = max(s.from, min(s.to, at)); {
	case at <= s.middle:
		return s.left + float64(at-s.from)/float64(s.middle-s.from)*(s.bend-s.left)
	default:
		return s.bend + float64(at-s.middle)/float64(s.to-s.middle)*(s.right-s.bend)
	}
}

// density is how many times as much time the second part has on the same width; 1 without one.
func (s *timeScale) density() float64 {
	if s.middle >= s.to {
		return 1
	}
	return float64(s.to-s.middle) / (s.right - s.bend) / (float64(s.middle-s.from) / (s.bend - s.left))
}

// The measures of a chart with two parts.
const (
	longTail    = 2.5 // times as long as the first part: then there are two
	firstPart   = 0.6 // of the width
	mostDensity = 60  // of the second part; what comes later is not in the chart
	roomForJobs = 6   // jobs of a usual length beside each other in the first part
)

// chooseScale chooses the time shown. It goes from a little before now to the last end, but not so far that one long
// job makes all others thin: what lies beyond twice the time of the last start is cut off. The first part has the end
// of what runs, with room for usual jobs after it.
func (g *gantt) chooseScale(left, right float64) timeScale {
	now := g.Schedule.Now
	last, end := now, now
	var running, lengths []int64
	for i := range g.Schedule.Placements {
		at := g.At(i)
		if at.By == backfill.ByNone {
			continue
		}
		if at.Start > now {
			last = max(last, at.Start)
		}
		if at.End >= backfill.Forever {
			continue
		}
		end = max(end, at.End)
		lengths = append(lengths, at.End-at.Start)
		if at.Start <= now {
			running = append(running, at.End-now)
		}
	}
	to := max(min(end, now+2*(last-now)+4*3600), now+600)
	first := max(2*quantile(running, 0.75), roomForJobs*quantile(lengths, 0.5), 600)
	s := timeScale{middle: to, to: to, left: left, bend: right, right: right}
	if float64(to-now) > longTail*float64(first) {
		s.middle = now + first
		s.bend = left + firstPart*(right-left)
		s.to = min(to, s.middle+int64(mostDensity*float64(first)*(1-firstPart)/firstPart))
	}
	s.from = now - (s.middle-now)/30
	return s
}

// quantile is the value below which a share of a list lies; 0 of an empty one.
func quantile(list []int64, share float64) int64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[min(len(list)-1, int(share*float64(len(list))))]
}

// tickStep is a distance of ticks: in one of the units, of the calendar in the reader's zone.
type tickStep struct {
	seconds, days, months int
	label, over           string // layouts of a tick's label and of what is above it where it changes
	room                  float64
}

var tickSteps = func() (list []tickStep) {
	for _, s := range []int{60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 4 * 3600, 6 * 3600, 12 * 3600} {
		list = append(list, tickStep{seconds: s, label: "15:04", over: "Mon 2006-01-02", room: 44})
	}
	for _, d := range []int{1, 2, 7, 14} {
		list = append(list, tickStep{days: d, label: "02 Jan", over: "2006", room: 52})
	}
	for _, m := range []int{1, 3, 6} {
		list = append(list, tickStep{months: m, label: "Jan", over: "2006", room: 36})
	}
	for _, m := range []int{12, 24, 60, 120, 600, 1200, 12000} {
		list = append(list, tickStep{months: m, label: "2006", room: 44})
	}
	return list
}()

// spacing is about how long a step is, in seconds.
func (s *tickStep) spacing() float64 {
	return float64(s.seconds) + 86400*float64(s.days) + 30.4*86400*float64(s.months)
}

// ticks lists the round times after from, up to to.
func (s *tickStep) ticks(from, to int64, zone *time.Location) []time.Time {
	begin := time.Unix(from, 0).In(zone)
	y, m, d := begin.Date()
	if s.days > 2 {
		d -= (int(begin.Weekday()) + 6) % 7 // weeks begin on Monday
	}
	if s.months > 0 {
		d, m = 1, 1
		y -= y % max(1, s.months/12)
	}
	var list []time.Time
	last := from
	for k := 0; ; k++ {
		at := time.Date(y, m+time.Month(k*s.months), d+k*s.days, 0, 0, k*s.seconds, 0, zone)
		if at.Unix() > to {
			return list
		}
		if at.Unix() > last { // a clock that is put back shows an hour twice
			list, last = append(list, at), at.Unix()
		}
	}
}

// axis draws each part's ticks, and shades the denser one.
func (g *gantt) axis() {
	s := &g.scale
	ticks, above := g.axisPart(s.from, s.middle, s.left, s.bend, s.left-ganttMargin, s.left-ganttMargin)
	if s.middle < s.to {
		fmt.Fprintf(g.out, "<rect class=\"far\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n", px(s.bend), px(g.top-32),
			px(s.right-s.bend), px(g.bottom-g.top+32))
		g.axisPart(s.middle, s.to, s.bend, s.right, ticks, max(above, s.bend-ganttMargin))
		fmt.Fprintf(g.out, "<path class=\"bend\" d=\"M%s %sV%s\"/>\n", px(s.bend), px(g.top-32), px(g.bottom))
	}
}

// axisPart draws one part, with labels from where there is room for those of ticks and for those above them. It returns
// where they end.
func (g *gantt) axisPart(from, to int64, left, right, tickRoom, overRoom float64) (ticks, above float64) {
	step := &tickSteps[len(tickSteps)-1]
	for k := range tickSteps {
		if s := &tickSteps[k]; s.spacing()/float64(to-from)*(right-left) >= s.room {
			step = s
			break
		}
	}
	over := ""
	for _, at := range step.ticks(from, to, g.Zone()) {
		x := g.scale.x(at.Unix())
		fmt.Fprintf(g.out, "<path class=\"grid\" d=\"M%s %sV%s\"/>", px(x), px(g.top-4), px(g.bottom))
		if half := charWidth * float64(len(step.label)) / 2; x-half >= tickRoom && x+half <= right+ganttMargin/2 {
			tickRoom = x + half + 2
			fmt.Fprintf(g.out, "<text class=\"mid\" x=\"%s\" y=\"%s\">%s</text>", px(x), px(g.top-7), at.Format(step.label))
		}
		if name := at.Format(step.over); name != over {
			half := charWidth * float64(len(name)) / 2
			if middle := min(max(x, left+half-ganttMargin), right-half); middle-half >= overRoom {
				over, overRoom = name, middle+half+8
				fmt.Fprintf(g.out, "<text class=\"mid dim\" x=\"%s\" y=\"%s\">%s</text>", px(middle), px(g.top-20), name)
			}
		}
		g.out.WriteByte('\n')
	}
	return tickRoom, overRoom
}
