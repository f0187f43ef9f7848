package slurm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
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

// textWords is a string cell; Slurm writes a missing one as (null) or N/A.
func textWords(text string) (schema.Value, error) {
	if isOpen(text) {
		text = ""
	}
	return textRaw(text)
}

func textRaw(text string) (schema.Value, error) { return schema.StringValue(text), nil }

// textYes is YES or NO.
func textYes(text string) (schema.Value, error) { return schema.BoolValue(text == "YES"), nil }

// textList splits a comma list.
func textList(text string) (schema.Value, error) {
	if isOpen(text) {
		return schema.ListValue(nil), nil
	}
	return schema.ListValue(strings.Split(text, ",")), nil
}

// allNames splits a list; ALL is no name.
func allNames(text string) (schema.Value, error) {
	if text == "ALL" {
		text = ""
	}
	return textList(text)
}

// textBound reads a number that UNLIMITED leaves open.
func textBound(text string) (schema.Value, error) {
	if strings.EqualFold(text, "UNLIMITED") || strings.EqualFold(text, "INFINITE") {
		return schema.Value{}, nil
	}
	return textCount(text)
}

// textWeights checks billing weights, which stay as they are written.
func textWeights(text string) (schema.Value, error) {
	if isOpen(text) {
		return textRaw("")
	}
	_, err := slurmtext.ParseTRESWeights(text)
	return schema.StringValue(text), err
}

// textThreshold: N is none, in columns whose headings sacctmgr cuts.
func textThreshold(text string) (schema.Value, error) {
	if text = strings.TrimSpace(text); text == "N" {
		text = ""
	}
	return textCount(text)
}

// textCount reads a count. Exact multiples of 1024 are printed with a unit
// letter (convert_num_unit), so 2K nodes are 2048.
func textCount(text string) (schema.Value, error) {
	if isOpen(text) {
		return schema.Value{}, nil
	}
	n, err := ParseCount(text)
	if err == nil && n < 0 {
		err = fmt.Errorf("the count %q is negative", text)
	}
	if err != nil {
		return schema.Value{}, err
	}
	return schema.IntValue(n), nil
}

// textPriority reads the priority of a QOS or an association, 32 bits in Slurm.
func textPriority(text string) (schema.Value, error) {
	n, err := textCount(text)
	if err == nil && n.Int > math.MaxUint32 {
		return schema.Value{}, fmt.Errorf("the priority %q is more than 4294967295, the largest that Slurm holds", text)
	}
	return n, err
}

// textUsage reads seconds that were used, which sshare prints of 64 bits.
func textUsage(text string) (schema.Value, error) {
	n, err := textDouble(text)
	if err == nil && (n.Double < 0 || n.Double > math.MaxUint64) {
		return schema.Value{}, fmt.Errorf("the usage %q is not from 0 to 18446744073709551615, as Slurm counts", text)
	}
	return n, err
}

// textNice reads a nice value.
func textNice(text string) (schema.Value, error) {
	if isOpen(text) {
		return schema.Value{}, nil
	}
	n, err := ParseCount(text)
	if err == nil && (n < -format.MaxNice || n > format.MaxNice) {
		err = fmt.Errorf("%s lies outside %d to %d", text, -format.MaxNice, format.MaxNice)
	}
	if err != nil {
		return schema.Value{}, err
	}
	return schema.IntValue(n), nil
}

func ParseCount(text string) (int64, error) {
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

// textTime reads a time without zone in the zone of the input, or epoch seconds
// as SLURM_TIME_FORMAT=%s prints them; 0 is "never" everywhere in Slurm.
func textTime(r *slurmRecord, s slot, text string) error {
	v, err := timeOf(text, r.in.Options.Location)
	r.setIf(err == nil, s, v)
	return err
}

func timeOf(text string, where *time.Location) (v schema.Value, err error) {
	if isOpen(text) || text == "0" {
		return v, nil
	}
	if strings.Trim(text, "-0123456789") == "" && strings.LastIndexByte(text, '-') <= 0 {
		epoch, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !format.ValidTime(epoch) {
			return v, fmt.Errorf("%s is no time in seconds since 1970", text)
		}
		return schema.TimestampValue(epoch), nil
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05", text, where)
	if err != nil {
		if t, err = time.Parse(time.RFC3339, text); err != nil {
			return v, fmt.Errorf("%q is no time like 2026-01-31T12:00:00 or epoch seconds", text)
		}
	}
	switch {
	case t.Unix() > format.LastSecond:
		return v, fmt.Errorf("%s is after the year 2106", text)
	case t.Unix() <= 0:
		return v, nil // 1970-01-01 is an unset time printed with a zone
	}
	return schema.TimestampValue(t.Unix()), nil
}

// textLimit reads a time limit as seconds; Partition_Limit leaves it open.
func textLimit(text string) (schema.Value, error) {
	if isOpen(text) || text == "Partition_Limit" {
		return schema.Value{}, nil
	}
	seconds, err := slurmtext.ParseTimeSeconds(text)
	if err != nil {
		return schema.Value{}, err
	}
	return schema.IntValue(seconds), nil
}

// textMinutes reads a limit given as a bare number of minutes.
func textMinutes(text string) (schema.Value, error) {
	if isOpen(text) || text == "Partition_Limit" {
		return schema.Value{}, nil
	}
	if text == "UNLIMITED" {
		return schema.IntValue(slurmtext.Infinite), nil
	}
	minutes, err := strconv.ParseInt(text, 10, 64)
	if err != nil || minutes < 0 || minutes > math.MaxUint32 {
		return schema.Value{}, fmt.Errorf("%q is no number of minutes", text)
	}
	return schema.IntValue(minutes * 60), nil
}

// textTRES reads a TRES list; an empty one is not known, since every list that
// Slurm has computed names at least the CPUs. The -1 and UNLIMITED of limits
// are no amounts.
func textTRES(text string) (slurmtext.TRESList, error) {
	if isOpen(text) {
		return nil, nil
	}
	list, err := slurmtext.ParseTRES(text)
	for _, t := range list {
		if err == nil && (t.Count < 0 || t.Count == slurmtext.Infinite) {
			err = fmt.Errorf("%q has no amount of %s", text, t.Name)
		}
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// textMemory reads memory with a unit; a bare number is MB.
func textMemory(text string) (schema.Value, error) {
	if isOpen(text) {
		return schema.Value{}, nil
	}
	list, err := slurmtext.ParseTRES("mem=" + text)
	if err != nil || len(list) != 1 || list[0].Count < 0 || list[0].Count == slurmtext.Infinite {
		return schema.Value{}, fmt.Errorf("%q is no amount of memory", text)
	}
	return schema.IntValue(list[0].Count), nil
}

// textHosts expands a host list.
func textHosts(text string) (schema.Value, error) {
	if isOpen(text) {
		return schema.ListValue(nil), nil
	}
	hosts, err := slurmtext.ExpandHostlist(text)
	if err != nil {
		return schema.Value{}, err
	}
	return schema.ListValue(hosts), nil
}

// textDouble reads a decimal number; inf and nan as sshare prints them.
func textDouble(text string) (schema.Value, error) {
	if isOpen(text) {
		return schema.Value{}, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return schema.Value{}, fmt.Errorf("%q is no number", text)
	}
	if f != f {
		return schema.Value{}, nil
	}
	return schema.DoubleValue(f), nil
}

// featureNames lists the names in a constraint such as [a|b]&c*2.
func featureNames(expression string) []string {
	var names []string
	for _, part := range strings.FieldsFunc(expression,
		func(r rune) bool { return strings.ContainsRune("&|,[]()! \t", r) }) {
		name, _, _ := strings.Cut(part, "*")
		if name != "" && !strings.ContainsFunc(name[:1], unicode.IsSpace) {
			names = append(names, name)
		}
	}
	return names
}

// GPUsIn counts the GPUs in a request such as gres/gpu:a100:2, gres:gpu:2 or
// gres/gpu=2 (the form has changed with the versions); no number means 1.
func GPUsIn(request string) int64 {
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
		if n, err := ParseCount(count); err == nil && n >= 0 {
			total += n
		} else {
			total++
		}
	}
	return total
}

// GresList writes the generic resources of a request, whatever its version's form, as gpu:a100:2,shard:1; what
// else it asks for (cpu=4, license:x) is left out.
func GresList(request string) string {
	var list []string
	for _, item := range splitOutsideParentheses(request) {
		item = strings.TrimSpace(item)
		rest, isGres := strings.CutPrefix(item, "gres/")
		if !isGres {
			rest, isGres = strings.CutPrefix(item, "gres:")
		}
		if kind, _, _ := strings.Cut(strings.ReplaceAll(rest, "=", ":"),
			":"); !isGres && slurmtext.IsFixedTRES(kind) || kind == "license" || kind == "" {
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
