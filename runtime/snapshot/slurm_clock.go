package snapshot

import (
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Outputs that have no jobs but say when they were made. The order of
// preference is that of formats.go.

const configHeader = "Configuration data as of "

func recognizeScontrolConfig(h *head) int { return startsWith(h, configHeader) }

// readScontrolConfig takes the time, the version and the cluster's name from scontrol show config;
// the settings are policy and are read with it.
func readScontrolConfig(in *input) error {
	in.snapshot.Family = "slurm"
	line, _ := lineAt(in.text, strings.Index(string(in.text), configHeader))
	now, err := timeOf(strings.TrimSpace(strings.TrimPrefix(line, configHeader)), in.options.Location)
	in.clock(now, err)
	for at := 0; at < len(in.text); {
		var setting string
		setting, at = lineAt(in.text, at)
		key, value, _ := strings.Cut(setting, "=")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "SLURM_VERSION":
			in.slurmVersion(value)
		case "ClusterName":
			in.snapshot.Cluster = value
		}
	}
	return nil
}

// clock takes a time that the resource manager stated.
func (in *input) clock(now schema.Value, err error) {
	if err != nil || !now.Known() || !validTime(now.Int) {
		in.bad("snapshot-bad-time", 0, len(in.text), "%s does not say when it was made", in.name).
			Note("the time is taken from elsewhere or stays unknown")
		return
	}
	in.record()
	in.now(now.Int, nowRecorded)
}

var sdiagClock = source.Pattern(`sdiag output at (\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})(?: \((\d+)\))?`)

func recognizeSdiag(h *head) int {
	if sdiagClock().Match(h.text[:min(len(h.text), 500)]) {
		return certain
	}
	return foreign
}

// readSdiag takes the time of sdiag, as epoch seconds where it prints them (17.11 and later).
func readSdiag(in *input) error {
	in.snapshot.Family = "slurm"
	m := sdiagClock().FindStringSubmatch(string(in.text[:min(len(in.text), 500)]))
	if m[2] != "" {
		epoch, err := strconv.ParseInt(m[2], 10, 64)
		in.clock(schema.TimestampValue(epoch), err)
		return nil
	}
	t, err := time.ParseInLocation("Mon Jan _2 15:04:05 2006", m[1], in.options.Location)
	in.clock(schema.TimestampValue(t.Unix()), err)
	return nil
}

// recognizeDate takes date_before.txt: the answer of date +%s.%N, written just
// before the other files of a directory.
func recognizeDate(h *head) int {
	text := strings.TrimSpace(string(h.text))
	if h.base() == "date_before.txt" && text != "" && strings.Trim(text, "0123456789.") == "" {
		return certain
	}
	return foreign
}

func readDate(in *input) error {
	seconds, _, _ := strings.Cut(strings.TrimSpace(string(in.text)), ".")
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	in.clock(schema.TimestampValue(epoch), err)
	return nil
}

// recognizeSlurmOther knows what belongs to Slurm and has nothing for a snapshot.
func recognizeSlurmOther(h *head) int {
	if otherContent(h) != "" {
		return plausible
	}
	return foreign
}

func otherContent(h *head) string {
	switch line := h.firstLine(""); {
	case h.json.keys["accounts"] && h.json.keys["meta"]:
		return "account descriptions"
	case line == "Type|Name|ID":
		return "the numbers of trackable resources"
	}
	return ""
}

// readSlurmOther says that nothing is taken from the file.
func readSlurmOther(in *input) error {
	what := otherContent(newHead(in.name, in.text))
	in.infoOnce("snapshot-nothing-used", what, 0, 0, "%s holds %s, for which a snapshot has no place", in.name, what).
		Note("nothing is read from it")
	return nil
}
