package slurm

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// textClock reads 00:00:06 as seconds: GraceTime and PreemptExemptTime of QOS.
func textClock(text string) (v schema.Value, err error) {
	if isOpen(text) {
		return v, nil
	}
	seconds, err := slurmtext.ParseTimeSeconds(text)
	if err != nil || seconds == slurmtext.Infinite {
		return v, fmt.Errorf("%q is no time", text)
	}
	return schema.IntValue(seconds), nil
}

// switches reads 2@00:05:00, into this field and the next: on so many switches, for which the job waits so long.
func switches(r *slurmRecord, s slot, text string) error {
	if isOpen(text) {
		return nil
	}
	number, wait, timed := strings.Cut(text, "@")
	n, err := textCount(number)
	if err != nil {
		return err
	}
	r.set(s, unlessZero(n))
	if !timed {
		return nil
	}
	v, err := textClock(wait)
	r.setIf(err == nil, s+1, v)
	return err
}

// sharing is of this field and the next two: whether the job has its nodes for itself, may share processors, and has
// its nodes for its user.
func sharing(r *slurmRecord, s slot, text string) error {
	r.setIf(text == "YES", s+1, schema.BoolValue(true))
	r.setIf(text == "USER", s+2, schema.BoolValue(true))
	return textIfKnown(oversubscribe)(r, s, text)
}

// sharingJSON: jobs that may share say so since v0.0.40, others and older versions list nothing.
func sharingJSON(c *slurmJSON, r *slurmRecord, s slot, field string) error {
	words, err := c.wordList(field, nil)
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	r.set(s, schema.BoolValue(first == "none"))
	r.setIf(first == "oversubscribe", s+1, schema.BoolValue(true))
	r.setIf(first == "user", s+2, schema.BoolValue(true))
	return err
}
