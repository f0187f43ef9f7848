package lower

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/slurm"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// slurmLimit lowers a limit block that has the name of one of Slurm's own limits, such as GrpTRES=cpu
// in a qos block or MaxJobs in an account's. It reports whether the block is one.
func (b *builder) slurmLimit(l policy.Limit, c *policy.Credential) bool {
	name, tres, dotted := strings.Cut(l.Name, "=")
	kind, ofTRES, objects := slurm.LimitKind(name)
	if kind == "" {
		return false
	}
	out := ir.Limit{
		Name:   kind,
		Kind:   kind,
		Counts: slurm.LimitCounts(kind),
		Phase:  slurm.LimitPhase(kind),
		Hard:   bound(l.Hard),
		Span:   l.Span,
	}
	if ofTRES {
		if !dotted {
			tres = l.Count.Value
		}
		if out.Counts = strings.ToLower(tres); !slurmtext.IsTRESType(out.Counts) {
			b.diags.Errorf("limit-unknown-count", l.Span, "the limit %s does not say which resource it counts", l.Name).
				Note("write limit \"%s=cpu\", or another of mem, node, billing, gres/NAME, license/NAME", kind)
			return true
		}
		out.Name += "=" + out.Counts
	}
	if !b.slurmLimitPlace(l, c, &out, objects) || !b.slurmLimitBound(l, &out) {
		return true
	}
	out.Per, out.Source = []string{out.Object}, out.Object+" "+out.Row+" "+out.Name
	b.replaceSlurmLimit(l, c, out)
	return true
}

// slurmLimitPlace: Slurm knows limits of QOS and of associations. An account's block is its
// association, a user's block within it the user's.
func (b *builder) slurmLimitPlace(l policy.Limit, c *policy.Credential, out *ir.Limit, objects string) bool {
	switch {
	case c == nil || c.Name == "DEFAULT":
	case c.Object == "qos":
		out.Object, out.Row = "qos", strings.ToLower(c.Name)
	case c.Object == "association":
		account, rest, _ := strings.Cut(c.Name, "/")
		out.Object, out.Row = "association", strings.ToLower(account)
		if rest != "" {
			out.Row += "/" + rest
		}
	case c.Object == "account":
		out.Object, out.Row = "association", strings.ToLower(c.Name)
	case c.Object == "user" && c.Parent != "":
		out.Object, out.Row = "association", strings.ToLower(c.Parent)+"/"+c.Name
	}
	switch {
	case out.Object == "":
		b.diags.Errorf("limit-place", l.Span, "%s of Slurm is not allowed here: it is a limit of an association or a QOS",
			out.Kind).
			Note("write it in a qos block, in an account's or in that of a user within an account, or in association " +
				"\"ACCOUNT/USER\"")
	case !strings.Contains(objects, out.Object):
		d := b.diags.Errorf(
			"limit-place",
			l.Span,
			"%s of Slurm is no limit of %s",
			out.Kind,
			map[string]string{"qos": "a QOS", "association": "an association"}[out.Object],
		)
		if other := map[string]string{"MaxJobs": "MaxJobsPU", "MaxSubmitJobs": "MaxSubmitJobsPU",
			"MaxJobsAccrue": "MaxJobsAccruePU", "MaxTRESRunMins": "MaxTRESRunMinsPerUser"}[out.Kind]; other != "" {
			d.Note("did you mean %q or its like for each account?", other)
		}
	default:
		return true
	}
	return false
}

// slurmLimitBound: one whole number, in Slurm's units: minutes for time, MB for memory. A
// duration in quotes is turned into minutes, rounded up as sacctmgr does.
func (b *builder) slurmLimitBound(l policy.Limit, out *ir.Limit) bool {
	switch {
	case l.Soft.IsSet():
		b.diags.Errorf("limit-combination", l.Soft.Span, "Slurm's limits have no soft bound").
			Note("write hard = N alone")
		return false
	case l.When.IsSet():
		b.diags.Errorf("limit-combination", l.When.Span, "Slurm's limits have no condition").
			Note("give the limit a name of your own, such as night_jobs, and say what it counts; it is then " +
				"beside Slurm's")
		return false
	case out.Hard == nil:
		b.diags.Errorf("limit-without-bound", l.Span, "limit %q has no bound", l.Name).
			Note("write hard = N; \"none\" lifts an inherited one")
		return false
	}
	if (strings.Contains(out.Kind, "Wall") || strings.Contains(out.Kind, "Mins")) && *out.Hard > 0 &&
		strings.HasPrefix(l.Hard.Span.Text(), `"`) {
		minutes := math.Ceil(*out.Hard / 60)
		out.Hard = &minutes
	}
	return true
}

// replaceSlurmLimit enters a limit in the place of one that a dump sets.
func (b *builder) replaceSlurmLimit(l policy.Limit, c *policy.Credential, out ir.Limit) {
	i := slices.IndexFunc(b.out.Limits, func(old ir.Limit) bool {
		return old.Kind == out.Kind && old.Object == out.Object && old.Row == out.Row && old.Counts == out.Counts
	})
	switch {
	case i < 0:
		b.out.Limits = append(b.out.Limits, out)
	case i >= b.dialect:
		b.diags.Errorf("limit-twice", l.Span, "%s of %s %s is set twice", out.Name, out.Object, out.Row).
			NoteAt(b.out.Limits[i].Span, "the other one")
	case b.whole || l.Override || c.Override:
		b.out.Limits[i] = out
	default:
		b.needsOverride(l.Span, out.Name+" of "+out.Object+" "+out.Row, b.out.Limits[i].Span)
	}
}

// drawn notes the place of an account or a user that a policy file draws within an account.
func (t *tables) drawn(c *policy.Credential) {
	key := ""
	switch {
	case c.Parent == "" || c.Name == "DEFAULT":
		return
	case c.Object == "account":
		key = strings.ToLower(c.Name)
	case c.Object == "user":
		key = strings.ToLower(c.Parent) + "/" + c.Name
	default:
		return
	}
	t.set(
		"association.parent",
		ir.TableRow{
			Name:   key,
			Value:  schema.StringValue(strings.ToLower(c.Parent)),
			Span:   c.Span,
			Source: c.Object + " " + c.Name,
		},
	)
}
