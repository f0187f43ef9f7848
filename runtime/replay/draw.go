package replay

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/habits"
)

// Arrivals says when the jobs of a drawn workload come: as recorded, with the load scaled, or in blocks of time that
// are drawn with replacement.
type Arrivals struct {
	Scale     float64 // how many times as many jobs come in the same time; 0 or 1 is as recorded
	Bootstrap bool
}

// ParseArrivals reads recorded, scaled=1.2 or bootstrap.
func ParseArrivals(text string) (Arrivals, error) {
	factor, scaled := strings.CutPrefix(text, "scaled=")
	switch {
	case text == "recorded":
		return Arrivals{}, nil
	case text == "bootstrap":
		return Arrivals{Bootstrap: true}, nil
	case scaled:
		f, err := strconv.ParseFloat(factor, 64)
		if err != nil || !(f >= leastScale && f <= mostScale) {
			return Arrivals{}, fmt.Errorf("scaled is a factor from %g to %g, such as scaled=1.2, not %q", leastScale,
				float64(mostScale), factor)
		}
		return Arrivals{Scale: f}, nil
	}
	return Arrivals{}, fmt.Errorf("arrivals are recorded, scaled=1.2 or bootstrap, not %q", text)
}

const (
	leastScale = 0.01
	mostScale  = 100
)

// Drawn is a workload like this one: other arrivals, and run times that are drawn where they are. The same seed draws
// the same.
func (w *Workload) Drawn(a Arrivals, seed uint64) *Workload {
	out := *w
	out.seed = seed
	switch {
	case a.Bootstrap:
		out.Jobs = w.bootstrap(rand.New(rand.NewPCG(seed, arrivalStream)))
	case a.Scale != 0 && a.Scale != 1:
		out.Jobs = w.scaled(a.Scale)
	}
	if w.runtime == Habits {
		out.Jobs = slices.Clone(out.Jobs)
		for i := range out.Jobs {
			out.Jobs[i].Seconds = max(1, out.draw(&out.Jobs[i]))
		}
	}
	return &out
}

// draw draws the run time of a job from its user's habits. What is drawn goes by the seed and the job's id, so that
// two policies have the same jobs, whatever their order.
func (w *Workload) draw(j *Job) int64 {
	like := &habits.Job{User: j.User, Account: j.Account, Procs: j.Procs, Limit: j.Limit, Ran: j.ran}
	own := w.source(j.ID)
	part := own.Float64()
	if w.alike {
		if all := w.source("user " + j.User); all.Float64() < alike {
			part = all.Float64()
		}
		switch luck := own.Float64(); {
		case luck < anything && like.Limit > like.Ran:
			return like.Ran + 1 + own.Int64N(like.Limit-like.Ran)
		case luck < surprise:
			like.User, like.Account = "", ""
		}
	}
	return w.habits.At(like, part)
}

// source draws what goes by a name.
func (w *Workload) source(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(w.seed, h.Sum64()))
}

// The jobs that a user has in a queue run alike: in so many draws all of them run for a long part, or all for a short
// part, of what the user's jobs did. And some jobs run as their user's did not: anything of them for any time up to
// their limit, and the rest, up to surprise, as any job of their size. Without these, estimates on the traces of
// archives are too sure of themselves.
const (
	alike    = 0.8
	surprise = 0.35
	anything = 0.15
)

// arrivalStream keeps what is drawn of arrivals apart from what else is drawn by the same seed.
const arrivalStream = 0x6172726976616c73

// scaled brings jobs closer together, or further apart: the same jobs in a shorter time are more load.
func (w *Workload) scaled(factor float64) []Job {
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		jobs[i].Submit = jobs[0].Submit + int64(math.Round(float64(w.Jobs[i].Submit-jobs[0].Submit)/factor))
	}
	return jobs
}

// bootstrap draws blocks of time with replacement until the workload is as long as before (Efron's bootstrap, in
// blocks so that the rhythm of a day and what a user submits together stay). A job that is drawn again has ~2, ~3 …
// after its id.
func (w *Workload) bootstrap(draw *rand.Rand) []Job {
	if len(w.Jobs) == 0 {
		return nil
	}
	first := w.Jobs[0].Submit
	span := w.Jobs[len(w.Jobs)-1].Submit - first + 1
	block := blockSeconds(span)
	n := int((span + block - 1) / block)
	blocks := make([][]int, n)
	for i := range w.Jobs {
		k := (w.Jobs[i].Submit - first) / block
		blocks[k] = append(blocks[k], i)
	}
	var jobs []Job
	times := make([]int, len(w.Jobs))
	for k := range n {
		from := draw.IntN(n)
		for _, i := range blocks[from] {
			j := w.Jobs[i]
			j.Submit += int64(k-from) * block
			if times[i]++; times[i] > 1 {
				j.ID += "~" + strconv.Itoa(times[i])
			}
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// blockSeconds is the length of the blocks of a bootstrap: a day, or a tenth of a workload of less than ten days.
func blockSeconds(span int64) int64 { return max(1, min(24*3600, (span+9)/10)) }
