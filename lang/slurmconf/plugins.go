package slurmconf

import (
	_ "embed" // the table of plugins
	"slices"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
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

type pluginList struct {
	key, kind, loader string
	list              bool
	fatal             string // the version from which its loader does not start without it; "" are all
	own               bool   // sites have their own: what is near one of these alone is reported
	words             string // WORD, or WORD:SINCE, or WORD:SINCE-UNTIL; none is one of all
}

// pluginLists are further keys whose words are loaded as files, by what loads them, with what each release has under
// src/plugins. The kind before the name may be left out where a key takes a list.
var pluginLists = []pluginList{
	{key: "ProctrackType", kind: "proctrack", loader: "slurmd", words: "cgroup:2.2 linuxproc pgid lua:2.1-19.05 " +
		"cray:14.03-19.05 cray_aries:19.05-24.05 aix:-17.02 rms:-2.5 sgi_job:-19.05"},
	{key: "TaskPlugin", kind: "task", loader: "slurmd", list: true,
		words: "affinity cgroup:2.3 cray:14.03-19.05 cray_aries:19.05-24.05"},
	{key: "JobCompType", kind: "jobcomp", loader: "slurmctld", own: true, fatal: "23.02",
		words: "elasticsearch:15.08 filetxt kafka:23.02 lua:20.02 mysql script pgsql:-14.03"},
	{key: "McsPlugin", kind: "mcs", loader: "slurmctld", words: "account:17.02 group:16.05 label:24.11 user:16.05"},
	{key: "BurstBufferType", kind: "burst_buffer", loader: "slurmctld",
		words: "datawarp:19.05 lua:21.08 cray:15.08-19.05 generic:15.08-21.08"},
	{key: "NodeFeaturesPlugins", kind: "node_features", loader: "slurmctld", list: true,
		words: "helpers:21.08 knl_cray:16.05-24.05 knl_generic:16.05-25.11"},
	{key: "AcctGatherEnergyType", kind: "acct_gather_energy", loader: "slurmd", list: true,
		words: "gpu:22.05 ibmaem:15.08 ipmi:2.5 pm_counters:20.11 rapl:2.5 xcc:18.08 cray:15.08-19.05 " +
			"cray_aries:19.05-20.11 rsmi:20.02-22.05"},
	{key: "AcctGatherProfileType", kind: "acct_gather_profile", loader: "slurmd", words: "hdf5:2.6 influxdb:18.08"},
	{key: "AcctGatherInterconnectType", kind: "acct_gather_interconnect", loader: "slurmd", list: true,
		words: "ofed:17.11 sysfs:22.05"},
	{key: "AcctGatherFilesystemType", kind: "acct_gather_filesystem", loader: "slurmd", list: true,
		words: "lustre:2.6"},
	{key: "HashPlugin", kind: "hash", loader: "slurmctld", words: "k12:21.08 sha3:24.05"},
	{key: "TLSType", kind: "tls", loader: "slurmctld", words: "s2n:24.05"},
	{key: "CredType", kind: "cred", loader: "slurmctld", own: true, words: "munge:19.05 slurm:23.11"},
	{key: "CliFilterPlugins", kind: "cli_filter", loader: "sbatch", list: true, own: true,
		words: "lua:20.02 syslog:20.02 user_defaults:20.02"},
	{key: "PrEpPlugins", kind: "prep", loader: "slurmctld", list: true, own: true, words: "script:20.02"},
	{key: "MpiDefault", kind: "mpi", loader: "srun", list: true, own: true,
		words: "pmi2:2.4 pmix:16.05 pmix_v1 pmix_v2 pmix_v3 pmix_v4 pmix_v5 cray_shasta:20.02 openmpi"},
	{key: "JobContainerType", kind: "job_container", loader: "slurmd", own: true,
		words: "tmpfs:20.11 cncu:14.03-24.05"},
	{key: "NamespaceType", kind: "namespace", loader: "slurmd", own: true, words: "tmpfs:25.11 linux:25.11"},
}

// listedPlugins are the words of pluginLists, taken apart once.
var listedPlugins = sync.OnceValue(func() (all [][]listedWord) {
	for _, k := range pluginLists {
		all = append(all, listed(k.words))
	}
	return all
})

// pluginWords tests the words of pluginLists. Names are files, so case counts.
func (e *evaluator) pluginWords() {
	for i, k := range pluginLists {
		p, ok := e.cfg.Param(k.key)
		if !ok || HasFlag(p.Text, "none") {
			continue
		}
		places, words := placesIn(p.Text, p.Span), listedPlugins()[i]
		for _, it := range entries(p.Text) {
			name := it.text
			if short, ok := strings.CutPrefix(name, k.kind+"/"); ok || k.list {
				name = short
			} else {
				name = "" // the file of a name without its kind is never found
			}
			e.pluginWord(k, words, name, it.text, places.at(it.at, it.end()))
		}
	}
}

func (e *evaluator) pluginWord(k pluginList, words []listedWord, name, text string, place source.Span) {
	var names []string
	for _, w := range words {
		switch {
		case w.in(e.version) && w.name == name:
			return
		case w.in(e.version):
			names = append(names, k.kind+"/"+w.name)
		case w.name == name && before(e.version, w.since):
			e.missing(k, place, "%s is known from %s on, not in %s", text, w.since, e.version).
				Note("read the file for a newer version, or choose another")
			return
		case w.name == name:
			e.missing(k, place, "%s was removed in %s", text, w.until).Note("delete it")
			return
		}
	}
	whole := k.kind + "/" + strings.ToLower(text)
	near := k.near(name, text, names)
	if k.own && !slices.Contains(names, whole) && near == "" {
		return
	}
	d := e.missing(k, place, "Slurm %s has no %s %s", e.version, k.key, text).
		Note("Slurm has %s, and what a plugin of your own does is not known here", strings.Join(names, ", "))
	if slices.Contains(names, whole) {
		d.Note("did you mean %q?", whole).Suggest(place, whole)
		return
	}
	if near != "" {
		d.Note("did you mean %q?", near).Suggest(place, near)
	}
}

// near is the plugin that a text looks like, with its kind; "" where there is none.
func (k pluginList) near(name, text string, names []string) string {
	short := make([]string, len(names))
	for i, n := range names {
		if short[i] = strings.TrimPrefix(n, k.kind+"/"); len(name) > 3 && strings.HasPrefix(short[i], name) {
			return n // elastic for elasticsearch
		}
	}
	if near := diag.Nearest(strings.TrimPrefix(text, k.kind+"/"), short); near != "" {
		return k.kind + "/" + near
	}
	kind, last, _ := strings.Cut(text, "/")
	if diag.Nearest(kind, []string{k.kind}) != "" && slices.Contains(short, last) { // the kind is misspelt
		return k.kind + "/" + last
	}
	return ""
}

// missing reports a plugin that cannot be loaded.
func (e *evaluator) missing(k pluginList, place source.Span, format string, args ...any) *diag.Diagnostic {
	d := e.ds.Errorf("slurm-plugin", place, format, args...)
	if before(e.version, k.fatal) {
		return d.Note("%s %s goes on without it, and from %s on does not start", k.loader, e.version, k.fatal)
	}
	return d.Note("%s does not start when it cannot load it", k.loader)
}
