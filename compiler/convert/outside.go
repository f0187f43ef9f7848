package convert

import "strings"

// outside are settings that Fairway computes nothing from though jobs depend on them, by their names without what
// they are written on, and what they decide.
var outside = map[string]string{
	// Maui
	"ADEF": "which account a job has that names none", "PDEF": "which partition a job goes to", "PLIST": "which partitions a job may use",
	"JOBNODEMATCHPOLICY": "which nodes a job can have", "NODEALLOCATIONPOLICY": "which nodes a job gets", "NODESETPOLICY": "which nodes a job gets",
	"NODESETATTRIBUTE": "which nodes a job gets", "NODESETLIST": "which nodes a job gets", "NODESETDELAY": "how long a job waits for a node set",
	"PREEMPTPOLICY": "what becomes of preempted jobs", "RESOURCELIMITPOLICY": "which running jobs are ended", "JOBFLAGS": "how a job runs",
	"ENABLEMULTIREQJOBS": "which jobs are taken", "DEFERTIME": "how long a job waits that could not start", "DEFERCOUNT": "when a job is held that could not start",
	"JOBMAXOVERRUN": "which running jobs are ended", "AMCFG": "which jobs an allocation manager lets start",
	"SRCFG": "when nodes are kept for whom; Slurm's reservations are made with scontrol create reservation",

	// Slurm
	"PrioritySiteFactorPlugin": "the site factor of each job's priority", "PrioritySiteFactorParameters": "the site factor of each job's priority",
	"JobSubmitPlugins": "what a job asks for in the end", "CliFilterPlugins": "what a job asks for in the end",
	"DefaultAccount": "which account a job has that names none", "PreemptMode": "what becomes of preempted jobs", "PreemptExemptTime": "when a job can be preempted",
	"GraceTime": "when a preempted job ends", "LLN": "which nodes a job gets", "TopologyPlugin": "which nodes a job gets", "TopologyParam": "which nodes a job gets",
	"SelectTypeParameters": "which nodes a job gets", "Default": "which partition a job goes to that names none", "AllocNodes": "from where a job may be submitted",
	"AllowGroups": "who may use the partition", "RootOnly": "who may use the partition", "ReqResv": "who may use the partition", "DisableRootJobs": "whether root may run jobs",
	"OverTimeLimit": "which running jobs are ended", "KillOnInvalidDepend": "which waiting jobs are ended", "JobRequeue": "what becomes of jobs whose node fails",
	"BurstBufferType": "when a job's data is ready", "ExclusiveUser": "whose jobs share a node", "ExclusiveTopo": "which jobs share a switch",
	"DefMemPerCPU": "how much memory a job has that asks for none", "DefMemPerNode": "how much memory a job has that asks for none", "DefMemPerGPU": "how much memory a job has that asks for none",
	"DefCpuPerGPU": "how many processors a job has", "JobDefaults": "what a job has that asks for nothing", "BatchStartTimeout": "which starting jobs are ended",
}

// decides is what depends on a setting from which Fairway computes nothing, "" if no job is known to.
func decides(name string) string {
	words := strings.Fields(name)
	for _, word := range []string{words[len(words)-1], words[0]} { // USERCFG amy PLIST; AMCFG bank
		word, _, _ = strings.Cut(word, "[")
		if what := outside[word]; what != "" {
			return what
		}
	}
	return ""
}
