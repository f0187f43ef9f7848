package slurm

import (
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// Outputs that have no jobs but say when they were made. The order of
// preference is that of formats.go.

const configHeader = "Configuration data as of "

func RecognizeScontrolConfig(h *format.Head) int { return startsWith(h, configHeader) }

// ReadScontrolConfig takes the time, the version and the cluster's name from scontrol show config;
// the settings are policy and are read with it.
func ReadScontrolConfig(in *format.Input) error {
	in.Snapshot.Family = "slurm"
	line, _ := lineAt(in.Text, strings.Index(string(in.Text), configHeader))
	now, err := timeOf(strings.TrimSpace(strings.TrimPrefix(line, configHeader)), in.Options.Location)
	clock(in, now, err)
	for at := 0; at < len(in.Text); {
		var setting string
		setting, at = lineAt(in.Text, at)
		key, value, _ := strings.Cut(setting, "=")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "SLURM_VERSION":
			slurmVersion(in, value)
		case "ClusterName":
			in.Snapshot.Cluster = value
		}
	}
	return nil
}

// clock takes a time that the resource manager stated.
func clock(in *format.Input, now schema.Value, err error) {
	if err != nil || !now.Known() || !format.ValidTime(now.Int) {
		in.Bad("snapshot-bad-time", 0, len(in.Text), "%s does not say when it was made", in.Name).
			Note("the time is taken from elsewhere or stays unknown")
		return
	}
	in.Record()
	in.Now(now.Int, format.NowRecorded)
}

var sdiagClock = source.Pattern(`sdiag output at (\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})(?: \((\d+)\))?`)

func RecognizeSdiag(h *format.Head) int {
	if sdiagClock().Match(h.Text[:min(len(h.Text), 500)]) {
		return format.Certain
	}
	return format.Foreign
}

// ReadSdiag takes the time of sdiag, as epoch seconds where it prints them (17.11 and later).
func ReadSdiag(in *format.Input) error {
	in.Snapshot.Family = "slurm"
	m := sdiagClock().FindStringSubmatch(string(in.Text[:min(len(in.Text), 500)]))
	if m[2] != "" {
		epoch, err := strconv.ParseInt(m[2], 10, 64)
		clock(in, schema.TimestampValue(epoch), err)
		return nil
	}
	t, err := time.ParseInLocation("Mon Jan _2 15:04:05 2006", m[1], in.Options.Location)
	clock(in, schema.TimestampValue(t.Unix()), err)
	return nil
}

// RecognizeDate takes date_before.txt: the answer of date +%s.%N, written just
// before the other files of a directory.
func RecognizeDate(h *format.Head) int {
	text := strings.TrimSpace(string(h.Text))
	if h.Base() == "date_before.txt" && text != "" && strings.Trim(text, "0123456789.") == "" {
		return format.Certain
	}
	return format.Foreign
}

func ReadDate(in *format.Input) error {
	seconds, _, _ := strings.Cut(strings.TrimSpace(string(in.Text)), ".")
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	clock(in, schema.TimestampValue(epoch), err)
	return nil
}

// RecognizeOther knows what belongs to Slurm and has nothing for a snapshot.
func RecognizeOther(h *format.Head) int {
	if otherContent(h) != "" {
		return format.Plausible
	}
	return format.Foreign
}

func otherContent(h *format.Head) string {
	switch line := h.FirstLine(""); {
	case h.JSON.Keys["accounts"] && h.JSON.Keys["meta"]:
		return "account descriptions"
	case line == "Type|Name|ID":
		return "the numbers of trackable resources"
	}
	return ""
}

// ReadOther says that nothing is taken from the file.
func ReadOther(in *format.Input) error {
	what := otherContent(format.NewHead(in.Name, in.Text))
	in.InfoOnce("snapshot-nothing-used", what, 0, 0, "%s holds %s, for which a snapshot has no place", in.Name, what).
		Note("nothing is read from it")
	return nil
}
