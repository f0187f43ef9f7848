package slurm

import "strings"

// slurmStates maps every state word of job_state_string and its compact form
// (slurm_protocol_defs.c) to the vocabulary's five states. Flags that may be
// beside a base state are here too, because text outputs print only one word.
var slurmStates = map[string]string{
	"PENDING": "pending", "PD": "pending",
	"REQUEUED": "pending", "RQ": "pending",
	"REQUEUE_FED": "pending", "RF": "pending",
	"REQUEUE_HOLD": "pending", "RH": "pending",
	"RESV_DEL_HOLD": "pending", "RD": "pending",
	"SPECIAL_EXIT": "pending", "SE": "pending",
	"EXPEDITING": "pending",

	"RUNNING": "running", "R": "running",
	"CONFIGURING": "running", "CF": "running",
	"POWER_UP_NODE": "running",
	"RESIZING":      "running", "RS": "running",
	"SIGNALING": "running", "SI": "running",
	"STOPPED": "running", "ST": "running", // stopped by a signal: the nodes stay allocated

	"SUSPENDED": "suspended", "S": "suspended",

	"COMPLETING": "completing", "CG": "completing",
	"STAGE_OUT": "completing", "SO": "completing",

	"COMPLETED": "done", "CD": "done",
	"CANCELLED": "done", "CA": "done",
	"FAILED": "done", "F": "done",
	"TIMEOUT": "done", "TO": "done",
	"NODE_FAIL": "done", "NF": "done",
	"PREEMPTED": "done", "PR": "done",
	"BOOT_FAIL": "done", "BF": "done",
	"DEADLINE": "done", "DL": "done",
	"OUT_OF_MEMORY": "done", "OOM": "done",
	"LAUNCH_FAILED": "done",
	"RECONFIG_FAIL": "done",
	"REVOKED":       "done", "RV": "done",
}

// SlurmState gives the state and the words as written. Of several words
// (JSON since 23.11) completing wins, then a requeue, which makes the job
// pending again; else the first counts, the base state. A flag that is not known
// beside a base state that is does not change it.
func SlurmState(words []string) (state, written string, err error) {
	if len(words) == 0 {
		return "", "", nil
	}
	for i, word := range words {
		word, _, _ = strings.Cut(word, " ") // sacct: CANCELLED by 1000
		s, ok := slurmStates[strings.ToUpper(word)]
		switch {
		case i == 0 && !ok:
			return "", "", fieldError("JobState", "%q is no job state of Slurm", word)
		case i == 0, s == "completing", s == "pending" && state == "done":
			state = s
		}
	}
	if len(words) == 1 {
		return state, words[0], nil
	}
	return state, strings.Join(words, ","), nil
}
