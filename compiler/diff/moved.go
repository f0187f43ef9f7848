package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// Parameters of slurm.conf that got another name, or became a word of a list, mean the same under both names as long as
// Slurm takes both. An item of an old name therefore has the key of the new one.

// movedWord is the key of a word of SchedulerParameters that has another name, or is in another list.
func movedWord(p *ir.Policy, list, word string) string {
	for _, known := range p.Facts.Words {
		if known.List != list || !strings.EqualFold(known.Name, word) ||
			known.Name == "disable_user_top" { // the inverse of its successor
			continue
		}
		if now, there, moved := strings.Cut(known.Now, "="); moved {
			return strings.ToLower(now + " " + there)
		} else if now != "" {
			return strings.ToLower(list + " " + now)
		}
	}
	return ""
}

// controllers are the hosts that slurmctld runs on, the backups after the first: SlurmctldHost may be there several
// times,
// and before 18.08 each host had parameters of its own (slurm.conf manual, SlurmctldHost).
func controllers(p *ir.Policy) (out []item) {
	add := func(name, called, value string, at source.Span) {
		out = append(out, item{group: Other, key: name, name: called, moved: true,
			side: Side{Value: `"` + value + `"`, Span: at}})
	}
	name := func() string {
		if len(out) == 0 {
			return "SlurmctldHost"
		}
		return "SlurmctldHost of backup " + strconv.Itoa(len(out))
	}
	for _, a := range repeated(p, "SlurmctldHost") {
		add(name(), name(), a.Text, a.Span)
	}
	if hosts := param(p, "SlurmctldHost"); len(out) == 0 && hosts != nil &&
		!hosts.Set.IsZero() { // a policy file has one
		add(name(), name(), hosts.Value.Str, hosts.Set)
	}
	if len(out) > 0 {
		return out
	}
	for _, old := range [][2]string{{"ControlMachine", "ControlAddr"}, {"BackupController", "BackupAddr"}} {
		host, address := param(p, old[0]), param(p, old[1])
		if host == nil || host.Set.IsZero() {
			continue
		}
		value := host.Value.Str
		if address != nil && !address.Set.IsZero() && address.Value.Str != "" {
			value += "(" + address.Value.Str + ")"
		}
		add(name(), old[0], value, host.Set)
	}
	return out
}

// repeated is all that slurm.conf says of a key that may be repeated.
func repeated(p *ir.Policy, name string) (out []ir.Attr) {
	for i := range p.Facts.Records {
		if r := &p.Facts.Records[i]; r.Kind == "" {
			out = append(out, slices.DeleteFunc(slices.Clone(r.Attrs),
				func(a ir.Attr) bool { return a.Name != name })...)
		}
	}
	return out
}

var controllerParams = []string{"SlurmctldHost", "ControlMachine", "ControlAddr", "BackupController", "BackupAddr"}

func param(p *ir.Policy, name string) *ir.Param {
	if i := slices.IndexFunc(p.Params, func(v ir.Param) bool { return v.Name == name }); i >= 0 {
		return &p.Params[i]
	}
	return nil
}

// oldNames are the items of parameters that are called otherwise today. There, has marks every parameter that they
// stand for: one of an old name, about which nothing is given where it is not set or where it says what holds without
// it, and
// the new one that is not set.
func oldNames(p *ir.Policy) (out []item, has map[string]bool) {
	has = map[string]bool{}
	byName := make(map[string]*ir.Param, len(p.Params))
	for i := range p.Params {
		byName[p.Params[i].Name] = &p.Params[i]
	}
	for _, known := range p.Facts.Words {
		v := byName[known.Name]
		now, word, _ := strings.Cut(known.Now, "=")
		if v == nil || known.List != "" || slices.Contains(controllerParams, v.Name) {
			continue
		}
		if v.Set.IsZero() || v.Value.String() == v.Default.String() {
			has[v.Name] = true
			continue
		}
		today := byName[now]
		var x item
		switch value := strings.ToLower(strings.Trim(v.Value.String(), `"`)); {
		case word == "" && (today == nil || !today.Set.IsZero()): // the new one counts
			continue
		case word == "":
			x = item{group: groupOf(p, now), key: now, means: withoutKind(v), side: Side{Value: withUnit(v),
				Span: v.Set}}
			has[now] = true
		case v.Name == "KeepAliveTime":
			x = wordItem(v, now, word, value, true)
		case switchesOn(v.Name, value):
			x = wordItem(v, now, word, "", false)
		default:
			continue
		}
		x.name, x.moved = v.Name, true
		has[v.Name] = true
		out = append(out, x)
	}
	return out, has
}

// switchesOn reports a value that its successor's word stands for.
func switchesOn(name, value string) bool {
	switch name {
	case "FastSchedule":
		return value == "2" // the nodes are as slurm.conf has them
	case "RoutePlugin":
		return value == "route/topology"
	}
	return value == "yes" || value == "true" || value == "1"
}

// withoutKind is a value without what kind of plugin it names, since that was renamed too: crypto/munge is cred/munge.
func withoutKind(v *ir.Param) string {
	text := v.Value.String()
	if _, plugin, ok := strings.Cut(text, "/"); ok && strings.HasSuffix(v.Name, "Type") {
		return strings.Trim(plugin, `"`)
	}
	return text
}
