package slurmtext

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of host lists. MaxRange is Slurm's own (hostlist.c, MAX_RANGE in its
// default build); MaxHosts keeps a typing error from exhausting the memory.
const (
	MaxRange = 64 << 10
	MaxHosts = 256 << 10
)

// maxHostDigits bounds the number part of a name; longer digit strings are
// kept as letters when compressing and refused as range bounds.
const maxHostDigits = 18

// ExpandHostlist writes out a host list: names separated by commas or white
// space, each with any number of [ranges]. Width of the low bound is kept as
// zero padding: n[08-11]. Empty elements are skipped, repetitions kept.
//
// Order of several groups, as seen on a running slurmctld: the last group is
// the fastest; of the others the rightmost is the slowest. So r[1-2]s[1-2]t[1-2]
// begins r1s1t1, r1s1t2, r2s1t1. Text after the last bracket is an error there.
func ExpandHostlist(text string) ([]string, error) {
	var names []string
	for start := 0; start < len(text); {
		if isHostSeparator(text[start]) {
			start++
			continue
		}
		end, err := hostElementEnd(text, start)
		if err != nil {
			return nil, err
		}
		h, err := parseHostElement(text[start:end])
		if err != nil {
			return nil, shift(err, start)
		}
		if h.count > MaxHosts-len(names) {
			return nil, errorAt(start, "the host list names more than %d hosts", MaxHosts)
		}
		names = h.expand(names)
		start = end
	}
	return names, nil
}

func isHostSeparator(c byte) bool {
	return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

func shift(err error, by int) error {
	if e, ok := err.(*Error); ok {
		return errorAt(e.Offset+by, "%s", e.Message)
	}
	return err
}

// hostElementEnd finds the first separator outside brackets.
func hostElementEnd(text string, start int) (int, error) {
	open := -1
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[' && open >= 0:
			return 0, errorAt(i, "a bracket is inside another")
		case c == '[':
			open = i
		case c == ']' && open < 0:
			return 0, errorAt(i, "a closing bracket has no opening one")
		case c == ']':
			open = -1
		case open < 0 && isHostSeparator(c):
			return i, nil
		}
	}
	if open >= 0 {
		return 0, errorAt(open, "the bracket is not closed")
	}
	return len(text), nil
}

// hostRange is lo-hi printed with at least width digits.
type hostRange struct {
	lo, hi int64
	width  int
}

type hostGroup struct {
	prefix string // text before the bracket
	ranges []hostRange
}

// hostElement is a name with its groups; without groups it is the literal name.
type hostElement struct {
	literal string
	groups  []hostGroup
	count   int
}

func parseHostElement(text string) (hostElement, error) {
	h := hostElement{count: 1}
	pos := 0
	for {
		open := strings.IndexByte(text[pos:], '[')
		if open < 0 {
			break
		}
		open += pos
		closing := open + strings.IndexByte(text[open:], ']')
		ranges, err := parseHostRanges(text[open+1 : closing])
		if err != nil {
			return h, shift(err, open+1)
		}
		h.groups = append(h.groups, hostGroup{prefix: text[pos:open], ranges: ranges})
		size := 0
		for _, r := range ranges {
			size += int(r.hi - r.lo + 1)
		}
		// size is at most MaxHosts, so the product cannot overflow before the test.
		if h.count *= size; h.count > MaxHosts {
			return h, errorAt(open, "the host list names more than %d hosts", MaxHosts)
		}
		pos = closing + 1
	}
	if len(h.groups) == 0 {
		h.literal = text
	} else if pos < len(text) {
		return h, errorAt(pos, "a host name cannot go on with %q after its last bracket", text[pos:])
	}
	return h, nil
}

func parseHostRanges(text string) ([]hostRange, error) {
	var ranges []hostRange
	total, pos := int64(0), 0
	for _, item := range strings.Split(text, ",") {
		low, high, isRange := strings.Cut(item, "-")
		if !isRange {
			high = low
		}
		lo, err1 := parseHostNumber(low)
		hi, err2 := parseHostNumber(high)
		switch {
		case err1 != nil || err2 != nil:
			return nil, errorAt(pos, "%q is no number or low-high range", item)
		case hi < lo:
			return nil, errorAt(pos, "the range %s runs backwards", item)
		case hi-lo >= MaxRange:
			return nil, errorAt(pos, "the range %s spans more than %d names", item, MaxRange)
		}
		if total += hi - lo + 1; total > MaxHosts {
			return nil, errorAt(pos, "the host list names more than %d hosts", MaxHosts)
		}
		ranges = append(ranges, hostRange{lo, hi, len(low)})
		pos += len(item) + 1
	}
	return ranges, nil
}

func parseHostNumber(text string) (int64, error) {
	if len(text) == 0 || len(text) > maxHostDigits {
		return 0, strconv.ErrSyntax
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseInt(text, 10, 64)
}

// expand appends the element's names. Nesting from slowest to fastest: the
// groups before the last from right to left, then the last.
func (h hostElement) expand(names []string) []string {
	n := len(h.groups)
	if n == 0 {
		return append(names, h.literal)
	}
	numbers := make([][]byte, n) // the current number of each group
	var name []byte
	var nest func(level int)
	nest = func(level int) {
		group := level - 1
		if level == 0 {
			group = n - 1
		}
		for _, r := range h.groups[group].ranges {
			for v := r.lo; v <= r.hi; v++ {
				numbers[group] = appendPadded(numbers[group][:0], v, r.width)
				if level > 0 {
					nest(level - 1)
					continue
				}
				name = name[:0]
				for i, g := range h.groups {
					name = append(append(name, g.prefix...), numbers[i]...)
				}
				names = append(names, string(name))
			}
		}
	}
	nest(n - 1)
	return names
}

// appendPadded writes v with zeros in front up to the width.
func appendPadded(b []byte, v int64, width int) []byte {
	for digits, limit := 1, int64(10); digits < width; digits, limit = digits+1, limit*10 {
		if v < limit {
			b = append(b, "000000000000000000"[:width-digits]...)
			break
		}
	}
	return strconv.AppendInt(b, v, 10)
}

// CompressHostlist writes names as a host list, joining neighbours whose
// numbers follow each other: n1 n2 n4 → n[1-2,4]. The order is kept, so
// ExpandHostlist gives the same names back, provided that they are host names
// (no comma, white space or bracket in them).
func CompressHostlist(names []string) string {
	var b strings.Builder
	for i := 0; i < len(names); {
		prefix, ranges, end := hostRun(names, i)
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(prefix)
		writeHostRanges(&b, ranges)
		i = end
	}
	return b.String()
}

// hostRun collects the names from start on that share the prefix of the first.
// A name without number is a run of its own, with no ranges.
func hostRun(names []string, start int) (prefix string, ranges []hostRange, end int) {
	prefix, digits := splitHostNumber(names[start])
	if digits == "" {
		return names[start], nil, start + 1
	}
	total := 0
	for end = start; end < len(names) && total < MaxHosts; end++ {
		p, digits := splitHostNumber(names[end])
		if p != prefix || digits == "" {
			break
		}
		value, _ := strconv.ParseInt(digits, 10, 64)
		total++
		if n := len(ranges); n > 0 {
			last := &ranges[n-1]
			if last.hi+1 == value && value-last.lo < MaxRange && fmt.Sprintf("%0*d", last.width, value) == digits {
				last.hi = value
				continue
			}
		}
		ranges = append(ranges, hostRange{value, value, len(digits)})
	}
	return prefix, ranges, end
}

func splitHostNumber(name string) (prefix, digits string) {
	i := len(name)
	for i > 0 && name[i-1] >= '0' && name[i-1] <= '9' && len(name)-i < maxHostDigits {
		i--
	}
	return name[:i], name[i:]
}

func writeHostRanges(b *strings.Builder, ranges []hostRange) {
	if len(ranges) == 0 {
		return
	}
	single := len(ranges) == 1 && ranges[0].lo == ranges[0].hi
	if single {
		fmt.Fprintf(b, "%0*d", ranges[0].width, ranges[0].lo)
		return
	}
	for i, r := range ranges {
		b.WriteByte("[,"[min(i, 1)])
		fmt.Fprintf(b, "%0*d", r.width, r.lo)
		if r.hi > r.lo {
			fmt.Fprintf(b, "-%0*d", r.width, r.hi)
		}
	}
	b.WriteByte(']')
}
