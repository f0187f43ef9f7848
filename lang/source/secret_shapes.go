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
	inner   bool // what is hidden or ignored may have another one in it
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
			`(?:\]?\s*=|\s*["']\s*[=:])\s*(?P<pw>` + value + `)`), true, false},
	{"NAME VALUE where a line begins",
		Pattern(`^\s*(?:(?P<name>[A-Za-z]\w*)|#+\s*(?P<name>[A-Z]{4,}))\s+` +
			`(?P<pw>"(?:[^"\\]|\\.)*"?|[^\s"=]\S*)`), true, false},
	{"NAME: VALUE, as in headers",
		Pattern(`(?:^|[^\w-])(?P<name>[A-Za-z_][\w-]*):\s*` +
			`(?P<pw>"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"'][^"']*)`), false, true},
	{"one of several settings in a value, as in AuthInfo=socket=/run/munge,key=abc",
		Pattern(`(?P<name>[A-Za-z_][\w-]*)=(?:` + part + `)`), false, true},
	{"Maui's attributes, as in CLIENTCFG[x] CSKEY value",
		Pattern(`\s(?P<name>[A-Z][A-Z_]*)\s+(?P<pw>"[^"]*"?|[^\s="][^\s]*)`), false, true},
	{"an option of a command: --password x",
		Pattern(`(?:^|[^\w-])--?(?P<name>[A-Za-z][\w-]*)(?:\s+|=)(?P<pw>` + value + `)`), false, true},
	{"a header",
		Pattern(`(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?P<pw>[^"'\r\n]+)`), false, false},
	{"a token of a header",
		Pattern(`(?i)\bbearer\s+["']?(?P<pw>[^\s"',;]{4,})`), false, false},
	{"a user with a password",
		Pattern(`(?:^|[\s"'])(?:-[uU]|--(?:proxy-)?user(?:name)?)(?:[\s=]\s*)?["']?` +
			`[^\s:%"'/=]*[:%](?P<pw>[^\s"'/][^\s"']*)`), false, false},
	{"the option of a program",
		Pattern(`\b(?:` + programs + `)(?P<pw>"[^"]*"?|'[^']*'?|[^\s"']+)`), false, false},
	{"a token by its form",
		Pattern(`\b(?P<pw>eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|gh[pousr]_\w{16,}|` +
			`github_pat_\w{16,}|gl(?:pat|rt|dt|ptt|ft|cbt)-[\w-]{16,}|` +
			`xox[a-z]-[\w-]{10,}|hf_\w{16,}|sk-[\w-]{20,})`), false, false},
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

// unset is what scontrol show config prints of a password that nobody has set.
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
		for _, m := range texts {
			if s := &found[i]; text[m[0]] == '"' && m[0] < s[0] && s[0] < m[1]-1 {
				s[1] = min(s[1], m[1]-1)
			}
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
	names := s.form().SubexpNames()
	for at := 0; at < len(text); {
		m := s.form().FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		secret, next := !slices.Contains(names, "name"), at+max(m[1], 1)
		for g, name := range names {
			if m[2*g] < 0 {
				continue
			}
			from, to := at+m[2*g], at+m[2*g+1]
			switch {
			case name == "name":
				secret = secret || Secret(text[from:to]) && !strings.HasSuffix(text[:to], "each.key")
			case name == "pw" && secret:
				if s.further {
					to = wordsFrom(text, from, to)
				}
				found = append(found, [2]int{from, to})
				next = max(to, at+1)
			case name == "pw" && s.inner: // what is set may be a setting too, as in A=token=abc
				next = max(from, at+1)
			}
		}
		at = next
	}
	return found
}

// login begins a password in an address, scheme://user:password@host, or in one of a list of such: user:password@host.
var login = Pattern(`(?:://|^|[=,;\s\["'(])[^/\s:@",;='(\[]*:`)

// port is one of an address with a path after it, in which an @ begins no host.
var port = Pattern(`^\d{1,5}/`)

// again is another address of a list.
var again = Pattern(`^[,;](?:[A-Za-z][\w+.-]*://|[^/\s:@",;=]*:[^/\s:@",;][^\s:@",;]*@)`)

// logins finds passwords in addresses. One goes to the last @ before the address ends, as users write @ and / in them.
func logins(text string, found [][2]int) [][2]int {
	for at := 0; at < len(text); {
		m := login().FindStringIndex(text[at:])
		if m == nil {
			break
		}
		start, last := at+m[1], -1
		if port().MatchString(text[start:]) {
			at = start
			continue
		}
		address := strings.Contains(text[at+m[0]:start], "://")
		end := start
		for ; end < len(text) && !strings.ContainsRune(" \t\"'", rune(text[end])); end++ {
			if text[end] == '@' {
				last = end
			}
			c := text[end]
			next := again().MatchString(text[end:]) || (c == ',' || c == ';') && (last >= 0 || !address)
			if scheme := c == '/' && !address && end == start; next || scheme {
				break
			}
		}
		if at += m[0] + 1; last > start {
			found = append(found, [2]int{start, last})
			at = last
		}
	}
	return found
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
