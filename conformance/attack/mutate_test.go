package attack

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// newRandom gives the same numbers for the same seed in every process.
func newRandom(seed, number uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, number)) }

// one is a random element.
func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// extremes are numbers, or what is written in place of one.
var extremes = []string{
	"0", "-0", "1", "-1", "2147483647", "2147483648", "-2147483649", "4294967295", "4294967296", "9223372036854775807",
	"9223372036854775808",
	"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e308", "-1e308",
	"1e309", "1e-320", "inf", "-inf", "NaN", "0x10", "1_000",
	"0.1", "99999999999999999999999999999999", "1e999999999", "٣", "", "null", "UNLIMITED", "INFINITE", "4294967294",
	"8e18", "1:99:99", "99999999-00:00:00", "-1:00",
	"999999999999T", "1.5.5", "0000000000000000000000000000000000001", "2106-02-07T06:28:16", "1969-12-31T23:59:59",
	"9999-12-31T23:59:59", "0001-01-01T00:00:00", "253402300800",
}

// words are texts that some reader gives a meaning, or that a writer must not print as they are.
var nasty = []string{
	"\x00", "\x1b[2J", "\u202e", "\ufffe", "\u2028", "\xff\xfe", "\xc3", "\r", "\r\n", "\n", "\t", "\x7f", "\ufeff",
	"é́́́́", "𝕏", "=cmd|'/c calc'!A1", "'", "\"", "`", "$(id)", "${", "%{", "\\", "\\\n",
	"#", ";", ",", ",,,", "|", "||", "[", "]", "{", "}", "<", ">", "&", "*", "?", "n[1-9", "n[0-999999999]",
	"n[1-10][1-10000][1-10000]", "n[3-1]", "n[00000001-2]", "../../x", "/dev/zero", "/etc/passwd",
	"DEFAULT", "ALL", "ANY", "NONE", "(null)", "N/A", "root", "-", "--", "cpu=1,cpu=2,mem=-5G", "gres/gpu:a:b:c=1", "1K",
	"1Ki", "1(x)", "afterok:1?afterany:2,singleton", "1_[0-2147483647%1]",
	"1_[0-4000000]", "true", "include", "Include", "%s%n%d", "</script>", "]]>", "<!--", "job['x']", "now", "NOW+1000",
	"?", "+", "a=b=c", "==", "\u200d", "İ", "ß",
}

var (
	numbers   = regexp.MustCompile(`-?\d+(\.\d+)?`)
	tokens    = regexp.MustCompile(`[A-Za-z0-9_./:@%+-]+`)
	pairs     = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_./:\[\]-]*) *[=:] *("[^"\n]*"|[^\s,:;|]*)`)
	cells     = regexp.MustCompile(`[^|,\t\n]+`)
	delimiter = regexp.MustCompile(`[][(){}<>"'|,;=:]`)
)

// mutator changes a text; others are texts of the same and other kinds to take parts of.
type mutator func(r *rand.Rand, text []byte, others [][]byte) []byte

// replaceOne puts something in the place of one match.
func replaceOne(r *rand.Rand, text []byte, of *regexp.Regexp, by func(old []byte) []byte) []byte {
	all := of.FindAllIndex(text, 5000)
	if len(all) == 0 {
		return text
	}
	at := one(r, all)
	return slices.Concat(text[:at[0]], by(text[at[0]:at[1]]), text[at[1]:])
}

// replaceAlike puts something in the place of all that is the same as one match.
func replaceAlike(r *rand.Rand, text []byte, of *regexp.Regexp, by []byte) []byte {
	all := of.FindAll(text, 5000)
	if len(all) == 0 {
		return text
	}
	old := one(r, all)
	return of.ReplaceAllFunc(text, func(m []byte) []byte {
		if bytes.Equal(m, old) {
			return by
		}
		return m
	})
}

func extreme(r *rand.Rand) []byte {
	switch r.IntN(20) {
	case 0:
		return bytes.Repeat([]byte("9"), 1+r.IntN(5000))
	case 1:
		return []byte("0." + strings.Repeat("0", r.IntN(400)) + "1")
	}
	return []byte(one(r, extremes))
}

func lines(text []byte) [][]byte { return bytes.SplitAfter(text, []byte("\n")) }

// anywhere is a random place in a text, between characters or within one.
func anywhere(r *rand.Rand, text []byte) int { return r.IntN(len(text) + 1) }

// flip flips some bits.
func flip(r *rand.Rand, text []byte, _ [][]byte) []byte {
	text = slices.Clone(text)
	for range 1 + r.IntN(4) {
		if len(text) > 0 {
			text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		}
	}
	return text
}

// cutOff leaves out the end.
func cutOff(r *rand.Rand, text []byte, _ [][]byte) []byte {
	return text[:anywhere(r, text)]
}

// leaveOut leaves out some bytes.
func leaveOut(r *rand.Rand, text []byte, _ [][]byte) []byte {
	from := anywhere(r, text)
	return slices.Concat(text[:from], text[min(len(text), from+1+r.IntN(100)):])
}

// generic are mutators of any text. A long text takes at most so much more.
var generic = []mutator{
	flip,
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // lines left out
		l := lines(text)
		from := r.IntN(len(l))
		return bytes.Join(slices.Delete(l, from, min(len(l), from+1+r.IntN(3))), nil)
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a line many times
		l := lines(text)
		at := r.IntN(len(l))
		times := one(r, []int{1, 1, 2, 10, 300})
		return bytes.Join(slices.Insert(l, at, bytes.Repeat(l[at], min(times, 1+1<<16/(1+len(l[at]))))), nil)
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a line or paragraph many times, each with another name
		parts := lines(text)
		if paragraphs := bytes.SplitAfter(text, []byte("\n\n")); len(paragraphs) > 2 && r.IntN(2) == 0 {
			parts = paragraphs
		}
		at := r.IntN(len(parts))
		all := tokens.FindAllIndex(parts[at], 200)
		if len(all) == 0 {
			return text
		}
		where := one(r, all)
		var b bytes.Buffer
		for i := range min(one(r, []int{30, 3000, 30_000}), 3<<20/(1+len(parts[at]))) {
			fmt.Fprintf(&b, "%s%d%s", parts[at][:where[1]], i, parts[at][where[1]:])
		}
		return bytes.Join(slices.Insert(parts, at, b.Bytes()), nil)
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // lines swapped
		l := lines(text)
		i, j := r.IntN(len(l)), r.IntN(len(l))
		l[i], l[j] = l[j], l[i]
		return bytes.Join(l, nil)
	},
	func(r *rand.Rand, text []byte, others [][]byte) []byte { // lines of another file
		from := lines(one(r, others))
		at := r.IntN(len(from))
		l := lines(text)
		return bytes.Join(slices.Insert(l, r.IntN(len(l)), from[at:min(len(from), at+1+r.IntN(20))]...), nil)
	},
	func(r *rand.Rand, text []byte, others [][]byte) []byte { // a word of another file
		if all := tokens.FindAll(one(r, others), 5000); len(all) > 0 {
			return replaceOne(r, text, tokens, func([]byte) []byte { return one(r, all) })
		}
		return text
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a word of the same file
		if all := tokens.FindAll(text, 5000); len(all) > 0 {
			return replaceOne(r, text, tokens, func([]byte) []byte { return one(r, all) })
		}
		return text
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a name, everywhere
		return replaceAlike(r, text, tokens, []byte(one(r, nasty)))
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a number
		return replaceOne(r, text, numbers, func([]byte) []byte { return extreme(r) })
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a number, everywhere
		return replaceAlike(r, text, numbers, extreme(r))
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a value after a name
		return replaceOne(r, text, pairs, func(old []byte) []byte {
			at := bytes.IndexAny(old, "=:") + 1
			by := extreme(r)
			if r.IntN(2) == 0 {
				by = []byte(one(r, nasty))
			}
			return slices.Concat(old[:at], by)
		})
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a cell of a table
		return replaceOne(r, text, cells, func(old []byte) []byte {
			return one(r, [][]byte{nil, extreme(r), []byte(one(r, nasty)), old[:len(old)/2]})
		})
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // text put in
		at := anywhere(r, text)
		return slices.Concat(text[:at], []byte(one(r, nasty)), text[at:])
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a word longer
		return replaceOne(r, text, tokens, func(old []byte) []byte {
			return bytes.Repeat(old, min(one(r, []int{2, 20, 1000, 20000}), 1+1<<19/(1+len(old))))
		})
	},
	cutOff,
	leaveOut,
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // a sign repeated, so that it nests
		return replaceOne(r, text, delimiter,
			func(old []byte) []byte { return bytes.Repeat(old, one(r, []int{2, 3, 100, 20000})) })
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // another sign
		return replaceOne(r, text, delimiter, func([]byte) []byte {
			return []byte(one(r, []string{"", "=", ",", "[", "]", "{", "}", "(", ")", "\"", "|", ":", ";", "\n"}))
		})
	},
	func(r *rand.Rand, text []byte, others [][]byte) []byte { // one file after the other
		return slices.Concat(text, one(r, others))
	},
	func(r *rand.Rand, text []byte, _ [][]byte) []byte { // other line ends
		return bytes.ReplaceAll(text, []byte("\n"), []byte(one(r, []string{"\r\n", "\r", "", "\\\n", "\n\n"})))
	},
	func(r *rand.Rand, _ []byte, _ [][]byte) []byte { // nothing, or nearly
		return []byte(one(r, []string{"", "\n", "\ufeff", "\x00", "{}", "[]", "null", "\"\"", "0", "\x1f\x8b",
			"\x28\xb5\x2f\xfd", strings.Repeat("[", 100_000), strings.Repeat("{\"a\":", 50_000)}))
	},
}

// grammars are mutators of one kind of text, by the ending of the file's name. They know what its parts mean.
var grammars = []struct {
	of       *regexp.Regexp
	mutators []mutator
}{
	{regexp.MustCompile(`\.(json|jsonl)$`), []mutator{mutateJSON, mutateJSON, mutateJSON}},
	{regexp.MustCompile(`\.hcl$`), []mutator{mutateHCL, mutateHCL, mutateHCLValue, mutateHCLValue}},
	{regexp.MustCompile(`(maui|moab)[^/]*\.cfg|shares\.cfg`), []mutator{mutateMaui, mutateMaui}},
	{regexp.MustCompile(`\.conf$`), []mutator{mutateSlurm, mutateSlurm}},
	{regexp.MustCompile(`(assoc|dump|sacctmgr)[^/]*\.cfg`), []mutator{mutateDump, mutateDump}},
	{regexp.MustCompile(`\.swf$`), []mutator{mutateSWF}},
}

// mutated is a text after one to four mutations, mostly one: more of them seldom get beyond the parser.
func mutated(r *rand.Rand, name string, text []byte, others [][]byte) []byte {
	var own []mutator
	for _, g := range grammars {
		if g.of.MatchString(path.Base(name)) {
			own = append(own, g.mutators...)
		}
	}
	for range one(r, []int{1, 1, 1, 1, 2, 2, 3, 4}) {
		kinds := generic
		if len(own) > 0 && r.IntN(4) > 0 {
			kinds = own
		}
		if next := one(r, kinds)(r, text, others); len(next) <= 4<<20 {
			text = next
		}
	}
	return text
}

// TestMutators: each changes most texts, alike for the same seed, and none fails for an odd one.
func TestMutators(t *testing.T) {
	seed := []byte("NodeName=n[1-4] CPUs=4 State=UP\nPartitionName=main Nodes=ALL MaxTime=1:00:00 # é\n{\"a\": [1, " +
		"2.5, \"x\", {\"b\": null}]}\n1 2 3\n")
	kinds := generic
	for _, g := range grammars {
		kinds = append(kinds, g.mutators...)
	}
	for i, m := range kinds {
		changes := 0
		for n := range uint64(40) {
			for _, text := range [][]byte{seed, nil, {0xff}, []byte("{}"), []byte("\n")} {
				a := m(newRandom(n, 1), slices.Clone(text), [][]byte{seed, nil})
				b := m(newRandom(n, 1), slices.Clone(text), [][]byte{seed, nil})
				if !bytes.Equal(a, b) {
					t.Fatalf("mutator %d is random", i)
				}
				if len(text) == len(seed) && !bytes.Equal(a, text) {
					changes++
				}
			}
		}
		if changes < 5 {
			t.Errorf("mutator %d changed %d of 40 texts", i, changes)
		}
	}
}
