package snapshot

import "strings"

// readNow reads the time of a snapshot from a file of its own: now.txt holds
// one number, the epoch at which everything beside it was recorded.
func readNow(in *input) error {
	text := strings.TrimSpace(string(in.text))
	epochSeconds, ok := wholeNumber(text)
	if !ok || epochSeconds == 0 || !validTime(epochSeconds) {
		in.bad("snapshot-bad-time", 0, len(in.text), "the file holds no epoch").
			Note("write the seconds (not milliseconds) since 1970 (UTC), such as 1700000000")
		return nil
	}
	in.record()
	in.now(epochSeconds, nowStated)
	return nil
}

func recognizeNow(h *head) int {
	if h.base() == "now.txt" {
		return certain
	}
	return foreign
}
