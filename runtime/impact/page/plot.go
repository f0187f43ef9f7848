package page

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/impact"
)

// plot is the flow of ranks: a line for each job that moves, or for a sample of them, from its old rank on the left to
// its new one on the right. Those that lose are dashed, so that colour is not all that tells them apart. A job that one
// policy alone lets start comes from a lane below the ranks, or goes to it.
type plot struct {
	Width, Height int
	Title, Note   string
	Lines         []line
	Ticks         []tick
	Labels        []tick  // of those that move farthest, at their new ranks
	Lane          float64 // of jobs that are stopped; 0 if there are none
}

type line struct {
	Path, Class, Title string
}

type tick struct {
	Y    float64
	Text string
}

// The plot's size, and where its two axes are.
const (
	width, height = 860, 480
	left, right   = 70, 650
	top, bottom   = 30, 460
	lane          = 40 // below the last rank
	labelHeight   = 15 // which two labels are apart at least
)

// newPlot draws the moves; nil if there are none.
func newPlot(c *impact.Comparison) *plot {
	last := int32(max(c.Summary.OldRanked, c.Summary.NewRanked))
	p := &plot{Width: width, Height: height}
	up, down := flows(c)
	p.Title = fmt.Sprintf("Ranks before and after of %d jobs that move", len(up)+len(down))
	if moved := len(up) + len(down); moved > lines {
		up, down = sample(up, down)
		p.Note = fmt.Sprintf("A sample of %d of the %d jobs that move, %d that gain and %d that lose, taken evenly by old "+
			"rank; the table of moves has those that move farthest.",
			len(up)+len(down), moved, len(up), len(down))
		p.Title = fmt.Sprintf("Ranks before and after of %d jobs, a sample of %d that move", len(up)+len(down), moved)
	}
	for _, m := range slices.Concat(down, up) {
		class, word, places := "up", "up", m.Places
		if m.Places < 0 {
			class, word, places = "down", "down", -m.Places
		}
		p.line(&m.Job, class, height64(m.OldRank, last), height64(m.NewRank, last),
			fmt.Sprintf("rank %d to %d, %d %s", m.OldRank, m.NewRank, places, word))
	}
	p.stopped(c, last)
	p.label(slices.Concat(down, up), last)
	if len(p.Lines) == 0 {
		return nil
	}
	for _, r := range ticksUpTo(last) {
		p.Ticks = append(p.Ticks, tick{height64(r, last), fmt.Sprint(r)})
	}
	return p
}

func (p *plot) line(j *impact.Job, class string, from, to float64, what string) {
	middle := (left + right) / 2
	p.Lines = append(p.Lines, line{
		Path:  fmt.Sprintf("M%d %.1fC%d %.1f %d %.1f %d %.1f", left, from, middle, from, middle, to, right, to),
		Class: class,
		Title: fmt.Sprintf("job %s of %s: %s", j.ID, j.User, what),
	})
}

// stopped draws the jobs that one policy alone lets start, or as many as there are lines.
func (p *plot) stopped(c *impact.Comparison, last int32) {
	drawn := 0
	for i := range c.Blocks {
		b := &c.Blocks[i]
		blocked := b.Change == "blocked" && b.OldRank > 0
		if !blocked && (b.Change != "eligible" || b.NewRank == 0) {
			continue
		}
		if drawn++; drawn > lines {
			p.Note += fmt.Sprintf(" Of those that are stopped or let go the first %d are drawn.", lines)
			break
		}
		p.Height, p.Lane = height+lane, bottom+lane
		if blocked {
			p.line(&b.Job, "stop", height64(b.OldRank, last), p.Lane, fmt.Sprintf("rank %d, may not start any more", b.OldRank))
		} else {
			p.line(&b.Job, "go", p.Lane, height64(b.NewRank, last), fmt.Sprintf("may start now, rank %d", b.NewRank))
		}
	}
}

// label names those that move farthest, as far as there is room for their names.
func (p *plot) label(moves []*impact.Move, last int32) {
	slices.SortStableFunc(moves, func(a, b *impact.Move) int {
		return int(max(b.Places, -b.Places)) - int(max(a.Places, -a.Places))
	})
	for _, m := range moves {
		at := height64(m.NewRank, last)
		if !slices.ContainsFunc(p.Labels, func(t tick) bool { return t.Y-at < labelHeight && at-t.Y < labelHeight }) {
			p.Labels = append(p.Labels, tick{at, cut(m.ID+" "+m.User, labelLetters)})
		}
	}
}

// labelLetters is how many letters of a label there is room for.
const labelLetters = 18

func cut(s string, letters int) string {
	if r := []rune(s); len(r) > letters {
		return string(r[:letters-1]) + "…"
	}
	return s
}

// flows are the jobs that gain and those that lose, each by old rank.
func flows(c *impact.Comparison) (up, down []*impact.Move) {
	for i := range c.Moves {
		switch m := &c.Moves[i]; {
		case m.OldRank == 0 || m.NewRank == 0:
		case m.Places > 0:
			up = append(up, m)
		case m.Places < 0:
			down = append(down, m)
		}
	}
	byRank := func(a, b *impact.Move) int { return int(a.OldRank) - int(b.OldRank) }
	slices.SortStableFunc(up, byRank)
	slices.SortStableFunc(down, byRank)
	return up, down
}

// sample takes as many of each side as the side is of all, but of neither less than a fifth: few that gain at the cost
// of many, or the other way round, are what a reader has to see.
func sample(up, down []*impact.Move) (_, _ []*impact.Move) {
	const least = lines / 5
	n := lines * len(up) / (len(up) + len(down))
	n = min(max(n, least, lines-len(down)), lines-least, len(up))
	return spread(up, n), spread(down, min(lines-n, len(down)))
}

// spread takes n of a list, as far from each other as can be.
func spread(list []*impact.Move, n int) (out []*impact.Move) {
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

func height64(rank, last int32) float64 {
	if last < 2 {
		return top
	}
	return top + float64(bottom-top)*float64(rank-1)/float64(last-1)
}

// ticksUpTo are at most five ranks from 1 to the last.
func ticksUpTo(last int32) (out []int32) {
	for i := range int32(5) {
		r := 1 + (last-1)*i/4
		if len(out) == 0 || out[len(out)-1] != r {
			out = append(out, r)
		}
	}
	return out
}
