package lower

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

// limitCounts are the words for what a limit counts; some have a short form. Besides them
// there are the names of trackable resources.
var limitCounts = map[string]string{
	"jobs": "jobs", "procs": "procs", "cpu": "procs", "nodes": "nodes", "node": "nodes", "proc_seconds": "proc_seconds",
	"pe": "processor_equivalents", "processor_equivalents": "processor_equivalents",
	"walltime": "walltime", "memory": "memory", "mem": "memory", "gpus": "gpus", "gres/gpu": "gpus",
}

// limitPer are the credentials a count can be kept for.
var limitPer = map[string]string{
	"user":      "user",
	"group":     "group",
	"account":   "account",
	"qos":       "qos",
	"class":     "partition",
	"partition": "partition",
}

// limit lowers a limit block. c is the credential it is in, nil for the whole policy.
func (b *builder) limit(l policy.Limit, c *policy.Credential) {
	out := ir.Limit{
		Name:   l.Name,
		Counts: l.Count.Value,
		Phase:  l.Phase.Value,
		Soft:   bound(l.Soft),
		Hard:   bound(l.Hard),
		SoftAt: l.Soft.Span,
		HardAt: l.Hard.Span,
		Reason: l.Reason.Value,
		Source: "limit " + l.Name,
		Span:   l.Span,
		When:   b.scalar(l.When, celexpr.WantBool, celexpr.JobScope),
	}
	if c != nil {
		out.Object, out.Row, out.Others = c.Object, c.Name, c.Name == "DEFAULT"
		out.Per = []string{c.Object}
		out.Source = c.Word + " " + c.Name + " " + out.Source
	}
	if !b.limitNumber(l, "soft", l.Soft) || !b.limitNumber(l, "hard", l.Hard) {
		return
	}
	if own := families[b.out.Family].limit; own != nil && own(b, l, c) {
		return
	}
	if b.limitMeaning(l, &out) && b.limitPer(l, c, &out) && b.limitBounds(l, &out) {
		b.addLimit(l, c, out)
	}
}

// limitMeaning works out what is counted and when: as given, else as the name says, such as
// idle_jobs or, in Maui's words, MAXIJOB.
func (b *builder) limitMeaning(l policy.Limit, out *ir.Limit) bool {
	phase, counts := "active", l.Name
	for _, p := range []string{"submit", "idle", "active", "job"} {
		if rest, ok := strings.CutPrefix(l.Name, p+"_"); ok {
			phase, counts = p, rest
		}
	}
	if own := families[b.out.Family].throttle; own != nil {
		if t, ok := own(l.Name); ok && !t.Override && !t.PerUser {
			phase, counts = t.Phase, t.Counts
		}
	}
	if out.Phase == "" {
		out.Phase = phase
	}
	place := l.Count.Span
	if l.Count.IsSet() {
		counts = l.Count.Value
	} else {
		place = l.Span
	}
	known, ok := limitCounts[counts]
	switch {
	case ok:
		out.Counts = known
	case l.Count.IsSet() && strings.Contains(counts, "/"):
		out.Counts = counts // a trackable resource: gres/tape, license/matlab
	case l.Count.IsSet():
		d := b.diags.Errorf("limit-unknown-count", place, "%q is nothing that a limit can count", counts)
		d.Note(
			"it counts jobs, procs, nodes, proc_seconds, pe, walltime, memory, gpus, or a resource such as gres/tape",
		)
		didYouMean(d, counts, sortedKeys(limitCounts))
		return false
	default:
		d := b.diags.Errorf("limit-unknown-count", place, "the name %q does not say what the limit counts", l.Name)
		d.Note(
			"write count = \"jobs\", or another of procs, nodes, proc_seconds, pe, walltime, memory, gpus; " +
				"or a name such as idle_jobs",
		)
		if near := diag.Nearest(counts, sortedKeys(limitCounts)); near != "" {
			d.Note("did you mean %q?", strings.TrimSuffix(l.Name, counts)+near)
		}
		return false
	}
	return b.limitCombination(place, out)
}

// limitCombination refuses what could never hold or has no meaning.
func (b *builder) limitCombination(place source.Span, l *ir.Limit) bool {
	none, wrong := families[b.out.Family].unlimited[l.Phase]
	if l.Phase == "job" && l.Counts == "jobs" {
		none, wrong = limitAdvice{"a limit on the size of a job cannot count jobs",
			"write phase = \"active\" or \"idle\", or count something else"}, true
	}
	if wrong {
		b.diags.Errorf("limit-combination", place, "%s", none.what).Note("%s", none.advice)
	}
	return !wrong
}

// limitPer reads the credentials that the count is kept for. Inside an account, a user's limit
// is for what the user does in that account.
func (b *builder) limitPer(l policy.Limit, c *policy.Credential, out *ir.Limit) bool {
	for _, p := range l.Per {
		object, ok := limitPer[p.Value]
		if !ok {
			d := b.diags.Errorf("limit-unknown-credential", p.Span, "a count cannot be kept per %q", p.Value)
			d.Note("it is kept per user, group, account, qos or class")
			didYouMean(d, p.Value, sortedKeys(limitPer))
			return false
		}
		if !slices.Contains(out.Per, object) {
			out.Per = append(out.Per, object)
		}
	}
	if out.Phase == "job" && len(l.Per) > 0 {
		b.diags.Errorf("limit-combination", l.Per[0].Span, "a limit on the size of a job keeps no count").
			Note("remove per; write the limit in a user, group, account, qos or class block to limit the jobs of one")
		return false
	}
	if c != nil && c.Parent != "" {
		if c.Object == "account" || slices.Contains(out.Per, "account") {
			b.diags.Errorf("limit-in-tree", l.Span, "limits of nested accounts are not applied outside Slurm's model").
				Note("write the account's block at the top level: the limit is then for jobs that name this very " +
					"account")
			return false
		}
		out.Cross = make([]string, len(out.Per)-1)
		out.Per, out.Cross = append(out.Per, "account"), append(out.Cross, c.Parent)
	}
	return true
}

// limitBounds: one number is both bounds, as in Maui.
func (b *builder) limitBounds(l policy.Limit, out *ir.Limit) bool {
	if out.Soft == nil && out.Hard == nil {
		b.diags.Errorf("limit-without-bound", l.Span, "limit %q has no bound", l.Name).
			Note("write hard = N, or soft = N, which only Maui lets backfill exceed; \"none\" lifts an inherited one")
		return false
	}
	if out.Soft == nil {
		out.Soft = out.Hard
	}
	if out.Hard != nil && *out.Hard >= 0 && (*out.Soft > *out.Hard) {
		b.diags.Warnf("limit-soft-over-hard", l.Soft.Span, "the soft bound %g is above the hard one %g", *out.Soft,
			*out.Hard).
			NoteAt(l.Hard.Span, "the hard bound").
			Note("the first pass looks at the soft bound alone and would let more jobs through than the hard one " +
				"allows; swap them")
	}
	return true
}

// addLimit enters a limit. Where a credential has one limit on each count, a second one replaces what the
// scheduler's own file says, where it says so.
func (b *builder) addLimit(l policy.Limit, c *policy.Credential, out ir.Limit) {
	i := -1
	if families[b.out.Family].counting.OneEach && !out.When.IsSet() {
		i = slices.IndexFunc(b.out.Limits, func(old ir.Limit) bool {
			return !old.Override && !old.When.IsSet() && !old.AtLeast && old.Object == out.Object &&
				old.Row == out.Row &&
				old.Counts == out.Counts && old.Phase == out.Phase &&
				slices.Equal(old.Per, out.Per) &&
				slices.Equal(old.Cross, out.Cross)
		})
	}
	if i < 0 {
		b.out.Limits = append(b.out.Limits, out)
		return
	}
	what := "the limit on " + out.Counts
	if c != nil {
		what += " of " + c.Word + " " + out.Row
	}
	switch old := b.out.Limits[i]; {
	case i >= b.dialect:
		b.diags.Errorf("limit-twice", l.Span, "%s has two names, %s and %s", what, old.Name, l.Name).
			NoteAt(old.Span, "the other one").
			Note("Maui knows one limit on each count of a credential; remove one, or give it a condition with when")
	case b.whole || l.Override || c != nil && c.Override:
		b.out.Limits[i] = out
	default:
		b.needsOverride(l.Span, what, old.Span)
	}
}

func bound(s policy.Scalar) *float64 {
	if !s.IsSet() {
		return nil
	}
	f := s.Value.Number()
	return &f
}

func sortedKeys(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// mostBound is the largest bound that stands for itself: beyond it doubles skip whole numbers.
const mostBound = 1 << 53

// limitNumber refuses a bound that no count could be compared with. −1 is what "none" stands for, and
// what sacctmgr says for it.
func (b *builder) limitNumber(l policy.Limit, name string, s policy.Scalar) bool {
	f := bound(s)
	switch {
	case f == nil || *f == -1:
		return true
	case *f < 0:
		b.diags.Errorf("limit-number", s.Span, "the %s bound %g of limit %q is negative", name, *f, l.Name).
			Note("write a whole number from 0, or \"none\" to lift an inherited limit")
		return false
	case *f > mostBound:
		b.diags.Errorf("limit-number", s.Span, "the %s bound %g of limit %q is more than can be counted", name, *f,
			l.Name).
			Note("write \"none\", if nothing is to be limited")
		return false
	case *f != math.Trunc(*f):
		b.diags.Warnf("limit-number", s.Span, "the %s bound %g of limit %q is no whole number", name, *f, l.Name).
			Note("counts are whole, so it lets as many pass as %g", math.Trunc(*f))
	}
	return true
}
