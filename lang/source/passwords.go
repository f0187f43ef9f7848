package source

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// passwords are found in a text without a search for each: a file may have as many as it has messages that could quote
// one.
type passwords struct {
	short map[string]bool // below leastWord, which count in quotation marks only
	long  []password      // in order of their letters
	first map[rune][2]int // where in long those are that begin with a letter
}

// password is one with its letters without regard to case.
type password struct{ text, letters string }

// searched are passwords in a form to be searched for.
func searched(texts map[string]bool) *passwords {
	p := &passwords{short: map[string]bool{}, first: map[rune][2]int{}}
	for text := range texts {
		if len(text) < leastWord {
			p.short[text] = true
		} else {
			p.long = append(p.long, password{text, strings.Map(letter, text)})
		}
	}
	slices.SortFunc(p.long, func(a, b password) int {
		return cmp.Or(strings.Compare(a.letters, b.letters), strings.Compare(a.text, b.text))
	})
	for i, of := range p.long {
		r, _ := utf8.DecodeRuneInString(of.letters)
		if _, ok := p.first[r]; !ok {
			p.first[r] = [2]int{i, i}
		}
		p.first[r] = [2]int{p.first[r][0], i + 1}
	}
	return p
}

// letter is the same for a letter in all its cases, as strings.EqualFold has them.
func letter(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// in are the passwords that a text has somewhere, the longest first.
func (p *passwords) in(text string) []string {
	found := map[string]bool{}
	for i := range len(text) {
		if text[i] == '"' {
			for end := i + 2; end < len(text) && end <= i+leastWord; end++ {
				if text[end] == '"' && p.short[text[i+1:end]] {
					found[text[i+1:end]] = true
				}
			}
		}
		p.from(text[i:], found)
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
}

// from adds the passwords that a text begins with.
func (p *passwords) from(text string, found map[string]bool) {
	r, at := utf8.DecodeRuneInString(text)
	r = letter(r)
	some, depth := p.long[p.first[r][0]:p.first[r][1]], utf8.RuneLen(r)
	for len(some) > 0 {
		for _, of := range some {
			if len(of.letters) > depth {
				break
			}
			if len(of.text) == at { // a letter may be longer in its other case
				found[of.text] = true
			}
		}
		if at == len(text) {
			return
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		next := string(letter(r))
		of := func(i int) string { return some[i].letters[depth:min(len(some[i].letters), depth+len(next))] }
		end := sort.Search(len(some), func(i int) bool { return of(i) > next })
		some = some[sort.Search(end, func(i int) bool { return of(i) >= next }):end]
		at, depth = at+size, depth+len(next)
	}
}
