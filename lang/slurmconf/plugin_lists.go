package slurmconf

import (
	"slices"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// pluginLists are further keys whose words are loaded as files, by what loads them, with what each release has under
// src/plugins. The kind before the name may be left out where a key takes a list.
var pluginLists = []struct {
	key, kind, loader string
	list              bool
	words             string // WORD, or WORD:SINCE, or WORD:SINCE-UNTIL; none is one of all
}{
	{"ProctrackType", "proctrack", "slurmd", false, "cgroup:2.2 linuxproc pgid lua:2.1-19.05 cray:14.03-19.05 cray_aries:19.05-24.05 " +
		"aix:-17.02 rms:-2.5 sgi_job:-19.05"},
	{"TaskPlugin", "task", "slurmd", true, "affinity cgroup:2.3 cray:14.03-19.05 cray_aries:19.05-24.05"},
	{"JobCompType", "jobcomp", "slurmctld", false, "elasticsearch:15.08 filetxt kafka:23.02 lua:20.02 mysql script pgsql:-14.03"},
	{"McsPlugin", "mcs", "slurmctld", false, "account:17.02 group:16.05 label:24.11 user:16.05"},
	{"BurstBufferType", "burst_buffer", "slurmctld", false, "datawarp:19.05 lua:21.08 cray:15.08-19.05 generic:15.08-21.08"},
	{"NodeFeaturesPlugins", "node_features", "slurmctld", true, "helpers:21.08 knl_cray:16.05-24.05 knl_generic:16.05-25.11"},
	{"AcctGatherEnergyType", "acct_gather_energy", "slurmd", true, "gpu:22.05 ibmaem:15.08 ipmi:2.5 pm_counters:20.11 rapl:2.5 xcc:18.08 " +
		"cray:15.08-19.05 cray_aries:19.05-20.11 rsmi:20.02-22.05"},
	{"AcctGatherProfileType", "acct_gather_profile", "slurmd", false, "hdf5:2.6 influxdb:18.08"},
	{"AcctGatherInterconnectType", "acct_gather_interconnect", "slurmd", true, "ofed:17.11 sysfs:22.05"},
	{"AcctGatherFilesystemType", "acct_gather_filesystem", "slurmd", true, "lustre:2.6"},
	{"HashPlugin", "hash", "slurmctld", false, "k12:21.08 sha3:24.05"},
	{"TLSType", "tls", "slurmctld", false, "s2n:24.05"},
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
			e.pluginWord(k.key, k.kind, k.loader, words, name, it.text, places.at(it.at, it.end()))
		}
	}
}

func (e *evaluator) pluginWord(key, kind, loader string, words []listedWord, name, text string, place source.Span) {
	var names []string
	for _, w := range words {
		switch {
		case w.in(e.version) && w.name == name:
			return
		case w.in(e.version):
			names = append(names, kind+"/"+w.name)
		case w.name == name && before(e.version, w.since):
			e.ds.Errorf("slurm-plugin", place, "%s is known from %s on, not in %s", text, w.since, e.version).
				Note("%s does not start when it cannot load it; read the file for a newer version, or choose another", loader)
			return
		case w.name == name:
			e.ds.Errorf("slurm-plugin", place, "%s is gone since %s", text, w.until).
				Note("%s does not start when it cannot load it; delete it", loader)
			return
		}
	}
	whole := kind + "/" + strings.ToLower(text)
	if key == "JobCompType" && !slices.Contains(names, whole) && diag.Nearest(text, names) == "" {
		return // sites have their own
	}
	d := e.ds.Errorf("slurm-plugin", place, "Slurm %s has no %s %s", e.version, key, text).
		Note("%s does not start when it cannot load it; Slurm has %s, and what a plugin of your own does is not known here",
			loader, strings.Join(names, ", "))
	if slices.Contains(names, whole) {
		d.Note("did you mean %q?", whole).Suggest(place, whole)
		return
	}
	d.DidYouMean(place, text, names)
}
