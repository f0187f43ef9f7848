package slurm

import "strings"

// slurmStates maps every state word of job_state_string and its compact form
// (slurm_protocol_defs.c) to the vocabulary's five states. Flags that may be
// beside a base state are here too, because text outputs print only one word.
var slurmStates = func() map[string]string {
	states := map[string]string{}
	for _, s := range []struct{ state, words string }{
		{"pending", "PENDING PD REQUEUED RQ REQUEUE_FED RF REQUEUE_HOLD RH RESV_DEL_HOLD RD SPECIAL_EXIT SE EXPEDITING"},
		{"running", "RUNNING R CONFIGURING CF POWER_UP_NODE RESIZING RS SIGNALING SI " +
			"STOPPED ST"}, // stopped by a signal: the nodes stay allocated
		{"suspended", "SUSPENDED S"},
		{"completing", "COMPLETING CG STAGE_OUT SO"},
		{"done", "COMPLETED CD CANCELLED CA FAILED F TIMEOUT TO NODE_FAIL NF PREEMPTED PR BOOT_FAIL BF DEADLINE DL " +
			"OUT_OF_MEMORY OOM LAUNCH_FAILED RECONFIG_FAIL REVOKED RV"},
	} {
		for word := range strings.FieldsSeq(s.words) {
			states[word] = s.state
		}
	}
	return states
}()

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
