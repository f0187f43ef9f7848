package manager

import (
	"bytes"
	"slices"
	"strings"
)

// slurmSettings are the settings of `scontrol show config` that a slurm.conf has under the same name and that
// priorities, limits and plans depend on. One that ends in * is the beginning of several names.
var slurmSettings = []string{"AccountingStorageEnforce", "AccountingStorageTRES", "AccountingStorageType",
	"ClusterName", "DefMemPer*", "EnforcePartLimits", "FairShareDampeningFactor", "GresTypes", "Licenses", "MaxArraySize",
	"MaxJobCount", "MaxMemPer*", "OverTimeLimit", "PreemptExemptTime", "PreemptMode", "PreemptType", "Priority*",
	"SchedulerParameters", "SchedulerType", "SelectType", "SelectTypeParameters", "SlurmctldHost"}

// slurmPartitionKeys and slurmNodeKeys are those of a record of scontrol, with the key of slurm.conf where it differs.
var (
	slurmPartitionKeys = []string{"PartitionName", "AllocNodes", "AllowAccounts", "AllowGroups", "AllowQos", "Alternate",
		"Default", "DefaultTime", "DefMemPerCPU", "DefMemPerNode", "DenyAccounts", "DenyQos", "DisableRootJobs",
		"ExclusiveUser", "GraceTime", "Hidden", "LLN", "MaxCPUsPerNode", "MaxMemPerCPU", "MaxMemPerNode", "MaxNodes",
		"MaxTime", "MinNodes", "Nodes", "OverSubscribe", "OverTimeLimit", "PreemptMode", "PriorityJobFactor", "PriorityTier", "QoS",
		"ReqResv", "RootOnly", "State", "TRESBillingWeights"}
	slurmNodeKeys = []string{"NodeName", "CPUTot=CPUs", "Sockets", "CoresPerSocket", "ThreadsPerCore", "RealMemory",
		"TmpDisk", "Weight", "AvailableFeatures=Feature", "Gres"}
)

// SlurmConfOf writes a slurm.conf of what scontrol shows of the configuration, the partitions and the nodes, where the
// file itself cannot be read. A setting that has no value there is left out, and so has its default.
func SlurmConfOf(config, partitions, nodes []byte) []byte {
	var b bytes.Buffer
	b.WriteString("# written by fairway snapshot capture from the output of scontrol show config, partition and node\n")
	if release := strings.SplitN(SlurmVersion(config), ".", 3); len(release) > 1 {
		b.WriteString("# fairway: slurm-version=" + release[0] + "." + release[1] + "\n")
	}
	for line := range strings.Lines(string(config)) {
		name, value, ok := strings.Cut(line, "=")
		name, _, _ = strings.Cut(strings.TrimSpace(name), "[")                                   // SlurmctldHost[0]
		value = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(value), " min"), " sec") // as OverTimeLimit has it
		if ok && isSlurmSetting(name) && (stated(value) || name == "OverTimeLimit" && value == "UNLIMITED") {
			b.WriteString(name + "=" + value + "\n")
		}
	}
	writeRecords(&b, nodes, slurmNodeKeys)
	writeRecords(&b, partitions, slurmPartitionKeys)
	return b.Bytes()
}

func isSlurmSetting(name string) bool {
	return slices.ContainsFunc(slurmSettings, func(known string) bool {
		start, several := strings.CutSuffix(known, "*")
		return name == known || several && strings.HasPrefix(name, start)
	})
}

// stated reports a value that is more than "there is none"; no value of these keys has a blank.
func stated(value string) bool {
	switch value {
	case "", "(null)", "(none)", "N/A", "n/a", "NONE", "UNLIMITED":
		return false
	}
	return !strings.ContainsAny(value, " \t#\\\"")
}

// writeRecords writes the lines of scontrol -o with the keys that slurm.conf has.
func writeRecords(b *bytes.Buffer, lines []byte, keys []string) {
	for line := range strings.Lines(string(lines)) {
		values := map[string]string{}
		for _, word := range strings.Fields(line) {
			if key, value, ok := strings.Cut(word, "="); ok && values[key] == "" {
				values[key] = value
			}
		}
		var words []string
		for _, known := range keys {
			key, name, renamed := strings.Cut(known, "=")
			if !renamed {
				name = key
			}
			value := values[key]
			if key == "Gres" { // gpu:4(S:0-1) names sockets, which slurm.conf does not
				value = withoutBrackets(value)
			}
			if stated(value) {
				words = append(words, name+"="+value)
			}
		}
		if first, _, _ := strings.Cut(keys[0], "="); len(words) > 1 && strings.HasPrefix(words[0], first+"=") {
			b.WriteString(strings.Join(words, " ") + "\n")
		}
	}
}

func withoutBrackets(text string) string {
	var b strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
