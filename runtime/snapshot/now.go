package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// readNow reads the time of a snapshot from a file of its own: now.txt holds
// one number, the epoch at which everything beside it was recorded.
func readNow(in *format.Input) error {
	text := strings.TrimSpace(string(in.Text))
	epochSeconds, ok := format.WholeNumber(text)
	if !ok || epochSeconds == 0 || !format.ValidTime(epochSeconds) {
		in.Bad("snapshot-bad-time", 0, len(in.Text), "the file holds no epoch").
			Note("write the seconds (not milliseconds) since 1970 (UTC), such as 1700000000")
		return nil
	}
	in.Record()
	in.Now(epochSeconds, format.NowStated)
	return nil
}

func recognizeNow(h *format.Head) int {
	if h.Base() == "now.txt" {
		return format.Certain
	}
	return format.Foreign
}
