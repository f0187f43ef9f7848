package sweep

import (
	"math"
	"slices"
	"strconv"
)

// Search looks for a choice of a policy's parameters that meets the goals, from the best that is known. It is a compass
// search: from where it is it tries every parameter a step up and a step down, goes to the best of these, and halves
// its step where none is better (Kolda, Lewis, Torczon 2003). It draws nothing: the way is the same each time.
type Search struct {
	manifest *Manifest
	allowed  func(policy int, params []Param) bool
	At       int     // the point where it is
	step     float64 // share of each parameter's range
}

// The first step of a search, and the one at which it gives up.
const (
	firstStep = 0.25
	lastStep  = 1.0 / 64
)

// NewSearch begins at the best point whose policy has parameters, of those that are given; nil if there is none.
func NewSearch(m *Manifest, outcomes []Outcome, allowed func(policy int, params []Param) bool) *Search {
	s := &Search{manifest: m, allowed: allowed, At: -1, step: firstStep}
	for i := range outcomes {
		o := &outcomes[i]
		if len(m.Policies[m.Points[o.Point].Policy].Params) == 0 || o.Cells == 0 {
			continue
		}
		if s.At < 0 || m.Compare(o, &outcomes[s.At]) < 0 {
			s.At = i
		}
	}
	if s.At < 0 {
		return nil
	}
	return s
}

// Around adds the points a step away to the manifest, no more than most of them, and lists those and the ones that are
// there already. A smaller step is taken where all of them are the point itself; none is left at the end.
func (s *Search) Around(most int) (points []int) {
	most += len(s.manifest.Points)
	for ; s.step >= lastStep; s.step /= 2 {
		for _, params := range s.neighbours() {
			if at := s.point(params, most); at >= 0 {
				points = append(points, at)
			}
		}
		if slices.Sort(points); len(points) > 0 {
			return slices.Compact(points)
		}
	}
	return nil
}

// Move goes to the best of the points, or makes the step smaller where none is better; it says whether it goes on.
func (s *Search) Move(outcomes []Outcome, points []int) (goesOn bool) {
	best := s.At
	for _, p := range points {
		if s.manifest.Compare(&outcomes[p], &outcomes[best]) < 0 {
			best = p
		}
	}
	if best != s.At && s.better(&outcomes[best], &outcomes[s.At]) {
		s.At = best
		return true
	}
	s.step /= 2
	return s.step >= lastStep
}

// better reports a point that is nearer to the goals, or better in a metric: not one that merely comes first.
func (s *Search) better(a, b *Outcome) bool {
	if a.Excess != b.Excess {
		return a.Excess < b.Excess
	}
	return !slices.Equal(a.Values, b.Values)
}

func (s *Search) neighbours() (list [][]Param) {
	at := &s.manifest.Points[s.At]
	for _, r := range s.manifest.Policies[at.Policy].Params {
		i := slices.IndexFunc(at.Params, func(p Param) bool { return p.Name == r.Name })
		for _, sign := range []float64{-1, 1} {
			value := r.shifted(at.Params[i].Value, sign*s.step)
			if value == at.Params[i].Value {
				continue
			}
			params := slices.Clone(at.Params)
			if params[i].Value = value; s.allowed(at.Policy, params) {
				list = append(list, params)
			}
		}
	}
	return list
}

// point is the number of a choice, which is added where it is new; -1 if there would be more than most.
func (s *Search) point(params []Param, most int) int {
	m := s.manifest
	policy := m.Points[s.At].Policy
	for i := range m.Points {
		if m.Points[i].Policy == policy && slices.Equal(m.Points[i].Params, params) {
			return i
		}
	}
	if len(m.Points) >= most {
		return -1
	}
	m.Points = append(m.Points, Point{Policy: policy, Params: params})
	for source := range m.Sources {
		m.Add(len(m.Points)-1, source)
	}
	return len(m.Points) - 1
}

// shifted is a value a share of the range away, or at its end: of a list by one place or more, in their order.
func (r *Range) shifted(value string, by float64) string {
	if len(r.Values) > 0 {
		at := slices.Index(r.Values, value)
		places := int(math.Round(by * float64(len(r.Values)-1)))
		if places == 0 {
			places = int(math.Copysign(1, by))
		}
		return r.Values[min(max(at+places, 0), len(r.Values)-1)]
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	if r.Log {
		x *= math.Pow(r.To/r.From, by)
	} else {
		x += by * (r.To - r.From)
	}
	x = min(max(x, r.From), r.To)
	if r.Whole {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}
