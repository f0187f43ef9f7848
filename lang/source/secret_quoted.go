package source

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hinted are the lines of a file with something that may be or begin a password.
func (f *File) hinted() []int {
	f.index()
	f.hintOnce.Do(func() {
		if !hinted(string(f.Text)) {
			return
		}
		for line := range f.lines {
			if hinted(f.line(line + 1)) {
				f.hintLines = append(f.hintLines, line+1)
			}
		}
	})
	return f.hintLines
}

// mayHide reports a line near one of the hints. A setting's name itself may go on on the next line.
func (f *File) mayHide(line int) bool {
	list := f.hinted()
	if i, _ := slices.BinarySearch(list, line-maxLines); i < len(list) && list[i] <= line+maxLines {
		return true
	}
	return continues(f.line(line)) || line > 1 && continues(f.line(line-1))
}

// Long is the longest file that is searched in full for passwords that messages may quote: no configuration is
// longer, and of a snapshot the message alone is looked at.
const Long = 16 << 20

// Hide is a text about the file, such as a message that quotes it, without the file's passwords.
func (f *File) Hide(text string) string {
	switch {
	case f == nil:
		return text
	case len(f.Text) > Long:
		return Mask(text)
	}
	for _, secret := range f.passwords().in(text) {
		text = without(text, secret)
	}
	return text
}

// passwords are those of the file, as they are written and as messages may quote them.
func (f *File) passwords() *passwords {
	f.passOnce.Do(func() {
		found := map[string]bool{}
		for line := range f.lineCount() {
			if !f.mayHide(line + 1) {
				continue
			}
			text := f.line(line + 1)
			for _, s := range f.secrets(line + 1) {
				written := strings.TrimSpace(text[s[0]:s[1]])
				bare := strings.Trim(written, `"'(){}[],;`)
				found[written], found[bare] = true, true
				for _, word := range strings.Fields(bare) {
					found[strings.Trim(word, `"'`)] = true
				}
				if plain, err := strconv.Unquote(written); err == nil {
					found[plain] = true
				}
			}
		}
		for text := range maps.Clone(found) {
			quoted := strconv.Quote(text)
			found[quoted[1:len(quoted)-1]] = true
		}
		delete(found, "")
		f.pass = searched(found)
	})
	return f.pass
}

func (f *File) lineCount() int {
	f.index()
	return len(f.lines)
}

// leastWord is the length from which a password is hidden wherever it is a word. A shorter one may be any word of a
// sentence, and is hidden in quotation marks; a long one is hidden as a part of a word too, as in -pPASSWORD.
const leastWord, longWord = 4, 8

// without takes a password out of a text, in small letters and large ones.
func without(text, secret string) string {
	if len(secret) < leastWord {
		return strings.ReplaceAll(text, `"`+secret+`"`, `"`+Hidden+`"`)
	}
	var b strings.Builder
	for at := 0; ; {
		i := indexFold(text[at:], secret)
		if i < 0 {
			return b.String() + text[at:]
		}
		from, to := at+i, at+i+len(secret)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		first, last := rune(secret[0]), rune(secret[len(secret)-1])
		within := inWord(before) && inWord(first) || inWord(after) && inWord(last)
		if within && len(secret) < longWord {
			b.WriteString(text[at:to])
		} else {
			b.WriteString(text[at:from] + Hidden)
		}
		at = to
	}
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// indexFold is strings.Index without regard to case, of letters that keep their length.
func indexFold(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}
