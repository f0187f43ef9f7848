package snapshot

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// valueError says which field of a record cannot be read, and why.
type valueError struct{ field, message string }

func (e *valueError) Error() string { return e.field + ": " + e.message }

func fieldError(field, format string, args ...any) error {
	return &valueError{field, fmt.Sprintf(format, args...)}
}

// isOpen reports whether Slurm's word means that there is no value.
func isOpen(text string) bool {
	switch text {
	case "", "(null)", "N/A", "n/a", "NONE", "None", "Unknown", "UNKNOWN", "NOT_SET", "*", "None assigned":
		return true
	}
	return false
}

// textString is a string cell; Slurm writes a missing one as (null) or N/A.
func textString(text string) optional[string] {
	if isOpen(text) {
		return known("")
	}
	return known(text)
}

// textCount reads a count. Exact multiples of 1024 are printed with a unit
// letter (convert_num_unit), so 2K nodes are 2048.
func textCount(text string) (optional[int64], error) {
	if isOpen(text) {
		return open[int64](), nil
	}
	n, err := parseCount(text)
	if err == nil && n < 0 {
		err = fmt.Errorf("the count %q is negative", text)
	}
	if err != nil {
		return open[int64](), err
	}
	return known(n), nil
}

// textPriority reads the priority of a QOS or an association, 32 bits in Slurm.
func textPriority(text string) (optional[int64], error) {
	n, err := textCount(text)
	if err == nil && n.value > math.MaxUint32 {
		return open[int64](), fmt.Errorf("the priority %q is more than 4294967295, the largest that Slurm holds", text)
	}
	return n, err
}

// textUsage reads seconds that were used, which sshare prints of 64 bits.
func textUsage(text string) (optional[float64], error) {
	n, err := textDouble(text)
	if err == nil && (n.value < 0 || n.value > math.MaxUint64) {
		return open[float64](), fmt.Errorf("the usage %q is not from 0 to 18446744073709551615, as Slurm counts", text)
	}
	return n, err
}

// textNice reads a nice value.
func textNice(text string) (optional[int64], error) {
	if isOpen(text) {
		return open[int64](), nil
	}
	n, err := parseCount(text)
	if err == nil && (n < -maxNice || n > maxNice) {
		err = fmt.Errorf("%s lies outside %d to %d", text, -maxNice, maxNice)
	}
	if err != nil {
		return open[int64](), err
	}
	return known(n), nil
}

func parseCount(text string) (int64, error) {
	digits, factor := text, int64(1)
	if n := len(text) - 1; n > 0 {
		if power := strings.IndexByte("KMGT", text[n]&^0x20); power >= 0 && text[n] > '9' {
			digits = text[:n]
			factor = 1 << (10 * (power + 1))
		}
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		if n > math.MaxInt64/factor || n < math.MinInt64/factor {
			return 0, fmt.Errorf("the count %q is out of range", text)
		}
		return n * factor, nil
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || factor == 1 || math.Abs(f*float64(factor)) > 1<<62 || f != f {
		return 0, fmt.Errorf("%q is no whole number", text)
	}
	return int64(f * float64(factor)), nil
}

// textRange reads a count or low-high, as NumNodes and NumCPUs are printed.
func textRange(text string) (low, high optional[int64], err error) {
	if strings.HasPrefix(text, "-") {
		return low, high, fmt.Errorf("the count %q is negative", text)
	}
	from, to, isRange := strings.Cut(text, "-")
	if low, err = textCount(from); err != nil {
		return low, high, err
	}
	if !isRange {
		return low, open[int64](), nil
	}
	high, err = textCount(to)
	return low, high, err
}

// textTime reads a time without zone in the given location, or epoch seconds
// as SLURM_TIME_FORMAT=%s prints them; 0 is "never" everywhere in Slurm.
func textTime(text string, where *time.Location) (optional[int64], error) {
	if isOpen(text) || text == "0" {
		return open[int64](), nil
	}
	if strings.Trim(text, "-0123456789") == "" && strings.LastIndexByte(text, '-') <= 0 {
		epoch, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !validTime(epoch) {
			return open[int64](), fmt.Errorf("%s is no time in seconds since 1970", text)
		}
		return known(epoch), nil
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05", text, where)
	if err != nil {
		if t, err = time.Parse(time.RFC3339, text); err != nil {
			return open[int64](), fmt.Errorf("%q is no time like 2026-01-31T12:00:00 or epoch seconds", text)
		}
	}
	switch {
	case t.Unix() > LastSecond:
		return open[int64](), fmt.Errorf("%s is after the year 2106", text)
	case t.Unix() <= 0:
		return open[int64](), nil // 1970-01-01 is an unset time printed with a zone
	}
	return known(t.Unix()), nil
}

// textLimit reads a time limit as seconds; Partition_Limit leaves it open.
func textLimit(text string) (optional[int64], error) {
	if isOpen(text) || text == "Partition_Limit" {
		return open[int64](), nil
	}
	seconds, err := slurmtext.ParseTimeSeconds(text)
	if err != nil {
		return open[int64](), err
	}
	return known(seconds), nil
}

// textMinutes reads a limit given as a bare number of minutes.
func textMinutes(text string) (optional[int64], error) {
	if isOpen(text) || text == "Partition_Limit" {
		return open[int64](), nil
	}
	if text == "UNLIMITED" {
		return known(slurmtext.Infinite), nil
	}
	minutes, err := strconv.ParseInt(text, 10, 64)
	if err != nil || minutes < 0 || minutes > math.MaxUint32 {
		return open[int64](), fmt.Errorf("%q is no number of minutes", text)
	}
	return known(minutes * 60), nil
}

// textTRES reads a TRES list; an empty one is not known, since every list that
// Slurm has computed names at least the CPUs. The -1 and UNLIMITED of limits
// are no amounts.
func textTRES(text string) (optional[slurmtext.TRESList], error) {
	if isOpen(text) {
		return open[slurmtext.TRESList](), nil
	}
	list, err := slurmtext.ParseTRES(text)
	for _, t := range list {
		if err == nil && (t.Count < 0 || t.Count == slurmtext.Infinite) {
			err = fmt.Errorf("%q has no amount of %s", text, t.Name)
		}
	}
	if err != nil {
		return open[slurmtext.TRESList](), err
	}
	return known(list), nil
}

// textMemory reads memory with a unit; a bare number is MB.
func textMemory(text string) (optional[int64], error) {
	if isOpen(text) {
		return open[int64](), nil
	}
	list, err := slurmtext.ParseTRES("mem=" + text)
	if err != nil || len(list) != 1 || list[0].Count < 0 || list[0].Count == slurmtext.Infinite {
		return open[int64](), fmt.Errorf("%q is no amount of memory", text)
	}
	return known(list[0].Count), nil
}

// textHosts expands a host list.
func textHosts(text string) (optional[[]string], error) {
	if isOpen(text) {
		return known[[]string](nil), nil
	}
	hosts, err := slurmtext.ExpandHostlist(text)
	if err != nil {
		return open[[]string](), err
	}
	return known(hosts), nil
}

// textDouble reads a decimal number; inf and nan as sshare prints them.
func textDouble(text string) (optional[float64], error) {
	if isOpen(text) {
		return open[float64](), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return open[float64](), fmt.Errorf("%q is no number", text)
	}
	if f != f {
		return open[float64](), nil
	}
	return known(f), nil
}

// featureNames lists the names in a constraint such as [a|b]&c*2.
func featureNames(expression string) []string {
	var names []string
	for _, part := range strings.FieldsFunc(expression, func(r rune) bool { return strings.ContainsRune("&|,[]()! \t", r) }) {
		name, _, _ := strings.Cut(part, "*")
		if name != "" && !strings.ContainsFunc(name[:1], unicode.IsSpace) {
			names = append(names, name)
		}
	}
	return names
}

// gpusIn counts the GPUs in a request such as gres/gpu:a100:2, gres:gpu:2 or
// gres/gpu=2 (the form has changed with the versions); no number means 1.
func gpusIn(request string) int64 {
	total := int64(0)
	for _, item := range strings.Split(request, ",") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(item), "gres/")
		if !ok {
			rest, _ = strings.CutPrefix(strings.TrimSpace(item), "gres:")
		}
		name, after, _ := strings.Cut(strings.ReplaceAll(rest, "=", ":"), ":")
		if name != "gpu" {
			continue
		}
		after, _, _ = strings.Cut(after, "(")
		count := after[strings.LastIndexByte(after, ':')+1:]
		if n, err := parseCount(count); err == nil && n >= 0 {
			total += n
		} else {
			total++
		}
	}
	return total
}

// gresList writes the generic resources of a request, whatever its version's form, as gpu:a100:2,shard:1; what
// else it asks for (cpu=4, license:x) is left out.
func gresList(request string) string {
	var list []string
	for _, item := range splitOutsideParentheses(request) {
		item = strings.TrimSpace(item)
		rest, isGres := strings.CutPrefix(item, "gres/")
		if !isGres {
			rest, isGres = strings.CutPrefix(item, "gres:")
		}
		if kind, _, _ := strings.Cut(strings.ReplaceAll(rest, "=", ":"), ":"); !isGres && slurmtext.IsFixedTRES(kind) || kind == "license" || kind == "" {
			continue
		}
		rest, _, _ = strings.Cut(rest, "(")
		list = append(list, strings.ReplaceAll(rest, "=", ":"))
	}
	return strings.Join(list, ",")
}

// userName cuts the number off u07(20007).
func userName(text string) string {
	if open := strings.LastIndexByte(text, '('); open > 0 && strings.HasSuffix(text, ")") {
		return text[:open]
	}
	return text
}
