package policy

import (
	"math"
	"strconv"
	"strings"
)

var secondsOf = map[byte]float64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'w': 7 * 86400}

// parseDuration reads "12h", "1h30m", "1.5d", "7-0" (days-hours), "7-12:30",
// "12:00:00" and "1:12:00:00" as seconds, "unlimited" as infinity. Two fields, and a number
// alone, are refused: Slurm reads them as minutes:seconds and minutes (slurm.conf
// manual), Maui as hours:minutes and seconds (maui.cfg, time format).
func parseDuration(text string) (seconds float64, ok bool) {
	switch {
	case isUnlimited(text):
		return math.Inf(1), true
	case strings.Contains(text, "-"):
		days, rest, _ := strings.Cut(text, "-")
		return parseDaysAnd(days, rest)
	case strings.Contains(text, ":"):
		fields := strings.Split(text, ":")
		switch len(fields) {
		case 3:
			return sumFields(fields, 3600, 60, 1)
		case 4:
			return sumFields(fields, 86400, 3600, 60, 1)
		}
		return 0, false
	}
	return parseUnits(text)
}

// parseDaysAnd reads hours[:minutes[:seconds]] after the days; nothing is 0 hours.
func parseDaysAnd(days, rest string) (float64, bool) {
	fields := []string{days}
	if rest != "" {
		fields = append(fields, strings.Split(rest, ":")...)
	}
	return sumFields(fields, 86400, 3600, 60, 1)
}

// sumFields adds number · unit. Fields are not bounded by 60 or 24, as in both
// schedulers.
func sumFields(fields []string, units ...float64) (sum float64, ok bool) {
	if len(fields) > len(units) {
		return 0, false
	}
	for i, f := range fields {
		n, err := strconv.ParseUint(f, 10, 32)
		if err != nil {
			return 0, false
		}
		sum += float64(n) * units[i]
	}
	return sum, true
}

// parseUnits reads numbers each followed by its unit, larger units first.
func parseUnits(text string) (sum float64, ok bool) {
	last := math.Inf(1)
	for text != "" {
		digits, rest := cutNumber(text)
		if digits == "" || rest == "" {
			return 0, false
		}
		unit := secondsOf[rest[0]]
		n, err := strconv.ParseFloat(digits, 64)
		if err != nil || unit == 0 || unit >= last {
			return 0, false
		}
		sum, last, text = sum+n*unit, unit, rest[1:]
	}
	return sum, last < math.Inf(1)
}

// parseMemory reads "512M", "16G", "1.5TB", "16GiB" as MB.
func parseMemory(text string) (mb float64, ok bool) {
	digits, unit := cutNumber(text)
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || unit == "" {
		return 0, false
	}
	switch unit[1:] {
	case "", "B", "iB", "IB":
	default:
		return 0, false
	}
	power := strings.IndexByte("KMGTP", unit[0])
	if power < 0 {
		return 0, false
	}
	return n * math.Pow(1024, float64(power-1)), true
}

// cutNumber splits off leading digits and decimal point.
func cutNumber(text string) (digits, rest string) {
	i := 0
	for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == '.') {
		i++
	}
	return text[:i], text[i:]
}

func isUnlimited(text string) bool {
	return strings.EqualFold(text, "unlimited") || strings.EqualFold(text, "infinite")
}
