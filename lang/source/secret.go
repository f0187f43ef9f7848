package source

import (
	"regexp"
	"strings"
)

// Hidden stands where a password would.
const Hidden = "(not shown)"

// secretNames are settings whose values are passwords or addresses that may hold one: JobCompLoc is a URL for some plugins
// (slurm.conf manual), the keys are those of Maui's and Moab's CLIENTCFG and RMCFG.
var secretNames = []string{"jobcomploc", "defaultstorageloc", "cskey", "authkey", "key"}

// Secret reports a setting whose value is not for terminals, pages and logs that others read.
func Secret(name string) bool {
	name = strings.ToLower(name)
	for _, known := range secretNames {
		if name == known {
			return true
		}
	}
	for _, end := range []string{"pass", "passwd", "password", "secret"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// setting is a name and what is set: NAME=VALUE with blanks or without, or NAME VALUE where a line begins.
var setting = regexp.MustCompile(`(?:([A-Za-z]\w*)\s*=\s*|^\s*([A-Za-z]\w*)\s+)("[^"]*"?|[^\s"]+)`)

// login is a password in an address: scheme://user:password@host.
var login = regexp.MustCompile(`(://[^/\s:@"]*:)[^/\s@"]+@`)

// inner is a setting within the value of another, as in AuthInfo=socket=/run/munge,key=abc.
var inner = regexp.MustCompile(`([A-Za-z]\w*)=([^\s",;=]+)`)

// Mask hides the passwords in a line of a file. What is no password stays as it is.
func Mask(line string) string {
	var b strings.Builder
	end := 0
	for _, m := range setting.FindAllStringSubmatchIndex(line, -1) {
		for _, name := range [][]int{m[2:4], m[4:6]} {
			if name[0] >= 0 && Secret(line[name[0]:name[1]]) {
				b.WriteString(maskInner(line[end:m[6]]) + Hidden)
				end = m[7]
			}
		}
	}
	return login.ReplaceAllString(b.String()+maskInner(line[end:]), "${1}"+Hidden+"@")
}

func maskInner(text string) string {
	return inner.ReplaceAllStringFunc(text, func(pair string) string {
		if name, _, _ := strings.Cut(pair, "="); Secret(name) {
			return name + "=" + Hidden
		}
		return pair
	})
}
