package source

import (
	"regexp"
	"slices"
	"strings"
)

// shape is a form in which a password is written. What is hidden are the groups of its expression that are called pw;
// a group called name is the name of a setting, and hides nothing if that is not one of a password.
type shape struct {
	what    string
	form    func() *regexp.Regexp
	further bool // words after it, which whoever forgot the quotes left there, belong to it
	// within: what is set may be a setting too, as in A=token=abc. The form is then all before the value, and this is the
	// value, which is read only of a password: else each name would read the whole line after it.
	within func() *regexp.Regexp
}

// value is what is set: in quotes, or up to a blank.
const value = `(?:"(?:[^"\\]|\\.)*(?:"|$)|'[^']*')(?:[^\s,;:)}\]"'][^\s"]*)?|[^\s"]+(?:"[^"]*"?[^\s"]*)*`

// part is the same, of one of several with commas between.
const part = `\s*(?P<pw>"(?:[^"\\]|\\.)*(?:"|$)|'[^']*')|(?P<pw>[^\s",;]+)`

// programs are commands with the option that takes a password, which means something else to other programs.
const programs = `sshpass\s+(?:-\S+\s+)*-p\s*|(?:mysql|mariadb)[\w-]*\s(?:[^|&;]*\s)?-p|` +
	`ldap[a-z]+\s(?:[^|&;]*\s)?-w\s*|` +
	`redis-cli\s(?:[^|&;]*\s)?-a\s*|(?:sqlcmd|ipmitool|unzip|zip)\s(?:[^|&;]*\s)?-P\s*|7za?\s(?:[^|&;]*\s)?-p|` +
	`(?:docker|podman|skopeo|helm|mongo\w*|vncpasswd)\s(?:[^|&;]*\s)?-p\s*`

// shapes are tried one after the other; what one finds the others need not.
var shapes = []shape{
	{"NAME=VALUE with blanks or without, or \"NAME\": VALUE",
		Pattern(`(?:^|[^\w-])(?P<name>[A-Za-z_][\w-]*)` +
			`(?:\]?\s*=|\s*["']\s*[=:])\s*(?P<pw>` + value + `)`), true, nil},
	{"NAME VALUE where a line begins",
		Pattern(`^\s*(?:(?P<name>[A-Za-z]\w*)|#+\s*(?P<name>[A-Z]{4,}))\s+` +
			`(?P<pw>"(?:[^"\\]|\\.)*"?|[^\s"=]\S*)`), true, nil},
	{"NAME: VALUE, as in headers",
		Pattern(`(?:^|[^\w-])(?P<name>[A-Za-z_][\w-]*):\s*`), false,
		Pattern(`^(?P<pw>"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"'][^"']*)`)},
	{"one of several settings in a value, as in AuthInfo=socket=/run/munge,key=abc",
		Pattern(`(?P<name>[A-Za-z_][\w-]*)=`), false, Pattern(`^(?:` + part + `)`)},
	{"Maui's attributes, as in CLIENTCFG[x] CSKEY value",
		Pattern(`\s(?P<name>[A-Z][A-Z_]*)\s+`), false, Pattern(`^(?P<pw>"[^"]*"?|[^\s="][^\s]*)`)},
	{"an option of a command: --password x",
		Pattern(`(?:^|[^\w-])--?(?P<name>[A-Za-z][\w-]*)(?:\s+|=)`), false, Pattern(`^(?P<pw>` + value + `)`)},
	{"a header",
		Pattern(`(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?P<pw>[^"'\r\n]+)`), false, nil},
	{"a token of a header",
		Pattern(`(?i)\bbearer\s+["']?(?P<pw>[^\s"',;]{4,})`), false, nil},
	{"a user with a password",
		Pattern(`(?:^|[\s"'])(?:-[uU]|--(?:proxy-)?user(?:name)?)(?:[\s=]\s*)?["']?` +
			`[^\s:%"'/=]*[:%](?P<pw>[^\s"'/][^\s"']*)`), false, nil},
	{"the option of a program",
		Pattern(`\b(?:` + programs + `)(?P<pw>"[^"]*"?|'[^']*'?|[^\s"']+)`), false, nil},
	{"a token by its form",
		Pattern(`\b(?P<pw>eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|gh[pousr]_\w{16,}|` +
			`github_pat_\w{16,}|gl(?:pat|rt|dt|ptt|ft|cbt)-[\w-]{16,}|` +
			`xox[a-z]-[\w-]{10,}|hf_\w{16,}|sk-[\w-]{20,})`), false, nil},
}

// hints: one of them, in small letters, is in each text that has one of the shapes, or of a record.
var hints = []string{
	"pass", "pw", "secret", "token", "key", "jwt", "cred", "auth", "bearer", "cookie", "comploc", "storageloc",
	"@", "-u", "-p", "--", "ldap", "redis", "eyj", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
	"glpat-", "glrt-", "gldt-", "glptt-", "glft-", "glcbt-", "xox", "hf_", "sk-",
}

// hinted reports a text in which there may be a password: most have none, and cost no more than this.
func hinted(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(text, h) })
}

// unset is what scontrol show config prints of a password that is not set.
var unset = Pattern(`^"?\((?:null|none)\)"?$`)

// quoted is a text in quotation marks, escaped what is before those that are within.
var (
	quoted  = Pattern(`"(?:[^"\\]|\\.)*"|'[^']*'`)
	escaped = Pattern(`\\+["'/]`)
)

// blanks leaves of an escaped sign the sign, where it was.
func blanks(text string) string { return strings.Repeat(" ", len(text)-1) + text[len(text)-1:] }

// withinQuotes is where passwords are in a text that was in quotation marks.
func withinQuotes(text string) [][2]int { return secrets(escaped().ReplaceAllStringFunc(text, blanks)) }

// secrets is where passwords are in a text.
func secrets(text string) (found [][2]int) {
	if !hinted(text) {
		return nil
	}
	for i := range shapes {
		found = shapes[i].find(text, found)
	}
	found = logins(text, found)
	texts := quoted().FindAllStringIndex(text, -1)
	for i := range found { // what begins within quotation marks ends there
		s := &found[i]
		after, _ := slices.BinarySearchFunc(texts, s[0], func(m []int, at int) int { return m[0] - at })
		if after > 0 && text[texts[after-1][0]] == '"' && s[0] < texts[after-1][1]-1 {
			s[1] = min(s[1], texts[after-1][1]-1)
		}
	}
	for _, m := range texts { // what is quoted is a text of its own
		for _, s := range withinQuotes(text[m[0]+1 : m[1]-1]) {
			found = append(found, [2]int{s[0] + m[0] + 1, s[1] + m[0] + 1})
		}
	}
	if m := record().FindStringSubmatchIndex(text); m != nil && Secret(text[m[2]:m[3]]) {
		found = append(found, [2]int{m[4], m[5]})
	}
	return slices.DeleteFunc(found, func(s [2]int) bool { return unset().MatchString(text[s[0]:s[1]]) })
}

func (s *shape) find(text string, found [][2]int) [][2]int {
	for at := 0; at < len(text); {
		m := s.form().FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		next := at + max(m[1], 1)
		values, secret := groups(s.form(), m, at, "pw"), true
		for _, n := range groups(s.form(), m, at, "name") {
			secret = Secret(text[n[0]:n[1]]) && !strings.HasSuffix(text[:n[1]], "each.key")
		}
		if secret && s.within != nil {
			values = groups(s.within(), s.within().FindStringSubmatchIndex(text[next:]), next, "pw")
		}
		for _, v := range values {
			if secret && s.further {
				v[1] = wordsFrom(text, v[0], v[1])
			}
			if secret {
				found = append(found, v)
				next = max(v[1], at+1)
			}
		}
		at = next
	}
	return found
}

// groups are where the groups of a name are, of a match at some place in a text.
func groups(form *regexp.Regexp, match []int, at int, name string) (all [][2]int) {
	for g, is := range form.SubexpNames() {
		if match != nil && is == name && match[2*g] >= 0 {
			all = append(all, [2]int{at + match[2*g], at + match[2*g+1]})
		}
	}
	return all
}

// port is one of an address with a path after it, in which an @ begins no host.
var port = Pattern(`^\d{1,5}/`)

// again is another address of a list.
var again = Pattern(`^[,;](?:[A-Za-z][\w+.-]*://|[^/\s:@",;=]*:[^/\s:@",;][^\s:@",;]*@)`)

// logins finds passwords in addresses. One goes to the last @ before the address ends, as users write @ and / in them.
func logins(text string, found [][2]int) [][2]int {
	var looked [2]int // how far addresses, and other logins, are known to hold no more @
	for colon := 0; colon < len(text); colon++ {
		address, ok := login(text, colon)
		if start := colon + 1; ok && !port().MatchString(text[start:min(len(text), start+len("65535/"))]) {
			of := &looked[0]
			if address {
				of = &looked[1]
			}
			last, end := lastAt(text, start, max(start, *of), address)
			if *of = end; last > start {
				found = append(found, [2]int{start, last})
				colon = last
			}
		}
	}
	return found
}

// login reports a colon after which a password may begin: in an address, scheme://user:password@host, or in one of a
// list of others, user:password@host.
func login(text string, colon int) (address, ok bool) {
	if text[colon] != ':' {
		return false, false
	}
	before := strings.TrimRightFunc(text[:colon], func(r rune) bool {
		return !strings.ContainsRune("/:@\",;='([ \t\n\f\r", r)
	})
	if before == "" || strings.ContainsAny(before[len(before)-1:], "=,;[\"'( \t\n\f\r") {
		return false, true
	}
	return true, strings.HasSuffix(before, "://")
}

// lastAt is the last @ of a password that begins at start, if one is at from or after, and where its address ends.
func lastAt(text string, start, from int, address bool) (last, end int) {
	last = -1
	for end = from; end < len(text); end++ {
		switch c := text[end]; {
		case c == '@':
			last = end
		case strings.IndexByte(" \t\"'", c) >= 0, c == '/' && !address && end == start:
			return last, end
		case (c == ',' || c == ';') && (last >= 0 || !address || again().MatchString(text[end:])):
			return last, end
		}
	}
	return last, end
}

// word is one after a blank.
var word = Pattern(`^\s+([^\s#}][^\s]*)\s*`)

// wordsFrom is where a value without quotes ends, with the words after it that are no settings: whoever forgot
// the quotes around a password with blanks shall not read it in the message that says so.
func wordsFrom(text string, start, end int) int {
	if text[start] == '"' || text[start] == '\'' && text[end-1] == '\'' {
		return end
	}
	for {
		m := word().FindStringSubmatchIndex(text[end:])
		if m == nil || strings.Contains(text[end+m[2]:end+m[3]], "=") || strings.HasPrefix(text[end+m[1]:], "=") {
			return end
		}
		end += m[3]
	}
}
