package source

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden is written in place of a password.
const Hidden = "(not shown)"

// secretNames are settings whose values are passwords or addresses that may hold one: JobCompLoc is a URL for some
// plugins (slurm.conf manual), the keys are those of Maui's and Moab's CLIENTCFG and RMCFG.
var secretNames = []string{"jobcomploc", "defaultstorageloc", "cskey", "authkey", "key", "jwt",
	"authorization", "cookie"}

// secretEnds are what the names of passwords end in.
var secretEnds = []string{
	"pass", "passwd", "password", "passwords", "passphrase", "passcode", "pwd", "pw",
	"secret", "secrets", "token", "bearer",
	"_credentials", "apikey", "api_key", "secretkey", "secret_key", "accesskey", "access_key",
}

// Secret reports a setting whose value is not for terminals, pages and logs that others read.
func Secret(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	if slices.Contains(secretNames, name) {
		return true
	}
	for _, end := range secretEnds {
		if strings.HasSuffix(name, end) {
			return !noPassword().MatchString(name)
		}
	}
	return false
}

// noPassword are words that end as a password's name does, such as Maui's BYPASS.
var noPassword = Pattern(`(?:^|[^a-z])(?:by|com|encom|over|sur|tres|under)pass$`)

// record is one of a policy file that is on a line, with what it sets.
var record = Pattern(`^\s*record\s+"([^"]*)"[^{]*\{\s*(?:\w+\s*=\s*)?(.*?)[\s}]*$`)

// opened is a record that begins, and text that does, as of a password on the next line.
var (
	opened = Pattern(`^\s*record\s+"([^"]*)"[^{}]*\{`)
	below  = Pattern(`([A-Za-z]\w*)"?\s*[=:]\s*(?:<<-?\w+|[(\[])\s*$`)
	within = Pattern(`^\s*(?:\w+\s*=\s*)?(\S.*)$`)
)

// Mask hides the passwords in a line of a file. What is no password stays as it is.
func Mask(line string) string { return hide(line, secrets(line), 0, len(line)) }

// MaskLines is Mask of each line of a text.
func MaskLines(text string) string {
	if !hinted(text) {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		content := strings.TrimRight(line, "\r\n")
		b.WriteString(Mask(content) + line[len(content):])
	}
	return b.String()
}

// MaskQuoted is Mask of what is in quotation marks: the rest is Fairway's own text, with forms of its own.
func MaskQuoted(text string) string {
	if !hinted(text) {
		return text
	}
	return quoted().ReplaceAllStringFunc(text, func(q string) string {
		if !hinted(q) {
			return q
		}
		return q[:1] + hide(q[1:len(q)-1], withinQuotes(q[1:len(q)-1]), 0, len(q)-2) + q[len(q)-1:]
	})
}

// maxLines are those of a record, or of a text that begins above, that are looked at.
const maxLines = 100

// Shown is a line of the file without its passwords, also those that begin on the line before or go on on the next:
// both schedulers join a line that ends in a backslash with the one after it, and a record of a policy file has its
// name above.
func (f *File) Shown(line int) string {
	line = f.own(line)
	text := f.line(line)
	return hide(text, f.secrets(line), 0, len(text))
}

// Shown is the text of the span without the passwords of its lines.
func (s Span) Shown() string {
	if s.File == nil {
		return ""
	}
	var shown []string
	first, last := s.File.position(int(s.Start)).Line, s.File.position(int(s.End)).Line
	for line := first; line <= last; line++ {
		text, start := s.File.line(line), s.File.lines[line-1]
		shown = append(shown, hide(text, s.File.secrets(line), max(0, int(s.Start)-start), min(len(text), int(s.End)-start)))
	}
	return strings.Join(shown, "\n")
}

// secrets is where passwords are on a line, in order.
func (f *File) secrets(line int) [][2]int {
	if !f.mayHide(line) {
		return nil
	}
	f.lineMutex.Lock()
	defer f.lineMutex.Unlock()
	found, known := f.lineSecrets[line]
	if !known {
		found = f.search(line)
		slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
		if f.lineSecrets == nil {
			f.lineSecrets = map[int][][2]int{}
		}
		f.lineSecrets[line] = found
	}
	return found
}

// search looks for the passwords of a line.
func (f *File) search(line int) [][2]int {
	own := f.line(line)
	if continues(own) {
		own = strings.TrimSuffix(strings.TrimRight(own, " \t"), `\`)
	}
	found := secrets(own) // should lines not belong together after all
	if m := within().FindStringSubmatchIndex(own); m != nil && f.inSecret(line) {
		return append(found, [2]int{m[2], m[3]})
	}
	if f.joined == nil {
		f.joined = map[int][][2]int{}
	}
	if _, known := f.joined[line]; !known {
		f.join(line)
	}
	return append(found, f.joined[line]...)
}

// join looks for the passwords of the lines that one is joined with, once for all of them.
func (f *File) join(line int) {
	first, last := line, line
	for first > 1 && continues(f.line(first-1)) {
		first--
	}
	for last < f.lineCount() && continues(f.line(last)) {
		last++
	}
	f.joined[line] = nil
	if first == last {
		return
	}
	var joined strings.Builder
	ends := make([]int, 0, last-first+1)
	for n := first; n <= last; n++ {
		part := f.line(n)
		if n < last {
			part = strings.TrimSuffix(strings.TrimRight(part, " \t"), `\`)
		}
		joined.WriteString(part)
		ends = append(ends, joined.Len())
		f.joined[n] = nil
	}
	for _, s := range secrets(joined.String()) {
		i, _ := slices.BinarySearch(ends, s[0]+1)
		for ; s[0] < s[1]; i++ {
			start, end := 0, min(s[1], ends[i])
			if i > 0 {
				start = ends[i-1]
			}
			if s[0] < end {
				f.joined[first+i] = append(f.joined[first+i], [2]int{s[0] - start, end - start})
			}
			s[0] = end
		}
	}
}

// inSecret reports a line of a policy file in a record of a password, or in a value that began above.
func (f *File) inSecret(line int) bool {
	if text := strings.TrimSpace(f.line(line)); text == "" || text == "}" {
		return false
	}
	direct := true // nothing else is set between
	for n := line - 1; n > 0 && line-n < maxLines; n-- {
		above := f.line(n)
		if strings.ContainsAny(above, "{}(<[") {
			if direct && begins(above) { // else the search would go through each line above, of each line
				if m := below().FindStringSubmatch(above); m != nil && Secret(m[1]) {
					return true
				}
			}
			if m := opened().FindStringSubmatch(above); m != nil {
				return Secret(m[1])
			}
			if strings.ContainsAny(above, "{}") {
				return false
			}
		}
		direct = direct && !strings.Contains(above, "=") && strings.Trim(above, " \t,)]") != ""
	}
	return false
}

// begins reports a line at whose end a text or a list may begin: few do, and below is slow on long ones.
func begins(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return strings.HasSuffix(line, "(") || strings.HasSuffix(line, "[") || strings.Contains(line, "<<")
}

func continues(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) }

// hide is a part of a text without what is secret in it.
func hide(text string, secrets [][2]int, start, end int) string {
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	at := start
	for _, s := range secrets {
		if s[0], s[1] = max(s[0], start), min(s[1], end); s[0] >= s[1] || s[1] <= at {
			continue
		}
		if s[0] >= at { // one that another overlaps is hidden with it
			b.WriteString(text[at:s[0]] + Hidden)
		}
		at = s[1]
	}
	return b.String() + text[at:end]
}

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
