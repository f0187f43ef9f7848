package backfill

import (
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// tokens are counted things that are not on nodes: licences, and the tasks of an array that may
// run at a time.
type tokens struct {
	name  string
	array bool
	total int64
	gone  int64 // of total: in use by no job that is known
	views []*tokenView
}

// tokenView is what requests see that the same reservations do not admit.
type tokenView struct {
	key    string
	steps  *profile.Steps
	claims []*claim
}

// tokenWant is how many a kind needs.
type tokenWant struct {
	of    *tokens
	view  int
	count int64
}

// elsewhere reports more than there are without those for which no input says who has them.
func (w *tokenWant) elsewhere() bool { return w.count > w.of.total-w.of.gone }

// wantsOf are the tokens that a request needs, entered as known.
func (p *planner) wantsOf(r *Request, admits []bool) []tokenWant {
	var wants []tokenWant
	for _, name := range sortedKeys(r.Licenses) {
		if n := min(r.Licenses[name], mostAmount); n > 0 {
			of := p.token(name, false, min(max(p.Licenses[name], 0), mostAmount))
			of.gone = min(max(p.Elsewhere[name], 0), of.total)
			wants = append(wants, tokenWant{of, p.tokenView(of, admits), n})
		}
	}
	if r.ArrayMax > 0 {
		of := p.token(strconv.FormatInt(r.Array, 10), true, r.ArrayMax)
		wants = append(wants, tokenWant{of, p.tokenView(of, admits), 1})
	}
	return wants
}

func (p *planner) token(name string, array bool, total int64) *tokens {
	for _, t := range p.tokens {
		if t.name == name && t.array == array {
			return t
		}
	}
	t := &tokens{name: name, array: array, total: total}
	p.tokens = append(p.tokens, t)
	return t
}

// tokenView is the view of those that these reservations admit.
func (p *planner) tokenView(t *tokens, admits []bool) int {
	var key []byte
	var claims []*claim
	for i := range p.Reservations {
		v := &p.Reservations[i]
		if n := min(v.Licenses[t.name], mostAmount); !t.array && n > 0 && !admits[i] {
			if !p.Follows(i) {
				key = append(key, strconv.Itoa(i)+" "...)
			}
			claims = append(claims, &claim{reservation: int32(i), from: p.floor(v.Start), to: p.ceil(p.closed(int32(i))),
				amounts: []int64{n}})
		}
	}
	if at := slices.IndexFunc(t.views, func(v *tokenView) bool { return v.key == string(key) }); at >= 0 {
		return at
	}
	view := &tokenView{key: string(key), steps: profile.NewSteps(p.now, t.total-t.gone), claims: claims}
	for _, c := range claims {
		view.steps.Add(c.from, c.to, c.amounts[0])
	}
	t.views = append(t.views, view)
	return len(t.views) - 1
}

// useTokens takes tokens for a request during a time.
func (p *planner) useTokens(wants []tokenWant, admits []bool, from, to int64) {
	for _, w := range wants {
		for _, view := range w.of.views {
			p.remember(view.claims)
			withClaims(view.claims, admits, profile.Span{From: from, To: to, Amounts: []int64{w.count}}, func(s profile.Span) {
				view.steps.Add(s.From, s.To, s.Amounts[0])
				if p.trial {
					p.undo = append(p.undo, func() { view.steps.Remove(s.From, s.To, s.Amounts[0]) })
				}
			})
		}
	}
}

// tokensFit is the earliest start at which all tokens are free.
func tokensFit(wants []tokenWant, after, before, seconds int64) (int64, bool) {
	for again := true; again; {
		again = false
		for _, w := range wants {
			start, ok := w.of.views[w.view].steps.FirstFit(after, before, seconds, w.count)
			if !ok {
				return 0, false
			}
			again = again || start > after
			after = start
		}
	}
	return after, true
}
