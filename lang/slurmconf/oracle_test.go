package slurmconf

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestRecordedRuns reads the configurations that ran on real slurmctlds: they
// must be free of errors, and what scontrol printed must be what we hold.
func TestRecordedRuns(t *testing.T) {
	fsys := beside.Files(t)
	confs, err := fs.Glob(fsys, "oracle/slurm/*/inputs/slurm.conf*")
	if err != nil || len(confs) == 0 {
		t.Skipf("no recorded runs: %v", err)
	}
	compared := map[string]int{}
	for _, name := range confs {
		dir := path.Dir(path.Dir(name))
		var meta struct {
			Version string `json:"slurm_version"`
		}
		if err := json.Unmarshal(read(t, fsys, dir+"/meta.json"), &meta); err != nil {
			t.Fatal(err)
		}
		lines, ds := Load(fsys, name, source.NewFile(name, read(t, fsys, name)))
		cfg, more := Evaluate(lines, Options{Version: meta.Version})
		for _, d := range append(ds, more...) {
			if d.Code == "slurm-billing-weight" && d.Severity == diag.Info && strings.HasPrefix(path.Base(dir), "tres-weights") {
				continue // the very run that shows that billing counts, against the manual
			}
			t.Errorf("%s: %s %s: %s", d.Span, d.Severity, d.Code, d.Message)
		}
		// The printed state is the one at the end of the run, under the last configuration.
		if all, _ := fs.Glob(fsys, dir+"/inputs/slurm.conf*"); name == all[len(all)-1] {
			comparePartitions(t, cfg, string(read(t, fsys, dir+"/raw/scontrol_partition.txt")), compared)
			compareConfig(t, dir, cfg, string(read(t, fsys, dir+"/raw/scontrol_config.txt")), compared)
		}
	}
	t.Logf("%d configurations, compared values by key: %v", len(confs), compared)
	for _, key := range []string{"TRES", "Nodes", "MaxTime", "PriorityJobFactor", "PriorityMaxAge", "SchedulerParameters",
		"PriorityWeightFairshare"} {
		if compared[key] < 20 {
			t.Errorf("%s was compared %d times only", key, compared[key])
		}
	}
}

func read(t testing.TB, fsys fs.FS, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func comparePartitions(t *testing.T, cfg *Config, printed string, compared map[string]int) {
	blocks := strings.Split(strings.TrimSpace(printed), "\n\n")
	if len(blocks) != len(cfg.Partitions) {
		t.Errorf("%s: %d partitions, scontrol printed %d", cfg.ClusterName, len(cfg.Partitions), len(blocks))
	}
	for _, block := range blocks {
		shown := map[string]string{}
		for _, field := range strings.Fields(block) {
			key, value, _ := strings.Cut(field, "=")
			shown[key] = value
		}
		i := slices.IndexFunc(cfg.Partitions, func(p Partition) bool { return p.Name == shown["PartitionName"] })
		if i < 0 {
			t.Errorf("%s: no partition %s", cfg.ClusterName, shown["PartitionName"])
			continue
		}
		for key, got := range showPartition(cfg, &cfg.Partitions[i], shown["TRES"]) {
			want, printed := shown[key]
			if !printed {
				continue
			}
			if key == "Nodes" { // printed sorted by name
				want, got = sortedHosts(t, want), sortedHosts(t, got)
			}
			compared[key]++
			if got != want && runExceptions[cfg.ClusterName+" "+key] == "" {
				t.Errorf("%s, partition %s: %s is %s, scontrol printed %s", cfg.ClusterName, shown["PartitionName"], key, got, want)
			}
		}
	}
}

func sortedHosts(t *testing.T, text string) string {
	names, err := slurmtext.ExpandHostlist(text)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return slurmtext.CompressHostlist(names)
}

// showPartition writes the partition as scontrol does. Keys we hold only as
// text of the record fall back to the table's default.
func showPartition(cfg *Config, p *Partition, printedTRES string) map[string]string {
	show := map[string]string{
		"PriorityJobFactor": fmt.Sprint(p.PriorityJobFactor.Number), "PriorityTier": fmt.Sprint(p.PriorityTier.Number),
		"MaxTime": minutesText(p.MaxTimeMinutes), "MinNodes": fmt.Sprint(p.MinNodes.Number),
		"MaxNodes":       numberText(p.MaxNodes),
		"MaxCPUsPerNode": numberText(p.MaxCPUsPerNode), "MaxCPUsPerSocket": numberText(p.MaxCPUsPerSocket), "State": p.State,
		"TotalCPUs":  strconv.Itoa(p.TotalCPUs),
		"TotalNodes": strconv.Itoa(p.TotalNodes), "Default": yesNo(p.Default), "OverSubscribe": p.OverSubscribe,
		"AllowAccounts": listText(p.AllowAccounts), "AllowQos": listText(p.AllowQOS), "AllowGroups": listText(p.AllowGroups),
		"DenyAccounts": listText(p.DenyAccounts),
		"DefaultTime":  "NONE", "QoS": "N/A",
	}
	if p.DefaultTimeMinutes.IsSet() {
		show["DefaultTime"] = minutesText(p.DefaultTimeMinutes)
	}
	if p.QOS.IsSet() {
		show["QoS"] = p.QOS.Text
	}
	for _, key := range []string{"DisableRootJobs", "ExclusiveUser", "ExclusiveTopo", "Hidden", "LLN", "RootOnly",
		"ReqResv"} {
		v, _ := p.Record.Get(key)
		show[key] = yesNo(v.Bool)
	}
	if v, ok := p.Record.Get("TRESBillingWeights"); ok {
		show["TRESBillingWeights"] = v.Text
	}
	grace, _ := p.Record.Get("GraceTime")
	show["GraceTime"] = fmt.Sprint(grace.Number)
	var names []string
	for _, i := range p.Nodes {
		names = append(names, cfg.Nodes[i].Name)
	}
	show["Nodes"] = slurmtext.CompressHostlist(names)
	// Only tracked TRES are printed, so write those that are there.
	var tres []string
	for _, entry := range strings.Split(printedTRES, ",") {
		name, _, _ := strings.Cut(entry, "=")
		count, ok := p.TRES.Get(name)
		text := strconv.FormatInt(count, 10)
		if name == "mem" {
			text = memoryText(count)
		}
		if !ok {
			text = "missing"
		}
		tres = append(tres, name+"="+text)
	}
	show["TRES"] = strings.Join(tres, ",")
	return show
}

// memoryText prints megabytes with the largest unit that keeps at most two decimals, as scontrol does.
func memoryText(mb int64) string {
	switch {
	case mb%1024 == 0:
		return fmt.Sprintf("%dG", mb/1024)
	case mb*100%1024 == 0:
		return fmt.Sprintf("%.2fG", float64(mb)/1024)
	}
	return fmt.Sprintf("%dM", mb)
}

func yesNo(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}

func numberText(v Value) string {
	if v.Infinite {
		return "UNLIMITED"
	}
	return strconv.FormatUint(v.Number, 10)
}

func minutesText(v Value) string {
	if v.Infinite {
		return "UNLIMITED"
	}
	return slurmtext.FormatTime(int64(v.Number) * 60)
}

func listText(words []string) string {
	if words == nil {
		return "ALL"
	}
	return strings.Join(words, ",")
}

// runExceptions are what commands changed during a run, by cluster and key.
var runExceptions = map[string]string{
	"limitaccrue State":  "scontrol update set the partition down",
	"limitaccruex State": "scontrol update set the partition down",
}

// configExceptions are keys whose print is not the value of slurm.conf.
var configExceptions = map[string]string{
	"SlurmUser":            "printed with the user's number",
	"SlurmdUser":           "printed with the user's number",
	"DebugFlags":           "printed sorted, from bits",
	"SlurmctldHost":        "printed with an index",
	"SelectTypeParameters": "printed in capitals, from bits",
	"PriorityFlags":        "printed from bits",
	"TaskPluginParam":      "printed from bits",
	"TopologyPlugin": "topology/none, later topology/default, later topology/flat: the change is not dated in " +
		"the reference",
	"MCSPlugin":             "unset is printed as mcs/none in old versions",
	"PluginDir":             "where this build is installed",
	"MaxNodeCount":          "the number of nodes",
	"AccountingStoragePort": "0 without slurmdbd",
	"JobCompLoc":            "filled in by the plugin",
	"MaxDBDMsgs":            "0 is automatic and printed as what that gives",
	"PlugStackConfig":       "the default is printed as null",
	"AccountingStorageTRES": "printed with the fixed TRES in front and implied ones added",
}

var unitWord = regexp.MustCompile(` (sec|min|usec|nodes/min|percent)$`)

func compareConfig(t *testing.T, dir string, cfg *Config, printed string, compared map[string]int) {
	for _, line := range strings.Split(printed, "\n") {
		key, want, ok := strings.Cut(line, "=")
		p := Known("global", strings.TrimSpace(key))
		if !ok || p == nil || configExceptions[p.Name] != "" {
			continue
		}
		param, set := cfg.Param(p.Name)
		text := cfg.Text(p.Name)
		if text == "" && !set {
			continue // no fixed default
		}
		want = unitWord.ReplaceAllString(strings.TrimSpace(want), "")
		got := text
		switch p.Type {
		case "bool":
			b, _ := parseBool(text)
			got = strings.ToUpper(yesNo(b)[:1]) + strings.ToLower(yesNo(b)[1:])
		case "time":
			if !set {
				param.Value, _ = typed(p, Word{Text: text}, cfg.Version, bounds.Findings())
			}
			got = slurmtext.FormatTime(int64(param.Number))
		case "uint64":
			if text == "0" && strings.Contains(p.Notes, "0 is unlimited") {
				got = "UNLIMITED"
			}
		}
		compared[p.Name]++
		if !strings.EqualFold(got, want) {
			t.Errorf("%s: %s is %s, scontrol printed %s", dir, p.Name, got, want)
		}
	}
}
