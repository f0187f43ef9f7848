package slurmconf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/stdlib"
)

// checkEnum tests a word against the words of its row, each key by its own
// rule (read_config.c, partition_info parsing).
func checkEnum(p *stdlib.Param, w Word, version string, ds *diag.Bounded) bool {
	ok := false
	switch p.Name {
	case "EnforcePartLimits":
		_, ok = EnforcePartLimits(w.Text)
	case "PreemptMode":
		if ok = preemptModeIsKnown(w.Text, version); ok && p.Record == "PartitionName" {
			gangOfPartition(w, ds)
			return true
		}
	case "OverSubscribe", "Shared":
		_, _, ok = parseOverSubscribe(w.Text)
	case "State":
		_, ok = partitionState(w.Text)
	default:
		ok = containsFold(p.Enum, w.Text)
	}
	if word, count, counted := strings.Cut(w.Text, ":"); !ok && counted && containsFold([]string{"YES", "FORCE"}, word) {
		ds.Warnf("slurm-value", w.Span, "%s cannot be %q: %q is no number of jobs", p.Name, w.Text, count).
			Note("Slurm logs an error and ignores the value; write YES:2 or FORCE:1, or more")
		return false
	}
	if !ok {
		ds.Errorf("slurm-value", w.Span, "%s cannot be %q", p.Name, w.Text).
			Note("it is one of %s", strings.Join(p.Enum, ", ")).DidYouMean(w.Span, w.Text, p.Enum)
	}
	return ok
}

func containsFold(words []string, word string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, word) })
}

// EnforcePartLimits reads that key's value: NO, ANY or ALL. It was a boolean
// until 16.05, and the boolean words still stand for ANY and NO.
func EnforcePartLimits(text string) (string, bool) {
	switch b, err := parseBool(text); {
	case err == nil && b:
		return "ANY", true
	case err == nil:
		return "NO", true
	case strings.EqualFold(text, "ANY") || strings.EqualFold(text, "ALL"):
		return strings.ToUpper(text), true
	}
	return "", false
}

// preemptModeIsKnown takes a comma list with one mode, or none (slurm_protocol_defs.c, preempt_mode_num). CHECKPOINT
// went with the checkpoint plugins.
func preemptModeIsKnown(text, version string) bool {
	modes := 0
	for _, word := range strings.Split(text, ",") {
		if !containsFold([]string{"GANG", "WITHIN", "PRIORITY"}, word) {
			modes++
		}
		switch {
		case modes > 1:
			return false
		case containsFold(Known("global", "PreemptMode").Enum, word):
		case strings.EqualFold(word, "CHECKPOINT") && before(version, "20.02"):
		default:
			return false
		}
	}
	return true
}

// gangOfPartition: GANG is for the whole cluster, and a partition's is ignored.
func gangOfPartition(w Word, ds *diag.Bounded) {
	var words []string
	for _, word := range strings.Split(w.Text, ",") {
		if !strings.EqualFold(strings.TrimSpace(word), "GANG") {
			words = append(words, word)
		}
	}
	if without := strings.Join(words, ","); without == "" {
		ds.Warnf("slurm-value", w.Span, "GANG of a partition has no effect: it is for the whole cluster").
			Note("remove it here, and set it for all partitions with a PreemptMode line of its own")
	} else if without != w.Text {
		ds.Warnf("slurm-value", w.Span, "GANG of a partition has no effect: it is for the whole cluster").
			Note("write PreemptMode=%s here", without).Suggest(w.Span, without)
	}
}

// parseOverSubscribe follows partition_info's option parser and gives the mode and how many jobs may share: NO 1,
// EXCLUSIVE 0, YES and FORCE their number or 4.
func parseOverSubscribe(text string) (mode string, jobs int, ok bool) {
	word, count, counted := strings.Cut(strings.ToUpper(text), ":")
	n, least := 4, 0
	switch word {
	case "NO", "FALSE":
		return "NO", 1, !counted
	case "EXCLUSIVE":
		return word, 0, !counted
	case "YES", "TRUE":
		word, least = "YES", 2
	case "FORCE":
		least = 1
	default:
		return "", 0, false
	}
	if counted {
		var err error
		if n, err = strconv.Atoi(count); err != nil || n < least || n > 32767 {
			return "", 0, false
		}
	}
	return word, n, true
}

// partitionState matches by the beginning, so UPx is UP. DOWN takes jobs and
// starts none, DRAIN starts what is queued and takes none, INACTIVE does neither.
func partitionState(text string) (string, bool) {
	for _, state := range []string{"DOWN", "UP", "DRAIN", "INACTIVE"} {
		if len(text) >= len(state) && strings.EqualFold(text[:len(state)], state) {
			return state, true
		}
	}
	return "", false
}
