// Package study says what a study comes to: every choice of the parameters of its policies.
//
// In: a policy.Study, as lang/policy reads it. Out: Points, in the order of the file, or diagnostics. Lists and ranges
// make all combinations, or random draws that are the same each time; a condition (where) leaves choices out. Called by
// `fairway sweep plan`, which makes a cell of each point, workload and snapshot.
package study

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// MostPoints bounds what a study may ask for.
const MostPoints = 100_000

// Point is a policy with a choice of its parameters.
type Point struct {
	Policy int // of Study.Policies
	Params []Param
}

// Param is a parameter with a value, as the policy's file has it.
type Param struct {
	Name, Value string
	Held        bool
	Span        source.Span // of the value
	At          source.Span // of the name
}

// Points lists the choices of all policies.
func Points(s *policy.Study) ([]Point, diag.List) {
	var diags diag.List
	var points []Point
	for i := range s.Policies {
		c := &choices{policy: &s.Policies[i], diags: &diags, fractions: map[string]bool{}}
		for _, h := range c.policy.Hold {
			c.held = append(c.held, Param{h.Name.Value, h.Value.Value, true, h.Value.Span, h.Name.Span})
		}
		for _, list := range c.all() {
			points = append(points, Point{i, list})
		}
		if len(points) > MostPoints {
			diags.Errorf("study-too-large", c.policy.Span, "the study has more than %d choices", MostPoints).
				Note("give parameters fewer values, or draw some at random: draws = 1000")
			return nil, diags
		}
	}
	return points, diags
}

// choices are those of one policy.
type choices struct {
	policy *policy.StudyPolicy
	held   []Param
	lists  [][]Param // the values of each parameter that varies; nil for a range that is only drawn from
	diags  *diag.List

	fractions map[string]bool // parameters with numbers that are not whole
}

func (c *choices) all() [][]Param {
	combinations := 1.0
	for i := range c.policy.Params {
		list := Values(&c.policy.Params[i])
		c.fractions[c.policy.Params[i].Name.Value] = fractional(&c.policy.Params[i], list)
		if c.lists = append(c.lists, list); list == nil {
			combinations = math.Inf(1)
		} else {
			combinations *= float64(len(list))
		}
	}
	if c.policy.Draws.IsSet() {
		return c.drawn(int(c.policy.Draws.Value.Int), combinations)
	}
	if combinations > MostPoints {
		c.diags.Errorf("study-too-large", c.policy.Span, "the parameters of policy %q have more than %d combinations",
			c.policy.Name.Value, MostPoints).
			Note("give them fewer values, or draw some at random: draws = 1000")
		return nil
	}
	return c.grid()
}

// grid lists all combinations, the last parameter moving first.
func (c *choices) grid() (out [][]Param) {
	at := make([]int, len(c.lists))
	for {
		choice := c.held[:len(c.held):len(c.held)]
		for i, list := range c.lists {
			choice = append(choice, list[at[i]])
		}
		switch holds, ok := c.holds(choice); {
		case !ok:
			return nil
		case holds:
			out = append(out, choice)
		}
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(c.lists[i]) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return c.some(out)
		}
	}
}

// some reports a condition that leaves nothing.
func (c *choices) some(out [][]Param) [][]Param {
	if len(out) == 0 && c.policy.Where != nil {
		c.diags.Errorf("study-no-choice", c.policy.Where.Span, "no choice of policy %q meets the condition",
			c.policy.Name.Value).Note("loosen the condition, or give the parameters other values")
	}
	return out
}

// attempts bounds how many draws are made for each one that is wanted, and in all: the condition leaves some out, and
// some were drawn before.
const (
	attempts     = 1000
	mostAttempts = 2 * MostPoints
)

// drawn lists random choices, each once.
func (c *choices) drawn(n int, combinations float64) (out [][]Param) {
	seed := uint64(1)
	if c.policy.DrawSeed.IsSet() {
		seed = uint64(c.policy.DrawSeed.Value.Int)
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.policy.Name.Value))
	random := rand.New(rand.NewPCG(seed, h.Sum64()))
	seen := map[string]bool{}
	for tries := 0; len(out) < n && tries < min(attempts*n, mostAttempts) && float64(len(seen)) < combinations; tries++ {
		choice, key := c.held[:len(c.held):len(c.held)], ""
		for i := range c.policy.Params {
			p := draw(&c.policy.Params[i], c.lists[i], random)
			choice, key = append(choice, p), key+p.Value+"\x00"
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		switch holds, ok := c.holds(choice); {
		case !ok:
			return nil
		case holds:
			out = append(out, choice)
		}
	}
	if len(out) > 0 && len(out) < n {
		c.diags.Warnf("study-few-choices", c.policy.Draws.Span, "policy %q has %d choices to draw, not %d",
			c.policy.Name.Value, len(out), n).Note("all of them are tried; write draws = %d", len(out))
	}
	return c.some(out)
}

// holds asks the condition about a choice. It is not ok once an error was reported.
func (c *choices) holds(choice []Param) (holds, ok bool) {
	if c.policy.Where == nil {
		return true, true
	}
	values := map[string]schema.Value{}
	for _, p := range choice {
		values[p.Name] = c.typed(p)
	}
	w := c.policy.Where
	src := celexpr.Source{Span: w.Span, Scope: celexpr.CredentialScope}
	if w.Offsets != nil {
		src.Text = w.Text
		for _, o := range w.Offsets {
			src.Offsets = append(src.Offsets, int(w.Span.Start)+o)
		}
	}
	compiled, list := celexpr.NewEnv(celexpr.Options{Params: values}).Compile(src, celexpr.WantBool)
	*c.diags = append(*c.diags, list...)
	if compiled == nil || list.HasErrors() {
		return false, false
	}
	folded := expr.Fold(compiled.Expr)
	if folded.Op != expr.Const {
		c.diags.Errorf("study-where", w.Span, "the condition reads more than parameters").
			Note("there are no jobs yet: it may read param.NAME of the parameters that vary or are held")
		return false, false
	}
	return folded.Value.Int != 0, true
}

// Condition is a policy's condition on its own, given its text: it says whether a choice may be tried. Numbers of the
// parameters named are not all whole.
func Condition(text string, fractions map[string]bool) func(choice []Param) bool {
	if text == "" {
		return func([]Param) bool { return true }
	}
	span := source.NewFile("where", []byte(text)).Span(0, len(text))
	p := &policy.StudyPolicy{Where: &policy.CEL{Text: text, Span: span}}
	return func(choice []Param) bool {
		c := &choices{policy: p, diags: &diag.List{}, fractions: fractions}
		holds, ok := c.holds(choice)
		return holds && ok
	}
}

// typed is a value as an expression sees it: a number, whole if all values of the parameter are, or text.
func (c *choices) typed(p Param) schema.Value {
	f, err := strconv.ParseFloat(p.Value, 64)
	switch {
	case err != nil:
		return schema.StringValue(p.Value)
	case c.fractions[p.Name]:
		return schema.DoubleValue(f)
	}
	if n, err := strconv.ParseInt(p.Value, 10, 64); err == nil {
		return schema.IntValue(n)
	}
	return schema.DoubleValue(f)
}

// fractional reports a parameter that has a number that is not whole.
func fractional(p *policy.StudyParam, list []Param) bool {
	if list == nil {
		return !WholeBounds(p)
	}
	return slices.ContainsFunc(list, func(v Param) bool {
		f, err := strconv.ParseFloat(v.Value, 64)
		return err == nil && f != math.Trunc(f)
	})
}

// WholeBounds reports a range whose drawn numbers are whole.
func WholeBounds(p *policy.StudyParam) bool {
	low, high := p.From.Value.Double, p.To.Value.Double
	return low == math.Trunc(low) && high == math.Trunc(high)
}

// Values lists what a parameter can be; nil for a range without steps, whose numbers have no end.
func Values(p *policy.StudyParam) (list []Param) {
	for _, v := range p.Values {
		list = append(list, Param{Name: p.Name.Value, Value: v.Value, Span: v.Span, At: p.Name.Span})
	}
	if p.Values != nil || !p.Step.IsSet() && !p.Steps.IsSet() {
		return list
	}
	low, high := p.From.Value.Double, p.To.Value.Double
	n := p.Steps.Value.Int - 1
	place := func(i int64) float64 {
		if share := float64(i) / float64(n); p.Log {
			return low * math.Pow(high/low, share)
		} else {
			return low + (high-low)*share
		}
	}
	if p.Step.IsSet() {
		step := p.Step.Value.Double
		n = int64(min((high-low)/step*(1+1e-12), MostPoints))
		if place = func(i int64) float64 { return low + step*float64(i) }; p.Log {
			n = int64(min(math.Log(high/low)/math.Log(step)*(1+1e-12), MostPoints))
			place = func(i int64) float64 { return low * math.Pow(step, float64(i)) }
		}
	}
	for i := range n + 1 {
		v := Round(p, place(i))
		if len(list) == 0 || list[len(list)-1].Value != v {
			list = append(list, Param{Name: p.Name.Value, Value: v, Span: p.Span, At: p.Name.Span})
		}
	}
	return list
}

// Round writes a number of a range. Between whole bounds drawn and logarithmic numbers are whole, and those of a number
// of steps that are 1 or more apart; others have four digits, or with a step twelve.
func Round(p *policy.StudyParam, x float64) string {
	digits := 12
	apart := (p.To.Value.Double - p.From.Value.Double) / max(1, float64(p.Steps.Value.Int-1)) // with a number of steps
	switch ranged := p.Log || !p.Step.IsSet() && !p.Steps.IsSet(); {
	case WholeBounds(p) && (ranged || p.Steps.IsSet() && apart >= 1):
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	case ranged:
		digits = 4
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// draw takes one of a list, or a number of a range.
func draw(p *policy.StudyParam, list []Param, random *rand.Rand) Param {
	if list != nil {
		return list[random.IntN(len(list))]
	}
	low, high := p.From.Value.Double, p.To.Value.Double
	x := low + (high-low)*random.Float64()
	if p.Log {
		x = low * math.Pow(high/low, random.Float64())
	}
	return Param{Name: p.Name.Value, Value: Round(p, x), Span: p.Span, At: p.Name.Span}
}
