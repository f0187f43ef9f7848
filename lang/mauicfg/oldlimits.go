package mauicfg

import (
	"maps"
	"slices"
	"strings"
)

// oldLimit collects what old-style parameters say about one limit of the
// DEFAULT user, group or account.
type oldLimit struct {
	family, attr string
	count        *Param
	soft         *Param
	off          bool
	on           bool // its POLICY is set, and not off
}

// oldStyle lists which attribute an old-style limit sets. The names of two of
// them say processors, but they set the node limit, as recorded runs show.
var oldStyle = map[string]struct{ family, attr string }{
	"MAXJOBPERUSER":           {"USERCFG", "MAXJOB"},
	"MAXNODEPERUSER":          {"USERCFG", "MAXNODE"},
	"MAXPROCPERUSER":          {"USERCFG", "MAXPROC"},
	"MAXPROCSECONDPERUSER":    {"USERCFG", "MAXPS"},
	"MAXPEPERUSER":            {"USERCFG", "MAXPE"}, // in the manual alone
	"MAXWCPERUSER":            {"USERCFG", "MAXWC"}, // likewise; it has no COUNT
	"MAXJOBQUEUEDPERUSER":     {"USERCFG", "MAXIJOB"},
	"MAXJOBPERGROUP":          {"GROUPCFG", "MAXJOB"},
	"MAXPROCPERGROUP":         {"GROUPCFG", "MAXNODE"},
	"MAXPROCSECONDPERGROUP":   {"GROUPCFG", "MAXPS"},
	"MAXJOBQUEUEDPERGROUP":    {"GROUPCFG", "MAXIJOB"},
	"MAXJOBPERACCOUNT":        {"ACCOUNTCFG", "MAXJOB"},
	"MAXPROCPERACCOUNT":       {"ACCOUNTCFG", "MAXNODE"},
	"MAXPROCSECONDPERACCOUNT": {"ACCOUNTCFG", "MAXPS"},
	"MAXJOBQUEUEDPERACCOUNT":  {"ACCOUNTCFG", "MAXIJOB"},
}

// keepLimit remembers p if it is part of an old-style limit.
func (e *evaluator) keepLimit(p Param) {
	name, soft := strings.CutPrefix(p.Name, "S")
	base, isCount := strings.CutSuffix(name, "COUNT")
	isCount = isCount || name == "MAXWCPERUSER"
	if !isCount {
		base = strings.TrimSuffix(name, "POLICY")
	}
	target, ok := oldStyle[base]
	if !ok {
		return
	}
	limit := e.policy[base]
	if limit == nil {
		limit = &oldLimit{family: target.family, attr: target.attr}
		e.policy[base] = limit
	}
	switch {
	case !isCount:
		limit.off = p.Value.Text == "OFF"
		limit.on = !limit.off
		if !limit.off && !e.opt.OldSwitches {
			e.diags.Infof("maui-policy-switch", p.NameSpan, "%s %s does nothing, the limit is on when its COUNT is set",
				p.Name, p.Raw).
				Note("only OFF has an effect: it sets the limit to 0; remove the line")
		}
	case soft:
		limit.soft = &p
	default:
		limit.count = &p
		limit.on = limit.on || strings.EqualFold(p.NameSpan.Text(), "MAXPSPERUSER") // the manual's name has no POLICY
	}
}

// oldLimits gives the DEFAULT objects the old-style limits. A false POLICY
// zeroes both numbers, SMAX… then sets the soft one, and the fix-up after
// reading fills whichever is missing (MSysLoadConfig).
func (e *evaluator) oldLimits() {
	for _, base := range slices.Sorted(maps.Keys(e.policy)) {
		l := e.policy[base]
		if e.opt.OldSwitches && !e.switchedOn(base, l) {
			continue
		}
		from := l.count
		var soft, hard int64
		if l.count != nil && !l.off {
			soft, hard = limitOf(l.count.Value)
		}
		if l.soft != nil {
			soft, _ = limitOf(l.soft.Value)
			if from == nil || l.off {
				from = l.soft
			}
		}
		if soft == 0 {
			soft = hard
		}
		if hard < soft || hard <= 0 {
			hard = soft
		}
		if from == nil || soft == 0 && hard == 0 {
			continue
		}
		switch procs := l.attr == "MAXNODE" && strings.Contains(base, "PROC"); {
		case procs && e.opt.OldSwitches:
			l.attr = "MAXPROC"
		case procs:
			e.diags.Infof("maui-node-limit", from.NameSpan, "%s limits nodes, not processors", from.Name).
				Note("for processors write %s[DEFAULT] MAXPROC=%s", l.family, from.Raw)
		}
		o := e.findObject(l.family, "DEFAULT", from.NameSpan)
		o.Attrs = append(o.Attrs, Attr{
			Name: l.attr, Value: Value{Kind: KindLimit, Soft: soft, Hard: hard}, Raw: from.Raw, Span: from.Span,
			From: from.Name,
		})
	}
}

// switchedOn is the manual's rule: a limit holds if its POLICY is set to something else than OFF.
func (e *evaluator) switchedOn(base string, l *oldLimit) bool {
	if _, has := vocab().params[base+"POLICY"]; !has {
		return true
	}
	if !l.on && l.count != nil && !l.off {
		e.diags.Warnf("maui-policy-off", l.count.NameSpan, "%s is off without %sPOLICY, by the manual", l.count.Name,
			base).
			Note("write %sPOLICY ON; the program itself enforces the limit without it", base)
	}
	return l.on
}

// limitOf reads a COUNT, which for some limits is a pair and for others a number.
func limitOf(v Value) (soft, hard int64) {
	if v.Kind == KindLimit {
		return v.Soft, v.Hard
	}
	return int32Wrapped(v.Int), int32Wrapped(v.Int)
}
