package maui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Counts maps the end of a Throttle's name to what it counts.
var Counts = map[string]string{
	"JOB":  "jobs",
	"PROC": "procs",
	"NODE": "nodes",
	"PS":   "proc_seconds",
	"PE":   "processor_equivalents",
	"WC":   "walltime",
	"MEM":  "memory",
}

// subObjects maps the word in the brackets of a Throttle to a credential.
var subObjects = map[string]string{
	"USER":  "user",
	"GROUP": "group",
	"ACCT":  "account",
	"CLASS": "partition",
	"QOS":   "qos",
}

// JobLimits are those on a single job that credentials may have.
var JobLimits = map[string]string{"MAX.WCLIMIT": "walltime", "MAXNODEPERJOB": "nodes", "MAXPROCPERJOB": "procs"}

// SystemLimits are the parameters that limit every job.
var SystemLimits = map[string]string{
	"SYSTEMMAXPROCPERJOB": "procs", "SYSTEMMAXPROCSECONDPERJOB": "proc_seconds", "SYSTEMMAXJOBWALLTIME": "walltime",
}

// ReadThrottle takes the name of a Throttle apart: [O]MAX[I|J]count, or MAXcountPERUSER.
func ReadThrottle(name string) (t Throttle, ok bool) {
	rest, override := strings.CutPrefix(name, "O")
	if rest, ok = strings.CutPrefix(rest, "MAX"); !ok {
		return t, false
	}
	t = Throttle{Phase: "active", Override: override}
	if rest, t.PerUser = strings.CutSuffix(rest, "PERUSER"); t.PerUser && override {
		return t, false
	}
	if t.Counts, ok = Counts[rest]; ok {
		return t, true
	}
	switch rest[:min(1, len(rest))] {
	case "I":
		t.Phase = "idle"
	case "J":
		t.Phase = "job"
		if !override {
			return t, false
		}
	}
	t.Counts, ok = Counts[rest[min(1, len(rest)):]]
	return t, ok && t.Phase != "active" && !t.PerUser
}

// Throttle is what the name of a throttle says.
type Throttle struct {
	Counts, Phase     string
	Override, PerUser bool
}

// limits lowers every Throttle that Maui enforces, or that its manual has where that
// is followed. The table of attributes says which ones Maui enforces.
func (f *reader) limits(cfg *mauicfg.Config, opt front.Options) {
	m := &limitReader{Front: f.Front, opt: opt, enforced: Enforced()}
	for _, p := range cfg.Params {
		if counts := SystemLimits[p.Name]; counts != "" && p.Index == "" && p.Value.Int > 0 {
			m.add(
				ir.Limit{Name: p.Name, Counts: counts, Phase: "job", Source: p.Name, Span: p.Span},
				p.Value.Int,
				p.Value.Int,
			)
		}
		if p.Name == "QOSFLAGS" {
			m.flags(p.Index, p.Value, p.Name+"["+p.Index+"]", p.Span)
		}
	}
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		object, ok := Objects[o.Family]
		if !ok || object == "cluster" { // SYSCFG's limits are stored and never looked at
			continue
		}
		for _, overriding := range []bool{false, true} { // what replaces comes after what is replaced
			for _, a := range o.Attrs {
				if overriding == (a.Name[0] == 'O' || a.Name == "QFLAGS") {
					m.attribute(cfg, o, object, a)
				}
			}
		}
	}
}

type limitReader struct {
	*front.Front
	opt      front.Options
	enforced map[string]bool
}

// attribute lowers one attribute of a credential.
func (m *limitReader) attribute(cfg *mauicfg.Config, o *mauicfg.Object, object string, a mauicfg.Attr) {
	src := fmt.Sprintf("%s[%s] %s", o.Family, o.Index, a.Name)
	if a.Sub != "" {
		src += "[" + a.Sub + "]"
	}
	if a.From != "" {
		src = a.From
	}
	l := ir.Limit{Name: a.Name, Object: object, Row: o.Index, Per: []string{object}, Source: src, Span: a.Span}
	switch t, throttles := ReadThrottle(a.Name); {
	case a.Name == "QFLAGS":
		m.flags(o.Index, a.Value, src, a.Span)
	case !m.enforces(o.Family, a):
	case a.Name == "MINPROC":
		l.Counts, l.Phase, l.AtLeast = "procs", "job", true
		m.own(l, a.Value.Hard, a.Value.Hard)
	case JobLimits[a.Name] != "":
		l.Counts, l.Phase = JobLimits[a.Name], "job"
		m.own(l, a.Value.Int, a.Value.Int)
	case !throttles:
	case t.Override:
		l.Counts, l.Phase = t.Counts, t.Phase
		m.override(l, a.Value.Soft, a.Value.Hard)
	case t.Phase == "idle":
		l.Counts, l.Phase = t.Counts, t.Phase
		m.idle(cfg, o, l, a.Value)
	default:
		l.Counts, l.Phase = t.Counts, t.Phase
		if t.PerUser {
			l.Per = append(l.Per, "user")
		} else if a.Sub != "" && !m.cross(&l, a.Sub) {
			return
		}
		m.own(l, a.Value.Soft, a.Value.Hard)
	}
}

// enforces asks the table whether Maui acts on an attribute, and the options whether the
// manual does where Maui does not.
func (m *limitReader) enforces(family string, a mauicfg.Attr) bool {
	if strings.HasSuffix(a.Name, "MEM") || a.Name == "MINPROC" {
		return m.opt.Documented("limit_mem")
	}
	if strings.HasSuffix(a.Name, "PERUSER") && family == "QOSCFG" {
		return m.opt.Documented("multi_dimension")
	}
	return m.enforced[family+" "+a.Name]
}

// Enforced are the attributes that Maui acts on, as FAMILY ATTRIBUTE.
func Enforced() map[string]bool {
	enforced := map[string]bool{}
	for _, p := range stdlib.MauiAttributes.Params() {
		switch p.Effective {
		case "yes", "limited", "own-entry-only":
			enforced[p.Record+" "+p.Name] = true
		}
	}
	return enforced
}

// own adds a credential's limit. A hard number of 0 is none of its own, whatever the soft one
// says (seen in recorded queues).
func (m *limitReader) own(l ir.Limit, soft, hard int64) {
	if hard == 0 {
		return
	}
	l.Others = l.Row == "DEFAULT" && m.inherited(l)
	m.add(l, soft, hard)
}

// inherited: users, groups, accounts and QOS without a limit take that of DEFAULT. Classes
// do in the manual only, as a class called DEFAULT is one like any other.
func (m *limitReader) inherited(l ir.Limit) bool {
	switch {
	case l.Object == "partition":
		return m.opt.Documented("class_default")
	case l.Phase == "job" && !l.AtLeast:
		return false
	case l.Phase == "idle" && l.Object != "user":
		old := strings.HasSuffix(l.Source, "COUNT") // its name says per group, so per group it is
		return m.opt.Documented("idle_default") || old && m.opt.Documented("old_style")
	}
	return true
}

// idle adds an idle limit. What DEFAULT says of groups, accounts and QOS reaches only
// those that have some idle limit themselves: the others have no place to count in.
func (m *limitReader) idle(cfg *mauicfg.Config, o *mauicfg.Object, l ir.Limit, v mauicfg.Value) {
	soft := v.Soft
	if m.opt.Documented("idle_soft") {
		soft = v.Hard
	}
	m.own(l, soft, v.Hard)
	if o.Index != "DEFAULT" || v.Hard == 0 || l.Object == "partition" || m.inherited(l) {
		return
	}
	for i := range cfg.Objects {
		other := &cfg.Objects[i]
		if other.Family != o.Family || other.Index == "DEFAULT" || !hasIdleLimit(other) {
			continue
		}
		if own := other.Attr(l.Name, ""); own == nil || own.Value.Hard == 0 {
			l.Row = other.Index
			m.add(l, soft, v.Hard)
		}
	}
}

func hasIdleLimit(o *mauicfg.Object) bool {
	return slices.ContainsFunc(o.Attrs, func(a mauicfg.Attr) bool {
		t, ok := ReadThrottle(a.Name)
		return ok && t.Phase == "idle" && !t.Override
	})
}

// cross reads the brackets of a Throttle: another credential, and which one. Maui enforces
// MAXJOB[USER] of a class, and nothing else of the kind.
func (m *limitReader) cross(l *ir.Limit, sub string) bool {
	word, name, named := strings.Cut(sub, ":")
	object := subObjects[word]
	observed := l.Object == "partition" && l.Name == "MAXJOB" && sub == "USER"
	if object == "" || object == l.Object || !observed && !m.opt.Documented("multi_dimension") {
		return false
	}
	l.Per = append(l.Per, object)
	if named {
		l.Cross = []string{name}
	}
	return true
}

// override adds a limit of a QOS that replaces those of the job's other credentials. In the
// manual's example it replaces what limits nodes where there is a limit, and leaves
// the job limits of user and group in force beside the QOS's own.
func (m *limitReader) override(l ir.Limit, soft, hard int64) {
	if hard == 0 {
		return
	}
	if !m.opt.Documented("override_reach") {
		l.Override = true
		m.replace(l, soft, hard)
		return
	}
	if l.Phase != "job" {
		m.replace(l, soft, hard)
	}
	if l.Counts != "jobs" {
		l.Override, l.Existing = true, true
		m.replace(l, soft, hard)
	}
}

// replace adds a limit instead of an earlier one of the QOS on the same count.
func (m *limitReader) replace(l ir.Limit, soft, hard int64) {
	m.Limits = slices.DeleteFunc(m.Limits, func(old ir.Limit) bool {
		return old.Override == l.Override && old.Object == l.Object && old.Row == l.Row && old.Counts == l.Counts &&
			old.Phase == l.Phase &&
			!(l.Override && !slices.Equal(old.Reach, l.Reach))
	})
	m.add(l, soft, hard)
}

// ignores lists what the flags of a QOS lift. PERUSER lifts the limits of every credential,
// not the user's alone.
var ignores = []struct {
	flag          string
	user          bool // also with IGNUSER; else with IGNSYSTEM
	counts, phase string
}{
	{"IGNJOBPERUSER", true, "jobs", "active"},
	{"IGNPROCPERUSER", true, "procs", "active"},
	{"IGNNODEPERUSER", true, "nodes", "active"},
	{"IGNPSPERUSER", true, "proc_seconds", "active"},
	{"IGNJOBQUEUEDPERUSER", true, "jobs", "idle"},
	{"IGNSYSMAXPROC", false, "procs", "job"},
	{"IGNSYSMAXPS", false, "proc_seconds", "job"},
}

// flags lowers the IGN flags of a QOS: overrides of "none". A flag is found anywhere in the text.
func (m *limitReader) flags(qos string, v mauicfg.Value, src string, span source.Span) {
	text := strings.Join(append(v.List, v.Text), " ")
	if m.opt.Documented("name_case") {
		text = strings.ToUpper(text)
	}
	has := func(flag string) bool { return strings.Contains(text, flag) }
	for _, i := range ignores {
		whole := "IGNSYSTEM"
		if i.user {
			whole = "IGNUSER"
		}
		flag := ""
		for _, name := range []string{i.flag, whole, "IGNALL"} {
			if flag == "" && has(name) {
				flag = name
			}
		}
		if flag == "" {
			continue
		}
		l := ir.Limit{Name: flag, Object: "qos", Row: qos, Counts: i.counts, Per: []string{"qos"}, Phase: i.phase,
			Override: true, Source: src, Span: span}
		if i.user && m.opt.Documented("override_reach") {
			l.Reach = []string{"user"}
		}
		m.replace(l, -1, -1)
	}
}

// add completes a limit. Numbers below 1 mean explicitly none; the soft one may then still
// be set, or only the hard one.
func (m *limitReader) add(l ir.Limit, soft, hard int64) {
	if m.opt.Documented("soft_over_hard") && hard > 0 && soft > hard {
		soft = hard
	}
	number := func(n int64) *float64 {
		if n <= 0 {
			n = -1
		}
		f := float64(n)
		return &f
	}
	l.Soft, l.Hard = number(soft), number(hard)
	m.Limits = append(m.Limits, l)
}
