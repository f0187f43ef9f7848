package slurmconf

import (
	_ "embed" // the table of plugins
	"slices"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/diag"
)

// plugin is one that comes with Slurm, from a version on and until another.
type plugin struct{ name, since, until, instead string }

//go:embed plugins.txt
var pluginText string

type pluginKey struct {
	key   string
	known []plugin
}

// pluginKeys are the keys of plugins.txt.
var pluginKeys = sync.OnceValue(func() (keys []pluginKey) {
	for line := range strings.Lines(pluginText) {
		switch row := append(strings.Fields(line), "", "", "", ""); {
		case row[0] == "" || row[0] == "#":
		case line[0] != ' ':
			keys = append(keys, pluginKey{key: row[0]})
		default:
			last := &keys[len(keys)-1]
			last.known = append(last.known, plugin{row[0], strings.Trim(row[1], "-"), row[2], row[3]})
		}
	}
	return keys
})

func (p plugin) in(version string) bool {
	return !before(version, p.since) && (p.until == "" || before(version, p.until))
}

// plugins tests the keys that name a plugin. Names are files, so case counts.
func (e *evaluator) plugins() {
	for _, k := range pluginKeys() {
		p, ok := e.cfg.Param(k.key)
		if !ok {
			continue
		}
		i := slices.IndexFunc(k.known, func(known plugin) bool { return known.name == p.Text })
		switch {
		case k.key == "AccountingStorageType" && e.isStorageWord(p):
		case i >= 0 && k.known[i].in(e.version):
		case i >= 0:
			e.pluginElsewhere(k.known[i], p)
		default:
			e.unknownPlugin(k.key, k.known, p)
		}
	}
}

// submitPlugins are those of JobSubmitPlugins that come with Slurm. Sites have their own, so only what looks like
// one of these is reported.
var submitPlugins = []string{"all_partitions", "cray_aries", "defaults", "logging", "lua", "partition", "pbs",
	"require_timelimit", "throttle"}

func (e *evaluator) submitPlugins() {
	p, ok := e.cfg.Param("JobSubmitPlugins")
	if !ok {
		return
	}
	places := placesIn(p.Text, p.Span)
	for _, it := range entries(p.Text) {
		name := strings.TrimPrefix(it.text, "job_submit/")
		if near := diag.Nearest(name, submitPlugins); near != "" && !slices.Contains(submitPlugins, name) {
			place := places.at(it.end()-len(name), it.end())
			e.ds.Warnf("slurm-plugin", place, "Slurm has no job_submit plugin %s", name).
				Note("slurmctld does not start when it cannot load it; if %s is a plugin of your own, nothing is wrong", name).
				Note("did you mean %q?", near).Suggest(place, near)
		}
	}
}

// isStorageWord covers what read_config.c searches AccountingStorageType for
// before any plugin is loaded: mysql since 17.11, none since 23.11.
func (e *evaluator) isStorageWord(p Param) bool {
	if HasFlag(p.Text, "mysql") && !before(e.version, "17.11") {
		e.ds.Errorf("slurm-fatal-setting", p.Span, "AccountingStorageType=%s keeps slurmctld from starting", p.Text).
			Note("only slurmdbd talks to the database; write accounting_storage/slurmdbd").
			Suggest(p.Span, "accounting_storage/slurmdbd")
		return true
	}
	return HasFlag(p.Text, "none") && !before(e.version, "23.11")
}

// pluginElsewhere: the plugin exists, but not in this version.
func (e *evaluator) pluginElsewhere(known plugin, p Param) {
	if before(e.version, known.since) {
		e.ds.Errorf("slurm-plugin", p.Span, "%s is known from %s on, not in %s", p.Text, known.since, e.version).
			Note("slurmctld does not start when it cannot load it; read the file for a newer version, or choose another")
		return
	}
	d := e.ds.Errorf("slurm-plugin", p.Span, "%s was removed in %s", p.Text, known.until).
		Note("slurmctld does not start when it cannot load it")
	if known.instead != "" {
		d.Note("use %s", known.instead)
	}
	if strings.Contains(known.instead, "/") {
		d.Suggest(p.Span, known.instead)
	}
}

// unknownPlugin: a name without its kind is what people forget most.
func (e *evaluator) unknownPlugin(key string, all []plugin, p Param) {
	var names []string
	for _, known := range all {
		if known.in(e.version) {
			names = append(names, known.name)
		}
	}
	d := e.ds.Errorf("slurm-plugin", p.Span, "Slurm %s has no %s %s", e.version, key, p.Text).
		Note("slurmctld does not start when it cannot load it; Slurm has %s, and what a plugin of your own does is not "+
			"known here", strings.Join(names, ", "))
	kind, _, _ := strings.Cut(names[0], "/")
	if whole := kind + "/" + strings.ToLower(p.Text); slices.Contains(names, whole) {
		d.Note("did you mean %q?", whole).Suggest(p.Span, whole)
		return
	}
	d.DidYouMean(p.Span, p.Text, names)
}
