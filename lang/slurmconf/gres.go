package slurmconf

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// gres reads a node's Gres: a comma list of name[:type][:no_consume][:count],
// the count with a suffix K, M, G or T of powers of 1024 and perhaps followed
// by sockets in parentheses. Without a count there is one.
func (e *evaluator) gres(v Value) (list []Gres) {
	for _, item := range splitGres(v.Text) {
		g, err := parseGres(item)
		if err != nil {
			e.ds.Errorf("slurm-gres", v.Span, "the Gres %s is wrong: %v", item, err).
				Note("write name:count or name:type:count, for instance gpu:a100:4")
			continue
		}
		list = append(list, g)
	}
	return list
}

// splitGres splits at commas outside parentheses; (S:0,1) names sockets.
func splitGres(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth <= 0 && (r == ',' || r == ' ' || r == '\t')
	})
}

// parseGres: the last field is the count if it is a number, the one before the
// type; no_consume may be anywhere between (gres.conf manual, Gres of a node).
func parseGres(item string) (Gres, error) {
	if i := strings.IndexByte(item, '('); i >= 0 {
		item = item[:i]
	}
	fields := strings.Split(item, ":")
	g := Gres{Name: fields[0], Count: 1}
	if g.Name == "" {
		return g, errors.New("it has no name")
	}
	for i, f := range fields[1:] {
		last := i == len(fields)-2
		switch n, err := gresCount(f); {
		case strings.EqualFold(f, "no_consume"):
			g.NoConsume = true
		case last && err == nil:
			g.Count = n
		case f == "" || g.Type != "":
			return g, fmt.Errorf("%q is neither a type nor a count", f)
		default:
			g.Type = f
		}
	}
	return g, nil
}

func gresCount(text string) (uint64, error) {
	digits, shift := text, 0
	if text != "" {
		if i := strings.IndexByte("KMGTP", text[len(text)-1]&^0x20); i >= 0 {
			digits, shift = text[:len(text)-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err == nil && n > math.MaxInt64>>shift {
		err = strconv.ErrRange
	}
	return n << shift, err
}

// Licenses reads Licenses=matlab:4,ansys, whose numbers are 1 if not written; nil without. Of a number the digits
// that it begins with count, as with C's atoi; an entry without any is left out.
func Licenses(text string) map[string]int64 {
	var out map[string]int64
	for item := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == ';' }) {
		name, number, counted := strings.Cut(strings.TrimSpace(item), ":")
		n := int64(1)
		if counted {
			n = atoi(number)
		}
		if name == "" || counted && (number == "" || number[0] < '0' || number[0] > '9') {
			continue
		}
		if out == nil {
			out = map[string]int64{}
		}
		out[name] += n
	}
	return out
}
