package maui

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/source"
)

// limitsRules are the rules about Maui's throttling policies.
var limitsRules = []rule.Rule{
	{Code: "maui-soft-over-hard", Check: softOverHard},
	{Code: "maui-limit-zero", Check: zeroLimits},
	{Code: "maui-override-raises", Check: raisingOverrides},
	{Code: "maui-idle-limit-small", Check: smallIdleLimits},
	{Code: "maui-ps-without-walltime", Check: secondsWithoutWalltime},
}

var throttleName = source.Pattern(`^(O?)MAX([IJ]?)(JOB|PROC|NODE|PS|PE|WC|MEM)(PERUSER)?$`)

// throttles visits every limit of a credential.
func throttles(p *rule.Pass, visit func(r *ir.Record, a *ir.Attr, override bool, phase, counts string)) {
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		if !strings.HasSuffix(r.Kind, "CFG") {
			continue
		}
		for k := range r.Attrs {
			if m := throttleName().FindStringSubmatch(r.Attrs[k].Name); m != nil {
				visit(r, &r.Attrs[k], m[1] != "", m[2], m[3])
			}
		}
	}
}

func softOverHard(p *rule.Pass) {
	throttles(p, func(r *ir.Record, a *ir.Attr, _ bool, _, _ string) {
		if a.Soft > a.Hard && a.Hard > 0 {
			p.Report(a.Span, "the soft limit %d is above the hard limit %d, which then limits nothing", a.Soft, a.Hard).
				Note("the first number is the soft one; write %s=%d,%d", a.Name, a.Hard, a.Soft)
		}
	})
}

func zeroLimits(p *rule.Pass) {
	throttles(p, func(r *ir.Record, a *ir.Attr, _ bool, _, _ string) {
		if a.Hard != 0 || a.Soft != 0 || r.Name == "DEFAULT" || r.Kind == "CLASSCFG" {
			return
		}
		for _, other := range p.Records[r.Kind] {
			if d := other.Attr(a.Name); other.Name == "DEFAULT" && d != nil && a.Index == "" && d.Hard > 0 {
				p.Report(a.Span, "%s=0 sets nothing: %s[DEFAULT] limits %s to %d", a.Name, r.Kind, r.Name, d.Hard).
					NoteAt(d.Span, "the limit that holds").
					Note("write %s=-1 for no limit", a.Name)
			}
		}
	})
}

func raisingOverrides(p *rule.Pass) {
	throttles(p, func(q *ir.Record, o *ir.Attr, override bool, phase, counts string) {
		if !override || o.Hard <= 0 {
			return
		}
		seen := false
		throttles(p, func(r *ir.Record, a *ir.Attr, alsoOverride bool, otherPhase, otherCounts string) {
			if !seen && !alsoOverride && phase == otherPhase && counts == otherCounts && a.Hard > 0 && a.Hard < o.Hard {
				seen = true
				p.Report(o.Span, "%s raises %s of %s[%s] from %d to %d", o.Name, a.Name, r.Kind, r.Name, a.Hard,
					o.Hard).
					NoteAt(a.Span, "an override replaces the limits of all of a job's credentials, this one too")
			}
		})
	})
}

// smallIdleLimits compares with what bounds a single job.
func smallIdleLimits(p *rule.Pass) {
	throttles(p, func(r *ir.Record, a *ir.Attr, override bool, phase, counts string) {
		if override || phase != "I" || a.Hard <= 0 || counts != "PROC" && counts != "PS" {
			return
		}
		bound, of := largestJob(p, r, counts)
		switch limit := float64(max(a.Hard, a.Soft)); {
		case bound == 0:
			p.Report(a.Span, "a job larger than %s=%d is never considered", a.Name, a.Hard).
				Note("nothing in this file bounds a job; write SYSTEMMAX%sPERJOB %d, or a higher limit",
					jobLimitNames[counts], a.Hard)
		case bound > limit:
			p.Report(a.Span, "a job larger than %s=%d is never considered, although %s allows %g", a.Name, a.Hard, of,
				bound).
				Note("write a limit of %g or more", bound)
		}
	})
}

var jobLimitNames = map[string]string{"PROC": "PROC", "PS": "PROCSECOND"}

// largestJob is the smallest of the bounds that hold for each job of a credential; 0 if there is none.
func largestJob(p *rule.Pass, r *ir.Record, counts string) (bound float64, of string) {
	take := func(n float64, name string) {
		if n > 0 && (bound == 0 || n < bound) {
			bound, of = n, name
		}
	}
	name := "SYSTEMMAX" + jobLimitNames[counts] + "PERJOB"
	take(p.Number(name), name)
	if a := r.Attr("MAX" + counts); a != nil {
		take(float64(max(a.Soft, a.Hard)), fmt.Sprintf("MAX%s of %s[%s]", counts, r.Kind, r.Name))
	}
	if a := r.Attr("MAX" + counts + "PERJOB"); a != nil {
		take(a.Number(), fmt.Sprintf("MAX%sPERJOB of %s[%s]", counts, r.Kind, r.Name))
	}
	return bound, of
}

func secondsWithoutWalltime(p *rule.Pass) {
	if p.Number("SYSTEMMAXJOBWALLTIME") > 0 {
		return
	}
	for _, kind := range []string{"CLASSCFG", "QOSCFG"} {
		for _, r := range p.Records[kind] {
			if r.Attr("DEFAULT.WCLIMIT") != nil || r.Attr("MAX.WCLIMIT") != nil {
				return
			}
		}
	}
	seen := false
	throttles(p, func(r *ir.Record, a *ir.Attr, _ bool, _, counts string) {
		if counts == "PS" && a.Hard > 0 && a.Hard < 8639999 && !seen {
			seen = true
			p.Report(a.Span, "a job without a wall-clock limit is above %s at once", a.Name).
				Note("it counts as 8639999 seconds; give classes a DEFAULT.WCLIMIT, unless the resource manager " +
					"gives every job a limit")
		}
	})
}
