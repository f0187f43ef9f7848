package planning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// maxAlternatives bounds what an expression multiplies out to.
const maxAlternatives = 256

// featuresOf reads which nodes a job will do with: a constraint in Slurm's notation (sbatch, --constraint), else
// a list of features that a node must all have, as Maui and PBS have it. Of a constraint that cannot be read the
// names that it contains are asked for, and unreadable is true.
func featuresOf(expression string, all []string) (f backfill.Features, unreadable bool) {
	if expression == "" {
		if len(all) == 0 {
			return backfill.Features{}, false
		}
		return backfill.Features{Alternatives: []backfill.FeatureSet{{All: all}}}, false
	}
	p := featureParser{rest: expression}
	alternatives := p.list("")
	if alternatives == nil {
		f, _ = featuresOf("", all)
		return f, true
	}
	return backfill.Features{Alternatives: alternatives, SameForAll: p.same}, false
}

// pbsFeatures reads of TORQUE's 2:ppn=4:fast+1:big, with the properties that it names: so many nodes with those of
// each part, or all nodes with the same ones (qsub manual, "nodes").
func pbsFeatures(spec string, all []string) backfill.Features {
	if len(all) == 0 {
		return backfill.Features{}
	}
	var parts []backfill.FeatureSet
	spec, _, _ = strings.Cut(spec, "#")
	differ := false
	for part := range strings.SplitSeq(spec, "+") {
		items := strings.Split(strings.TrimSpace(part), ":")
		set := backfill.FeatureSet{Count: 1}
		if n, err := strconv.ParseInt(items[0], 10, 32); err == nil {
			set.Count = n
		}
		for _, item := range items[1:] {
			if slices.Contains(all, item) {
				set.All = append(set.All, item)
			}
		}
		if differ = differ || !slices.Equal(set.All, all); len(set.All) > 0 {
			parts = append(parts, set)
		}
	}
	if !differ || len(parts) == 0 {
		return backfill.Features{Alternatives: []backfill.FeatureSet{{All: all}}}
	}
	return backfill.Features{Alternatives: parts}
}

// featureParser multiplies an expression out to alternatives. Operators have no rank: slurmctld
// applies them from left to right (node_scheduler.c, valid_feature_counts). In brackets a | says
// that all nodes must meet the same side, and numbers say how many nodes meet each.
type featureParser struct {
	rest   string
	same   bool
	nested int
}

// list reads to the closing bracket; nil if there is nothing in it that can be read.
func (p *featureParser) list(closing string) []backfill.FeatureSet {
	var sum []backfill.FeatureSet
	operator := byte(0)
	for {
		item := p.item()
		if item == nil {
			return nil
		}
		switch {
		case operator == 0:
			sum = item
		case operator == '|' || counted(sum) || counted(item):
			sum = append(sum, item...) // counted sets are all to be met, each by its number of nodes
		default:
			sum = both(sum, item)
		}
		if len(sum) > maxAlternatives {
			return nil
		}
		if p.rest == "" || closing != "" && p.rest[0] == closing[0] {
			return sum
		}
		if operator = p.rest[0]; operator == ',' { // an old notation of and
			operator = '&'
		}
		if operator != '&' && operator != '|' {
			return nil
		}
		if operator == '|' && closing == "]" {
			p.same = true
		}
		p.rest = p.rest[1:]
	}
}

// item reads a feature with its count, or what is in brackets.
func (p *featureParser) item() []backfill.FeatureSet {
	for _, pair := range []string{"()", "[]"} {
		if !strings.HasPrefix(p.rest, pair[:1]) {
			continue
		}
		if p.nested++; p.nested > 8 {
			return nil
		}
		p.rest = p.rest[1:]
		inner := p.list(pair[1:])
		if inner == nil || !strings.HasPrefix(p.rest, pair[1:]) {
			return nil
		}
		p.nested--
		p.rest = p.rest[1:]
		return p.counts(inner)
	}
	end := strings.IndexAny(p.rest, "&|,()[]*")
	if end < 0 {
		end = len(p.rest)
	}
	name := strings.TrimSpace(p.rest[:end])
	if name == "" {
		return nil
	}
	p.rest = p.rest[end:]
	return p.counts([]backfill.FeatureSet{{All: []string{name}}})
}

// counts reads *4 after a feature.
func (p *featureParser) counts(sets []backfill.FeatureSet) []backfill.FeatureSet {
	number, ok := strings.CutPrefix(p.rest, "*")
	if !ok {
		return sets
	}
	end := 0
	for end < len(number) && number[end] >= '0' && number[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(number[:end], 10, 32)
	if err != nil {
		return nil
	}
	p.rest = number[end:]
	for i := range sets {
		sets[i].Count = n
	}
	return sets
}

func counted(sets []backfill.FeatureSet) bool {
	for _, s := range sets {
		if s.Count > 0 {
			return true
		}
	}
	return false
}

// both is every pair of alternatives of two sides.
func both(a, b []backfill.FeatureSet) []backfill.FeatureSet {
	out := make([]backfill.FeatureSet, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			all := append(append([]string{}, x.All...), y.All...)
			out = append(out, backfill.FeatureSet{All: all})
			if len(out) > maxAlternatives {
				return out
			}
		}
	}
	return out
}
