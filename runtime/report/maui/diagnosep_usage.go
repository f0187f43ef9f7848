package maui

import (
	"fmt"
	"io"
	"strings"

	"github.com/fairway-sched/fairway/runtime/program"
)

// usageColumns are those that diagnose -p has for the weights of running jobs' usage. They come last,
// are called Res as the resources are, and are zero: none of the jobs listed runs (recorded: p38).
type usageColumns struct {
	titles  []string
	weights []float64
}

// usageOf picks the columns of non-zero weight; nil where the component has none. That of execution time
// weighs nothing and has no title.
func usageOf(q *program.Queue) *usageColumns {
	if q == nil || q.Run.Weight == 0 {
		return nil
	}
	u := &usageColumns{}
	for _, c := range []struct {
		title  string
		weight float64
	}{{"Cons ", q.Run.Consumed}, {"", q.Run.ExecutionTime}, {"Rem  ", q.Run.Remaining}, {"PerC ", q.Run.Percent}} {
		if c.weight != 0 {
			u.titles, u.weights = append(u.titles, c.title), append(u.weights, c.weight)
		}
	}
	if len(u.titles) == 0 {
		return nil
	}
	return u
}

func (u *usageColumns) head(out io.Writer) {
	if u != nil {
		fmt.Fprintf(out, "%6s(%s)", "Res", strings.Join(u.titles, ":"))
	}
}

func (u *usageColumns) weightLine(out io.Writer, weight float64) {
	if u == nil {
		return
	}
	cells := make([]string, len(u.weights))
	for i, w := range u.weights {
		cells[i] = fmt.Sprintf("%5.0f", w)
	}
	fmt.Fprintf(out, "%6.0f(%s)", weight, strings.Join(cells, ":"))
}

func (u *usageColumns) zeros(out io.Writer) {
	if u != nil {
		writeMauiGroup(out, 0, make([]float64, len(u.weights)))
	}
}
