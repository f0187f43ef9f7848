package maui

import (
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// MauiTime writes a moment as C's ctime does, without the year. Views know no time zone: it
// is UTC.
func MauiTime(epoch int64) string { return time.Unix(epoch, 0).UTC().Format("Mon Jan _2 15:04:05") }

// notKnown is printed where a snapshot lacks what a column shows.
const notKnown = "-"

func spanOrUnknown(v schema.Value) string {
	if !v.Known() {
		return notKnown
	}
	return mauitext.Span(v.Int)
}

func timeOrUnknown(v schema.Value) string {
	if !v.Known() {
		return notKnown
	}
	return MauiTime(v.Int)
}

// mauiState is the state that Maui's clients show. A job that the policy sets aside for its size is
// held by the batch system; one larger than the machine is deferred for a while.
func mauiState(r *evaluation.Result, job int) string {
	if r.State[job] == evaluation.Running {
		if r.Suspended(job) {
			return "Suspended"
		}
		return "Running"
	}
	if b := r.Why[int32(job)]; b != nil {
		switch b.Kind {
		case evaluation.BlockHold:
			return holdState(r, job)
		case evaluation.BlockSize, evaluation.BlockPolicy:
			return "BatchHold"
		case evaluation.BlockResources:
			return "Deferred"
		}
	}
	return "Idle"
}

// holdState names the kind of hold where the resource manager does.
func holdState(r *evaluation.Result, job int) string {
	if kind := holdKind(r, job); kind != "" {
		return kind + "Hold"
	}
	return "Hold"
}

// holdKind is the kind of a hold by the resource manager's word for it, as in BatchHold.
func holdKind(r *evaluation.Result, job int) string {
	kind, ok := strings.CutSuffix(strings.ToLower(r.Jobs.Text("job.state_word", job)), "hold")
	if !ok || kind == "" {
		return ""
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}
