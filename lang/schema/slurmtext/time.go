package slurmtext

import (
	"fmt"
	"math"
	"strings"
)

// Infinite is what UNLIMITED, INFINITE and -1 mean. It is larger than every
// time that can be written, so comparisons need no special case; arithmetic does.
const Infinite int64 = math.MaxInt64

// maxTimeField bounds each number of a time string, so that the sum of days,
// hours, minutes and seconds stays far from overflow. Slurm itself stores 32 bits.
const maxTimeField = math.MaxUint32

// ParseTimeSeconds reads a Slurm time string (slurm.conf manual, "time
// specifications"; behaviour of time_str2secs): minutes, minutes:seconds,
// hours:minutes:seconds, days-hours, days-hours:minutes,
// days-hours:minutes:seconds, or a word for infinite. Fields are not bounded by
// 60 or 24, and "7-" is seven days. There are no unit letters.
func ParseTimeSeconds(text string) (int64, error) {
	if isInfiniteWord(text) {
		return Infinite, nil
	}
	if text == "" {
		return 0, errorAt(0, "the time is empty")
	}
	fields, hasDays, err := timeFields(text)
	if err != nil {
		return 0, err
	}
	var days, hours, minutes, seconds int64
	switch {
	case hasDays:
		days, fields = fields[0], append(fields[1:], 0, 0, 0)
		hours, minutes, seconds = fields[0], fields[1], fields[2]
	case len(fields) == 1:
		minutes = fields[0]
	case len(fields) == 2:
		minutes, seconds = fields[0], fields[1]
	default:
		hours, minutes, seconds = fields[0], fields[1], fields[2]
	}
	return ((days*24+hours)*60+minutes)*60 + seconds, nil
}

// ParseTimeMinutes reads a time string as whole minutes, rounding seconds up
// to the next minute as time_str2mins does: "1:30" is 2.
func ParseTimeMinutes(text string) (int64, error) {
	seconds, err := ParseTimeSeconds(text)
	if err != nil || seconds == Infinite {
		return seconds, err
	}
	return (seconds + 59) / 60, nil
}

// FormatTime writes seconds the way scontrol does: hh:mm:ss, with d- in front
// from one day on, UNLIMITED for Infinite. Negative times get a sign.
func FormatTime(seconds int64) string {
	if seconds == Infinite {
		return "UNLIMITED"
	}
	sign := ""
	s := uint64(seconds)
	if seconds < 0 {
		sign, s = "-", -s
	}
	clock := fmt.Sprintf("%02d:%02d:%02d", s/3600%24, s/60%60, s%60)
	if days := s / 86400; days > 0 {
		return fmt.Sprintf("%s%d-%s", sign, days, clock)
	}
	return sign + clock
}

func isInfiniteWord(text string) bool {
	return text == "-1" || strings.EqualFold(text, "INFINITE") || strings.EqualFold(text, "UNLIMITED")
}

// timeFields splits text into its numbers. A missing number is an error except
// the hours after the days' hyphen, which Slurm takes as 0.
func timeFields(text string) (fields []int64, hasDays bool, _ error) {
	value, digits, start := int64(0), 0, 0
	flush := func(at int) error {
		if digits == 0 && !(hasDays && len(fields) == 1 && at == len(text)) {
			return errorAt(start, "a number is missing in the time %q", text)
		}
		fields = append(fields, value)
		value, digits = 0, 0
		return nil
	}
	colons := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			value = value*10 + int64(c-'0')
			digits++
			if value > maxTimeField {
				return nil, false, errorAt(start, "the number in the time %q is too large", text)
			}
		case c == '-' && !hasDays && colons == 0:
			if err := flush(i); err != nil {
				return nil, false, err
			}
			hasDays, start = true, i+1
		case c == '-':
			return nil, false, errorAt(i, "a time has one hyphen at most, after the days")
		case c == ':' && colons < 2:
			if err := flush(i); err != nil {
				return nil, false, err
			}
			colons++
			start = i + 1
		case c == ':':
			return nil, false, errorAt(i, "a time has two colons at most")
		default:
			return nil, false, errorAt(i, "a time has only digits, '-' and ':', not %q", string(rune(c)))
		}
	}
	return fields, hasDays, flush(len(text))
}
