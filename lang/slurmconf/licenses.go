package slurmconf

import "strings"

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
