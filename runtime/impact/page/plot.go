package page

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/impact"
)

// plot is the flow of ranks: a line for each of the jobs that move farthest, from its old rank on the left to its
// new one on the right. Those that lose are dashed, so that colour is not all that tells them apart.
type plot struct {
	Width, Height int
	Title, Note   string
	Lines         []line
	Ticks         []tick
}

type line struct {
	Path, Class, Title string
}

type tick struct {
	Y    float64
	Text string
}

// The plot's size, and where its two axes stand.
const (
	width, height = 720, 480
	left, right   = 70, 650
	top, bottom   = 30, 460
)

// newPlot draws the moves; nil if there are none.
func newPlot(c *impact.Comparison) *plot {
	last := int32(max(c.Summary.OldRanked, c.Summary.NewRanked))
	p := &plot{Width: width, Height: height}
	moved := 0
	for i := range c.Moves {
		m := &c.Moves[i]
		if m.Places == 0 || m.OldRank == 0 || m.NewRank == 0 {
			continue
		}
		if moved++; moved > lines {
			continue
		}
		class, word := "up", "up"
		if m.Places < 0 {
			class, word = "down", "down"
		}
		places := max(m.Places, -m.Places)
		a, b := height64(m.OldRank, last), height64(m.NewRank, last)
		middle := (left + right) / 2
		p.Lines = append(p.Lines, line{
			Path:  fmt.Sprintf("M%d %.1fC%d %.1f %d %.1f %d %.1f", left, a, middle, a, middle, b, right, b),
			Class: class,
			Title: fmt.Sprintf("job %s of %s: rank %d to %d, %d %s", m.ID, m.User, m.OldRank, m.NewRank, places, word),
		})
	}
	if moved == 0 {
		return nil
	}
	p.Title = fmt.Sprintf("Ranks before and after of %d jobs that move", len(p.Lines))
	if moved > lines {
		p.Note = fmt.Sprintf("The %d jobs that move farthest, of %d.", lines, moved)
	}
	for _, r := range ticksUpTo(last) {
		p.Ticks = append(p.Ticks, tick{height64(r, last), fmt.Sprint(r)})
	}
	return p
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
